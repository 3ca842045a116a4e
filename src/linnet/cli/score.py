"""The command `linnet score`."""

from pathlib import Path
from typing import Annotated

import typer

from linnet.cli.options import AsJson, FormatName, Label, Repair, TagColumn, Tagging, read_options

__all__ = ["score"]


def score(
    gold: Annotated[
        Path,
        typer.Argument(
            metavar="GOLD",
            help="documents with gold annotations; without PREDICTED, a file with gold and predicted tags",
        ),
    ],
    predicted: Annotated[
        Path | None, typer.Argument(metavar="PREDICTED", help="the same documents, annotated by a model")
    ] = None,
    *,
    format: FormatName = None,
    label: Label = None,
    tag_column: TagColumn = None,
    tagging: Tagging = None,
    repair: Repair = False,
    resample: Annotated[
        str, typer.Option(help="unit that the confidence intervals resample: sentences or documents")
    ] = "sentences",
    resamples: Annotated[
        int, typer.Option(min=0, help="number of bootstrap resamples; 0 leaves the intervals out")
    ] = 1000,
    seed: Annotated[int, typer.Option(min=0, help="seed of the bootstrap")] = 0,
    as_json: AsJson = False,
) -> None:
    """Score predictions: precision, recall and F1 by every matching, with 95 % confidence intervals.

    A single file has one word per line with its gold and its predicted tag in the last two columns, as conlleval reads
    it and as the predictions of a run are written.
    """
    from linnet.cli.display.printing import print_json, print_scores, print_warnings
    from linnet.contracts import Notes
    from linnet.reports.tables import score_tables
    from linnet.scoring import score_files

    notes = Notes()
    options = read_options(label, tag_column, tagging, repair)
    scores = score_files(
        gold,
        predicted,
        format=format,
        options=options,
        resample=resample,
        n_resamples=resamples,
        seed=seed,
        notes=notes,
    )
    print_warnings(notes.sentences(), what="note")
    if as_json:
        print_json(scores.as_dict())
    else:
        print_scores(score_tables(scores.as_dict()))
