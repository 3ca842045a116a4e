"""The command `linnet link`."""

from pathlib import Path
from typing import Annotated

import typer

from linnet.cli.options import (
    AsJson,
    Candidates,
    MinScore,
    Outputs,
    Overwrite,
    Repair,
    Resume,
    Shard,
    Strict,
    TargetFormats,
    Workers,
)

__all__ = ["link"]

COUNTS = ("documents", "mentions", "linked", "failures", "seconds")  # keys of --json


def link(
    source: Annotated[
        Path,
        typer.Argument(metavar="DOCUMENTS", help="documents with mentions: a file, a folder or `demo`; - is a pipe"),
    ],
    *,
    vocabulary: Annotated[
        list[str],
        typer.Option(metavar="V", help="vocabulary, linking run or `demo`; Label=V for the mentions of one label"),
    ],
    output: Outputs,
    min_score: MinScore = None,
    keep_links: Annotated[
        bool,
        typer.Option("--keep-links", help="mentions that have a link keep it; only the others are linked"),
    ] = False,
    candidates: Candidates = 0,
    from_: Annotated[
        str | None, typer.Option("--from", help="format of the documents; detected from their content if not given")
    ] = None,
    repair: Repair = False,
    to: TargetFormats = None,
    limit: Annotated[int | None, typer.Option(min=1, help="link only the first documents, this number")] = None,
    shard: Shard = None,
    strict: Strict = False,
    resume: Resume = False,
    overwrite: Overwrite = False,
    ray: Annotated[str | None, typer.Option(metavar="ADDRESS|auto|local", help="link on a Ray cluster")] = None,
    workers: Workers = None,
    as_json: AsJson = False,
) -> None:
    """Link the mentions of documents to the concepts of a vocabulary.

    An interrupted job continues with `--resume`. A document that fails is recorded in errors.jsonl, and the exit code
    is then 3.
    """
    from linnet.annotation.link import link_path
    from linnet.cli.display.finished_jobs import count_documents, exit_if_failed
    from linnet.cli.display.printing import print_json, print_warnings
    from linnet.cli.display.standard_output import output_targets
    from linnet.cli.display.watching import counting
    from linnet.documents.counted import counted

    with (
        output_targets(output, to, shard=shard, resume=resume, json=as_json) as target,
        counting("documents", most=limit) as count,
    ):
        done = link_path(
            source,
            vocabulary=vocabulary,
            output=target.paths,
            min_score=min_score,
            keep_links=keep_links,
            candidates=candidates,
            source_format=from_,
            repair=repair,
            target_format=target.formats,
            limit=limit,
            shard=shard,
            strict=strict,
            resume=resume,
            overwrite=overwrite,
            ray=ray,
            workers=workers,
            watcher=count,
            input_watcher=count.read,
            progress=count,
        )
    print_warnings(done.notes, what="note")
    if as_json:
        print_json({name: value for name, value in done.as_dict().items() if name in COUNTS})
    else:
        mentions = counted(done.mentions, "mention")
        counts = f"{count_documents(done)}, {done.linked:,} of {mentions} linked"
        target.print(f"{target.names(output)}: {counts}, {done.seconds:.1f} s")
    exit_if_failed(done.failures, None if target.is_standard_output else output[0])
