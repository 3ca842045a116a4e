"""What is to be annotated: any format of documents, and plain text to the last character."""

import io
import sys
from pathlib import Path

import pytest

from linnet.contracts import Notes
from linnet.documents.document import Document
from linnet.errors import BadFile
from linnet.scale.inputs import read_inputs

TEXT = "\ufeffno\r\n ataxia\u2028.\n\n"


def read(path: Path | str, format: str | None = None) -> list[tuple[str, str]]:
    return [(document.id, document.text) for document in read_inputs(Path(path), format=format, notes=Notes())]


def give(monkeypatch: pytest.MonkeyPatch, content: bytes) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(content), encoding="ascii"))


def write(path: Path, content: str = TEXT) -> Path:
    path.write_bytes(content.encode())
    return path


def test_a_text_file_is_one_document_with_every_character(tmp_path: Path) -> None:
    assert read(write(tmp_path / "a.txt")) == [("a", TEXT[1:])]  # without the byte-order mark


def test_other_names_need_the_word_text(tmp_path: Path) -> None:
    path = write(tmp_path / "a.md", "No ataxia.")

    assert read(path, "text") == [("a", "No ataxia.")]
    with pytest.raises(BadFile, match="in no format that Linnet knows"):
        read(path)


def test_each_line_that_is_not_blank_is_a_document(tmp_path: Path) -> None:
    assert read(write(tmp_path / "a.txt"), "lines") == [("a-1", "no"), ("a-2", " ataxia\u2028.")]


def test_a_folder_of_texts_is_read_in_the_order_of_names(tmp_path: Path) -> None:
    for name in ("b", "c", "a"):
        write(tmp_path / f"{name}.txt", "" if name == "b" else name)

    assert read(tmp_path) == [("a", "a"), ("b", ""), ("c", "c")]
    assert read(tmp_path, "text") == read(tmp_path)


def test_a_brat_folder_is_no_folder_of_texts(tmp_path: Path) -> None:
    write(tmp_path / "a.txt", "No ataxia.")
    write(tmp_path / "a.ann", "T1\tDisease 3 9\tataxia\n")

    [document] = read_inputs(tmp_path, format=None, notes=Notes())

    assert isinstance(document, Document)
    assert len(document.spans) == 1


def test_a_text_file_that_is_a_token_per_line_is_read_as_such(tmp_path: Path) -> None:
    path = write(tmp_path / "a.txt", "No\tO\nataxia\tB-Disease\n\n")

    assert read(path) == [("a-1", "No ataxia")]


def test_standard_input_keeps_every_character(monkeypatch: pytest.MonkeyPatch) -> None:
    give(monkeypatch, TEXT.encode())
    assert read("-") == [("stdin", TEXT[1:])]

    give(monkeypatch, TEXT.encode())
    assert read("-", "lines") == [("1", "no"), ("2", " ataxia\u2028.")]


@pytest.mark.parametrize("content", [b"\xff", b"a\0b"])
def test_standard_input_that_is_no_text_is_refused(monkeypatch: pytest.MonkeyPatch, content: bytes) -> None:
    give(monkeypatch, content)

    with pytest.raises(BadFile, match="standard input: "):
        read("-")


def test_standard_input_is_no_file_of_a_format(monkeypatch: pytest.MonkeyPatch) -> None:
    give(monkeypatch, b"{}")

    with pytest.raises(BadFile, match="cannot be read as jsonl"):
        read("-", "jsonl")


@pytest.mark.parametrize("format", [None, "text", "lines", "jsonl"])
def test_what_is_not_there_is_refused(tmp_path: Path, format: str | None) -> None:
    with pytest.raises(BadFile, match=r"none\.txt"):
        read(tmp_path / "none.txt", format)


def test_an_empty_file_is_refused_and_an_empty_folder_too(tmp_path: Path) -> None:
    with pytest.raises(BadFile, match="the file is empty"):
        read(write(tmp_path / "a.txt", "\n"))
    (tmp_path / "folder").mkdir()
    with pytest.raises(BadFile, match=r"no \.txt file"):
        read(tmp_path / "folder", "text")
