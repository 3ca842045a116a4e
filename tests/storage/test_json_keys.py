"""JSON is read whole: an object with a duplicate key is refused."""

from pathlib import Path

import pytest

from linnet.errors import BadFile
from linnet.storage.json_keys import DoubledKey, NestedTooDeeply, load_json, read_object


def test_values_are_read_as_they_are() -> None:
    assert load_json('{"a": [1, null, {"b": "x"}]}') == {"a": [1, None, {"b": "x"}]}


@pytest.mark.parametrize("text", ['{"a": 1, "a": 2}', '[{"b": {"c": 1, "a": 1, "a": 1}}]'])
def test_a_duplicate_key_is_refused_at_any_depth(text: str) -> None:
    with pytest.raises(DoubledKey) as bad:
        load_json(text)
    assert bad.value.key == "a"


def test_one_key_in_two_objects_is_no_duplicate() -> None:
    assert load_json('[{"a": 1}, {"a": 2}]') == [{"a": 1}, {"a": 2}]


def test_other_text_is_refused() -> None:
    with pytest.raises(ValueError, match="Expecting"):
        load_json("{")


@pytest.mark.parametrize("text", ["[" * 100_000, '{"a":' * 100_000])
def test_deep_nesting_is_an_error_in_the_value(text: str) -> None:
    with pytest.raises(NestedTooDeeply, match="nested too deeply") as bad:
        load_json(text)
    assert isinstance(bad.value, ValueError)


@pytest.mark.parametrize(("text", "problem"), [("{", "this is not JSON"), ("[1]", "this is no JSON object")])
def test_a_file_that_holds_no_object_is_refused(tmp_path: Path, text: str, problem: str) -> None:
    path = tmp_path / "job.json"
    path.write_text(text, encoding="utf-8")

    with pytest.raises(BadFile, match=problem) as bad:
        read_object(path, "start again")
    assert bad.value.remedy == "start again"
