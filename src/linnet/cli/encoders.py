"""The command `linnet encoders`."""

from typing import Annotated

import typer

from linnet.cli.options import AsJson
from linnet.cli.startup import Command, Group

__all__ = ["encoders"]

encoders = typer.Typer(
    cls=Group, no_args_is_help=True, rich_markup_mode=None, help="Check pretrained encoders before a training."
)


@encoders.callback()
def root() -> None:
    """Check pretrained encoders before a training."""


@encoders.command("check", cls=Command)
def check(
    name: Annotated[str, typer.Argument(metavar="NAME|FOLDER", help="alias, folder or hub name (NAME@REVISION)")],
    *,
    as_json: AsJson = False,
) -> None:
    """Open an encoder and print its family, case, files, size and licence, with notes about problems."""
    from linnet.cli.display.printing import print_json, print_line, print_warnings
    from linnet.models.encoder_check import check_encoder_files

    found = check_encoder_files(name)
    if as_json:
        print_json(found.as_dict())
        return
    rows = {
        "source": found.source,
        "revision": found.revision or "- (a folder)",
        "family": found.family,
        "text": "lower-cased" if found.lower_case else "cased (capitals are kept)",
        "parameters": f"{found.parameters / 1e6:,.1f} million",
        "weights": f"{found.weights}, {found.bytes / 1e6:,.1f} MB",
        "tokenizer": found.tokenizer,
        "reads at once": f"{found.longest:,} sub-words" if found.longest else "not stated",
        "licence": found.licence or "not stated",
        "files": ", ".join(found.files),
        "opened from": found.opened_from,
    }
    print_line(found.name)
    for key, value in rows.items():
        print_line(f"  {key:15}{value}")
    print_warnings(found.notes, what="note")
