"""The command `linnet annotate`."""

from pathlib import Path
from typing import Annotated

import typer

from linnet.cli.options import AsJson

__all__ = ["annotate"]


def annotate(
    source: Annotated[
        Path, typer.Argument(metavar="INPUT", help="texts or documents: a file or a folder; - reads text")
    ],
    *,
    model: Annotated[Path, typer.Option(help="run folder, or any token-classification model folder")],
    output: Annotated[Path, typer.Option(help="file or folder to write")],
    from_: Annotated[
        str | None,
        typer.Option("--from", help="format of INPUT, or text, or lines (one text per line); found if not given"),
    ] = None,
    to: Annotated[str | None, typer.Option("--to", help="format of the output; taken from its suffix")] = None,
    threads: Annotated[int | None, typer.Option(min=1, help="CPU threads")] = None,
    as_json: AsJson = False,
) -> None:
    """Find mentions in texts or documents, with character offsets and a score each."""
    from linnet.cli.printing import print_json, print_line, print_warnings
    from linnet.cli.watching import counting
    from linnet.scale.annotate import annotate_path

    with counting("documents") as count:
        done = annotate_path(
            source, model=model, output=output, source_format=from_, target_format=to, threads=threads, watcher=count
        )
    print_warnings(done.notes, what="note")
    if as_json:
        print_json(done.as_dict())
        return
    rate = f"{done.tokens_per_second:,.0f} tokens/s"
    print_line(f"{output}: {done.documents:,} documents, {done.mentions:,} mentions, {done.seconds:.1f} s, {rate}")
