"""The command `linnet convert`."""

from pathlib import Path
from typing import Annotated

import typer

from linnet.cli.options import (
    AsJson,
    KeepLabels,
    Label,
    LeastConfidence,
    Overwrite,
    Repair,
    TagColumn,
    Tagging,
    read_options,
)

__all__ = ["convert"]


def convert(
    source: Annotated[
        Path, typer.Argument(metavar="IN", help="file, brat folder, or corpus folder with splits, or `demo`")
    ],
    target: Annotated[Path, typer.Argument(metavar="OUT", help="file or folder to write, - for standard output")],
    *,
    from_: Annotated[
        str | None, typer.Option("--from", help="format of IN; detected from its content if not given")
    ] = None,
    to: Annotated[str | None, typer.Option("--to", help="format of OUT; by its suffix if not given")] = None,
    lossy: Annotated[bool, typer.Option("--lossy", help="accept the loss of what OUT's format cannot hold")] = False,
    keep_labels: KeepLabels = None,
    map_: Annotated[
        list[str] | None,
        typer.Option("--map", metavar="OLD=NEW", help="rename a label of IN in OUT; may be given several times"),
    ] = None,
    min_score: LeastConfidence = None,
    to_tagging: Annotated[str, typer.Option(help="tagging of the output, for conll")] = "iob2",
    label: Label = None,
    tag_column: TagColumn = None,
    tagging: Tagging = None,
    repair: Repair = False,
    limit: Annotated[
        int | None, typer.Option(min=1, help="convert only the first documents, this number of each split")
    ] = None,
    overwrite: Overwrite = False,
    as_json: AsJson = False,
) -> None:
    """Convert documents from one format to another without loss.

    If the new format cannot hold everything, the losses are listed, and nothing is written without `--lossy`. Relations
    whose mentions are not kept are removed and counted.
    """
    from linnet.cli.display.printing import print_json, print_warnings
    from linnet.cli.display.standard_output import output_target
    from linnet.contracts import WriteOptions
    from linnet.documents.counted import counted
    from linnet.formats.conversion import convert_path
    from linnet.formats.reading import explain_suffix
    from linnet.formats.relabelling import parse_label_change
    from linnet.labels.tagging import check_tagging

    with output_target(target, to, json=as_json) as written:
        done = convert_path(
            source,
            written.path,
            source_format=from_,
            target_format=written.format,
            options=read_options(label, tag_column, tagging, repair),
            write_options=WriteOptions(check_tagging(to_tagging)),
            is_lossy=lossy,
            labels=parse_label_change(keep_labels, map_, min_score),
            overwrite=overwrite,
            limit=limit,
        )
    print_warnings(done.labels.sentences() if done.labels else [], what="note")
    print_warnings([f"{what}: {number:,}" for what, number in done.lost.items()], what="lost")
    print_warnings([*done.notes.sentences(), *explain_suffix(target, written.format)], what="note")
    if as_json:
        print_json(done.as_dict())
    else:
        by_split = ", ".join(f"{split} {number:,}" for split, number in done.documents_by_split.items())
        documents = f"{counted(done.n_documents, 'document')}{f' ({by_split})' if by_split else ''}"
        counts = [(done.n_mentions, "mention"), (done.n_relations, "relation")]
        written.print(f"{written.name(target)}: {', '.join([documents, *(counted(*each) for each in counts)])}")
