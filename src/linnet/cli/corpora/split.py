"""The command `linnet split`."""

from pathlib import Path
from typing import Annotated

import typer

from linnet.cli.options import AsJson, Label, Overwrite, Repair, TagColumn, Tagging, read_options

__all__ = ["split"]


def split(
    source: Annotated[
        Path, typer.Argument(metavar="IN", help="one file, a folder of brat documents, or (--join-splits) a corpus")
    ],
    target: Annotated[Path, typer.Argument(metavar="OUT", help="folder to write: train, devel and test")],
    *,
    shares: Annotated[
        str,
        typer.Option(metavar="A,B,C", help="shares of train, devel and test, or of train and test; also 70,15,15"),
    ] = "0.7,0.15,0.15",
    seed: Annotated[int, typer.Option(help="another seed gives another split")] = 0,
    rows: Annotated[
        bool, typer.Option("--rows", help="IN has one example per row or JSON entry, as the tasks about texts read it")
    ] = False,
    from_: Annotated[
        str | None, typer.Option("--from", help="format of IN; detected from its content if not given")
    ] = None,
    to: Annotated[str | None, typer.Option("--to", help="format of the parts; that of IN if not given")] = None,
    join_splits: Annotated[
        bool, typer.Option("--join-splits", help="IN is a corpus with train, devel or test: split all of it anew")
    ] = False,
    lossy: Annotated[bool, typer.Option("--lossy", help="accept the loss of what that format cannot hold")] = False,
    label: Label = None,
    tag_column: TagColumn = None,
    tagging: Tagging = None,
    repair: Repair = False,
    overwrite: Overwrite = False,
    as_json: AsJson = False,
) -> None:
    """Split a corpus into train, devel and test, by document.

    Every part gets its share of the documents and of each label. Documents that are nearly the same stay together, so
    that no test document has a twin in the training part. Tables and JSON files of the other tasks are split by row.
    """
    from linnet.cli.display.printing import print_json, print_line, print_warnings
    from linnet.splitting.split import split_path

    done = split_path(
        source,
        target,
        shares=_parse_shares(shares),
        seed=seed,
        as_rows=rows,
        source_format=from_,
        target_format=to,
        options=read_options(label, tag_column, tagging, repair),
        is_lossy=lossy,
        join_splits=join_splits,
        overwrite=overwrite,
    )
    print_warnings(done.notes.sentences(), what="note")
    print_warnings(done.warnings, what="warning")
    print_warnings([f"{what}: {number:,}" for what, number in done.lost.items()], what="lost")
    if as_json:
        print_json(done.as_dict())
        return
    for name, counts in done.parts.items():
        labels = ", ".join(f"{name} {number:,}" for name, number in counts.items() if name != "documents")
        print_line(
            f"{name}: {counts['documents']:,} {'rows' if rows else 'documents'}{f' ({labels})' if labels else ''}"
        )
    if done.together:
        print_line(f"{done.together:,} near-duplicates stand in the same part as their twin")
    print_line(f"{target}: train on it with `linnet train --data {target}`")


def _parse_shares(text: str) -> list[float]:
    from linnet.errors import BadSetting

    try:
        return [float(each) for each in text.split(",")]
    except ValueError:
        raise BadSetting(f"`--shares` is {text!r}", "give numbers between commas, e.g. 0.7,0.15,0.15") from None
