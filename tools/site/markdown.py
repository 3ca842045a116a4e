"""Writes Markdown: tables, cells and paragraphs of plain text."""

import re
from collections.abc import Iterable, Sequence

__all__ = ["cell", "code", "table"]

SPECIAL = re.compile(r"([\\|<>*_\[\]])")
CODE = re.compile(r"(`[^`]+`)")


def table(header: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """Return a table; the cells are Markdown already.

    >>> print(table(["a", "b"], [["1", "2"]]))
    | a | b |
    |---|---|
    | 1 | 2 |
    """
    lines = [header, ["---"] * len(header), *rows]
    return "\n".join(f"|{'|'.join(row)}|" if row == lines[1] else f"| {' | '.join(row)} |" for row in lines)


def cell(text: str) -> str:
    r"""Return plain text for a cell: on one line, special characters escaped, code between backticks as it is.

    >>> cell("A|B of `x|y`")
    'A\\|B of `x\\|y`'
    """
    parts = CODE.split(" ".join(text.split()))
    return "".join(part.replace("|", "\\|") if n % 2 else SPECIAL.sub(r"\\\1", part) for n, part in enumerate(parts))


def code(text: str) -> str:
    """Return text as code that may stand in a cell; nothing for nothing."""
    return f"`{text}`".replace("|", "\\|") if text else ""
