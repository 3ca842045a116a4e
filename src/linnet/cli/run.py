"""The command `linnet run publish`."""

from pathlib import Path
from typing import Annotated

import typer

from linnet.cli.options import AsJson
from linnet.cli.startup import Command, Group

__all__ = ["run"]

run = typer.Typer(cls=Group, no_args_is_help=True, rich_markup_mode=None, help="Work with finished run folders.")


@run.callback()
def root() -> None:
    """Work with finished run folders."""


@run.command("publish", cls=Command)
def publish(
    folder: Annotated[Path, typer.Argument(metavar="RUN", help="run folder that `linnet train` wrote")],
    output: Annotated[Path, typer.Argument(metavar="OUT", help="folder to write")],
    *,
    overwrite: Annotated[bool, typer.Option("--overwrite", help="replace an older published run")] = False,
    as_json: AsJson = False,
) -> None:
    """Copy a run without the texts of its corpus, to pass it on.

    Predictions, mistakes, reports and pages are left out. The model card must be complete, and no file may name a path
    of this machine; otherwise nothing is written.
    """
    from linnet.cli.display.printing import print_json, print_line, print_warnings
    from linnet.training.publishing import publish_run

    done = publish_run(folder, output, overwrite=overwrite)
    print_warnings(list(done.notes), what="note")
    if as_json:
        print_json(done.as_dict())
        return
    print_line(f"{output}: {', '.join(done.files)}")
    print_line(f"left out: {', '.join(done.left_out) or 'nothing'}")
