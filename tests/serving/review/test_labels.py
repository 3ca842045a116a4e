"""A review offers all labels in one order."""

from linnet.documents.document import Span
from linnet.serving.review.labels import list_labels


def test_the_order_of_mentions_does_not_matter() -> None:
    spans = [Span(2, 3, "Sign"), Span(0, 1, "Drug"), Span(0, 1, "Area")]

    assert list_labels([], [], spans) == list_labels([], [], spans[::-1]) == ("Area", "Drug", "Sign")


def test_chosen_labels_come_before_those_of_the_model_and_no_label_comes_twice() -> None:
    assert list_labels(["Gene", "Drug"], ["Cell", "Gene"], [Span(0, 1, "Cell")]) == ("Gene", "Drug", "Cell")
