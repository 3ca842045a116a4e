"""Documents of JSON lines whose parts contradict one another are refused (issue 27, row 10)."""

import json
from pathlib import Path
from typing import Any

import pytest

from linnet.contracts import Notes, ReadOptions, WriteOptions, formats
from linnet.documents.document import Document, Span
from linnet.errors import BadFile

JSONL = formats.get("jsonl")
SPAN = {"id": "T1", "start": 0, "end": 3, "label": "X"}
DOUBTFUL: dict[str, tuple[dict[str, Any], str]] = {
    "fragments before the end": (
        {"spans": [{**SPAN, "end": 7, "fragments": [[0, 3], [4, 6]]}]},
        "span at 0 to 7, whose fragments go from 0 to 6",
    ),
    "fragments elsewhere": ({"spans": [{**SPAN, "fragments": [[4, 7]]}]}, "whose fragments go from 4 to 7"),
    "token before its sentence": (
        {"sentences": [{"start": 4, "end": 7, "tokens": [[0, 3]]}]},
        "a token at 0 to 3, outside its sentence at 4 to 7",
    ),
    "token beyond its sentence": ({"sentences": [{"start": 0, "end": 3, "tokens": [[0, 7]]}]}, "outside its sentence"),
    "relation to nothing": (
        {"spans": [SPAN], "relations": [{"label": "r", "arguments": [{"role": "", "span": "T2"}]}]},
        "a relation 'r' to 'T2', and no span or relation has this id",
    ),
    "relation to a span without an id": (
        {
            "spans": [{"start": 0, "end": 3, "label": "X"}],
            "relations": [{"label": "r", "arguments": [{"role": "", "span": ""}]}],
        },
        "a relation 'r' to ''",
    ),
    "score of many digits": ({"spans": [{**SPAN, "score": 10**400}]}, "int too large to convert to float"),
}


def read(tmp_path: Path, text: str) -> list[Document]:
    path = tmp_path / "in.jsonl"
    path.write_text(text, encoding="utf-8")
    return list(JSONL.read(path, ReadOptions(), Notes()))


@pytest.mark.parametrize("name", DOUBTFUL)
def test_parts_that_contradict_one_another_are_refused(name: str, tmp_path: Path) -> None:
    fields, problem = DOUBTFUL[name]

    with pytest.raises(BadFile) as caught:
        read(tmp_path, json.dumps({"id": "d", "text": "one two", **fields}))

    assert "in.jsonl:1: " in caught.value.problem
    assert problem in caught.value.problem


@pytest.mark.parametrize("score", ["NaN", "Infinity", "-Infinity", "1e999", '"nan"'])
def test_a_score_that_is_not_finite_is_refused(score: str, tmp_path: Path) -> None:
    span = json.dumps(SPAN).replace("}", f', "score": {score}}}')

    with pytest.raises(BadFile, match="expected a finite number"):
        read(tmp_path, f'{{"id": "d", "text": "one two", "spans": [{span}]}}')


def test_a_score_that_is_not_finite_is_not_written(tmp_path: Path) -> None:
    document = Document("d", "one", (Span(0, 3, "X", score=float("nan")),))

    with pytest.raises(BadFile, match="document 'd': a score is no finite number"):
        JSONL.write([document], tmp_path / "x.jsonl", WriteOptions())

    assert list(tmp_path.iterdir()) == []


def test_fragments_in_any_order_and_relations_to_relations_are_read(tmp_path: Path) -> None:
    fields = {
        "spans": [{**SPAN, "end": 7, "fragments": [[4, 7], [0, 3]]}],
        "relations": [
            {"id": "R1", "label": "r", "arguments": [{"role": "a", "span": "T1"}]},
            {"label": "s", "arguments": [{"role": "a", "span": "R1"}, {"role": "b", "concept": "D1"}]},
        ],
    }

    (found,) = read(tmp_path, json.dumps({"id": "d", "text": "one two", **fields}))

    assert found.spans[0].fragments == ((4, 7), (0, 3))


@pytest.mark.parametrize(
    ("line", "key"),
    [
        ('{"id": "d", "text": "one", "text": "two"}', "text"),
        ('{"id": "d", "text": "one", "spans": [{"start": 0, "end": 0, "end": 3, "label": "X"}]}', "end"),
        ('{"id": "d", "text": "one", "infons": {"a": "1", "a": "1"}}', "a"),
    ],
)
def test_a_key_that_stands_twice_is_refused_with_its_line(line: str, key: str, tmp_path: Path) -> None:
    with pytest.raises(BadFile, match=f"in.jsonl:2: the key '{key}' stands twice in one object"):
        read(tmp_path, '{"id": "c", "text": ""}\n' + line)
