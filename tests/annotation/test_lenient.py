"""Documents that cannot be read are given back as failures, and those after them are read."""

import json
from pathlib import Path

import pytest

from linnet.annotation.blocks import Failure
from linnet.annotation.inputs import find_inputs
from linnet.annotation.lenient import read_leniently
from linnet.contracts import Notes
from linnet.documents.document import Document


def read(path: Path, *, format: str | None = None) -> list[tuple[str, str]]:
    """Return the ids and texts of documents, and the names and reasons of failures."""
    notes = Notes()
    files = find_inputs(path, format=format, notes=notes)
    found = [each for file in files for each in read_leniently(file, notes)]
    return [
        (each.id, each.text) if isinstance(each, Document) else (f"failed {each.document}", each.reason)
        for each in found
        if isinstance(each, Document | Failure)
    ]


@pytest.mark.parametrize("format", [None, "text"])
def test_a_text_that_is_not_utf8_does_not_stop_those_beside_it(tmp_path: Path, format: str | None) -> None:
    for name, content in (("a", b"one"), ("b", b"caf\xe9"), ("c", b"three")):
        (tmp_path / f"{name}.txt").write_bytes(content)

    first, broken, third = read(tmp_path, format=format)

    assert (first, third) == (("a", "one"), ("c", "three"))
    assert broken[0] == "failed b"
    assert "not UTF-8" in broken[1]


@pytest.mark.parametrize("format", [None, "jsonl"])
@pytest.mark.parametrize(
    ("line", "reason"),
    [
        (b'{"id": "caf\xe9", "text": "a"}', "this is not UTF-8 text"),
        (b'{"id": "a\\u0000", "text": "a"}', "found a NUL character"),
        (b'{"id": "a", "text": "a", "infons": {"k": "\\ud800"}}', "half of a character"),
        (b"[" * 100_000, "in.jsonl:2: "),
        (b"[]", "expected a JSON object"),
    ],
)
def test_a_line_that_is_no_document_does_not_stop_those_after_it(
    tmp_path: Path, line: bytes, reason: str, format: str | None
) -> None:
    good = [json.dumps({"id": id, "text": "some text"}).encode() for id in ("1", "3")]
    (tmp_path / "in.jsonl").write_bytes(b"\n".join([good[0], line, good[1]]))

    first, broken, third = read(tmp_path / "in.jsonl", format=format)

    assert (first, third) == (("1", "some text"), ("3", "some text"))
    assert broken[0] == "failed in:2"
    assert reason in broken[1]


def test_a_pair_of_surrogates_is_a_character(tmp_path: Path) -> None:
    (tmp_path / "in.jsonl").write_text('{"id": "1", "text": "\\ud83e\\uddec"}', encoding="utf-8")

    assert read(tmp_path / "in.jsonl") == [("1", "\N{DNA DOUBLE HELIX}")]


def test_a_line_of_text_that_cannot_be_read_is_one_document_less(tmp_path: Path) -> None:
    content = b"\xef\xbb\xbfataxia .\r\n\ncaf\xe9 .\na\0b\nwe gave aspirin .\n"
    (tmp_path / "in.txt").write_bytes(content)

    found = read(tmp_path / "in.txt", format="lines")

    assert [name for name, _ in found] == ["in-1", "failed in-3", "failed in-4", "in-5"]
    assert (found[0][1], found[3][1]) == ("ataxia .", "we gave aspirin .")
    assert "in.txt:3: this is not UTF-8" in found[1][1]
    assert "in.txt:4: found a NUL" in found[2][1]


def test_what_is_left_out_is_no_input(tmp_path: Path) -> None:
    for name in ("a.txt", "out.work/block.txt", "out.txt"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text("text", encoding="utf-8")

    leaving_out = (tmp_path / "out.work", tmp_path / "out.txt")
    found = find_inputs(tmp_path, format=None, notes=Notes(), leaving_out=leaving_out)

    assert [file.path.name for file in found] == ["a.txt"]
