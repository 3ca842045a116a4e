"""The command `linnet predict`."""

from pathlib import Path
from typing import Annotated

import typer

from linnet.cli.options import AsJson, Repair

__all__ = ["predict"]


def predict(
    model: Annotated[Path, typer.Argument(help="run folder of a model about texts")],
    source: Annotated[Path, typer.Argument(metavar="INPUT", help="file in a format that the model's task reads")],
    *,
    output: Annotated[
        Path, typer.Option(help="file to write: .jsonl or .tsv; for relations in documents also a document format")
    ],
    split: Annotated[str | None, typer.Option(help="split of a corpus folder")] = None,
    repair: Repair = False,
    threads: Annotated[int | None, typer.Option(min=1, help="CPU threads")] = None,
    overwrite: Annotated[bool, typer.Option("--overwrite", help="replace what is there")] = False,
    as_json: AsJson = False,
) -> None:
    """Answer about texts: relations, classes, similarity, inference, answers to questions."""
    from linnet.cli.printing import print_json, print_line, print_warnings
    from linnet.cli.watching import counting
    from linnet.scale.predict import predict_path

    with counting("texts") as count:
        done = predict_path(
            model,
            source,
            output=output,
            split=split,
            repair=repair,
            threads=threads,
            overwrite=overwrite,
            watcher=count,
        )
    print_warnings(done.notes, what="note")
    if as_json:
        print_json(done.as_dict())
    else:
        print_line(f"{output}: {done.answers:,} answers about {done.examples:,} texts, {done.seconds:.1f} s")
