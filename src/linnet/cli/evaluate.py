"""The command `linnet evaluate`."""

from pathlib import Path
from typing import Annotated

import typer

from linnet.cli.options import AsJson, CorpusPath, FormatName, Label, Labels, Repair
from linnet.errors import BadSetting

__all__ = ["evaluate"]

SENTENCES = "sentences"


def evaluate(
    model: Annotated[Path, typer.Argument(help="run folder, or any token-classification model: folder or hub name")],
    corpus: CorpusPath,
    *,
    split: Annotated[str | None, typer.Option(help="split of a corpus folder; test if not given")] = None,
    report: Annotated[Path | None, typer.Option(help="folder for a page to browse the errors")] = None,
    predictions: Annotated[Path | None, typer.Option(help="file for word, gold tag and predicted tag")] = None,
    decoding: Annotated[str | None, typer.Option(help="valid or argmax; the model's own if not given")] = None,
    format: FormatName = None,
    label: Label = None,
    labels: Labels = None,
    repair: Repair = False,
    map_: Annotated[
        list[str] | None,
        typer.Option("--map", metavar="MODEL=CORPUS", help="label of the model and that of the corpus which it means"),
    ] = None,
    resample: Annotated[str, typer.Option(help="what the intervals resample: sentences or documents")] = SENTENCES,
    as_json: AsJson = False,
) -> None:
    """Score a model on a corpus; every word is predicted, every gold mention counts."""
    from linnet.models.model_folder import read_facts
    from linnet.models.published.opening import is_of_others

    if not is_of_others(model) and read_facts(model).task != "ner":
        from linnet.cli.display.text_scores import evaluate_texts

        given = {"decoding": decoding, "format": format, "label": label, "labels": labels, "map": map_}
        _refuse(model, [*(name for name, value in given.items() if value), *["resample"] * (resample != SENTENCES)])
        evaluate_texts(
            model, Path(corpus), split=split, repair=repair, report=report, predictions=predictions, as_json=as_json
        )
        return
    from linnet.cli.display.page_titles import page_details, page_title, table_title
    from linnet.cli.display.printing import print_json, print_line, print_warnings
    from linnet.cli.score import print_score_tables
    from linnet.tasks.ner.evaluation import evaluate as evaluate_model
    from linnet.tasks.ner.evaluation import write_predictions
    from linnet.tasks.ner.label_mapping import parse_map

    found = evaluate_model(
        model,
        corpus,
        split=split,
        format=format,
        label=label,
        labels=labels,
        repair=repair,
        decoding=decoding,
        resample=resample,
        map=parse_map(map_) if map_ else None,
    )
    scores = found.scores.as_dict()
    print_warnings([*found.model_notes, *found.examples.notes.sentences()], what="note")
    if found.shared is not None:
        print_warnings(found.shared.sentences())
    if predictions is not None:
        write_predictions(predictions, found)
    details = page_details(model, Path(corpus), found.split)
    if report is not None:
        from linnet.tasks.ner.reports.page import write_page

        told = dict(details)
        if found.shared is not None:
            mapped = [f"{ours} as {theirs}" for ours, theirs in found.shared.map.items()]
            told["labels"] = "; ".join([*mapped, *found.shared.sentences()])
        title = page_title(model, Path(corpus), found.split)
        page = write_page(report, title=title, scores=scores, sentences=found.sentences, details=told)
    if as_json:
        mapping = {} if found.shared is None else {"mapping": found.shared.as_dict()}
        print_json({**scores, **mapping, **details})
        return
    print_line(f"{table_title(details)}\n")
    print_score_tables(scores)
    if report is not None:
        print_line(f"\n{page}: open it in a browser to look at the errors")


def _refuse(model: Path, options: list[str]) -> None:
    """Refuse what only models for mentions can be told."""
    if options:
        listed = ", ".join(f"--{option}" for option in options)
        raise BadSetting(f"{model}: this model is about whole texts, which {listed} says nothing about", "leave it out")
