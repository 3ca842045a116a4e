"""Protocols of linking, counted by hand."""

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from linnet.tasks.linking.evaluation.gold import GoldIdentifiers
from linnet.tasks.linking.evaluation.judged import FoundMention, JudgedDocument, JudgedMention
from linnet.tasks.linking.evaluation.protocols import (
    GOLD,
    count_document,
    harmonic,
    is_right,
    metric_of,
    precision,
    recall,
    recall_at_5,
)
from linnet.tasks.linking.vocabularies.vocabulary import open_vocabulary
from tests.tasks.linking.sources import build


def mention(gold: tuple[str, ...], *parts: tuple[str, ...], start: int = 0, **given: Any) -> JudgedMention:
    links = tuple(dict.fromkeys(part[0] for part in parts if part))
    plain: dict[str, Any] = {"names": (), "matched": (), "scores": (), "is_known": True, "links": links}
    plain |= {"text": "x", "expanded": "x", "label": "Disease", "start": start, "end": start + 5}
    return JudgedMention(gold=gold, parts=parts, **(plain | given))


def document(*mentions: JudgedMention, found: tuple[FoundMention, ...] | None = None) -> JudgedDocument:
    own = tuple(FoundMention(each.start, each.end, each.label, each.links) for each in mentions)
    return JudgedDocument("1", "", mentions, own if found is None else found)


def counts(*mentions: JudgedMention, found: tuple[FoundMention, ...] | None = None) -> dict[str, list[float]]:
    return count_document(document(*mentions, found=found))


@pytest.mark.parametrize(
    ("gold", "parts", "right"),
    [
        (("A",), [("A", "B")], {"any": (1, 1), "all": (1, 1), "strict": (1, 1)}),
        (("A",), [("B", "A")], {"any": (0, 1), "all": (0, 1), "strict": (0, 1)}),
        (("A", "B"), [("A", "C")], {"any": (1, 1), "all": (0, 0), "strict": (1, 1)}),
        (("A", "B"), [("A",), ("B",)], {"any": (1, 1), "all": (1, 1), "strict": (0, 0)}),
        (("A",), [("A",), ("B",)], {"any": (1, 1), "all": (0, 1), "strict": (0, 0)}),
        (("A",), [()], {"any": (0, 0), "all": (0, 0), "strict": (0, 0)}),
    ],
)
def test_gold_mentions_are_right_by_their_protocol(
    gold: tuple[str, ...], parts: list[tuple[str, ...]], right: dict[str, tuple[int, int]]
) -> None:
    found = counts(mention(gold, *parts))

    assert {name: tuple(found[name][:2]) for name in GOLD} == right
    assert is_right(mention(gold, *parts)) == bool(right["any"][0])


def test_end_to_end_needs_span_and_identifier() -> None:
    gold = (mention(("A",), ("A",)), mention(("B",), ("B",), start=10), mention(("C",), ("C",), start=20))
    found = (
        FoundMention(0, 5, "Disease", ("A",)),  # right
        FoundMention(10, 16, "Disease", ("B",)),  # overlaps
        FoundMention(20, 25, "Disease", ("X",)),  # wrong
        FoundMention(40, 45, "Disease", ()),  # no link: not counted
    )

    result = counts(*gold, found=found)

    assert result["end_to_end"] == [1, 3, 1, 3]
    assert result["overlapping"] == [2, 3, 2, 3]
    assert result["identifiers"] == [2, 3, 2, 3]
    assert result["documents"] == pytest.approx([2 / 3, 1, 2 / 3, 1, 2 / 3])


def test_nil_is_a_column_of_its_own_and_not_counted_end_to_end() -> None:
    missed = mention(("A",), ("A",), start=10, links=())

    result = counts(mention((), ("B",)), mention((), (), start=20), missed)

    assert result["nil"] == [1, 2, 1, 2]
    assert result["end_to_end"] == [0, 0, 0, 1]
    assert result["any"] == [1, 1, 1]


def test_seen_and_unseen_mentions_are_apart() -> None:
    result = counts(mention(("A",), ("A",), is_seen=True, is_seen_concept=True), mention(("A",), ("B",), is_seen=False))

    assert result["seen"] == [1, 1, 1]
    assert result["unseen"] == [0, 0, 1]
    assert result["unseen_concepts"] == [0, 0, 0]


def test_approximate_counts_a_parent_or_a_child(tmp_path_factory: pytest.TempPathFactory) -> None:
    gold = GoldIdentifiers(open_vocabulary(build(tmp_path_factory.mktemp("near")).folder))
    breast, ovary, cancer = "mesh:D001943", "mesh:D010051", "mesh:D009369"

    assert count_document(document(mention((cancer,), (breast,))), gold)["approximate"] == [1, 1, 1, 1]
    assert count_document(document(mention((breast,), (cancer,))), gold)["approximate"] == [1, 1, 1, 1]
    assert count_document(document(mention((breast,), (ovary,))), gold)["approximate"] == [0, 1, 0, 1]


def test_a_document_without_identifiers_says_nothing_about_the_mean() -> None:
    empty = counts()
    right = counts(mention(("A",), ("A",)))

    metric = metric_of("documents", [empty, right])

    assert metric(np.ones((1, 2))).tolist() == [1.0]


def test_scores_are_ratios_of_sums() -> None:
    totals = np.array([1.0, 2.0, 3.0, 4.0])

    assert (precision(totals), recall(totals)) == (0.5, 0.75)
    assert recall_at_5(totals) == pytest.approx(2 / 3)
    assert harmonic(np.array(0.0), np.array(0.0)) == 0
    assert metric_of("any", [counts(mention(("A",), ("A",)))]).title == "recall@1, any identifier"


def test_counts_do_not_depend_on_the_order_of_mentions() -> None:
    one, other = mention(("A",), ("A",)), mention(("B",), ("C",), start=9)

    assert counts(one, other) == counts(other, replace(one))
