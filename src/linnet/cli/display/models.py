"""Tables of the embedded models: what they find, how well, how fast, and how large they are."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from linnet.cli.display.printing import new_table
from linnet.documents.counted import counted_units

if TYPE_CHECKING:
    from rich.table import Table

    from linnet.models.embedded import EmbeddedModel

__all__ = ["model_table", "score_tables"]


def model_table(models: "Sequence[EmbeddedModel]") -> "Table":
    """Return a table with a row for each model."""
    table = new_table("embedded models, words/s on one core", "name", "version", "F1", "words/s", "MB", "licence")
    table.add_column("entity types", no_wrap=True)
    for model in models:
        main = model.scores[0] if model.scores else None
        speed = "" if model.words_per_second is None else f"{model.words_per_second:,.0f}"
        table.add_row(
            model.name,
            model.version,
            "" if main is None else f"{_figure(main)} ({main['corpus']} {main['split']})",
            speed,
            f"{model.n_bytes / 1e6:.1f}",
            model.licence,
            ", ".join(model.labels),
        )
    return table


def score_tables(models: "Sequence[EmbeddedModel]") -> "list[Table]":
    """Return, for each model with scores, a table with a row for each corpus and entity type."""
    return [_score_table(model) for model in models if model.scores]


def _score_table(model: "EmbeddedModel") -> "Table":
    title = f"{model.name} {model.version}: strict F1 with 95 % interval"
    table = new_table(title, "corpus", "split", "entity type", "F1", "units")
    for each in model.scores:
        units = counted_units(each["n_units"], each["units"]) if each.get("n_units") else ""
        table.add_row(str(each["corpus"]), str(each["split"]), str(each["label"]), _figure(each), units)
    return table


def _figure(score: Mapping[str, Any]) -> str:
    """Return an F1 in points with its interval, where there is one."""
    interval = "" if score.get("f1_low") is None else f" ({100 * score['f1_low']:.1f}-{100 * score['f1_high']:.1f})"
    return f"{100 * score['f1']:.1f}{interval}"
