"""Which commands are there, and how do they end?

Exit code 0: done. 2: the user can fix it; the message and its remedy stand on standard error. Anything else is
a bug and keeps its traceback.
"""

import sys
from typing import Annotated

import typer

from linnet import __version__
from linnet.cli.convert import convert
from linnet.cli.demo import demo
from linnet.cli.listing import list_names
from linnet.cli.score import score
from linnet.cli.stats import stats
from linnet.cli.weights import weights
from linnet.errors import LinnetError

__all__ = ["app", "main"]

app = typer.Typer(
    no_args_is_help=True,
    add_completion=False,
    rich_markup_mode="markdown",
    pretty_exceptions_enable=False,
    help="Fine-tune, compare, evaluate and run biomedical language models.",
)
for command in (convert, stats, weights, score, demo):
    app.command()(command)
app.command("list")(list_names)


@app.callback(invoke_without_command=True)
def root(version: Annotated[bool, typer.Option("--version", help="print the version and leave")] = False) -> None:
    """Take what stands before the command."""
    if version:
        typer.echo(f"linnet {__version__}")
        raise typer.Exit


def main() -> None:
    """Run the command line; a `LinnetError` becomes a message and exit code 2."""
    try:
        app()
    except LinnetError as error:
        print(f"linnet: {error.problem}\n  Try: {error.remedy}", file=sys.stderr)  # noqa: T201 — commands print
        sys.exit(2)
