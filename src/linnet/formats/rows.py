"""Fast reader of tagged sentences from files with one token per line, and detection of their tagging."""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import chain, pairwise
from pathlib import Path
from typing import NamedTuple

from linnet.contracts import ReadOptions
from linnet.errors import BadFile
from linnet.labels.tagging import OUTSIDE, Pair, TagPairs, detect_tagging, is_allowed, split_tag
from linnet.storage.files import check_text, open_text
from linnet.storage.limits import longest_document, refuse_long
from linnet.storage.pipes import is_pipe

__all__ = [
    "DOCUMENT_START",
    "DOCUMENT_STARTS",
    "TaggedSentence",
    "find_tagging",
    "is_tag",
    "read_tagged",
    "split_columns",
]

DOCUMENT_START = "-DOCSTART-"
MEDLINE = "###MEDLINE:"  # of the shared task JNLPBA (Genia4ERtask2.iob2), followed by the id of the abstract
DOCUMENT_STARTS = (DOCUMENT_START, MEDLINE)
QUOTED, N_BETWEEN = '""""', 2  # in the files of BLUE
CHUNK = 1 << 20  # characters read at once
SENTENCE_BYTES = 256  # that a sentence takes in memory beside its characters, so that tiny ones count
BLANK_LINE = re.compile(r"^[ \t\r]+$", re.MULTILINE)


class TaggedSentence(NamedTuple):
    """The words and tags of a sentence as they are in the file."""

    words: tuple[str, ...]
    tags: tuple[str, ...]
    columns: tuple[tuple[str, ...], ...]
    line: int  # of the first word
    begins: str | None  # the id of the document that begins here ("" if the file gives none), or None


def read_tagged(path: Path, options: ReadOptions) -> Iterator[TaggedSentence]:
    """Stream the sentences with their tags as they are in the file; bare tags get the label.

    Raises:
        BadFile: for missing or uneven columns and for unknown tags.
    """
    bare = _BareTags(options.label or ("" if is_pipe(path) else _corpus_name(path)))
    n_columns = 0
    n_of_id: Counter[str] = Counter()
    begins: str | None = None
    found_any = False
    for line, rows in _read_blocks(path):
        if rows[0].startswith(DOCUMENT_STARTS):
            if begins is not None:
                yield TaggedSentence(words=(), tags=(), columns=(), line=line, begins=begins)  # an empty document
            begins = _read_document_id(rows[0], n_of_id)
            found_any = True
            rows, line = rows[1:], line + 1
            if not rows:
                continue
        table = [row.split("\t") for row in rows]  # like split_columns, without a call for each row
        n_found = set(map(len, table))
        if n_columns < 2 or len(n_found) > 1 or n_columns not in n_found:
            table = [split_columns(row) for row in rows]
            n_columns = n_columns or len(table[0])
            if n_columns < 2 or set(map(len, table)) != {n_columns}:
                _refuse_columns(path, line, rows, n_columns)
        if options.tag_column is not None:
            table = _move_tag_last(table, options.tag_column, f"{path}:{line}")
        words, *between, tags = zip(*table, strict=True)
        columns = tuple(zip(*between, strict=True))
        words = _unquote(words, between)
        found_any = True
        tags = bare.complete(tags, path, line)
        yield TaggedSentence(words=words, tags=tags, columns=columns, line=line, begins=begins)
        begins = None
    if begins is not None:
        yield TaggedSentence(words=(), tags=(), columns=(), line=line, begins=begins)
    if not found_any:
        raise BadFile(f"{path}: holds no sentence", "give a file with one word and its tag per line")


def find_tagging(paths: Iterable[Path], options: ReadOptions) -> str:
    """Return the tagging of all files together."""
    listed = list(paths)
    quickly_found = _find_tagging_quickly(listed, options)
    if quickly_found is not None:
        return quickly_found
    pairs = TagPairs()
    for path in listed:
        for sentence in read_tagged(path, options):
            pairs.add(sentence.tags)
    return detect_tagging(pairs.counts)


def split_columns(row: str) -> list[str]:
    """Return the columns of a line: split at tabs, or at spaces where it has none."""
    if "\t" in row:
        return row.split("\t")
    return [column for column in row.split(" ") if column]


def is_tag(column: str) -> bool:
    """Is the column a tag?"""
    try:
        split_tag(column)
    except ValueError:
        return False
    return True


@dataclass(frozen=True)
class _BareTags:
    """Adds the label to bare tags (`B`, `I`) of files with one entity type."""

    label: str  # "" if it is not known
    whole: set[str] = field(default_factory=lambda: {"O"})  # tags known to be complete

    def complete(self, tags: tuple[str, ...], path: Path, line: int) -> tuple[str, ...]:
        """Return the tags, each with its label, or refuse what is not a tag."""
        if self.whole.issuperset(tags):
            return tags
        known = dict.fromkeys(tags)  # in their order, so that the first wrong tag is reported
        for tag in known:
            try:
                split_tag(tag)
            except ValueError:
                number = line + tags.index(tag)
                raise BadFile(
                    f"{path}:{number}: {tag!r} is not a tag; expected O, or B-, I-, E-, S-, L- or U- with a label",
                    "if the tag is in another column, `linnet convert --tag-column N` moves it to the last; if these "
                    "are texts with labels, name their task, e.g. `linnet train --task classification`",
                ) from None
        if any(len(tag) == 1 and tag != "O" for tag in known):
            self._require_label(path, line)
            return tuple(f"{tag}-{self.label}" if len(tag) == 1 and tag != "O" else tag for tag in tags)
        self.whole.update(known)
        return tags

    def _require_label(self, path: Path, line: int) -> None:
        if not self.label:
            raise BadFile(
                f"{path}:{line}: the tags have no label, and a pipe is in no folder that names it",
                "name the entity type with `--label`",
            )


def _find_tagging_quickly(paths: list[Path], options: ReadOptions) -> str | None:
    """Return the tagging of tab-separated files from the set of tag pairs alone, or None if that does not decide."""
    pairs: set[Pair] = set()
    for path in paths:
        if options.tag_column is not None or not _add_pairs(pairs, path):
            return None
    pairs = {(_complete_tag(before), _complete_tag(tag)) for before, tag in pairs}
    found = detect_tagging(dict.fromkeys(pairs, 1))
    needs_counts = found in ("iob1", "iob2") and not all(is_allowed(*pair, "iob2") for pair in pairs)
    return None if needs_counts else found  # between broken iob2 and iob1 the counts decide


def _add_pairs(pairs: set[Pair], path: Path) -> bool:
    """Add the pairs of neighbouring tags in a file ("" at blank lines), and return whether every line has a tag."""
    before, n_rows, n_tabs = "", 0, 0
    with open_text(path) as file:
        while text := file.read(CHUNK) + file.readline():
            lines = _normalise_line_ends(text).removesuffix("\n").split("\n")
            tags = [line.rpartition("\t")[2] for line in lines]
            pairs.update(pairwise(chain((before,), tags)))
            before, n_rows, n_tabs = tags[-1], n_rows + len(lines) - lines.count(""), n_tabs + text.count("\t")
    pairs.add((before, ""))
    is_even = n_tabs > 0 and n_tabs % n_rows == 0
    return is_even and all(not tag or (is_tag(tag) and " " not in tag) for pair in pairs for tag in pair)


def _complete_tag(tag: str) -> str:
    """Return a tag with a label, for detection: a blank line is `O`, a bare prefix gets some label."""
    return tag or OUTSIDE if len(tag) != 1 or tag == OUTSIDE else f"{tag}-X"


def _read_blocks(path: Path) -> Iterator[tuple[int, list[str]]]:
    """Yield blocks of lines between blank lines, with the number of the first; a -DOCSTART- line begins a block."""
    number, waiting, size = 1, "", CHUNK
    is_in_document, document_size, longest = False, 0, longest_document()
    with open_text(path) as file:
        while text := file.read(size) + file.readline():
            if "\0" in text:
                _refuse_nul(text, path, number + waiting.count("\n"))
            *whole, waiting = (waiting + _normalise_line_ends(text)).split("\n\n")
            for block in whole:
                if block[:1] == "\n" or not block or _has_start(block):
                    if _has_start(block):
                        is_in_document, document_size = True, 0
                    yield from _split_block(block, number)
                    number += block.count("\n") + 2
                else:
                    rows = block.split("\n")
                    yield number, rows
                    number += len(rows) + 1
                document_size += len(block) + SENTENCE_BYTES
            if len(waiting) > longest or (is_in_document and document_size > longest):
                raise refuse_long(f"{path}:{number}", "a document" if is_in_document else "a sentence")
            size = CHUNK if whole else 2 * size  # larger, so that a file without blank lines is joined less often
    yield from _split_block(waiting, number)


def _normalise_line_ends(text: str) -> str:
    """Return the lines with LF as line end and without white space on blank lines."""
    has_returns = "\r" in text
    if has_returns:
        text = text.replace("\r\n", "\n")
    if has_returns or " \n" in text or "\t\n" in text or text[-1] in " \t":
        text = BLANK_LINE.sub("", text)
    return text


def _split_block(block: str, number: int) -> Iterator[tuple[int, list[str]]]:
    """Yield the parts of a block, without the blank lines around it, each beginning at a -DOCSTART- line."""
    rows = block.lstrip("\n")
    number += len(block) - len(rows)
    lines = rows.rstrip("\n").split("\n")
    if _has_start(block):
        starts = [at for at, line in enumerate(lines) if at and line.startswith(DOCUMENT_STARTS)]
        for first, end in zip([0, *starts], [*starts, len(lines)], strict=True):
            yield number + first, lines[first:end]
    elif rows:
        yield number, lines


def _refuse_nul(text: str, path: Path, number: int) -> None:
    for at, line in enumerate(text.split("\n"), number):
        check_text(line, f"{path}:{at}")


def _move_tag_last(table: list[list[str]], tag_column: int, place: str) -> list[list[str]]:
    """Return the rows with the tag column moved to the end."""
    if not 2 <= tag_column <= len(table[0]):
        raise BadFile(
            f"{place}: there is no tag column {tag_column} in rows of {len(table[0])} columns",
            "count the columns from 1; the first is the word",
        )
    at = tag_column - 1
    return [[*row[:at], *row[at + 1 :], row[at]] for row in table]


def _unquote(words: tuple[str, ...], between: Sequence[tuple[str, ...]]) -> tuple[str, ...]:
    """Return the words of BLUE's files without the quoting of Python's csv, which writes a quotation mark as four.

    These files have the columns word, document (or -), offset and tag.
    """
    is_of_blue = QUOTED in words and len(between) == N_BETWEEN and all(map(str.isdecimal, between[1]))
    return tuple('"' if word == QUOTED else word for word in words) if is_of_blue else words


def _refuse_columns(path: Path, line: int, rows: list[str], expected: int) -> None:
    for number, row in enumerate(rows, line):
        n_found = len(split_columns(row))
        if n_found < 2:  # an empty word counts as a missing column, too
            raise BadFile(
                f"{path}:{number}: found one column, {row!r}; expected a word and its tag",
                "separate the columns with one tab; a line without a tag cannot be read",
            )
        if n_found != expected:
            raise BadFile(
                f"{path}:{number}: found {n_found} columns in {row!r}; the lines before have {expected}",
                "give every line of the file the same columns",
            )


def _has_start(block: str) -> bool:
    return DOCUMENT_START in block or MEDLINE in block


def _read_document_id(row: str, n_of_id: Counter[str]) -> str:
    """Return the id after the mark; after `-DOCSTART-` it ends at the first tab, as in files of our own writer.

    A repeated Medline id gets a number: abstract 97218353 of GENIA occurs twice with different annotations.
    """
    first, tab, _ = row.partition("\t")
    if row.startswith(MEDLINE):
        name = first[len(MEDLINE) :].strip()
        n_of_id[name] += 1
        return name if n_of_id[name] == 1 else f"{name}~{n_of_id[name]}"
    return first[len(DOCUMENT_START) :].strip() if tab else ""


def _corpus_name(path: Path) -> str:
    return path.resolve().parent.name or path.stem
