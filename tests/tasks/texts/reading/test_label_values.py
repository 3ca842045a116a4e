"""Labels as rows write them: one, several between separators, lists, and marks."""

from collections.abc import Collection, Sequence

import pytest

from linnet.errors import BadFile
from linnet.tasks.texts.reading.label_values import document_of, label_reader
from linnet.tasks.texts.reading.tables import Row

NONE = ",".join(f"{number}_0" for number in range(10))


def labels(
    values: Sequence[object], several: bool | None = None, known: Collection[str] = (), id: str = "12_s0"
) -> list[str | tuple[str, ...]]:
    rows = [Row({"labels": value, "index": id}, f"f:{number}") for number, value in enumerate(values, 1)]
    reader = label_reader(rows, several, known)
    return [reader(row) for row in rows]


@pytest.mark.parametrize(
    ("values", "expected"),
    [
        (["a,b", "", "c"], [("a", "b"), (), ("c",)]),
        (["a; b", "c, d"], [("a", "b"), ("c, d",)]),
        (["a|b;c", "d"], [("a", "b;c"), ("d",)]),
    ],
)
def test_labels_between_separators_are_several_where_the_recipe_says_so(
    values: list[str], expected: list[tuple[str, ...]]
) -> None:
    assert labels(values, several=True) == expected


def test_separators_are_part_of_a_label_where_the_recipe_says_nothing() -> None:
    assert labels(["a,b"]) == ["a,b"]


def test_what_is_known_to_be_a_label_is_one() -> None:
    assert labels(["growth, sustained"], several=True) == [("growth", "sustained")]
    assert labels([" growth, sustained"], several=True, known=["growth, sustained"]) == [("growth, sustained",)]


def test_a_known_label_does_not_say_what_separates_others() -> None:
    found = labels(["a;b", "a,c", "c"], several=True, known=["a;b", "c"])

    assert found == [("a;b",), ("a", "c"), ("c",)]


def test_other_marks_keep_their_numbers() -> None:
    assert labels(["0_0,1_1,2_1"]) == [("1", "2")]
    assert labels([NONE.replace("4_0", "4_1")], id="another") == [("4",)]


@pytest.mark.parametrize(
    ("marks", "problem"),
    [
        ("0_0,1_2,2_0", "found the mark '1_2', expected 1_0 or 1_1"),
        ("0_0,2_0,1_0", "found the mark '2_0', expected 1_0 or 1_1"),
        ("0_0,1_0", "found 2 marks, expected 3"),
        ("0_0,1_0,2_0,3_1", "found 4 marks, expected 3"),
        ("", "found the mark '', expected 0_0 or 0_1"),
    ],
)
def test_broken_marks_are_refused_with_their_line(marks: str, problem: str) -> None:
    with pytest.raises(BadFile, match=f"f:2: {problem}"):
        labels(["0_0,1_1,2_0", marks])


def test_broken_marks_are_refused_in_the_first_row_too() -> None:
    with pytest.raises(BadFile, match="f:1: found the mark '0_2', expected 0_0 or 0_1"):
        labels(["0_2,1_0", "0_0,1_1"])


def test_several_labels_are_refused_where_the_recipe_wants_one() -> None:
    with pytest.raises(BadFile, match="f:2: found 2 labels, expected one"):
        labels([["a"], ["a", "b"]], several=False)


@pytest.mark.parametrize(
    ("value", "several", "problem"),
    [
        ("", None, "a label is empty in ''"),
        ("a,,b", True, "a label is empty in 'a,,b'"),
        ("a,b,a", True, "a label is named twice in 'a,b,a'"),
    ],
)
def test_empty_and_repeated_labels_are_refused(value: str, several: bool | None, problem: str) -> None:
    with pytest.raises(BadFile, match=f"f:2: {problem}"):
        labels(["a", value], several=several)


def test_only_sentence_ids_name_a_document() -> None:
    assert [document_of(id) for id in ("22355784_s0", "22355784", "a_s0", "train.tsv:3")] == ["22355784", "", "", ""]
