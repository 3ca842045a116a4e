"""Ids of JSON files know their lines, and nothing is lost by standing twice."""

import re
from pathlib import Path

import pytest

from linnet.errors import BadFile
from linnet.tasks.texts.reading.json_positions import IDS, KEYS, read_json, refuse_duplicate


def test_ids_and_keys_know_the_lines_they_stand_on(tmp_path: Path) -> None:
    path = tmp_path / "a.json"
    path.write_text('[\n{"id": "x"},\n\n{"id":\n"x"}, {"id": "y"}]', encoding="utf-8")

    of_ids, of_keys = read_json(path, IDS), read_json(path, KEYS)

    assert of_ids.content == [{"id": "x"}, {"id": "x"}, {"id": "y"}]
    assert of_ids.lines == {"x": [2, 4], "y": [5]}
    assert of_keys.lines == {"id": [2, 4, 5]}
    assert [of_ids.place("x"), of_ids.place("x", 1), of_ids.place("z")] == [f"{path}:2", f"{path}:4", str(path)]


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ('{"a": 1,\n"a": 2}', r"a.json: the key 'a' stands twice in one object \(lines 1 and 2\)"),
        ('{"a": 1, "a": 2,\n"b": {"a": 3}}', "a.json: the key 'a' stands twice in one object$"),
        ('{"a": 1,\n', "a.json:2: broken JSON"),
        ('{"id": ' + "9" * 5000 + "}", "a.json: unreadable JSON"),
        ("[" * 200_000, "a.json: the JSON is nested too deeply"),
    ],
)
def test_what_would_be_lost_or_cannot_be_read_is_refused(tmp_path: Path, text: str, problem: str) -> None:
    (tmp_path / "a.json").write_text(text, encoding="utf-8")

    with pytest.raises(BadFile) as refused:
        read_json(tmp_path / "a.json", IDS)
    assert re.search(problem, refused.value.problem)


def test_an_id_may_stand_once() -> None:
    seen: dict[str, str] = {}
    refuse_duplicate(seen, "x", "a:1")
    refuse_duplicate(seen, "y", "a:2")

    with pytest.raises(BadFile, match="a:3: the id 'x' stands at a:1 already"):
        refuse_duplicate(seen, "x", "a:3")
