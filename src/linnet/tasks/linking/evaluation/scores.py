"""Scores of linking by all protocols, with bootstrap intervals over documents, as JSON and as tables."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from linnet.contracts import Table
from linnet.documents.counted import counted
from linnet.metrics.statistics.intervals import FEWEST_UNITS
from linnet.metrics.texts.resampled import Figure, SumMetric
from linnet.tasks.linking.evaluation.intervals import linking_figures
from linnet.tasks.linking.evaluation.protocols import (
    GOLD,
    PAIRED,
    Counts,
    metric_of,
    precision,
    recall,
    recall_at_5,
)

__all__ = ["MAIN", "linking_tables", "score_counts"]

MAIN = "any"  # the protocol that counts most
SEEN = ("seen", "unseen", "seen_concepts", "unseen_concepts")
MEANING = {
    "any": "the first candidate is one of the gold identifiers",
    "all": "the answers are exactly the gold identifiers",
    "strict": "one answer, which is one of the gold identifiers",
    "seen": "any; mentions that the training corpus has",
    "unseen": "any; mentions that the training corpus lacks",
    "seen_concepts": "any; concepts that the training corpus has",
    "unseen_concepts": "any; concepts that the training corpus lacks",
    "end_to_end": "same span, and one link is gold",
    "overlapping": "overlapping span, and one link is gold",
    "documents": "sets of identifiers, averaged over documents",
    "identifiers": "sets of identifiers, counted over all documents",
    "approximate": "the same; a parent or child also counts",
    "nil": "mentions without an identifier",
}


def score_counts(counts: Sequence[Counts], *, n_resamples: int = 1000) -> dict[str, Any]:
    """Return all scores of documents: the shape of `linnet evaluate --json` for linking, as fractions."""
    names = [name for name in (*GOLD, *SEEN, *PAIRED) if counts and name in counts[0]]
    metrics = {name: metric_of(name, counts) for name in names}
    figures = linking_figures(metrics.values(), n_resamples=n_resamples)
    blocks = {name: _block(metric, figures[name]) for name, metric in metrics.items()}
    found: dict[str, Any] = {
        "metric": MAIN,
        "scores": {name: _figure(figures[name], metrics[name]) for name in (*GOLD, *PAIRED) if name in metrics},
        "gold": {name: blocks[name] for name in GOLD if name in blocks},
    }
    if "end_to_end" in blocks:
        found["end_to_end"] = {**blocks["end_to_end"], "overlapping": blocks["overlapping"]}
        found["documents"] = blocks["documents"]
        strict = {"strict": blocks["identifiers"]}
        found["identifiers"] = strict | ({"approximate": blocks["approximate"]} if "approximate" in blocks else {})
        found["seen"] = {**blocks["seen"], "concepts": blocks["seen_concepts"]}
        found["unseen"] = {**blocks["unseen"], "concepts": blocks["unseen_concepts"]}
        found["nil"] = blocks["nil"]
    return found


def linking_tables(scores: Mapping[str, Any]) -> list[Table]:
    """Return the scores as tables: recall on gold mentions; precision, recall and F1 of the rest."""
    if not scores.get("gold"):
        return []
    rows = dict(scores["gold"])
    for name in ("seen", "unseen"):
        if scores[name]["mentions"]:
            rows[name] = scores[name]
        if scores[name]["concepts"]["mentions"]:
            rows[f"{name}_concepts"] = scores[name]["concepts"]
    gold = Table(
        title=f"{counted(scores['mentions'], 'gold mention')} with an identifier; in percent{_units(scores)}",
        columns=("protocol", "recall@1", "95 % interval", "recall@5", "mentions"),
        rows=tuple(
            (name.replace("_", " "), _percent(each["recall_at_1"]), _interval(each), _percent(each["recall_at_5"]),
             f"{each['mentions']:,}")
            for name, each in rows.items()
        ),
        remarks=tuple(MEANING[name] for name in rows),
        remark="what counts as right",
    )  # fmt: skip
    return [gold, _pair_table(scores)]


def _pair_table(scores: Mapping[str, Any]) -> Table:
    rows = {
        "end_to_end": scores["end_to_end"],
        "overlapping": scores["end_to_end"]["overlapping"],
        "documents": scores["documents"],
        "identifiers": scores["identifiers"]["strict"],
        **({"approximate": scores["identifiers"]["approximate"]} if "approximate" in scores["identifiers"] else {}),
        "nil": scores["nil"],
    }
    return Table(
        title=f"links of {'gold' if scores.get('spans') == 'gold' else 'found'} mentions; in percent{_units(scores)}",
        columns=("protocol", "precision", "recall", "F1", "95 % interval"),
        rows=tuple((name.replace("_", " "), *_pair_cells(each), _interval(each)) for name, each in rows.items()),
        remarks=tuple(MEANING[name] for name in rows),
        remark="what counts as right",
    )


def _pair_cells(block: Mapping[str, Any]) -> list[str]:
    """Return precision, recall and F1, and dashes if there is nothing to find."""
    keys = ("precision", "recall", "f1")
    return ["-"] * len(keys) if block.get("gold") == 0 else [_percent(block[key]) for key in keys]


def _units(scores: Mapping[str, Any]) -> str:
    n_documents = scores["gold"][MAIN]["n_units"]
    if n_documents < FEWEST_UNITS:
        return f"; too few documents for intervals ({n_documents})"
    return f"; 95 % intervals over {counted(n_documents, 'document')}"


def _block(metric: SumMetric, figure: Figure) -> dict[str, Any]:
    totals = metric.parts.sum(axis=0) if len(metric.parts) else np.zeros(metric.parts.shape[1])
    ends = {"low": figure.low, "high": figure.high, "units": "documents", "n_units": figure.n}
    if len(totals) == 3:
        return {
            "recall_at_1": figure.value,
            "recall_at_5": recall_at_5(totals),
            **ends,
            "mentions": int(totals[2]),
        }
    block = {"precision": precision(totals), "recall": recall(totals), "f1": figure.value, **ends}
    if len(totals) == 4:
        block |= {"correct": int(totals[0]), "predicted": int(totals[1]), "gold": int(totals[3])}
    return block


def _figure(figure: Figure, metric: SumMetric) -> dict[str, Any]:
    ends = {"low": figure.low, "high": figure.high, "units": "documents", "n_units": figure.n}
    return {"value": figure.value, **ends, "n": figure.n, "unit": metric.unit}


def _percent(value: float) -> str:
    return f"{100 * value:.2f}"


def _interval(block: Mapping[str, Any]) -> str:
    return "-" if block["low"] is None else f"{100 * block['low']:.2f}-{100 * block['high']:.2f}"
