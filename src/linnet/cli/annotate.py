"""The command `linnet annotate`."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from linnet.cli.options import AsJson, Labels, ModelLabel, Overwrite, Repair

if TYPE_CHECKING:
    from linnet.settings.annotation import AnnotateSettings

__all__ = ["annotate"]

SOME_FAILED = 3  # exit code: the rest is done


def annotate(
    source: Annotated[
        Path,
        typer.Argument(metavar="INPUT", help="texts or documents: a file, a folder or `demo`; - reads standard input"),
    ],
    *,
    model: Annotated[
        Path, typer.Option(help="run folder, exported folder, or any token-classification model: folder or hub name")
    ],
    output: Annotated[
        list[Path],
        typer.Option(help="file to write, - for standard output; with --shard, a folder; several times for several"),
    ],
    from_: Annotated[
        str | None,
        typer.Option("--from", help="format of INPUT, or text, or lines (one text per line); detected if not given"),
    ] = None,
    repair: Repair = False,
    to: Annotated[
        list[str] | None,
        typer.Option("--to", help="format of the output (of each output); by its suffix if not given, jsonl for -"),
    ] = None,
    limit: Annotated[int | None, typer.Option(min=1, help="annotate only the first documents, this number")] = None,
    labels: Labels = None,
    label: ModelLabel = None,
    engine: Annotated[str | None, typer.Option(help="torch or onnx; by the files of the model if not given")] = None,
    shard: Annotated[
        int | None, typer.Option(min=1, help="write a folder with this number of documents in each file")
    ] = None,
    threads: Annotated[int | None, typer.Option(min=1, help="CPU threads")] = None,
    strict: Annotated[bool, typer.Option("--strict", help="stop at the first document that fails")] = False,
    resume: Annotated[bool, typer.Option("--resume", help="continue an interrupted job")] = False,
    overwrite: Overwrite = False,
    ray: Annotated[str | None, typer.Option(metavar="ADDRESS|auto|local", help="annotate on a Ray cluster")] = None,
    workers: Annotated[int | None, typer.Option(min=1, help="number of worker processes on the Ray cluster")] = None,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="write nothing; estimate time, memory and disk space from a sample")
    ] = False,
    cores: Annotated[int | None, typer.Option(min=1, help="with --dry-run: for this number of processors")] = None,
    as_json: AsJson = False,
) -> None:
    """Annotate texts or documents with mentions, their character offsets and confidence.

    An interrupted job continues with `--resume`. A document that fails is recorded in errors.jsonl, and the exit code
    is then 3.
    """
    from linnet.annotation.annotate import annotate as annotate_documents
    from linnet.annotation.annotate import collect_settings
    from linnet.cli.display.printing import print_json, print_warnings
    from linnet.cli.display.standard_output import output_targets
    from linnet.cli.display.watching import counting

    with output_targets(output, to, shard=shard, resume=resume, json=as_json) as target:
        settings = collect_settings(
            source,
            model=model,
            output=target.paths,
            source_format=from_,
            repair=repair,
            target_format=target.formats,
            limit=limit,
            labels=labels,
            label=label,
            engine=engine,
            shard=shard,
            threads=threads,
            strict=strict,
            resume=resume,
            overwrite=overwrite,
            ray=ray,
            workers=workers,
        )
        if dry_run or cores is not None:
            _estimate(settings, is_dry_run=dry_run, cores=cores, as_json=as_json)
            raise typer.Exit
        with counting("documents") as count:
            done = annotate_documents(settings, watcher=count, input_watcher=count.read, progress=count)
    print_warnings(done.notes, what="note")
    if as_json:
        print_json(done.as_dict())
    else:
        kept = f" ({done.kept_documents:,} of them kept from before)" if done.kept_documents else ""
        counts = f"{done.documents:,} documents{kept}, {done.mentions:,} mentions"
        named = ", ".join(map(str, output))
        target.print(f"{named}: {counts}, {done.seconds:.1f} s, {done.tokens_per_second:,.0f} tokens/s")
    if done.failures:
        where = "" if target.is_standard_output else ", see errors.jsonl"
        print_warnings([f"{done.failures:,} documents failed{where}"], what="note")
        raise typer.Exit(SOME_FAILED)


def _estimate(settings: "AnnotateSettings", *, is_dry_run: bool, cores: int | None, as_json: bool) -> None:
    from linnet.annotation.estimate import estimate
    from linnet.cli.display.printing import print_json, print_line
    from linnet.errors import BadSetting

    if not is_dry_run:
        raise BadSetting(
            "--cores is for estimates", "add `--dry-run`; a job takes `--threads`, or `--ray` and `--workers`"
        )
    found = estimate(settings, cores=cores)
    if as_json:
        print_json(found.as_dict())
        return
    for sentence in found.sentences():
        print_line(sentence)
