"""Score tables of mentions: by matching, by label and by tag."""

from collections.abc import Iterator, Mapping
from typing import Any

from linnet.contracts import Table
from linnet.documents.counted import counted, counted_units
from linnet.metrics.mentions.tags import AVERAGES
from linnet.reports.markdown import count_text

__all__ = [
    "MEANING",
    "figure_units",
    "interval_text",
    "labels_table",
    "matchings_table",
    "score_tables",
    "tag_rows",
    "tags_table",
    "units_text",
]

MEANING = {
    "strict": "label and both ends, well-formed tags",
    "conll": "label and both ends, conlleval reading",
    "exact": "both ends, any label",
    "partial": "both ends, any label; overlap is half",
    "type": "overlap and label",
    "fair": "every error once (Ortmann 2022)",
    "weighted_fair": "fair, boundary errors half right",
    "tokens": "the label of each token",
}
SCORES = ("precision", "recall", "F1")
INTERVAL = ("95 % interval",)
COUNTS = ("gold", "predicted", "right")
TOO_FEW = "-"  # units for an interval
SENTENCES = "sentences"
CAUTION = "the interval is probably too narrow"


def score_tables(scores: Mapping[str, Any]) -> list[Table]:
    """Return the tables of mentions: micro scores by every matching, strict scores by label, word-level scores by tag.

    Args:
        scores: the JSON object of `linnet score`, or of a run's `metrics.json`.
    """
    tags = [tags_table(scores)] if "tags" in scores else []  # older run folders have none
    return [matchings_table(scores), labels_table(scores, "strict"), *tags]


def matchings_table(scores: Mapping[str, Any]) -> Table:
    """Return the micro scores by every matching."""
    names = [name for name, block in scores.items() if isinstance(block, dict) and "micro" in block]
    size = f"{counted(scores['sentences'], 'sentence')}, {counted(scores['mentions'], 'gold mention')}"
    title = f"{size}; micro averages in percent"
    if scores.get("resamples") and units_text(scores):
        title += f"; 95 % intervals over {units_text(scores)}"
    rows = tuple((name, *_cells(scores[name]["micro"], scores)) for name in names)
    meanings = tuple(MEANING.get(name, "") for name in names)
    return Table(
        title=title,
        columns=("matching", *SCORES, *INTERVAL, *COUNTS),
        rows=rows,
        remarks=meanings,
        remark="what counts as right",
    )


def labels_table(scores: Mapping[str, Any], matching: str) -> Table:
    """Return the scores of each label, and their macro average, by one matching."""
    labels = scores[matching]["labels"]
    rows = [(label, *_cells(block, scores)) for label, block in labels.items()]
    if len(labels) > 1:
        rows.append(("macro average", *_cells(scores[matching]["macro"], scores)))
    return Table(f"{matching}, by label", ("label", *SCORES, *INTERVAL, *COUNTS), tuple(rows))


def tags_table(scores: Mapping[str, Any]) -> Table:
    """Return the word-level scores of each tag, and their averages with and without `O`."""
    report = scores["tags"]
    rows = tuple((name, *_score_cells(block), *_count_cells(block)) for name, block in tag_rows(report))
    return Table(f"tags of {counted(report['words'], 'word')}", ("tag", *SCORES, *COUNTS), rows)


def tag_rows(report: Mapping[str, Any]) -> Iterator[tuple[str, Mapping[str, Any]]]:
    """Yield the rows of a word-level report with their names: each tag, then the averages."""
    yield from report["tags"].items()
    for key, tags in (("with_o", "with O"), ("without_o", "without O")):
        for average in AVERAGES:
            yield f"{average} average, {tags}", report[key][average]


def units_text(scores: Mapping[str, Any]) -> str:
    """Return how many units the intervals resample, with a caution if they are sentences; empty for older files.

    >>> units_text({"strict": {"micro": {"units": "documents", "n_units": 100}}, "documents": 100})
    '100 documents'
    """
    blocks = [block["micro"] for block in scores.values() if isinstance(block, dict) and "micro" in block]
    if not blocks or "units" not in blocks[0]:
        return ""
    micro = blocks[0]
    number = counted_units(micro["n_units"], micro["units"])
    if micro["units"] != SENTENCES:
        return number
    return f"{number}; {_why_sentences(scores.get('documents'))}: {CAUTION}"


def figure_units(figure: Mapping[str, Any]) -> str:
    """Return what the interval of a figure is over, nothing where it has none or an older version made it.

    >>> figure_units({"low": 0.7, "units": "documents", "n_units": 1200})
    '1,200 documents'
    """
    return (
        counted_units(figure["n_units"], figure["units"]) if figure.get("low") is not None and "units" in figure else ""
    )


def _why_sentences(n_documents: int | None) -> str:
    if n_documents is None:
        return "the file has no documents"
    return "the file has one document" if n_documents == 1 else "documents are known and were not resampled"


def interval_text(block: Mapping[str, Any], *, is_resampled: bool) -> str:
    """Return the interval of F1 in percent; "-" if there are too few units or no gold mentions for one, else empty."""
    low, high = block.get("f1_low"), block.get("f1_high")
    if low is None or high is None:
        return TOO_FEW if is_resampled else ""
    return f"{100 * low:.2f}-{100 * high:.2f}"


def _cells(block: Mapping[str, Any], scores: Mapping[str, Any]) -> list[str]:
    interval = interval_text(block, is_resampled=bool(scores.get("resamples")))
    return [*_score_cells(block), interval, *_count_cells(block)]


def _score_cells(block: Mapping[str, Any]) -> list[str]:
    return [f"{100 * block[key]:.2f}" for key in ("precision", "recall", "f1")]


def _count_cells(block: Mapping[str, Any]) -> list[str]:
    counts = [block.get(key) for key in ("gold", "predicted", "correct")]
    return ["" if count is None else count_text(count) for count in counts]
