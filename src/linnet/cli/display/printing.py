"""Printing of commands: tables, lines and JSON on standard output, warnings on standard error.

Results go to standard output, everything else to standard error. Tables adapt to the terminal; in a pipe they are
plain text. A number is never cut: a table that does not fit is printed wider than the terminal.
"""

import json
import sys
from collections.abc import Iterable
from shutil import get_terminal_size
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:  # rich is loaded where a table is made: short answers do without
    from rich.console import Console
    from rich.table import Table

    from linnet.contracts import Table as ScoreTable

__all__ = [
    "lay_out",
    "new_table",
    "print_json",
    "print_line",
    "print_scores",
    "print_tables",
    "print_warnings",
    "screen_width",
]

PIPE_WIDTH = 120  # where there is no terminal to fit


def screen_width() -> int:
    """Return how many columns a table should fill at most."""
    is_terminal = sys.stdout is not None and sys.stdout.isatty()
    return get_terminal_size().columns if is_terminal else PIPE_WIDTH


def new_table(title: str, *columns: str, gap: int = 2) -> "Table":
    """Return an empty table whose first column is text and whose others are numbers."""
    from rich.table import Table

    table = Table(title=title, box=None, pad_edge=False, padding=(0, gap, 0, 0))
    for index, column in enumerate(columns):
        table.add_column(column, justify="right" if index else "left", no_wrap=True)
    return table


def print_tables(*tables: "Table") -> None:
    """Print the tables on standard output, a blank line between them."""
    for index, table in enumerate(tables):
        if index:
            print_line("")
        _print_table(table)


def print_scores(scores: "Iterable[ScoreTable]") -> None:
    """Print tables of scores; on a narrow screen with narrow gaps and without remarks."""
    print_tables(*(lay_out(table, screen_width()) for table in scores))


def lay_out(table: "ScoreTable", width: int) -> "Table":
    """Return a table of scores as rich prints it on a screen of this width."""
    is_wide = width >= PIPE_WIDTH
    found = new_table(table.title, *table.columns, gap=2 if is_wide else 1)
    if table.remarks and is_wide:
        found.add_column(table.remark, no_wrap=True)
        for row, remark in zip(table.rows, table.remarks, strict=True):
            found.add_row(*row, remark)
    else:
        for row in table.rows:
            found.add_row(*row)
    return found


def print_line(text: str) -> None:
    """Print a line of a result on standard output, as it stands."""
    print(text, flush=True)  # noqa: T201 — commands print


def print_json(value: Any) -> None:  # Any: whatever json.dumps takes
    """Print one JSON object on standard output."""
    text = json.dumps(value, ensure_ascii=False, indent=2)
    try:
        text.encode(getattr(sys.stdout, "encoding", None) or "utf-8")
    except UnicodeEncodeError:  # an output that cannot hold these characters can hold their escapes
        text = json.dumps(value, indent=2)
    print_line(text)


def print_warnings(sentences: Iterable[str], *, what: str = "warning") -> None:
    """Print each sentence on a line of its own on standard error."""
    for sentence in sentences:
        _console(stderr=True).print(
            f"{what}: {sentence}", style="yellow" if what == "warning" else "dim", soft_wrap=True
        )


def _print_table(table: "Table") -> None:
    from rich.measure import Measurement

    title, table.title = table.title, None  # a title inside a table is broken to the width of the table
    wide = _console(width=10_000)
    console = _console(width=max(screen_width(), Measurement.get(wide, wide.options, table).maximum))
    if console.is_terminal:
        console.print(title, style="bold", soft_wrap=True)
        console.print(table)
        return
    with console.capture() as captured:
        console.print(table)
    rows = [line.rstrip() for line in captured.get().splitlines()]
    print_line("\n".join([str(title), *rows]))


def _console(*, stderr: bool = False, width: int | None = None) -> "Console":
    """Return a console that prints what it is given: `[X]` and `:100:` are text, not markup."""
    from rich.console import Console

    return Console(stderr=stderr, width=width, highlight=False, markup=False, emoji=False)
