"""Writes the Markdown report of a training run about texts."""

from collections.abc import Iterator, Sequence
from pathlib import Path

from linnet.documents.counted import counted_units
from linnet.documents.texts import Prediction
from linnet.reports.card_sections import command_section, training_details
from linnet.reports.corpus_warnings import warning_section
from linnet.reports.hints import hint_section
from linnet.reports.markdown import class_section, count_text, escape, history_section, markdown_table, percent
from linnet.reports.plots import Row
from linnet.reports.tables import figure_units
from linnet.storage.files import new_file
from linnet.tasks.texts.reports.facts import TextFacts, figure_text, interval_text

__all__ = ["label_section", "score_table", "text_headline", "write_text_report"]


def write_text_report(
    path: Path, *, facts: TextFacts, split: str, predictions: Sequence[Prediction], history: Sequence[Row]
) -> None:
    """Write `report.md`: scores, labels, mistakes with examples, and the course of the training.

    Args:
        path: the file; `training.png` and, for classes and numbers, `predictions.png` are shown from beside it.
        facts: what was trained.
        split: what the scores were counted on.
        predictions: all examples of the split.
        history: as for `plot_training`.
    """
    sections = [
        f"# {escape(f'{facts.encoder} on {facts.corpus}, {split}')}",
        text_headline(facts, split),
        "\n".join(f"- {escape(name)}: {escape(value)}" for name, value in _details(facts, split).items()),
        *warning_section(facts.warnings),
        *hint_section(facts.hints),
        "## Scores",
        score_table(facts, split),
        *label_section(facts, split, title="## Labels"),
        *facts.kind.report_sections(facts, predictions),
        *_training_classes(facts),
        *facts.kind.mistake_sections(predictions),
        "## Course of the training",
        *history_section(history, score=f"devel {facts.title(facts.metric)}", is_share=facts.has_shares),
        *command_section(facts.command),
    ]
    with new_file(path) as file:
        file.write("\n\n".join(section for section in sections if section) + "\n")


def text_headline(facts: TextFacts, split: str) -> str:
    """Return the main score with its interval, and what it was counted on, in one sentence."""
    figure = facts.figures_by_split.get(split, {}).get(facts.metric)
    if figure is None:
        return "The model was not scored."
    title = facts.title(facts.metric)
    interval = interval_text(figure, facts.kind)
    over = f" over {units}" if (units := figure_units(figure)) else ""
    around = f" (95 % interval {interval}{over})" if interval else ""
    return (
        f"**{escape(title[:1].upper() + title[1:])} {figure_text(figure, facts.kind)}**{around}, "
        f"on {counted_units(figure['n'], figure.get('unit') or 'examples')} of the {escape(split)} split."
    )


def score_table(facts: TextFacts, split: str) -> str:
    """Return all scores of a split with their intervals, the main one first."""
    figures = facts.figures_by_split.get(split, {})
    names = sorted(figures, key=lambda name: name != facts.metric)
    rows = [
        (
            escape(facts.title(name)),
            figure_text(figures[name], facts.kind),
            interval_text(figures[name], facts.kind),
            figure_units(figures[name]),
            f"{figures[name]['n']:,}",
            str(figures[name].get("unit") or "examples"),
        )
        for name in names
    ]
    return (
        markdown_table(("score", "value", "95 % interval", "interval over", "n", "counted over"), rows) if rows else ""
    )


def label_section(facts: TextFacts, split: str, *, title: str) -> Iterator[str]:
    """Yield precision, recall, F1 and counts of each label, and its threshold where it has one."""
    blocks = facts.labels_by_split.get(split, {})
    if not blocks:
        return
    thresholds = facts.thresholds
    rows = [
        (
            escape(label),
            *(percent(block[key]) for key in ("precision", "recall", "f1")),
            *(count_text(block[key]) for key in ("gold", "predicted", "correct")),
            *([f"{thresholds[label]:.3g}" if label in thresholds else ""] if thresholds else []),
        )
        for label, block in blocks.items()
    ]
    yield title
    header = ("label", "precision", "recall", "F1", "gold", "predicted", "right")
    yield markdown_table((*header, "threshold") if thresholds else header, rows)


def _details(facts: TextFacts, split: str) -> dict[str, str]:
    return {
        "task": f"{facts.task} ({facts.task_description})",
        "answer": facts.kind.title,
        "split": split,
        "scheme": facts.scheme,
        "loss": facts.loss,
        **training_details(facts),
    }


def _training_classes(facts: TextFacts) -> Iterator[str]:
    if facts.counts:
        yield "## Labels of the training split"
        yield from class_section(facts.counts, facts.weights, name="label")
