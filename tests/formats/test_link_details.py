"""Details of links that a format loses."""

import pytest

from linnet.contracts import formats
from linnet.documents.document import Document, Link, Span
from linnet.formats.link_details import SEVERAL_LINKS, describe_loss, lost_link_details


def test_names_and_scores_are_counted() -> None:
    links = (Link("mesh:D1", "MESH", "Asthma", 0.5), Link("mesh:D2", "MESH", "", 0.0), Link("D3"))

    counts = dict(lost_link_details([Span(0, 1, "X", links=links), Span(1, 2, "X")]))

    assert counts == {"names of concepts": 1, "scores of concepts": 2}


@pytest.mark.parametrize("name", ["pubtator", "bioc-xml", "bioc-json"])
def test_several_links_that_are_joined_are_said_to_be_kept(name: str) -> None:
    links = (Link("mesh:D030342", "MESH"), Link("mesh:D063646", "MESH"))

    losses = dict(formats.get(name).losses(Document("1", "A tumour", (Span(2, 8, "Disease", links=links),))))

    assert losses.keys() - {"names of vocabularies"} == {SEVERAL_LINKS}
    assert describe_loss(name, SEVERAL_LINKS, losses[SEVERAL_LINKS]) == (
        f"{name} cannot hold several links of a mention apart (their identifiers are kept, as A|B): 1 joined"
    )


def test_one_link_and_links_to_two_vocabularies_are_held_by_bioc() -> None:
    links = (Link("D030342", "MESH"), Link("151400", "OMIM"))
    spans = (Span(2, 8, "Disease", links=links), Span(2, 8, "Disease", links=links[:1]))

    assert not list(formats.get("bioc-xml").losses(Document("1", "A tumour", spans)))
    lost = dict(formats.get("bioc-xml").losses(Document("1", "A", (Span(0, 1, "X", links=(Link("1", "Own list"),)),))))
    assert lost == {"links or infons of mentions whose names BioC reads in another way": 1}
