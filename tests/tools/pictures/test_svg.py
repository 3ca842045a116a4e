from xml.etree import ElementTree

from tools.pictures.svg import DARK, LIGHT, Drawing


def test_a_drawing_is_well_formed_and_says_what_it_shows() -> None:
    drawing = Drawing(10, 20, "a < b", LIGHT)
    drawing.text(1, 2, "x & y")
    drawing.letters(1, 2, "abc", pitch=6)
    drawing.box(0, 0, 5, 5, colour="mark", tint=0.5)
    drawing.line(0, 0, 1, 1)
    drawing.dot(1, 1)

    root = ElementTree.fromstring(drawing.as_svg())

    assert root.get("aria-label") == "a < b"
    assert [part.tag.partition("}")[2] for part in root] == ["text", "text", "rect", "line", "circle"]
    assert root[1].get("textLength") == "18"


def test_both_palettes_have_the_same_colours() -> None:
    assert LIGHT.keys() == DARK.keys()
    assert not set(LIGHT.values()) & set(DARK.values())
