"""The output of a review says that it was reviewed, and its mentions are gold."""

from linnet import __version__
from linnet.annotation.provenance import Provenance
from linnet.contracts import formats
from linnet.documents.document import Document, Link, Span
from linnet.serving.review.finishing import finish_documents

SPANS = (
    Span(0, 1, "X", id="T1", score=0.5, links=(Link("a:1", score=0.7),)),
    Span(2, 3, "X"),
    Span(4, 5, "Y", id="T3"),
)
DOCUMENT = Document("1", "a b c", SPANS, infons={"annotated_by": "a model", "journal": "J"})


def finish(to: str, made_by: Provenance) -> Document:
    (found,) = finish_documents([DOCUMENT], formats.get(to), made_by)
    return found


def test_mentions_have_ids_of_their_own_and_no_scores() -> None:
    found = finish("jsonl", Provenance("", ""))

    assert [span.id for span in found.spans] == ["T1", "T2", "T3"]
    assert [span.score for span in found.spans] == [None, None, None]
    assert found.spans[0].links == (Link("a:1"),)


def test_documents_say_that_they_were_reviewed_and_who_annotated_them() -> None:
    reviewed = {"journal": "J", "reviewed": f"Linnet {__version__}"}

    assert finish("jsonl", Provenance("", "")).infons == {"annotated_by": "a model", **reviewed}
    made_by = Provenance("another", "f1", {"vocabulary": "v1"})
    expected = {"annotated_by": "another", "model": "f1", "vocabulary": "v1", **reviewed}
    assert finish("jsonl", made_by).infons == expected


def test_a_format_without_a_place_for_it_gets_no_infon() -> None:
    assert "reviewed" not in finish("conll", Provenance("", "")).infons
