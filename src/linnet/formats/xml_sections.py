"""Text of XML elements without its layout, and documents made of sections."""

import re
from collections.abc import Mapping, Sequence

from lxml import etree

from linnet.documents.document import Passage

__all__ = ["BETWEEN_PASSAGES", "Section", "join_sections", "read_text", "without_layout"]

BETWEEN_PASSAGES = "\n"
LAYOUT = re.compile(r"(?<![ \t\r\n]) *+[\t\r\n][ \t\r\n]*+")  # begins where white space begins, so it takes linear time
EDGES = " \t\r\n"

Section = tuple[str, Mapping[str, str]]  # a text, and the infons of its passage


def read_text(element: etree._Element) -> str:
    """Return the text of an element and all inside it, without layout."""
    return without_layout("".join(map(str, element.itertext())))


def without_layout(text: str) -> str:
    """Return the text with one space for line breaks and tabs and the spaces around them, and none at its ends."""
    return LAYOUT.sub(" ", text).strip(EDGES)


def join_sections(sections: Sequence[Section]) -> tuple[str, tuple[Passage, ...]]:
    """Return the joined text of all sections, and the passage of each."""
    passages: list[Passage] = []
    start = 0
    for text, infons in sections:
        passages.append(Passage(start, start + len(text), infons))
        start += len(text) + len(BETWEEN_PASSAGES)
    return BETWEEN_PASSAGES.join(text for text, _ in sections), tuple(passages)
