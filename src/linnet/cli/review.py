"""The command `linnet review`."""

from pathlib import Path
from typing import Annotated

import typer

from linnet.cli.options import Engine, LinkTo

__all__ = ["review"]


def review(
    source: Annotated[Path, typer.Argument(metavar="DOCUMENTS", help="file or folder with documents")],
    *,
    output: Annotated[Path, typer.Option(help="file for the corrected documents; its journal stands beside it")],
    model: Annotated[
        str | None, typer.Option(help="model that proposes mentions; if not given, the documents bring their own")
    ] = None,
    replace: Annotated[
        bool, typer.Option("--replace", help="let the model's mentions replace those that the documents have")
    ] = False,
    beside: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="another annotation of these documents, to see and to take mentions from"),
    ] = None,
    link: LinkTo = None,
    labels: Annotated[
        list[str] | None,
        typer.Option(metavar="A,B", help="labels to choose from before those of the model and of the documents"),
    ] = None,
    source_format: Annotated[str | None, typer.Option("--from", help="format of the documents")] = None,
    target_format: Annotated[str | None, typer.Option("--to", help="format of the output")] = None,
    least_confident_first: Annotated[
        bool, typer.Option("--least-confident-first", help="begin with the documents that the model is least sure of")
    ] = False,
    port: Annotated[int | None, typer.Option(min=0, max=65535, help="port to listen on; 8000 if not given")] = None,
    engine: Engine = None,
    threads: Annotated[int | None, typer.Option(min=1, help="CPU threads")] = None,
    overwrite: Annotated[
        bool, typer.Option("--overwrite", help="begin again: replace an existing output and its journal")
    ] = False,
) -> None:
    """Correct the mentions of documents in a browser.

    Every decision is on the disk at once, in the journal beside the output. The same command goes on where a review
    was left. The output is written when all documents are decided, and when the review ends (Ctrl+C). It holds the
    documents that were decided; undecided ones are left out.
    """
    from linnet.cli.display.printing import print_line
    from linnet.serving.http.server import serve_review
    from linnet.settings.files import with_overrides
    from linnet.settings.label_lists import parse_labels
    from linnet.settings.review import ReviewSettings

    given = {
        "source": str(source),
        "output": str(output),
        "model": model,
        "replace": replace,
        "beside": None if beside is None else str(beside),
        "link": link,
        "labels": None if labels is None else parse_labels(labels),
        "source_format": source_format,
        "target_format": target_format,
        "least_confident_first": least_confident_first,
        "port": port,
        "engine": engine,
        "threads": threads,
        "overwrite": overwrite,
    }
    chosen = {name: value for name, value in given.items() if value is not None}
    serve_review(with_overrides(ReviewSettings, chosen, (), where="review"), print_line)
