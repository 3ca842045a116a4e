"""A linker as a model."""

import linnet
from linnet.documents.document import Document, Span
from tests.tasks.linking.corpora import trained_run


def test_mentions_of_a_document_get_links() -> None:
    document = Document("1", "fujimycin", (Span(0, 9, "Disease"),))

    (found,) = linnet.load(trained_run().folder).annotate([document])

    assert [link.identifier for link in found.spans[0].links] == ["mesh:D016559"]


def test_a_text_without_mentions_stays_as_it_is() -> None:
    (found,) = linnet.load(trained_run().folder).annotate(["no mention"])

    assert (found.text, found.spans) == ("no mention", ())
