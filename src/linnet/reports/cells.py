"""Writes tab-separated files for spreadsheets, and shortens text to fit into a cell."""

import re
from collections.abc import Iterable, Sequence
from pathlib import Path

from linnet.storage.files import new_file

__all__ = ["first_words", "write_rows"]

ENDS_A_CELL = re.compile("\r\n|[\t\n\v\f\r\x1c-\x1e\x85\u2028\u2029]")  # some of them end a line for some readers only


def write_rows(path: Path, columns: Sequence[str], rows: Iterable[Iterable[str]]) -> None:
    """Write a header and rows of tab-separated cells; cells are not quoted, and tabs and line ends become spaces."""
    with new_file(path) as file:
        file.write("\t".join(columns) + "\n")
        for row in rows:
            file.write("\t".join(ENDS_A_CELL.sub(" ", cell) for cell in row) + "\n")


def first_words(text: str, most: int) -> str:
    """Return the text, cut between words to at most so many characters, with an ellipsis if it was cut."""
    if len(text) <= most:
        return text
    kept = text[:most]
    words, space, _ = kept.rpartition(" ")
    return f"{words if space and words.strip() else kept}…"
