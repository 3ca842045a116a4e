"""Tagged sentences are read from rows, and the fast ways give what the plain ways give."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

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


def read(path: Path, content: str, **options: Any) -> list[rows.TaggedSentence]:
    path.write_text(content, encoding="utf-8")
    return list(rows.read_tagged(path, ReadOptions(**options)))


def test_a_sentence_has_its_words_tags_columns_and_first_line(tmp_path: Path) -> None:
    first, second = read(tmp_path / "a.tsv", "a\tN\tB-X\nb\tV\tO\n\n\nc\tN\tO\n")

    assert first == (("a", "b"), ("B-X", "O"), (("N",), ("V",)), 1, None)
    assert (second.words, second.line) == (("c",), 5)


def test_bare_tags_get_the_label_or_the_name_of_the_folder(tmp_path: Path) -> None:
    folder = tmp_path / "Disease"
    folder.mkdir()

    (named,) = read(folder / "a.tsv", "a\tB\nb\tI\nc\tO\n", label="X")
    (unnamed,) = read(folder / "a.tsv", "a\tB\nb\tI\nc\tO\n")

    assert named.tags == ("B-X", "I-X", "O")
    assert unnamed.tags == ("B-Disease", "I-Disease", "O")


def test_documents_begin_at_their_marks_also_without_sentences(tmp_path: Path) -> None:
    content = "-DOCSTART- one\tO\n\na\tO\n\n-DOCSTART- two\tO\n\n###MEDLINE:7\nb\tO\n\n###MEDLINE:7\nc\tO\n"

    found = read(tmp_path / "a.tsv", content)

    assert [(sentence.begins, sentence.words) for sentence in found] == [
        ("one", ("a",)), ("two", ()), ("7", ("b",)), ("7~2", ("c",)),
    ]  # fmt: skip


def test_the_tag_may_be_in_another_column(tmp_path: Path) -> None:
    (sentence,) = read(tmp_path / "a.tsv", "a\tB-X\tN\nb\tO\tV\n", tag_column=2)

    assert (sentence.tags, sentence.columns) == (("B-X", "O"), (("N",), ("V",)))


def test_quotation_marks_of_blue_are_read_as_they_were(tmp_path: Path) -> None:
    (blue,) = read(tmp_path / "a.tsv", '""""\td1\t0\tO\na\t-\t1\tO\n')
    (other,) = read(tmp_path / "a.tsv", '""""\tO\na\tO\n')

    assert (blue.words[0], other.words[0]) == ('"', '""""')


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("a\tO\nb\n", "a.tsv:2: found one column, 'b'"),
        ("a\tO\nb\tN\tO\n", "a.tsv:2: found 3 columns"),
        ("a\tO\n\nb\tno tag\n", "a.tsv:3: 'no tag' is not a tag"),
        ("\n\n", "a.tsv: holds no sentence"),
        ("a\tO\nb\0\tO\n", "a.tsv:2: found a NUL character"),
    ],
)
def test_rows_that_cannot_be_read_are_refused_with_their_line(content: str, message: str, tmp_path: Path) -> None:
    with pytest.raises(BadFile) as refused:
        read(tmp_path / "a.tsv", content)

    assert message in refused.value.problem


def test_a_table_of_texts_is_refused_with_the_option_that_names_its_task(tmp_path: Path) -> None:
    with pytest.raises(BadFile) as refused:
        read(tmp_path / "a.tsv", "index\tsentence\tlabel\n")

    assert "--task classification" in refused.value.remedy


@pytest.mark.parametrize(
    ("row", "expected"),
    [("a\tb c\tO", ["a", "b c", "O"]), ("a  b O", ["a", "b", "O"]), ("a\t\tO", ["a", "", "O"]), ("a", ["a"])],
)
def test_columns_are_split_at_tabs_or_else_at_spaces(row: str, expected: list[str]) -> None:
    assert rows.split_columns(row) == expected


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
