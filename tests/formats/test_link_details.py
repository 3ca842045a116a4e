"""Details of links that a format loses."""

from linnet.documents.document import Link, Span
from linnet.formats.link_details import lost_link_details


def test_names_and_scores_are_counted() -> None:
    links = (Link("mesh:D1", "MESH", "Asthma", 0.5), Link("mesh:D2", "MESH", "", 0.0), Link("D3"))

    counts = dict(lost_link_details([Span(0, 1, "X", links=links), Span(1, 2, "X")]))

    assert counts == {"names of concepts": 1, "scores of concepts": 2}
