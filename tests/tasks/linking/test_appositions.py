"""Names in brackets that say what a mention stands for."""

import pytest

from linnet.documents.document import Document, Span
from linnet.tasks.linking.appositions import find_appositions, find_names


def spans_of(text: str, *mentions: tuple[str, str]) -> list[Span]:
    return [Span(text.index(each), text.index(each) + len(each), label) for each, label in mentions]


def test_a_mention_in_brackets_belongs_to_the_one_before() -> None:
    text = "We gave amrubicin (SM-5887) and tacrolimus [FK506; Prograf]."
    spans = spans_of(text, *((each, "C") for each in ("FK506", "SM-5887", "tacrolimus", "amrubicin")))

    assert list(find_appositions(Document("1", text), spans)) == [(3, 1), (2, 0)]


@pytest.mark.parametrize(
    "text", ["amrubicin and SM-5887", "amrubicin (as SM-5887)", "amrubicin(SM-5887)", "amrubicin (SM-5887 or so)"]
)
def test_other_neighbours_are_no_appositions(text: str) -> None:
    spans = spans_of(text, ("amrubicin", "C"), ("SM-5887", "C"))

    assert list(find_appositions(Document("1", text), spans)) == []


def test_mentions_of_two_labels_are_no_apposition() -> None:
    text = "aspirin (ASA)"

    assert list(find_appositions(Document("1", text), spans_of(text, ("aspirin", "C"), ("ASA", "G")))) == []


def test_overlapping_mentions_are_no_apposition() -> None:
    text = "aspirin (ASA)"
    spans = [Span(0, 13, "C"), Span(9, 12, "C")]

    assert list(find_appositions(Document("1", text), spans)) == []


@pytest.mark.parametrize(
    ("texts", "scores", "expected"),
    [
        (("amrubicin", "SM-5887"), (1.0, 0.6), {"SM-5887": 0}),
        (("amrubicin", "SM-5887"), (0.7, 0.6), {}),  # the name before is doubtful, too
        (("oxygen", "PO2"), (1.0, 1.0), {}),  # both are known by their own names
        (("bisphosphonate", "alendronate"), (1.0, 0.6), {}),  # an example, not another name
        (("nitrogranulogen", "NG"), (0.5, 1.0), {"nitrogranulogen": 1}),
    ],
)
def test_the_doubtful_name_stands_for_the_known_one(
    texts: tuple[str, str], scores: tuple[float, float], expected: dict[str, int]
) -> None:
    assert find_names(texts, [(0, 1)], scores) == expected
