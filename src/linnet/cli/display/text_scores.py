"""How do commands show the scores of models about texts?"""

from pathlib import Path
from typing import Any

__all__ = ["evaluate_texts", "print_text_scores"]

NUMBERS = "mse"  # the score that only predicted numbers have


def evaluate_texts(
    model: Path,
    corpus: Path,
    *,
    split: str | None,
    repair: bool,
    report: Path | None,
    predictions: Path | None,
    as_json: bool,
) -> None:
    """Score a model about texts on a corpus, and print or write what is asked for."""
    from linnet.cli.display.page_titles import page_details, page_title, table_title
    from linnet.cli.display.printing import print_json, print_line, print_warnings
    from linnet.contracts import Notes
    from linnet.tasks.texts.evaluation import evaluate_texts as evaluate_model
    from linnet.tasks.texts.evaluation import write_text_predictions

    notes = Notes()
    predictor, found = evaluate_model(model, corpus, split=split, notes=notes, repair=repair)
    print_warnings(notes.sentences(), what="note")
    print_warnings(found.warnings)
    if predictions is not None:
        write_text_predictions(predictions, found.judged)
    details = page_details(model, corpus, found.split)
    if report is not None:
        from linnet.tasks.texts.reports.page import write_text_page

        page = write_text_page(
            report,
            title=page_title(model, corpus, found.split),
            figures=found.figures,
            titles=found.titles,
            labels=found.labels,
            judged=found.judged,
            kind=predictor.network.shape.kind,
            details={**details, "task": predictor.task.name},
        )
    if as_json:
        print_json({"task": predictor.task.name, **found.as_dict(), **details})
        return
    print_line(f"{table_title(details)}\n")
    print_text_scores(found.as_dict())
    if report is not None:
        print_line(f"\n{page}: open it in a browser to look at the errors")


def print_text_scores(found: dict[str, Any]) -> None:
    """Print a table of all scores and one of the labels, from the shape that a run folder keeps."""
    from linnet.cli.display.printing import new_table, print_tables

    is_about_numbers = NUMBERS in found["scores"]  # correlations and errors are no shares
    title = "scores" if is_about_numbers else "scores in per cent"
    is_of_folds = any("sd" in figure for figure in found["scores"].values())
    columns = {"mean": "value", "SD": "sd"} if is_of_folds else {"value": "value", "low": "low", "high": "high"}
    about = "mean and standard deviation" if is_of_folds else "with 95 % intervals"
    table = new_table(f"{title}, {about}", "score", *columns, "of")
    for name, figure in found["scores"].items():
        show = _number if is_about_numbers else _percent
        shown = [show(figure[key]) for key in columns.values()]
        mark = " *" if name == found["metric"] else ""
        table.add_row(f"{name.replace('_', ' ')}{mark}", *shown, f"{figure['n']:,} {figure['unit']}")
    tables = [table]
    if found["labels"]:
        labels = new_table("by label", "label", "precision", "recall", "F1", "gold", "predicted")
        for name, each in found["labels"].items():
            shown = [_percent(each[key]) for key in ("precision", "recall", "f1")]
            labels.add_row(name, *shown, f"{each['gold']:,}", f"{each['predicted']:,}")
        tables.append(labels)
    print_tables(*tables)


def _percent(value: float | None) -> str:
    return "" if value is None else f"{100 * value:.2f}"


def _number(value: float | None) -> str:
    return "" if value is None else f"{value:.4f}"
