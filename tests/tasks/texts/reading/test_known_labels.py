"""Labels of examples, and the first place of each that is not known."""

from linnet.documents.texts import TextExample
from linnet.tasks.texts.reading.known_labels import first_places, labels_of


def test_an_example_has_one_label_several_or_none() -> None:
    golds = ("a", ("a", "b"), (), None, 2.5)

    assert [labels_of(TextExample("1", "text", gold=gold)) for gold in golds] == [("a",), ("a", "b"), (), (), ()]


def test_unknown_labels_have_the_first_place_where_they_stand() -> None:
    examples = [
        TextExample("1", "text", gold="a", place="f:1"),
        TextExample("2", "text", gold=("x", "a"), place="f:2"),
        TextExample("3", "text", gold=("y", "x"), place="f:3"),
    ]

    assert first_places(examples, {"a"}) == {"x": "f:2", "y": "f:3"}
