"""Finds the document of each sentence: from the ids of a file, from a known corpus, or from a file that a user gives.

Scores resample documents, because the mentions of a document resemble each other. Files with one token per line often
do not say where documents begin. Their sentences are then called after the file, with a number (`test-17`).
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from linnet.corpora.documents import documents_of_sentences
from linnet.documents.counted import counted
from linnet.errors import BadFile
from linnet.formats.reading import find_format, read_documents
from linnet.formats.rows import DOCUMENT_STARTS, split_columns
from linnet.storage.files import read_lines

__all__ = [
    "find_documents",
    "has_texts",
    "ids_from_marks",
    "is_documents_file",
    "number_ids",
    "read_sentence_documents",
]

NUMBERED = re.compile(r".*-\d+", re.DOTALL)  # the id of a sentence in a file without documents
BLANKS = re.compile(r"\s+")
COLUMN = re.compile(r"(?P<file>.+):(?P<number>\d+)", re.DOTALL)  # of a file with one token per line
SAME_ID = "-"  # in a column of ids: that of the word before
MOST_SHOWN = 60  # characters of a sentence in a message
REMEDY = (
    "give a file with the id of the document of each sentence, one per line in the order of the sentences, or the "
    "documents themselves in a format that has them, e.g. PubTator; FILE:2 takes the ids from the second column of a "
    "file with one token per line"
)

Words = Sequence[Sequence[str]]  # of each sentence


def find_documents(ids: Sequence[str], words: Words) -> list[int] | None:
    """Return the number of each sentence's document, or None if the documents are not known.

    Args:
        ids: of the document of each sentence, as the file has them. If each stands for one sentence and ends with its
            number, they are no documents; then the sentences may be those of a corpus whose documents Linnet knows.
        words: of each sentence.
    """
    if not _are_numbered_sentences(ids):
        return number_ids(ids)
    known = documents_of_sentences(map(_squeeze, words))
    return [number for number, document in enumerate(known) for _ in range(document.n_sentences)] or None


def ids_from_marks(begins: Iterable[str | None]) -> list[str]:
    """Return the id of each sentence's document, for `find_documents`, from the marks where documents begin.

    Args:
        begins: of each sentence: the id of the document that begins with it ("" if it has none), or None.
    """
    ids: list[str] = []
    seen: set[str] = set()
    for number, mark in enumerate(begins):
        if mark is not None:
            ids.append(mark if mark and mark not in seen else f"document {number}")
            seen.add(ids[-1])
        else:
            ids.append(ids[-1] if seen else f"sentence-{number}")
    return ids


def number_ids(ids: Iterable[str]) -> list[int]:
    """Return a number for each id, the same for the same id: 0 for the first, and so on."""
    numbers: dict[str, int] = {}
    return [numbers.setdefault(id, len(numbers)) for id in ids]


def read_sentence_documents(path: Path, words: Words) -> list[int]:
    """Return the number of each sentence's document from a file.

    The file has the id of the document of each sentence, one per line, or the documents themselves with their texts.
    `FILE:N` is a file with one token per line that has the ids in column N.

    Args:
        path: of the file.
        words: of each sentence.

    Raises:
        BadFile: if the file does not fit the sentences.
    """
    path, column = _split_column(path)
    if column:
        return number_ids(_read_column(path, column, words))
    if find_format(path, by_suffix=False) is not None:
        return _align(path, words)
    ids = [(number, line.strip()) for number, line in read_lines(path)]
    for number, id in ids:
        if not id:
            raise BadFile(f"{path}:{number}: the line is empty; expected the id of a document", REMEDY)
    if len(ids) != len(words):
        raise BadFile(f"{path}: has {counted(len(ids), 'line')} for {counted(len(words), 'sentence')}", REMEDY)
    return number_ids(id for _, id in ids)


def is_documents_file(path: Path) -> bool:
    """Is the file, or the file of `FILE:N`, there?"""
    return _split_column(path)[0].exists()


def has_texts(path: Path) -> bool:
    """Does the file have documents with their texts, in which the words of the sentences must be found?"""
    file, column = _split_column(path)
    return not column and find_format(file, by_suffix=False) is not None


def _split_column(path: Path) -> tuple[Path, int]:
    """Return the file and the number of the column of its ids, 0 if the whole file is about documents."""
    found = COLUMN.fullmatch(str(path))
    return (path, 0) if found is None or path.exists() else (Path(found["file"]), int(found["number"]))


def _read_column(path: Path, column: int, words: Words) -> Iterator[str]:
    """Yield the id of the document of each sentence from a column of the same sentences."""
    sentences = list(_read_rows(path))
    if len(sentences) != len(words):
        raise BadFile(f"{path}: has {counted(len(sentences), 'sentence')}, expected {len(words):,}", REMEDY)
    last = ""
    for number, (rows, expected) in enumerate(zip(sentences, words, strict=True), 1):
        line = rows[0][0]
        if len(rows) != len(expected):
            found = f"sentence {number:,} has {len(rows):,} words, expected {len(expected):,}"
            raise BadFile(f"{path}:{line}: {found}", REMEDY)
        for line, columns in rows:
            id = columns[column - 1] if 2 <= column <= len(columns) else ""
            if not id or (id == SAME_ID and not last) or (line != rows[0][0] and id not in (last, SAME_ID)):
                found = f"found {id!r} in column {column}" if id else f"there is no id in column {column}"
                raise BadFile(f"{path}:{line}: {found}, expected the id of one document for the whole sentence", REMEDY)
            last = last if id == SAME_ID else id
        yield last


def _read_rows(path: Path) -> Iterator[list[tuple[int, list[str]]]]:
    """Yield the columns of each word of each sentence, with the numbers of their lines."""
    rows: list[tuple[int, list[str]]] = []
    for number, line in read_lines(path):
        if line.strip() and not line.startswith(DOCUMENT_STARTS):
            rows.append((number, split_columns(line)))
        elif rows:
            yield rows
            rows = []
    if rows:
        yield rows


def _are_numbered_sentences(ids: Sequence[str]) -> bool:
    return len(set(ids)) == len(ids) and all(map(NUMBERED.fullmatch, ids))


def _squeeze(words: Iterable[str]) -> str:
    """Return the words without blanks."""
    return BLANKS.sub("", "".join(words))


def _align(path: Path, words: Words) -> list[int]:
    """Return the number of the document that has each sentence; the sentences of a document must follow each other."""
    found = list(read_documents(path))
    if _are_numbered_sentences([document.id for document in found]):
        raise BadFile(f"{path}: has sentences, but does not say which of them are one document", REMEDY)
    texts = [_squeeze(document.text) for document in found]
    numbers: list[int] = []
    current, at, unread = -1, 0, dict.fromkeys(range(len(texts)))
    for number, sentence in enumerate(map(_squeeze, words), 1):
        if current < 0 or not texts[current].startswith(sentence, at):
            fitting = [other for other in unread if texts[other].startswith(sentence)]
            if not fitting:
                shown = " ".join(words[number - 1])[:MOST_SHOWN]
                raise BadFile(f"{path}: no document goes on with sentence {number:,}, {shown!r}", REMEDY)
            current, at = fitting[0], 0
            del unread[current]
        at += len(sentence)
        numbers.append(current)
    return numbers
