"""Notes of Linnet's own kinds in brat files, and what is refused in them (issue 27, rows 2, 8 and 10)."""

from pathlib import Path

import pytest

from linnet.contracts import Notes, ReadOptions, formats
from linnet.documents.document import Document
from linnet.errors import BadFile

MENTION = "T1\tX 0 3\tone\n"


def read(tmp_path: Path, notes: str) -> Document:
    (tmp_path / "d.txt").write_text("one two", encoding="utf-8")
    (tmp_path / "d.ann").write_text(MENTION + notes, encoding="utf-8")
    (document,) = formats.get("brat").read(tmp_path, ReadOptions(), Notes())
    return document


def test_notes_become_parts_of_the_document(tmp_path: Path) -> None:
    found = read(tmp_path, '#1\tScore T1\t0.5\n#2\tInfons -\t{"a": "b"}\n#3\tDocumentId -\t"x/y"\n')

    assert (found.id, found.infons, found.spans[0].score) == ("x/y", {"a": "b"}, 0.5)


@pytest.mark.parametrize(
    ("note", "problem"),
    [
        ("Infons -\t" + "9" * 5000, "expected JSON in this note"),
        ("Infons -\t" + "[" * 100_000, "expected JSON in this note"),
        ("Passage -\t" + '{"a":' * 100_000, "expected JSON in this note"),
        ('Infons -\t{"a": "1", "a": "2"}', "the key 'a' stands twice in one object"),
        ("Score T1\tnan", "expected a number as score, found 'nan'"),
        ("Score T1\t1e999", "expected a number as score"),
        ('Sentence -\t{"start": 0, "end": 3, "tokens": [[4, 7]]}', "outside its sentence"),
    ],
)
def test_what_cannot_be_read_is_refused_with_its_line(note: str, problem: str, tmp_path: Path) -> None:
    with pytest.raises(BadFile) as caught:
        read(tmp_path, f"#1\t{note}\n")

    assert "d.ann:2: " in caught.value.problem
    assert problem in caught.value.problem
