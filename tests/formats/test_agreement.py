"""When two files of one split hold the same."""

from pathlib import Path

import pytest

from linnet.contracts import ReadOptions, WriteOptions, formats
from linnet.documents.document import Document, Passage, Span
from linnet.formats.agreement import find_difference
from linnet.formats.reading import detect_format

ROWS = "Lung\tB-X\ncancer\tI-X\n.\tO\n\nIt\tO\nspread\tO\n"
OPTIONS = ReadOptions(label="X")


def compare(folder: Path, *contents: str) -> str | None:
    paths = [folder / "one.tsv", folder / "two.txt"]
    for path, content in zip(paths, contents, strict=True):
        path.write_text(content, encoding="utf-8")
    return find_difference(paths[0], paths[1], (detect_format(paths[0]), detect_format(paths[1])), OPTIONS)


@pytest.mark.parametrize(
    "other",
    [
        ROWS,
        ROWS.replace("\t", " "),
        ROWS.replace("cancer", "\ncancer"),  # a sentence that was broken in two
        ROWS.replace("\n\n", "\n"),
        ROWS.replace("spread", "\x96\tO\nspread"),  # a word that tokenizers drop
        ROWS.replace("I-X", "E-X"),  # another tagging
    ],
    ids=["same", "spaces", "broken sentence", "joined sentences", "control character", "tagging"],
)
def test_rows_agree_in_words_and_tags_or_in_mentions(tmp_path: Path, other: str) -> None:
    assert compare(tmp_path, ROWS, other) is None
    assert compare(tmp_path, other, ROWS) is None


@pytest.mark.parametrize(
    ("other", "message"),
    [
        (ROWS.replace("I-X", "O"), "'cancer' I-X (one.tsv:2) is 'cancer' O (two.txt:2) in the other one"),
        (ROWS.replace("spread", "grew"), "'spread' O (one.tsv:6) is 'grew' O (two.txt:6) in the other one"),
        (ROWS + "more\tO\n", "one.tsv has no more words where the other one has 'more' O (two.txt:7)"),
        ("Lung\tB-X\n", "two.txt has no more words where the other one has 'cancer' I-X (one.tsv:2)"),
    ],
)
def test_rows_that_differ_are_told_with_their_lines(tmp_path: Path, other: str, message: str) -> None:
    assert compare(tmp_path, ROWS, other) == message


def written(folder: Path, name: str, document: Document) -> Path:
    path = folder / f"{name}{formats.get(name).suffixes[0]}"
    formats.get(name).write([document], path, WriteOptions())
    return path


def passages(separator: str) -> Document:
    text = f"Lung cancer.{separator}It spread."
    start = len("Lung cancer.") + len(separator)
    return Document("1", text, (Span(0, 11, "X"),), passages=(Passage(0, 12), Passage(start, len(text))))


def test_documents_agree_whatever_stands_between_their_passages(tmp_path: Path) -> None:
    xml = written(tmp_path, "bioc-xml", passages("\n"))
    ours = written(tmp_path, "jsonl", passages("  "))

    assert find_difference(xml, ours, (formats.get("bioc-xml"), formats.get("jsonl")), OPTIONS) is None


@pytest.mark.parametrize(
    ("other", "message"),
    [
        (Document("1", "Lung cancer.", (Span(0, 4, "X"),)), "the document '1' has other mentions in each"),
        (Document("1", "Lung cancer.", (Span(0, 11, "Y"),)), "the document '1' has other mentions in each"),
        (Document("1", "Lung tumour.", (Span(0, 11, "X"),)), "the document '1' has other text in each"),
        (Document("2", "Lung cancer.", (Span(0, 11, "X"),)), "bioc-json.json has no document '1'"),
    ],
)
def test_documents_that_differ_are_told_by_their_ids(tmp_path: Path, other: Document, message: str) -> None:
    first = written(tmp_path, "jsonl", Document("1", "Lung cancer.", (Span(0, 11, "X"),)))
    second = written(tmp_path, "bioc-json", other)

    assert find_difference(first, second, (formats.get("jsonl"), formats.get("bioc-json")), OPTIONS) == message
