"""Layout is removed from the text of elements, and sections are joined with their places."""

from lxml import etree

from linnet.documents.document import Passage
from linnet.formats.xml_sections import join_sections, read_text, without_layout


def test_line_breaks_with_the_spaces_around_them_become_one_space() -> None:
    assert without_layout("\n a\n\t b  c \n") == "a b  c"


def test_markup_is_replaced_by_its_text() -> None:
    assert read_text(etree.fromstring("<p>H<sub>2</sub>O\n <i>is</i> wet</p>")) == "H2O is wet"


def test_sections_are_joined_by_line_breaks() -> None:
    text, passages = join_sections([("One", {"type": "title"}), ("Two", {})])

    assert text == "One\nTwo"
    assert passages == (Passage(0, 3, {"type": "title"}), Passage(4, 7))
