"""Texts and documents as Python users give them."""

from typing import Any

import pytest

from linnet.documents.document import Document
from linnet.documents.given import as_document
from linnet.errors import BadSetting


def test_a_text_becomes_a_document_and_a_document_stays_as_it_is() -> None:
    document = Document("x", "a text")

    assert as_document(3, "a text") == Document("3", "a text")
    assert as_document(3, document) is document


@pytest.mark.parametrize("wrong", [None, 7, ("a", "b")])
def test_what_is_no_text_is_refused_with_its_number(wrong: Any) -> None:
    with pytest.raises(BadSetting, match=r"text 2 is .*, expected a text or a document"):
        as_document(2, wrong)
