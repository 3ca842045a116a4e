"""What does bad input get? A message with place, finding, expectation and remedy, exit code 2, and nothing else."""

import gzip
from pathlib import Path

import pytest

from tests.cli.running import run, write

BIOC = (
    '<?xml version="1.0"?>{doctype}<collection><source>s</source><date>d</date><key>k</key><document><id>d1</id>'
    "<passage><offset>0</offset><text>A cat {more}sat.</text>{annotation}</passage></document></collection>"
)
ANNOTATION = (
    '<annotation id="a7"><infon key="type">X</infon><location offset="2" length="{n}"/><text>cat</text></annotation>'
)
BIOC_JSON = (
    '{"source": "s", "date": "d", "key": "k", "infons": {}, "documents": [{"id": "d1", "infons": {}, "passages": '
    '[{"offset": 0, "infons": {}, "text": "A cat sat.", "annotations": [{"id": "a7", "infons": {"type": "X"}, '
    '"text": "cat", "locations": [{"offset": %d, "length": 3}]}], "relations": []}], "annotations": [], '
    '"relations": []}]}'
)
BOMB = '<!DOCTYPE collection [<!ENTITY a "boom">]>'
OUTSIDE_FILE = '<!DOCTYPE collection [<!ENTITY a SYSTEM "file:///etc/hostname">]>'

# file name, content, further arguments, what the message must say
FILES: list[tuple[str, str | bytes, list[str], list[str]]] = [
    ("column.tsv", "the\tO\n\ncat\n", [], ["column.tsv:3", "'cat'", "a word and its tag"]),
    ("column.tsv", "the\ncat\n", [], ["column.tsv:1", "'the'", "a word and its tag"]),
    ("ragged.tsv", "the\tO\ncat\tNN\tO\n", [], ["ragged.tsv:2", "3 columns", "2"]),
    ("ragged.tsv", "the DT O\ncat O\n", [], ["ragged.tsv:2", "2 columns", "3"]),
    ("scheme.tsv", "the\tO\ncat\tX-Pet\nsat\tO\n", [], ["scheme.tsv:2", "'X-Pet'", "expected O, or B-"]),
    ("strict.tsv", "a\tB-X\nb\tO\nc\tI-X\n", [], ["strict.tsv:3", "'I-X' after 'O'", "iob2", "--repair"]),
    ("other.tsv", "a\tI-X\nb\tO\nc\tB-Y\n", ["--tagging", "io"], ["other.tsv:3", "'B-Y' after 'O'", "io "]),
    ("cut.tsv", "a\tB-X\nb\tI-X\nc\tS-X\n", [], ["cut.tsv:3", "'S-X' after 'I-X'", "iobes"]),
    ("binary.tsv", b"PK\x03\x04\x00\x00", [], ["binary.tsv:1", "NUL", "binary"]),
    ("late.tsv", "a\tO\n" * 40_000 + "b\0\tO\n", [], ["late.tsv:40001", "NUL"]),
    ("latin.tsv", "caf\xe9\tO\n".encode("latin-1"), [], ["latin.tsv:1", "not UTF-8", "iconv"]),
    ("late.tsv", b"a\tO\n" * 40_000 + b"caf\xe9\tO\n", [], ["late.tsv:40001", "not UTF-8", "iconv"]),
    ("wide.tsv", "the\tO\n".encode("utf-16"), [], ["wide.tsv:1", "not UTF-8"]),
    ("empty.tsv", "", [], ["empty.tsv", "empty"]),
    ("blank.tsv", "\n \n", [], ["blank.tsv", "empty"]),
    ("empty.jsonl", "", ["--from", "jsonl"], ["empty.jsonl", "no document"]),
    ("two.tsv", "-DOCSTART- d1\tO\n\na\tO\n\n-DOCSTART- d1\tO\n\nb\tO\n", [], ["two.tsv:7", "'d1'"]),
    ("span.txt", "7|t|A cat sat.\n7|a|\n7\t2\t5\tdog\tX\t-\n", [], ["span.txt:3", "'dog'", "2", "5", "'cat'"]),
    (
        "early.txt",
        "7\t2\t5\tcat\tX\t-\n7|t|A cat sat.\n7|a|\n",
        [],
        ["early.txt:1", "before its text"],
    ),
    ("two.txt", "7|t|A.\n7|a|b\n\n7|t|A.\n7|a|b\n", [], ["two.txt:4", "'7'"]),
    ("two.jsonl", '{"id": "d1", "text": "a"}\n{"id": "d1", "text": "b"}\n', [], ["two.jsonl:2", "'d1'"]),
    (
        "span.jsonl",
        '{"id": "d1", "text": "A cat.", "spans": [{"start": 2, "end": 9, "label": "X"}]}\n',
        [],
        ["span.jsonl:1", "'d1'", "2", "9", "6"],
    ),
    (
        "place.xml",
        BIOC.format(doctype="", more="", annotation=ANNOTATION.format(n=30)),
        [],
        ["place.xml", "'d1'", "'a7'", "2-32", "0-10"],
    ),
    ("place.json", BIOC_JSON % 20, [], ["place.json", "'d1'", "'a7'", "20-23", "0-10"]),
    (
        "bomb.xml",
        BIOC.format(doctype=BOMB, more="&a; ", annotation=""),
        [],
        ["bomb.xml:1", "entit"],
    ),
    (
        "outside.xml",
        BIOC.format(doctype=OUTSIDE_FILE, more="&a; ", annotation=""),
        [],
        ["outside.xml:1", "entit"],
    ),
    ("cut.xml", BIOC.format(doctype="", more="", annotation="")[:-40], [], ["cut.xml:1", "well-formed"]),
    ("cut.json", (BIOC_JSON % 2)[:-30], [], ["cut.json:1", "JSON"]),
    ("cut.jsonl", '{"id": "d1", "text": "a"}\n{"id": ', [], ["cut.jsonl:2", "broken JSON"]),
    ("field.jsonl", '{"id": "d1"}\n', [], ["field.jsonl:1", "'text'"]),
    ("strange.dat", "Dear all,\nplease find attached\n", [], ["strange.dat", "no format", "--from"]),
]


def said_to_user(code: int, out: str, err: str) -> str:
    """Return the message, checked for what every message must be."""
    assert code == 2, err
    assert out == ""
    assert err.startswith("linnet: ")
    assert "\n  Try: " in err
    assert "Traceback" not in err
    return err


@pytest.mark.parametrize(("name", "content", "more", "expected"), FILES, ids=[" ".join([f[0], *f[2]]) for f in FILES])
def test_file_that_cannot_be_read_whole_is_refused_with_its_place(
    name: str,
    content: str | bytes,
    more: list[str],
    expected: list[str],
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    source = write(tmp_path / name, content)
    target = tmp_path / "out" / "target.jsonl"

    done = run(capsys, "convert", source, target, "--to", "jsonl", *more)

    message = said_to_user(done.code, done.out, done.err)
    assert all(part in message for part in expected), message
    assert not list(tmp_path.glob("out/*")), "nothing half written is left behind"


@pytest.mark.parametrize("command", ["stats", "weights"])
def test_corpus_commands_refuse_bad_files_likewise(
    command: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    write(tmp_path / "train.tsv", "a\tO\nb\n")
    more = ["--scheme", "ins"] if command == "weights" else []

    done = run(capsys, command, tmp_path, "--json", *more)

    assert "train.tsv:2" in said_to_user(done.code, done.out, done.err)


FOLDERS: dict[str, tuple[list[str], list[str]]] = {
    "empty folder": ([], ["corpus", "the folder is empty"]),
    "folder without known splits": (["one.tsv", "two.tsv"], ["corpus", "no file is named after a split", "one.tsv"]),
    "two files for one split": (["train.tsv", "train.conll", "test.tsv"], ["'train'", "train.conll", "train.tsv"]),
    "two names for one split": (["dev.tsv", "valid.tsv"], ["'devel'", "dev.tsv", "valid.tsv"]),
    "annotations without text": (["d1.ann"], ["d1.ann", "d1.txt"]),
}


@pytest.mark.parametrize("what", FOLDERS)
@pytest.mark.parametrize("command", ["stats", "convert"])
def test_folder_that_is_no_corpus_is_refused(
    what: str, command: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    names, expected = FOLDERS[what]
    corpus, target = tmp_path / "corpus", tmp_path / "target"
    corpus.mkdir()
    for name in names:
        write(corpus / name, "T1\tX 0 1\ta\n" if name.endswith(".ann") else f"{name}\tO\n")  # all of them differ

    done = run(capsys, command, corpus, *([target, "--to", "jsonl"] if command == "convert" else []))

    message = said_to_user(done.code, done.out, done.err)
    assert all(part in message for part in expected), message
    assert [path.name for path in tmp_path.iterdir()] == ["corpus"]


def test_missing_file_is_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for arguments in (("stats", "nowhere"), ("convert", "nowhere", tmp_path / "a.jsonl"), ("score", "nowhere", "here")):
        done = run(capsys, *arguments)

        assert "nowhere" in said_to_user(done.code, done.out, done.err)


def test_output_below_a_file_cannot_be_written(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    source = write(tmp_path / "in.jsonl", '{"id": "d1", "text": "a"}\n')

    done = run(capsys, "convert", source, source / "out.jsonl")

    assert "out.jsonl: cannot be written" in said_to_user(done.code, done.out, done.err)
    assert source.read_text(encoding="utf-8") == '{"id": "d1", "text": "a"}\n'


def test_old_output_survives_a_failed_conversion(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    source = write(tmp_path / "in.tsv", "a\tO\n\nb\n")
    target = write(tmp_path / "out.jsonl", "what was there before")

    done = run(capsys, "convert", source, target)

    said_to_user(done.code, done.out, done.err)
    assert target.read_text(encoding="utf-8") == "what was there before"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["in.tsv", "out.jsonl"]


def test_corpus_folder_is_written_whole_or_not_at_all(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write(tmp_path / "corpus" / "train.tsv", "a\tO\n")
    write(tmp_path / "corpus" / "test.tsv", "a\tO\n\nb\tO\tO\n")

    done = run(capsys, "convert", tmp_path / "corpus", tmp_path / "target", "--to", "jsonl")

    assert "test.tsv:3" in said_to_user(done.code, done.out, done.err)
    assert [path.name for path in tmp_path.iterdir()] == ["corpus"]


UNKNOWN: dict[str, tuple[list[str], list[str]]] = {
    "format to write": (["convert", "in.jsonl", "out.jsonl", "--to", "jsonlines"], ["'jsonlines'", "jsonl", "brat"]),
    "format to read": (["convert", "in.jsonl", "out.jsonl", "--from", "brad"], ["'brad'", "'brat'"]),
    "suffix": (["convert", "in.jsonl", "out.doc"], ["out.doc", "--to"]),
    "tagging": (["stats", "in.jsonl", "--tagging", "bio"], ["'bio'", "iob2"]),
    "tagging to write": (["convert", "in.jsonl", "out.tsv", "--to-tagging", "bio"], ["'bio'", "iob2"]),
    "scheme": (["weights", "in.jsonl", "--scheme", "wellt"], ["'wellt'", "'welt'"]),
    "scheme without its beta": (["weights", "in.jsonl", "--scheme", "ens"], ["beta", "0.9999"]),
    "split": (["weights", "demo", "--scheme", "ins", "--split", "tset"], ["'tset'", "train"]),
    "what is resampled": (["score", "in.jsonl", "in.jsonl", "--resample", "words"], ["'words'", "sentences"]),
    "column": (["stats", "in.tsv", "--tag-column", "4"], ["in.tsv:1", "4", "2 columns"]),
}


@pytest.mark.parametrize("what", UNKNOWN)
def test_name_that_nobody_knows_is_answered_with_the_known_ones(
    what: str, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    arguments, expected = UNKNOWN[what]
    monkeypatch.chdir(tmp_path)
    write(tmp_path / "in.jsonl", '{"id": "d1", "text": "a", "spans": [{"start": 0, "end": 1, "label": "X"}]}\n')
    write(tmp_path / "in.tsv", "a\tO\n")

    done = run(capsys, *arguments)

    message = said_to_user(done.code, done.out, done.err)
    assert all(part in message for part in expected), message
    assert sorted(path.name for path in tmp_path.iterdir()) == ["in.jsonl", "in.tsv"]


@pytest.mark.parametrize(
    "arguments",
    [
        ["frobnicate"],
        ["stats"],
        ["stats", "demo", "--tag-column", "last"],
        ["stats", "demo", "--tag-column", "0"],
        ["score"],
        ["score", "demo", "demo", "--resamples", "-1"],
        ["weights", "demo"],
        ["convert", "a", "b", "c"],
        ["stats", "demo", "--frob"],
        ["list", "frobs"],
    ],
    ids=" ".join,
)
def test_wrong_usage_ends_with_code_two_and_the_way_to_help(
    arguments: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    done = run(capsys, *arguments)

    assert done.code == 2
    assert done.out == ""
    assert "Usage: linnet" in done.err
    assert "--help" in done.err
    assert "Error: " in done.err
    assert "Traceback" not in done.err


def test_names_above_255_bytes_are_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    good, long = write(tmp_path / "a.tsv", "a\tB-X\n"), tmp_path / ("a" * 300 + ".jsonl")

    for arguments in (
        ("convert", long, tmp_path / "out.jsonl"),
        ("convert", good, long),
        ("stats", long),
        ("score", good, long),
        ("annotate", good, "--model", long, "--output", tmp_path / "out.jsonl"),
        ("predict", good, "--model", "x", "--output", long),
    ):
        done = run(capsys, *arguments)

        assert done.code == 2
        assert "File name too long" in done.err


def test_a_huge_shard_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    text = write(tmp_path / "a.txt", "text")

    done = run(
        capsys, "annotate", text, "--model", "x", "--output", tmp_path / "out", "--to", "jsonl", "--shard", 10**30
    )

    assert done.code == 2
    assert "shard" in done.err


def test_a_file_without_documents_is_not_converted(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    empty = write(tmp_path / "a.json", '{"source": "", "date": "", "key": "", "infons": {}, "documents": []}')

    done = run(capsys, "convert", empty, tmp_path / "out.jsonl")

    assert done.code == 2
    assert "a.json: holds no document" in done.err
    assert not (tmp_path / "out.jsonl").exists()


def test_a_gzip_file_that_is_cut_off_is_not_converted(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    rows = gzip.compress("".join(f"word{number}\tO\n\n" for number in range(50_000)).encode())
    cut = write(tmp_path / "a.tsv.gz", rows[:-2000])

    done = run(capsys, "convert", cut, tmp_path / "out.jsonl", "--repair")

    assert done.code == 2
    assert "the gzip file is cut off" in done.err
    assert not (tmp_path / "out.jsonl").exists()
