"""Headers of tables: whether the first line is one, and what each column holds."""

import re
from collections.abc import Mapping, Sequence
from pathlib import Path

from linnet.errors import BadFile
from linnet.storage.compression import unpacked_name

__all__ = ["ANSWERS", "Line", "answer_column", "column_names", "is_csv", "is_like_header", "refuse_unknown_header"]

Line = tuple[int, list[str]]  # its number from 1, and its values

ANSWERS = ("label", "labels", "gold_label", "score")  # what is right: a table without has texts to be answered
HEADER_WORDS = (
    *ANSWERS,
    *"class context docid guid hypothesis id index pairID pair_id pmid premise question".split(),
    *"sent1 sent2 sentence sentence1 sentence2 text".split(),
)  # one of them among single words tells a header with names that we do not know
NAME = re.compile(r"[^\W\d]\w*(?:[.-]\w+)*")  # abstract_text
FEWEST_ROWS = 8  # below, a header with unknown names cannot be told from a row
FEWEST_OF_A_LABEL = 4  # on average


def column_names(
    path: Path, line: Line, layouts: Sequence[Sequence[str]], columns: Mapping[str, str]
) -> tuple[list[str], bool]:
    """Return our name of each column, and whether the line is a header; names are known in any case.

    A column of what is right that the recipe names may be missing from a header.

    Args:
        path: of the file.
        line: the first of it.
        layouts: names of the columns, one row for each number of columns there can be; `_` is not read.
        columns: names (or numbers, from 1) that the file has for ours.

    Raises:
        BadFile: where another named column is missing, a name stands twice, or no layout fits.
    """
    number, first = line
    place, words = f"{path}:{number}", [value.strip().casefold() for value in first]
    by_number = {int(theirs) - 1: name for name, theirs in columns.items() if theirs.isdecimal()}
    named = {theirs.strip().casefold(): name for name, theirs in columns.items() if not theirs.isdecimal()}
    ours = {name.casefold(): name for name in (*HEADER_WORDS, *(name for layout in layouts for name in layout))}
    header = [named.get(word, ours.get(word, value)) for word, value in zip(words, first, strict=True)]
    is_known = any({name for name in layout if name != "_"} <= set(header) for layout in layouts)
    is_header = is_known or not named.keys().isdisjoint(words)
    _refuse_missing(place, first, columns, is_header=is_header)
    if is_header:
        taken = {name.casefold() for name in columns} - named.keys()
        kept = ["_" if word in taken else name for word, name in zip(words, header, strict=True)]
        names = [by_number.get(at, name) for at, name in enumerate(kept)]
        _refuse_twice(place, names, {*ours.values(), *columns} - {"_"})
        return names, True
    if by_number:
        return [by_number.get(at, "_") for at in range(len(first))], is_like_header(words)
    return list(_fitting(path, line, layouts)), False


def refuse_unknown_header(path: Path, names: Sequence[str], lines: Sequence[Line]) -> None:
    """Refuse a first line that would be read as a row, and is a header with names that we do not know.

    A row must never be taken for one, so all of this has to hold: the line has single words where all others have
    texts of several, and its label is none of the others', of which there are many with few labels.

    Args:
        path: of the file.
        names: of the columns.
        lines: of the table, all with as many values as there are names.

    Raises:
        BadFile: with the line, and how to name the columns.
    """
    at = next((names.index(name) for name in ANSWERS if name in names), None)
    (number, first), *others = lines
    if at is None or len(others) < FEWEST_ROWS or not all(NAME.fullmatch(value.strip() or "_") for value in first):
        return
    labels = {values[at].strip() for _, values in others}
    if first[at].strip() in {"", *labels} or len(labels) * FEWEST_OF_A_LABEL > len(others):
        return
    texts = [column for column in range(len(names)) if column != at]
    if any(all(len(values[column].split()) > 1 for _, values in others) for column in texts):
        read = [(name, value.strip()) for name, value in zip(names, first, strict=True) if name != "_"]
        told = ", ".join(f'{name} = "{value}"' for name, value in read)
        raise BadFile(
            f"{path}:{number}: {', '.join(first)} looks like a header with names that are not known: all other rows "
            f"have longer texts, and none has the label {first[at].strip()!r}",
            f"rename the columns to {', '.join(name for name, _ in read)}, or name them in the recipe, "
            f"`text.columns = {{ {told} }}`; if it is a row, put a line with the names above it",
        )


def answer_column(columns: Mapping[str, str] | None) -> str | None:
    """Return the column that holds what is right by what the recipe says: its name or number, None if it says none."""
    return next((theirs for name, theirs in (columns or {}).items() if name in ANSWERS), None)


def is_csv(path: Path) -> bool:
    """Return whether values stand between commas, not tabs."""
    return unpacked_name(path).suffix.lower() == ".csv"


def _refuse_missing(place: str, first: Sequence[str], columns: Mapping[str, str], *, is_header: bool) -> None:
    there = {value.strip().casefold() for value in first}
    missing = {
        name: theirs
        for name, theirs in columns.items()
        if not theirs.isdecimal() and theirs.strip().casefold() not in there
    }
    wanted = [theirs for name, theirs in missing.items() if not (is_header and name in ANSWERS)]
    if wanted:
        raise BadFile(
            f"{place}: there is no column {wanted[0]!r}, found {', '.join(first)}",
            "mend `text.columns`, or name the columns in the first line",
        )


def _refuse_twice(place: str, names: Sequence[str], known: set[str]) -> None:
    twice = next((name for at, name in enumerate(names) if name in known and name in names[:at]), None)
    if twice is not None:
        raise BadFile(f"{place}: two columns hold {twice!r}", "rename one, or say which it is with `text.columns`")


def _fitting(path: Path, line: Line, layouts: Sequence[Sequence[str]]) -> Sequence[str]:
    """Return the layout of a table without a header."""
    number, first = line
    wanted = " or ".join(f"{len(layout)} ({', '.join(layout)})" for layout in layouts)
    if is_like_header([value.strip().casefold() for value in first]):
        raise BadFile(
            f"{path}:{number}: a header with the columns {', '.join(first)}, expected {wanted}",
            "rename them, or say which column is which with `text.columns`",
        )
    fitting = next((layout for layout in layouts if len(layout) == len(first)), None)
    if fitting is None:
        separator = "commas" if is_csv(path) else "one tab"
        raise BadFile(
            f"{path}:{number}: found {len(first)} columns, expected {wanted}",
            f"separate the columns with {separator}, or say which column is which with `text.columns`",
        )
    return fitting


def is_like_header(words: Sequence[str]) -> bool:
    """Are these single words, of which one is a usual name of a column?"""
    usual = {name.casefold() for name in HEADER_WORDS}
    return all(len(word.split()) <= 1 for word in words) and not usual.isdisjoint(words)
