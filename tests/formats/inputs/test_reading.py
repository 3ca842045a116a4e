"""What is to be annotated: any format of documents, and plain text to the last character."""

import errno
import gzip
import io
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import zstandard

from linnet.contracts import Notes, WriteOptions, formats
from linnet.documents.document import Document
from linnet.errors import BadFile, BadSetting, UnknownName
from linnet.formats.corpus import corpus_place
from linnet.formats.inputs.failures import Failure
from linnet.formats.inputs.lenient import read_leniently
from linnet.formats.inputs.reading import FROM_STANDARD_INPUT, InputFile, find_inputs, read_inputs

TEXT = "\ufeffno\r\n ataxia\u2028.\n\n"
JSONL = '{"id": "j", "text": "No ataxia."}\n'
PUBMED = (
    "<PubmedArticleSet><PubmedArticle><MedlineCitation><PMID>5</PMID><Article><ArticleTitle>No ataxia."
    "</ArticleTitle></Article></MedlineCitation></PubmedArticle></PubmedArticleSet>"
)
BIOC = (
    "<collection><document><id>b</id><passage><offset>0</offset><text>No ataxia.</text></passage></document>"
    "</collection>"
)


def read(path: Path | str, format: str | None = None, notes: Notes | None = None) -> list[tuple[str, str]]:
    found = read_inputs(Path(path), format=format, notes=notes if notes is not None else Notes())
    return [(document.id, document.text) for document in found]


def give(monkeypatch: pytest.MonkeyPatch, content: bytes) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BufferedReader(io.BytesIO(content)), encoding="ascii"))


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


STREAMS = {
    "text": (b"No ataxia.", "stdin"),
    "lines": (b"\nNo ataxia.\n", "1"),
    "jsonl": (JSONL.encode(), "j"),
    "pubtator": (b"3|t|No ataxia.\n", "3"),
    "pubmed-xml": (PUBMED.encode(), "5"),
    "jats": (b"<article><body><p>No ataxia.</p></body></article>", "standard input"),
    "bioc-xml": (BIOC.encode(), "b"),
}


@pytest.mark.parametrize("format", FROM_STANDARD_INPUT)
def test_standard_input_is_read_in_formats_that_stream_also_compressed(
    format: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    content, name = STREAMS[format]

    for given in (content, gzip.compress(content), zstandard.compress(content)):
        give(monkeypatch, given)
        assert read("-", format) == [(name, "No ataxia.")]


@pytest.mark.parametrize("format", ["jsonl", "pubtator", "pubmed-xml", "bioc-xml"])
def test_standard_input_is_recognised_by_its_beginning(format: str, monkeypatch: pytest.MonkeyPatch) -> None:
    content, name = STREAMS[format]
    give(monkeypatch, content)

    assert read("-") == [(name, "No ataxia.")]


def test_lines_of_standard_input_are_given_as_they_come() -> None:
    program = (
        "from pathlib import Path\n"
        "from linnet.contracts import Notes\n"
        "from linnet.formats.inputs.reading import read_inputs\n"
        "for document in read_inputs(Path('-'), format='lines', notes=Notes()):\n"
        "    print(document.text, flush=True)\n"
    )
    with subprocess.Popen(
        [sys.executable, "-c", program], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1
    ) as process:
        assert process.stdin
        assert process.stdout
        for line in ("one\n", "two\n"):
            process.stdin.write(line)
            assert process.stdout.readline() == line


def test_problems_of_standard_input_have_their_line(monkeypatch: pytest.MonkeyPatch) -> None:
    give(monkeypatch, JSONL.encode() + b"{broken\n")

    with pytest.raises(BadFile, match=r"^standard input:2: broken JSON"):
        read("-", "jsonl")


def test_standard_input_is_no_file_that_is_read_twice(monkeypatch: pytest.MonkeyPatch) -> None:
    give(monkeypatch, b"{}")

    with pytest.raises(BadFile, match="cannot be read as bioc-json"):
        read("-", "bioc-json")


@pytest.mark.parametrize("format", [None, "text", "lines", "jsonl"])
def test_what_is_not_there_is_refused(tmp_path: Path, format: str | None) -> None:
    with pytest.raises(BadFile, match=r"none\.txt"):
        read(tmp_path / "none.txt", format)


def test_an_empty_file_is_refused_and_an_empty_folder_too(tmp_path: Path) -> None:
    with pytest.raises(BadFile, match="the file is empty"):
        read(write(tmp_path / "a.txt", "\n"))
    (tmp_path / "folder").mkdir()
    for format, message in (("text", r"no \.txt file"), ("jsonl", "no jsonl file"), (None, "no readable file")):
        with pytest.raises(BadFile, match=message):
            read(tmp_path / "folder", format)


@pytest.mark.parametrize("pack", [gzip.compress, zstandard.compress])
@pytest.mark.parametrize(
    ("name", "content", "expected"),
    [
        ("a.txt.gz", TEXT.encode(), [("a", TEXT[1:])]),
        ("a.jsonl.gz", JSONL.encode(), [("j", "No ataxia.")]),
        ("pubmed26n0001.xml.zst", PUBMED.encode(), [("5", "No ataxia.")]),
        ("a.tsv.gz", b"No\tO\nataxia\tB\n", [("a-1", "No ataxia")]),
    ],
)
def test_compressed_files_are_read_as_what_they_hold(
    tmp_path: Path, pack: type, name: str, content: bytes, expected: list[tuple[str, str]]
) -> None:
    (tmp_path / name).write_bytes(pack(content))

    assert read(tmp_path / name) == expected


def mixture(folder: Path) -> Path:
    """Make a folder with a file of each kind, and things that are no documents."""
    (folder / "more" / ".hidden").mkdir(parents=True)
    write(folder / "a.txt", "Text.")
    write(folder / "b.jsonl", JSONL)
    (folder / "c.xml.gz").write_bytes(gzip.compress(PUBMED.encode()))
    write(folder / "d.txt", "Pair.")
    write(folder / "d.ann", "")
    write(folder / "e.xml", BIOC)
    (folder / "more" / "a.txt.zst").write_bytes(zstandard.compress(b"More."))
    write(folder / "more" / ".hidden" / "x.txt", "Hidden.")
    write(folder / "z.txt", "")
    write(folder / "README.txt", "Nobody's text.")
    write(folder / "c.xml.gz.md5", "MD5 (c.xml.gz) = d41d8cd98f00b204e9800998ecf8427e\n")
    (folder / "plot.png").write_bytes(b"\x89PNG\r\n\x1a\n\0\0")
    return folder


def test_a_folder_may_hold_any_mixture_and_what_is_left_aside_is_noted(tmp_path: Path) -> None:
    notes = Notes()

    found = read(mixture(tmp_path / "in"), notes=notes)

    assert found == [
        ("a", "Text."), ("j", "No ataxia."), ("5", "No ataxia."), ("d", "Pair."), ("b", "No ataxia."),
        ("more/a", "More."), ("z", ""),
    ]  # fmt: skip
    assert dict(notes.counts) == {"files of the folder left aside": 3}
    assert notes.first_place["files of the folder left aside"].endswith("README.txt")


@pytest.mark.parametrize(
    ("format", "ids"),
    [
        ("text", ["a", "d", "more/a", "z"]),
        ("lines", ["a-1", "d-1", "more/a-1"]),
        ("pubmed-xml", ["5"]),
        ("jsonl", ["j"]),
        ("bioc-xml", ["b"]),
    ],
)
def test_a_format_chooses_the_files_of_a_folder(tmp_path: Path, format: str, ids: list[str]) -> None:
    folder = mixture(tmp_path / "in")
    if format not in ("text", "lines"):
        (folder / "z.txt").unlink()

    assert [name for name, _ in read(folder, format)] == ids


def test_the_files_of_a_folder_are_known_before_any_is_read(tmp_path: Path) -> None:
    write(tmp_path / "b.jsonl", JSONL)
    write(tmp_path / "a.txt", "Text.")

    found = find_inputs(tmp_path, format=None, notes=Notes())

    assert found == [InputFile(tmp_path / "a.txt", "text", "a"), InputFile(tmp_path / "b.jsonl", "jsonl", "b")]


@pytest.mark.parametrize(
    ("name", "content", "problem"),
    [
        ("b.jsonl", b"", "the file is empty"),
        ("b.xml.gz", b"\x1f\x8b\x08\x00", "the gzip file is cut off after 0 bytes"),
        ("b.txt", b"\xff\xfe", "not UTF-8"),
        ("b.ann", b"T1\tX 0 1\ta\n", "without b.txt beside it"),
    ],
)
def test_a_broken_file_in_a_folder_is_not_left_aside(tmp_path: Path, name: str, content: bytes, problem: str) -> None:
    write(tmp_path / "a.txt", "Text.")
    (tmp_path / name).write_bytes(content)

    with pytest.raises(BadFile) as caught:
        read(tmp_path)

    assert f"{tmp_path / name}: " in caught.value.problem or name == "b.txt"
    assert problem in caught.value.problem


def test_a_link_to_a_folder_is_not_followed_for_ever(tmp_path: Path) -> None:
    write(tmp_path / "a.txt", "Text.")
    (tmp_path / "loop").symlink_to(tmp_path)
    notes = Notes()

    assert read(tmp_path, notes=notes) == [("a", "Text.")]
    assert dict(notes.counts) == {"links to folders left aside": 1}


def test_formats_that_cannot_be_read_are_refused(tmp_path: Path) -> None:
    formats.get("parquet").write([Document("1", "x")], tmp_path / "a.parquet", WriteOptions())

    with pytest.raises(BadFile, match="parquet can only be written"):
        read(tmp_path / "a.parquet")
    with pytest.raises(BadSetting, match="parquet can only be written"):
        read(tmp_path / "a.parquet", "parquet")
    with pytest.raises(UnknownName, match="no format called 'jsonlines'"):
        read(tmp_path, "jsonlines")


def read_with_failures(path: Path, *, format: str | None = None) -> list[tuple[str, str]]:
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

    first, broken, third = read_with_failures(tmp_path, format=format)

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

    first, broken, third = read_with_failures(tmp_path / "in.jsonl", format=format)

    assert (first, third) == (("1", "some text"), ("3", "some text"))
    assert broken[0] == "failed in:2"
    assert reason in broken[1]


def test_a_pair_of_surrogates_is_a_character(tmp_path: Path) -> None:
    (tmp_path / "in.jsonl").write_text('{"id": "1", "text": "\\ud83e\\uddec"}', encoding="utf-8")

    assert read_with_failures(tmp_path / "in.jsonl") == [("1", "\N{DNA DOUBLE HELIX}")]


def test_a_line_of_text_that_cannot_be_read_is_one_document_less(tmp_path: Path) -> None:
    content = b"\xef\xbb\xbfataxia .\r\n\ncaf\xe9 .\na\0b\nwe gave aspirin .\n"
    (tmp_path / "in.txt").write_bytes(content)

    found = read_with_failures(tmp_path / "in.txt", format="lines")

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


def make_bad_items(folder: Path) -> None:
    """Put entries that cannot be read beside two good texts."""
    write(folder / "a.txt", "one")
    write(folder / "z.txt", "two")
    Path(os.fsdecode(os.fsencode(folder) + b"/caf\xe9.txt")).write_text("three", encoding="utf-8")
    (folder / "loop").symlink_to(folder / "loop")
    (folder / "loop.txt").symlink_to(folder / "loop.xml")
    (folder / "loop.xml").symlink_to(folder / "loop.txt")
    (folder / "nowhere.jsonl").symlink_to(folder / "none")
    os.mkfifo(folder / "pipe.txt")
    (folder / "folder.txt").mkdir()
    write(folder / "folder.txt" / "inside.txt", "four")


def test_what_cannot_be_read_in_a_folder_does_not_stop_the_rest(tmp_path: Path) -> None:
    """Issue 27: a symbolic link to itself was a traceback, a named pipe was waited for."""
    make_bad_items(tmp_path)

    found = read_with_failures(tmp_path)

    assert [name for name, _ in found] == [
        *("a", "caf\udce9", "folder.txt/inside", "failed loop", "failed loop", "failed loop"),
        *("failed nowhere", "failed pipe", "z"),
    ]
    reasons = [reason for name, reason in found if name.startswith("failed")]
    assert reasons[0] == f"{tmp_path / 'loop'}: cannot be read (Too many levels of symbolic links)"
    assert reasons[3] == f"{tmp_path / 'nowhere.jsonl'}: cannot be read (No such file or directory)"
    assert reasons[4] == f"{tmp_path / 'pipe.txt'}: is not a regular file"


@pytest.mark.parametrize(
    ("format", "failed"),
    [("text", ["loop", "pipe"]), ("jsonl", ["loop", "loop", "nowhere", "pipe"]), ("pubmed-xml", ["loop"] * 2)],
)
def test_a_format_chooses_what_is_recorded_of_a_folder_too(tmp_path: Path, format: str, failed: list[str]) -> None:
    make_bad_items(tmp_path)
    write(tmp_path / "good.jsonl", JSONL)
    write(tmp_path / "good.xml", PUBMED)

    found = read_with_failures(tmp_path, format=format)

    assert [name for name, _ in found if name.startswith("failed")][:2] == [f"failed {name}" for name in failed][:2]


def test_strictly_read_what_cannot_be_read_is_an_error(tmp_path: Path) -> None:
    make_bad_items(tmp_path)

    with pytest.raises(BadFile, match="Too many levels"):
        read(tmp_path)


def test_a_special_file_that_is_called_like_no_document_is_left_aside(tmp_path: Path) -> None:
    write(tmp_path / "a.txt", "one")
    os.mkfifo(tmp_path / "pipe")
    notes = Notes()

    assert read(tmp_path, notes=notes) == [("a", "one")]
    assert dict(notes.counts) == {"files of the folder left aside": 1}


@pytest.mark.parametrize("name", ["b.txt", "b.jsonl", "b.xml", "b.tsv"])
@pytest.mark.parametrize("when", ["found", "read"])
def test_a_file_or_folder_that_may_not_be_read_does_not_stop_the_rest(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str, when: str
) -> None:
    content = {"b.txt": "two", "b.jsonl": JSONL, "b.xml": PUBMED, "b.tsv": "No\tO\nataxia\tB\n"}[name]
    write(tmp_path / "a.txt", "one")
    write(tmp_path / "c.txt", "three")
    write(tmp_path / name, content)
    (tmp_path / "d").mkdir()
    if when == "found":
        deny(monkeypatch, tmp_path / name, tmp_path / "d")

    files = find_inputs(tmp_path, format=None, notes=Notes())
    deny(monkeypatch, tmp_path / name, tmp_path / "d")
    found = [each for file in files for each in read_leniently(file, Notes())]

    failed = [each for each in found if isinstance(each, Failure)]
    assert [each.id for each in found if isinstance(each, Document)] == ["a", "c"]
    assert failed[0] == Failure("b", f"{tmp_path / name}: cannot be read (Permission denied)")
    assert [each.document for each in failed] == (["b", "d"] if when == "found" else ["b"])


def test_a_pair_whose_annotations_may_not_be_read_does_not_stop_the_rest(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(tmp_path / "a.txt", "one")
    write(tmp_path / "a.ann", "")
    write(tmp_path / "b.txt", "two")
    deny(monkeypatch, tmp_path / "a.ann")

    assert read_with_failures(tmp_path) == [
        ("failed a", f"{tmp_path / 'a.ann'}: cannot be read (Permission denied)"),
        ("b", "two"),
    ]


def deny(monkeypatch: pytest.MonkeyPatch, *denied: Path) -> None:
    """Let files and folders not be opened, as permissions do for everybody but root."""
    open_file, scan = Path.open, os.scandir

    def refuse(path: Any) -> None:
        if Path(path) in denied:
            raise PermissionError(errno.EACCES, "Permission denied")

    def open_unless_denied(self: Path, *arguments: Any, **options: Any) -> Any:
        refuse(self)
        return open_file(self, *arguments, **options)

    def scan_unless_denied(path: Any) -> Any:
        refuse(path)
        return scan(path)

    monkeypatch.setattr(Path, "open", open_unless_denied)
    monkeypatch.setattr(os, "scandir", scan_unless_denied)


def test_a_score_that_is_no_number_for_a_computer_does_not_stop_the_rest(tmp_path: Path) -> None:
    """Issue 27: a score of 400 digits was a traceback."""
    span = '{{"start": 0, "end": 1, "label": "X", "score": {}}}'
    lines = [
        f'{{"id": "{n}", "text": "a", "spans": [{span.format(score)}]}}' for n, score in enumerate((1, "9" * 400, 0.5))
    ]
    write(tmp_path / "in.jsonl", "\n".join(lines))

    assert [name for name, _ in read_with_failures(tmp_path / "in.jsonl")] == ["0", "failed in:2", "2"]


def test_the_guideline_of_the_embedded_corpus_is_no_file_left_aside() -> None:
    notes = Notes()

    found = list(find_inputs(corpus_place("demo"), format=None, notes=notes))

    assert len(found) == 3
    assert not notes.counts
