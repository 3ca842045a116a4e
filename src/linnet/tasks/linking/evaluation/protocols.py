"""Protocols of linking: what counts as right, counted for each document.

Gold mentions (recall at 1 and at 5): `any` is right if a candidate is one of the gold identifiers (BioSyn, SapBERT);
`all` if every gold identifier is found and, at 1, nothing else is answered; `strict` if there is one answer, and it is
one of the gold identifiers (BELB). End to end, a mention is right if its span is the gold one (or overlaps it) and one
of its links is gold. `documents` compares the sets of identifiers of a document and averages over documents;
`identifiers` counts these sets over all documents, and `approximate` also accepts a parent or a child.
"""

from collections.abc import Callable, Iterable, Sequence
from types import MappingProxyType

import numpy as np

from linnet.metrics.mentions.tally import Array
from linnet.metrics.texts.resampled import SumMetric, ratio
from linnet.tasks.linking.evaluation.gold import GoldIdentifiers
from linnet.tasks.linking.evaluation.judged import TOP, FoundMention, JudgedDocument, JudgedMention

__all__ = ["GOLD", "PAIRED", "TITLES", "Counts", "count_document", "harmonic", "is_right", "metric_of", "precision",
           "recall", "recall_at_5"]  # fmt: skip

GOLD = ("any", "all", "strict")
PAIRED = ("end_to_end", "overlapping", "documents", "identifiers", "approximate", "nil")
TITLES = MappingProxyType(
    {
        "any": "recall@1, any identifier",
        "all": "recall@1, all identifiers",
        "strict": "recall@1, one answer",
        "end_to_end": "end-to-end F1",
        "overlapping": "end-to-end F1, overlapping spans",
        "documents": "F1 by document",
        "identifiers": "F1 by identifier",
        "approximate": "F1 by identifier, approximate",
        "nil": "NIL F1",
    }
)

Counts = dict[str, list[float]]
Right = Callable[[JudgedMention, int], bool]


def count_document(document: JudgedDocument, gold: GoldIdentifiers | None = None) -> Counts:
    """Return the counts of a document by protocol.

    For gold mentions: right at 1, right at 5, mentions. For the others: right predictions, predictions, gold that is
    found, gold; `documents` has precision, 1, recall, 1, F1. Without `gold`, `approximate` is left out.
    """
    with_id = [each for each in document.mentions if each.gold]
    counts = {name: _count_recall(with_id, right) for name, right in RIGHT.items()}
    for name, is_wanted in (("seen", True), ("unseen", False)):
        counts[name] = _count_recall([each for each in with_id if each.is_seen is is_wanted], RIGHT["any"])
        chosen = [each for each in with_id if each.is_seen_concept is is_wanted]
        counts[f"{name}_concepts"] = _count_recall(chosen, RIGHT["any"])
    counts["end_to_end"] = _count_spans(document, _is_same)
    counts["overlapping"] = _count_spans(document, _overlaps)
    predicted = {link for each in _judgeable(document) for link in each.links}
    wanted = {each for mention in with_id for each in mention.gold}
    counts["identifiers"] = _count_sets(predicted, wanted, lambda one, other: one == other)
    counts["documents"] = _mean_parts(counts["identifiers"])
    counts["nil"] = _count_nil(document.mentions)
    if gold is not None:
        counts["approximate"] = _count_sets(predicted, wanted, lambda one, other: _are_near(one, other, gold))
    return counts


def metric_of(name: str, counts: Sequence[Counts]) -> SumMetric:
    """Return the score of a protocol as a function of the documents' weights."""
    value = _at_1 if name in (*GOLD, "seen", "unseen", "seen_concepts", "unseen_concepts") else _f1
    if name == "documents":
        value = _mean_f1
    width = {_at_1: 3, _mean_f1: 5}.get(value, 4)
    parts = np.array([each[name] for each in counts], dtype=np.float64).reshape(len(counts), width)
    return SumMetric(name=name, title=TITLES.get(name, name), unit="documents", parts=parts, value=value)


def is_right(mention: JudgedMention, protocol: str = "any") -> bool:
    """Is the first answer to a mention right?"""
    return RIGHT[protocol](mention, 1)


def precision(totals: Array) -> float:
    """Return the precision of summed counts; for `documents` the mean of the documents' precision."""
    return float(ratio(totals[0], totals[1]))


def recall(totals: Array) -> float:
    """Return the recall of summed counts."""
    return float(ratio(totals[2], totals[3]))


def recall_at_5(totals: Array) -> float:
    """Return the recall at 5 of summed counts of gold mentions."""
    return float(ratio(totals[1], totals[2]))


def harmonic(one: Array, other: Array) -> Array:
    """Return the harmonic mean, 0 if both are 0."""
    return ratio(2 * one * other, one + other)


def _at_1(totals: Array) -> Array:
    return ratio(totals[..., 0], totals[..., 2])


def _f1(totals: Array) -> Array:
    return harmonic(ratio(totals[..., 0], totals[..., 1]), ratio(totals[..., 2], totals[..., 3]))


def _mean_f1(totals: Array) -> Array:
    return ratio(totals[..., 4], totals[..., 1])


def _count_recall(mentions: Sequence[JudgedMention], right: Right) -> list[float]:
    at_1, at_5 = (sum(right(each, top) for each in mentions) for top in (1, TOP))
    return [float(at_1), float(at_5), float(len(mentions))]


def _is_any(mention: JudgedMention, top: int) -> bool:
    return any(each in mention.gold for each in mention.ranked[:top])


def _are_all(mention: JudgedMention, top: int) -> bool:
    if top == 1:
        return set(mention.answers) == set(mention.gold)
    return set(mention.gold) <= {each for part in mention.parts for each in part[:top]}


def _is_only(mention: JudgedMention, top: int) -> bool:
    return len(mention.answers) == 1 and _is_any(mention, top)


RIGHT = MappingProxyType({"any": _is_any, "all": _are_all, "strict": _is_only})


def _is_same(found: FoundMention, gold: JudgedMention) -> bool:
    return (found.start, found.end) == (gold.start, gold.end)


def _overlaps(found: FoundMention, gold: JudgedMention) -> bool:
    return found.start < gold.end and gold.start < found.end


def _judgeable(document: JudgedDocument) -> list[FoundMention]:
    """Return the found mentions that have links, without those that stand exactly where gold has no identifier."""
    nil = {(each.start, each.end) for each in document.mentions if not each.gold}
    nil -= {(each.start, each.end) for each in document.mentions if each.gold}
    return [each for each in document.found if each.links and (each.start, each.end) not in nil]


def _count_spans(document: JudgedDocument, match: Callable[[FoundMention, JudgedMention], bool]) -> list[float]:
    found = _judgeable(document)
    wanted = [each for each in document.mentions if each.gold]
    pairs = [
        (one, other)
        for one, each in enumerate(found)
        for other, mention in enumerate(wanted)
        if match(each, mention) and set(each.links) & set(mention.gold)
    ]
    n_right, n_found = len({one for one, _ in pairs}), len({other for _, other in pairs})
    return [float(n_right), float(len(found)), float(n_found), float(len(wanted))]


def _count_sets(predicted: set[str], wanted: set[str], agree: Callable[[str, str], bool]) -> list[float]:
    n_right = sum(any(agree(each, other) for other in wanted) for each in predicted)
    n_found = sum(any(agree(each, other) for other in predicted) for each in wanted)
    return [float(n_right), float(len(predicted)), float(n_found), float(len(wanted))]


def _mean_parts(counts: Sequence[float]) -> list[float]:
    """Return precision, recall and F1 of one document as summands of their means; nothing if both sets are empty."""
    n_right, n_predicted, n_found, n_gold = counts
    if not n_predicted and not n_gold:
        return [0.0] * 5
    one, other = n_right / n_predicted if n_predicted else 0.0, n_found / n_gold if n_gold else 0.0
    return [one, 1.0, other, 1.0, 2 * one * other / (one + other) if one + other else 0.0]


def _count_nil(mentions: Iterable[JudgedMention]) -> list[float]:
    listed = list(mentions)
    n_right = sum(not each.gold and not each.links for each in listed)
    n_predicted, n_gold = sum(not each.links for each in listed), sum(not each.gold for each in listed)
    return [float(n_right), float(n_predicted), float(n_right), float(n_gold)]


def _are_near(one: str, other: str, gold: GoldIdentifiers) -> bool:
    return one == other or other in gold.relatives(one) or one in gold.relatives(other)
