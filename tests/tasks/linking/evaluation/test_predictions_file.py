"""The predictions of a linker are read as they were written, and everything else is refused with its line."""

import json
from pathlib import Path
from typing import Any

import pytest

from linnet.errors import BadFile
from linnet.tasks.linking.evaluation.judged import FoundMention, JudgedDocument, JudgedMention
from linnet.tasks.linking.evaluation.predictions_file import read_predictions
from linnet.tasks.linking.evaluation.protocols import count_document

MENTION = JudgedMention(
    start=0, end=4, text="gout", expanded="gout", label="Disease", gold=("a:1",), parts=(("a:1", "a:2"),),
    links=("a:1",), names=("gout",), matched=("gout",), scores=(1.0,), is_known=True,
)  # fmt: skip
DOCUMENT = JudgedDocument("d1", "gout was seen", (MENTION,), (FoundMention(0, 4, "Disease", ("a:1",)),))
ROW: dict[str, Any] = {**DOCUMENT.as_dict(), "counts": count_document(DOCUMENT)}


def write(path: Path, *lines: str) -> Path:
    path.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    return path


def changed(field: str, value: object) -> str:
    return json.dumps({**ROW, "mentions": [{**ROW["mentions"][0], field: value}]})


def test_what_an_evaluation_has_written_is_read(tmp_path: Path) -> None:
    path = write(tmp_path / "predictions.jsonl", json.dumps(ROW))

    assert read_predictions(path) == ([DOCUMENT], [ROW["counts"]])


@pytest.mark.parametrize(
    "line",
    [
        json.dumps(ROW)[:-20],
        "[" * 100_000,
        "1" * 5000,
        "[]",
        "",
        json.dumps({**ROW, "text": 5}),
        json.dumps({**ROW, "mentions": None}),
        json.dumps({**ROW, "found": [5]}),
        json.dumps({**ROW, "counts": [1]}),
        json.dumps({**ROW, "counts": {}}),
        json.dumps({**ROW, "counts": ROW["counts"] | {"any": [1, 1]}}),
        json.dumps({**ROW, "counts": ROW["counts"] | {"any": [1, 1, float("nan")]}}),
        changed("start", -1),
        changed("end", 99),
        changed("start", "0"),
        changed("label", None),
        changed("gold", "a:1"),
        changed("links", [1]),
        changed("parts", ["a:1"]),
        changed("unknown", 1),
    ],
    ids=range(20),
)
def test_a_line_of_another_kind_is_refused_with_its_number(tmp_path: Path, line: str) -> None:
    path = write(tmp_path / "predictions.jsonl", json.dumps(ROW), line)

    with pytest.raises(BadFile, match=r"predictions\.jsonl:2: this is no document with judged links"):
        read_predictions(path)
