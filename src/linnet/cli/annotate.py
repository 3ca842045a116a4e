"""The command `linnet annotate`."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from linnet.cli.options import (
    AsJson,
    Candidates,
    Engine,
    KeepLabels,
    Labels,
    LeastConfidence,
    LinkTo,
    MinScore,
    ModelLabel,
    Outputs,
    Overwrite,
    Precision,
    Repair,
    Resume,
    Shard,
    Strict,
    TargetFormats,
    Threads,
    Workers,
)

if TYPE_CHECKING:
    from linnet.annotation.results import Annotated as Done
    from linnet.settings.annotation import AnnotateSettings

__all__ = ["annotate"]


def annotate(
    source: Annotated[
        Path,
        typer.Argument(metavar="INPUT", help="texts or documents: a file, a folder or `demo`; - reads standard input"),
    ],
    *,
    output: Outputs,
    model: Annotated[
        Path | None,
        typer.Option(
            help="run folder, exported folder, embedded model, or any token-classification model: folder or hub name; "
            "vocabulary:V for the names of a vocabulary; the embedded model bio if not given"
        ),
    ] = None,
    from_: Annotated[
        str | None,
        typer.Option("--from", help="format of INPUT, or text, or lines (one text per line); detected if not given"),
    ] = None,
    id_field: Annotated[
        str | None,
        typer.Option(metavar="NAME", help="field of JSON lines with the id; the number of the line if not given"),
    ] = None,
    text_field: Annotated[
        list[str] | None,
        typer.Option(metavar="NAME", help="field of JSON lines with the text; several times to join several"),
    ] = None,
    repair: Repair = False,
    to: TargetFormats = None,
    limit: Annotated[int | None, typer.Option(min=1, help="annotate only the first documents, this number")] = None,
    labels: Labels = None,
    label: ModelLabel = None,
    also_names: Annotated[
        list[str] | None,
        typer.Option(
            metavar="V", help="add the names of this vocabulary where the model finds nothing; Label=V gives the label"
        ),
    ] = None,
    same_abbreviations: Annotated[
        bool | None,
        typer.Option(
            "--same-abbreviations/--no-same-abbreviations",
            help="give abbreviations the label of their long forms, and the other way round; as the model says if not "
            "given",
        ),
    ] = None,
    link: LinkTo = None,
    min_link_score: MinScore = None,
    candidates: Candidates = 0,
    min_score: LeastConfidence = None,
    keep_labels: KeepLabels = None,
    engine: Engine = None,
    precision: Precision = None,
    shard: Shard = None,
    threads: Threads = None,
    strict: Strict = False,
    resume: Resume = False,
    overwrite: Overwrite = False,
    ray: Annotated[str | None, typer.Option(metavar="ADDRESS|auto|local", help="annotate on a Ray cluster")] = None,
    workers: Workers = None,
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
    from linnet.cli.display.finished_jobs import exit_if_failed
    from linnet.cli.display.printing import print_json, print_warnings
    from linnet.cli.display.standard_output import output_targets
    from linnet.cli.display.watching import counting

    with output_targets(output, to, shard=shard, resume=resume, json=as_json) as target:
        settings = collect_settings(
            source,
            model=model,
            output=target.paths,
            source_format=from_,
            id_field=id_field,
            text_field=text_field,
            repair=repair,
            target_format=target.formats,
            limit=limit,
            labels=labels,
            label=label,
            also_names=also_names,
            same_abbreviations=same_abbreviations,
            link=link,
            min_link_score=min_link_score,
            candidates=candidates,
            min_score=min_score,
            keep_labels=keep_labels,
            engine=engine,
            precision=precision,
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
        with counting("documents", most=limit) as count:
            done = annotate_documents(settings, watcher=count, input_watcher=count.read, progress=count)
    print_warnings(done.notes, what="note")
    if as_json:
        print_json(done.as_dict())
    else:
        target.print(f"{target.names(output)}: {_describe(done)}")
    exit_if_failed(done.failures, None if target.is_standard_output else output[0])


def _describe(done: "Done") -> str:
    """Return what was found, and how fast."""
    from linnet.cli.display.finished_jobs import count_documents
    from linnet.documents.counted import counted

    linked = "" if done.linked is None else f" ({done.linked:,} linked)"
    counts = f"{count_documents(done)}, {counted(done.mentions, 'mention')}{linked}"
    return f"{counts}, {done.seconds:.1f} s, {done.tokens_per_second:,.0f} words/s"


def _estimate(settings: "AnnotateSettings", *, is_dry_run: bool, cores: int | None, as_json: bool) -> None:
    from linnet.annotation.estimating.estimate import estimate
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
