"""Objects of annotation tools are read with their places, and written so that names stay unique."""

import json
from pathlib import Path

import pytest

from linnet.errors import BadFile
from linnet.formats.annotation_tools.records import encode, name_all, parse_score, read_records, refusing


@pytest.mark.parametrize("content", ['[{"a": 1},\n{"a": 2}]', '{"a": 1}\n{"a": 2}\n', '{"a":\n1} {"a": 2}'])
def test_objects_of_a_list_and_of_lines_are_read(content: str, tmp_path: Path) -> None:
    path = tmp_path / "x"
    path.write_text(content)

    found = list(read_records(path, "a thing"))

    assert [record for _, record in found] == [{"a": 1}, {"a": 2}]
    assert found[1][0] == f"{path}:2"


@pytest.mark.parametrize(
    ("content", "problem"), [("[1]", "expected a thing, found 1"), ('{"a": 1}\n{"a"', ":2: "), ("[{}] x", "the end")]
)
def test_other_content_is_refused_with_its_place(content: str, problem: str, tmp_path: Path) -> None:
    path = tmp_path / "x"
    path.write_text(content)

    with pytest.raises(BadFile) as caught:
        list(read_records(path, "a thing"))

    assert str(path) in caught.value.problem
    assert problem in caught.value.problem


def test_names_are_kept_where_they_are_free() -> None:
    taken = {"T3"}

    assert name_all(["T1", "", "T1", "T3", "x"], "T", taken) == ["T1", "T2", "T4", "T5", "x"]
    assert taken == {"T1", "T2", "T3", "T4", "T5", "x"}


def test_a_missing_field_is_named() -> None:
    with pytest.raises(BadFile, match=r"x:1: this is not a thing \(no 'a'\)"), refusing("x:1", "a thing"):
        json.loads("{}")["a"]


def test_scores_must_be_finite_numbers() -> None:
    assert parse_score(None) is None
    assert parse_score(1) == 1.0
    for bad in ("1", True, float("nan")):
        with pytest.raises(TypeError, match="finite"):
            parse_score(bad)
    with pytest.raises(BadFile, match="no finite number"):
        encode({"score": float("inf")}, "7")
