"""What stands on the lines of a file with one token per line?"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from linnet.contracts import ReadOptions
from linnet.errors import BadFile
from linnet.files import check_text, open_text, without_line_end
from linnet.labels.detection import TagPairs, detect_tagging
from linnet.labels.tagging import split_tag

__all__ = ["DOCUMENT_START", "TaggedSentence", "find_tagging", "is_tag", "read_tagged", "split_columns"]

DOCUMENT_START = "-DOCSTART-"


class TaggedSentence(NamedTuple):
    """A sentence as its lines give it."""

    words: tuple[str, ...]
    tags: tuple[str, ...]
    columns: tuple[tuple[str, ...], ...]
    line: int  # of the first word
    begins: str | None  # the id of the document that begins here ("" where the file gives none), or None


def read_tagged(path: Path, options: ReadOptions) -> Iterator[TaggedSentence]:
    """Stream the sentences with their tags as they stand in the file; bare tags get the label.

    Raises:
        BadFile: for ragged or missing columns and tags that belong to no tagging.
    """
    bare = _BareTags(options.label or _corpus_name(path))
    n_columns = 0
    begins: str | None = None
    found_any = False
    for line, rows in _blocks(path):
        if rows[0].startswith(DOCUMENT_START):
            if begins is not None:
                yield TaggedSentence((), (), (), line, begins)  # a document without sentences keeps its place
            begins = _document_id(rows[0])
            found_any = True
            rows, line = rows[1:], line + 1
            if not rows:
                continue
        table = [split_columns(row) for row in rows]
        widths = set(map(len, table))
        n_columns = n_columns or len(table[0])
        if widths != {n_columns} or n_columns < 2:
            _refuse_columns(path, line, rows, n_columns)
        words, *between, tags = zip(*_arranged(table, options.tag_column, f"{path}:{line}"), strict=True)
        columns = tuple(zip(*between, strict=True)) if between else ()
        found_any = True
        yield TaggedSentence(words, bare.complete(tags, path, line), columns, line, begins)
        begins = None
    if begins is not None:
        yield TaggedSentence((), (), (), line, begins)
    if not found_any:
        raise BadFile(f"{path}: holds no sentence", "give a file with one word and its tag per line")


def find_tagging(paths: Iterable[Path], options: ReadOptions) -> str:
    """Return the tagging that all the files together use."""
    pairs = TagPairs()
    for path in paths:
        for sentence in read_tagged(path, options):
            pairs.add(sentence.tags)
    return detect_tagging(pairs.counts)


def split_columns(row: str) -> list[str]:
    """Return the columns of a line: split at tabs, or at spaces where it has none."""
    if "\t" in row:
        return row.split("\t")
    return [column for column in row.split(" ") if column]


def is_tag(column: str) -> bool:
    """Can the column be read as a tag?"""
    try:
        split_tag(column)
    except ValueError:
        return False
    return True


@dataclass(frozen=True)
class _BareTags:
    """Completes tags without a label (`B`, `I`) with the one label that the file marks."""

    label: str

    def complete(self, tags: tuple[str, ...], path: Path, line: int) -> tuple[str, ...]:
        """Return the tags, each with its label; refuse what is no tag."""
        known = set(tags)
        if known == {"O"}:
            return tags
        for tag in known:
            try:
                split_tag(tag)
            except ValueError:
                number = line + tags.index(tag)
                raise BadFile(
                    f"{path}:{number}: {tag!r} is not a tag; expected O, or B-, I-, E-, S-, L- or U- with a label",
                    "if the tag stands in another column, say which with `--tag-column`",
                ) from None
        if any(len(tag) == 1 and tag != "O" for tag in known):
            return tuple(f"{tag}-{self.label}" if len(tag) == 1 and tag != "O" else tag for tag in tags)
        return tags


def _blocks(path: Path) -> Iterator[tuple[int, list[str]]]:
    """Yield runs of lines that are not blank, with the number of the first; a -DOCSTART- line begins a run."""
    rows: list[str] = []
    first = number = 0
    with open_text(path) as file:
        for number, line in enumerate(file, 1):
            if line.isspace() and not line.strip(" \t\r\n"):
                if rows:
                    yield first, rows
                    rows = []
            elif line.startswith(DOCUMENT_START) and rows:
                yield first, rows
                rows, first = [without_line_end(line)], number
            else:
                if not rows:
                    first = number
                rows.append(line[:-1] if line[-2:] != "\r\n" and line[-1] == "\n" else without_line_end(line))
                if "\0" in line:
                    check_text(line, f"{path}:{number}")
    if rows:
        yield first, rows


def _arranged(table: list[list[str]], tag_column: int | None, place: str) -> list[list[str]]:
    """Return the rows with the tag in the last column."""
    if tag_column is None:
        return table
    if not 2 <= tag_column <= len(table[0]):
        raise BadFile(
            f"{place}: there is no tag column {tag_column} in rows of {len(table[0])} columns",
            "count the columns from 1; the first is the word",
        )
    at = tag_column - 1
    return [[*row[:at], *row[at + 1 :], row[at]] for row in table]


def _refuse_columns(path: Path, line: int, rows: list[str], expected: int) -> None:
    for number, row in enumerate(rows, line):
        n_found = len(split_columns(row))
        if n_found < 2:  # also an empty word: its line has lost a column
            raise BadFile(
                f"{path}:{number}: found one column, {row!r}; expected a word and its tag",
                "separate the columns with one tab; a line without a tag cannot be read",
            )
        if n_found != expected:
            raise BadFile(
                f"{path}:{number}: found {n_found} columns in {row!r}; the lines before have {expected}",
                "give every line of the file the same columns",
            )


def _document_id(row: str) -> str:
    """Return what follows the mark within the first tab column, as our own writer puts it there."""
    first, tab, _ = row.partition("\t")
    return first[len(DOCUMENT_START) :].strip() if tab else ""


def _corpus_name(path: Path) -> str:
    return path.resolve().parent.name or path.stem
