"""The fast ways through a file of rows give what the plain ways give."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from linnet.contracts import Notes, ReadOptions
from linnet.errors import BadFile
from linnet.formats import rows
from linnet.formats.conll import CoNLL
from linnet.labels.tagging import TagPairs, detect_tagging
from linnet.storage.files import without_line_end

PIECES = ("a", "B-X", "I-X", "O", "S-X", "B", "I", "\t", " ", "\n", "\n\n", "\r\n", "\r", rows.DOCUMENT_START, "\u2028")
ROWS = (
    "a\tO",
    "b\tB-X",
    "c\tI-X",
    "d\tI-Y",
    "e\tE-X",
    "f\tB",
    "g\tI",
    "h B-X",
    "i\tp\tO",
    "-DOCSTART-\tO",
    "j",
    "",
    " ",
)


def plain_blocks(text: str) -> Iterator[tuple[int, list[str]]]:
    """Runs of lines that are not blank, line by line."""
    run: list[str] = []
    first = 0
    for number, line in enumerate(text.removeprefix("\ufeff").split("\n"), 1):
        plain = without_line_end(line + "\n") if number <= text.count("\n") else line
        is_blank = not line.strip(" \t\r")
        if run and (is_blank or line.startswith(rows.DOCUMENT_START)):
            yield first, run
            run = []
        if not is_blank:
            first = first if run else number
            run.append(plain)
    if run:
        yield first, run


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("rows")


@given(text=st.lists(st.sampled_from(PIECES), max_size=40).map("".join), chunk=st.sampled_from([1, 3, 8, 1 << 20]))
def test_blocks_are_the_runs_of_lines_that_are_not_blank(text: str, chunk: int, folder: Path) -> None:
    path = folder / "blocks.tsv"
    path.write_bytes(text.encode())

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(rows, "CHUNK", chunk)
        found = list(rows._read_blocks(path))

    assert found == list(plain_blocks(text))


@given(lines=st.lists(st.sampled_from(ROWS), max_size=12), chunk=st.sampled_from([1, 8, 1 << 20]))
def test_tagging_found_quickly_is_that_of_the_sentences(lines: list[str], chunk: int, folder: Path) -> None:
    path = folder / "tagging.tsv"
    path.write_text("\n".join(lines), encoding="utf-8")
    options = ReadOptions(label="X")

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(rows, "CHUNK", chunk)
        quickly = rows._find_tagging_quickly([path], options)
    try:
        sentences = list(rows.read_tagged(path, options))
    except BadFile:
        return  # what is refused is tested elsewhere

    pairs = TagPairs()
    for sentence in sentences:
        pairs.add(sentence.tags)
    assert quickly in (None, detect_tagging(pairs.counts))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a\tB-X\nb\tI-X\n\nc\tO\n", "iob2"),
        ("a\tB\nb\tI\n", "iob2"),
        ("a\tp\tI-X\nb\tq\tO\n", "io"),
        ("a\tB-X\nb\tE-X\n", "iobes"),
        ("a\tU-X\nb\tO\n", "bilou"),
        ("a\tB-X\nb\tO\nc\tI-X\n", None),  # broken iob2 or iob1: the numbers decide
        ("a B-X\nb O\n", None),  # separated by spaces
        ("a\tO\nb\n", None),  # ragged
    ],
)
def test_plain_case_is_told_quickly(text: str, expected: str | None, tmp_path: Path) -> None:
    path = tmp_path / "a.tsv"
    path.write_text(text, encoding="utf-8")

    assert rows._find_tagging_quickly([path], ReadOptions()) == expected


def test_file_that_turns_out_not_to_be_iob2_is_checked_from_its_start(tmp_path: Path) -> None:
    path = tmp_path / "a.tsv"
    path.write_text("a\tB-X\nb\tI-X\n\nc\tB-X\nd\tE-X\n", encoding="utf-8")

    with pytest.raises(BadFile, match=r"a\.tsv:2: found 'the end' after 'I-X', which iobes does not allow"):
        list(CoNLL().read(path, ReadOptions(), Notes()))
