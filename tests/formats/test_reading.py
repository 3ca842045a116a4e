"""How documents are read from a path, and carried from one format to another."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from linnet.contracts import Notes, ReadOptions, WriteOptions, formats, readable_formats, writable_formats
from linnet.documents.document import Document, Link, Span
from linnet.errors import BadFile, UnknownName, WouldLose
from linnet.formats.reading import Conversion, convert_documents, detect_format, format_for_output, read_documents

BOTH_WAYS = [name for name in readable_formats() if name in writable_formats()]
DOCUMENT = Document("1", "Lung cancer was found.", (Span(0, 11, "Disease"),))
LINKED = Document("2", "Lung cancer was found.", (Span(0, 11, "Disease", links=(Link("D8"), Link("D9"))),))


def written(path: Path, content: bytes) -> Path:
    path.write_bytes(content)
    return path


@pytest.mark.parametrize("name", BOTH_WAYS)
def test_what_a_format_writes_is_recognised_as_that_format(tmp_path: Path, name: str) -> None:
    formats.get(name).write([DOCUMENT], tmp_path / "without_suffix", WriteOptions())

    assert detect_format(tmp_path / "without_suffix").name == name


@pytest.mark.parametrize("name", BOTH_WAYS)
def test_a_format_recognises_files_with_a_byte_order_mark(tmp_path: Path, name: str) -> None:
    formats.get(name).write([DOCUMENT], tmp_path / "x", WriteOptions())
    if not (tmp_path / "x").is_file():
        pytest.skip("a folder")
    written(tmp_path / "x", b"\xef\xbb\xbf" + (tmp_path / "x").read_bytes())

    assert detect_format(tmp_path / "x").name == name
    assert [d.text for d in read_documents(tmp_path / "x")] == [DOCUMENT.text] or name == "conll"


def test_a_character_cut_by_the_end_of_the_head_does_not_matter(tmp_path: Path) -> None:
    path = written(tmp_path / "x", b"a\tO\n" * 16383 + "abc😀\tO\n".encode())  # the head ends inside the emoji

    assert detect_format(path).name == "conll"


@pytest.mark.parametrize(
    ("content", "problem"),
    [
        (b"", "the file is empty"),
        (b" \n\n", "the file is empty"),
        (b"\xef\xbb\xbf", "the file is empty"),
        (b"Some prose, nothing else here.\n", "in no format that Linnet knows"),
        (b"line\nbad \xff\n", ":2: this is not UTF-8"),
        (b"line\nbad \0\n", ":2: found a NUL"),
        ("a\tO\n".encode("utf-16"), "not UTF-8"),
        ("a\tO\n".encode("utf-16-le"), "NUL"),
    ],
)
def test_what_cannot_be_read_is_refused(tmp_path: Path, content: bytes, problem: str) -> None:
    path = written(tmp_path / "x", content)

    with pytest.raises(BadFile) as caught:
        detect_format(path)

    assert caught.value.problem.startswith(str(path))
    assert problem in caught.value.problem


def test_a_path_that_is_not_there_is_refused(tmp_path: Path) -> None:
    with pytest.raises(BadFile, match="no such file"):
        detect_format(tmp_path / "missing")
    with pytest.raises(BadFile, match="no such file"):
        read_documents(tmp_path / "missing", format="conll")


def test_an_unknown_format_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UnknownName, match="no format called 'conl'"):
        read_documents(tmp_path, format="conl")


def test_the_format_of_an_empty_folder_is_unknown(tmp_path: Path) -> None:
    with pytest.raises(BadFile, match="in no format"):
        detect_format(tmp_path)


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("x.tsv", "conll"),
        ("x.jsonl", "jsonl"),
        ("x.PubTator", "pubtator"),
        ("x.XML", "bioc-xml"),
        ("x.json", "bioc-json"),
    ],
)
def test_the_suffix_of_the_output_says_the_format(name: str, expected: str) -> None:
    assert format_for_output(Path(name)).name == expected


def test_an_output_without_a_known_suffix_needs_a_format() -> None:
    with pytest.raises(UnknownName, match="does not say which format"):
        format_for_output(Path("out"))


def test_no_suffix_belongs_to_two_formats() -> None:
    suffixes = [suffix for name in formats.names() for suffix in formats.get(name).suffixes]

    assert len(set(suffixes)) == len(suffixes)


def test_a_conversion_counts_what_it_carries(tmp_path: Path) -> None:
    done = convert_documents([DOCUMENT, LINKED], tmp_path / "x.jsonl", to=formats.get("jsonl"))

    assert done.as_dict() == {"documents": 2, "mentions": 2, "relations": 0, "lost": {}, "repaired": {}}


def test_a_loss_is_refused_with_its_list_and_nothing_is_written(tmp_path: Path) -> None:
    with pytest.raises(WouldLose, match=r"conll cannot hold all of this.*concept ids: 2") as caught:
        convert_documents([DOCUMENT, LINKED], tmp_path / "x.tsv", to=formats.get("conll"))

    assert "--lossy" in caught.value.remedy
    assert list(tmp_path.iterdir()) == []


def test_a_loss_that_is_accepted_is_counted(tmp_path: Path) -> None:
    done = convert_documents([DOCUMENT, LINKED], tmp_path / "x.tsv", to=formats.get("conll"), is_lossy=True)

    assert done.lost["concept ids"] == 2
    assert (tmp_path / "x.tsv").is_file()


def test_an_input_that_breaks_off_leaves_no_output(tmp_path: Path) -> None:
    def documents() -> Iterator[Document]:
        yield DOCUMENT
        raise BadFile("x:2: broken", "mend it")

    for name in writable_formats():
        with pytest.raises(BadFile, match="x:2"):
            convert_documents(documents(), tmp_path / "out", to=formats.get(name), is_lossy=True)
        assert list(tmp_path.iterdir()) == []


def test_documents_are_streamed_one_at_a_time(tmp_path: Path) -> None:
    path = tmp_path / "x.jsonl"
    formats.get("jsonl").write([DOCUMENT], path, WriteOptions())
    with path.open("a") as file:
        file.write("broken\n")

    found = read_documents(path)

    assert next(iter(found)).id == "1"
    with pytest.raises(BadFile, match=":2: broken JSON"):
        list(found)


def test_repairs_are_noted(tmp_path: Path) -> None:
    path = written(tmp_path / "x.tsv", b"a\tB-X\nb\tI-X\n\nc\tI-X\n")
    notes = Notes()

    list(read_documents(path, options=ReadOptions(repair=True), notes=notes))

    assert notes.sentences() == [f"tags read as the conlleval script reads them: 1 (first: {path}:4)"]


def test_conversions_add_up() -> None:
    whole = Conversion(1, 2, 3)
    whole += Conversion(10, 20, 30)

    assert (whole.n_documents, whole.n_mentions, whole.n_relations) == (11, 22, 33)
