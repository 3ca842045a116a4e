"""How do commands print?

Results go to standard output, everything else to standard error. Tables adapt to the terminal; in a pipe they are
plain text.
"""

import json
from typing import Any

from rich.console import Console
from rich.table import Table

__all__ = ["new_table", "print_json", "print_warnings", "stderr", "stdout"]

PIPE_WIDTH = 120  # where there is no terminal to fit


def stdout() -> Console:
    """Return a console for results."""
    console = Console(highlight=False, soft_wrap=False)
    return console if console.is_terminal else Console(highlight=False, width=PIPE_WIDTH)


def stderr() -> Console:
    """Return a console for progress, notes and warnings."""
    return Console(stderr=True, highlight=False, soft_wrap=True)


def print_json(value: Any) -> None:
    """Print one JSON object on standard output."""
    print(json.dumps(value, ensure_ascii=False, indent=2))  # noqa: T201 — commands print


def new_table(title: str, *columns: str) -> Table:
    """Return an empty table whose first column is text and whose others are numbers."""
    table = Table(title=title, title_justify="left", title_style="bold", box=None, pad_edge=False, padding=(0, 2, 0, 0))
    for index, column in enumerate(columns):
        table.add_column(column, justify="right" if index else "left", no_wrap=True)
    return table


def print_warnings(sentences: list[str], *, what: str = "warning") -> None:
    """Print each sentence on a line of its own on standard error."""
    console = stderr()
    for sentence in sentences:
        console.print(f"{what}: {sentence}", style="yellow" if what == "warning" else "dim", markup=False)
