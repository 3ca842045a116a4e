"""The command `linnet score`."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from linnet.cli.options import AsJson, FormatName, Label, Repair, TagColumn, Tagging, read_options

if TYPE_CHECKING:
    from linnet.metrics.scores import Scores

__all__ = ["print_scores", "score"]


def score(
    gold: Annotated[Path, typer.Argument(help="documents with the true annotations")],
    predicted: Annotated[Path, typer.Argument(help="the same documents, annotated by a model")],
    *,
    format: FormatName = None,
    label: Label = None,
    tag_column: TagColumn = None,
    tagging: Tagging = None,
    repair: Repair = False,
    resample: Annotated[str, typer.Option(help="what the intervals resample: sentences or documents")] = "sentences",
    resamples: Annotated[int, typer.Option(min=0, help="bootstrap resamples; 0 gives no intervals")] = 1000,
    seed: Annotated[int, typer.Option(help="seed of the bootstrap")] = 0,
    as_json: AsJson = False,
) -> None:
    """Score predictions against gold annotations, by every matching, with 95 % intervals."""
    from linnet.cli.printing import print_json
    from linnet.reports.scoring import score_files

    options = read_options(label, tag_column, tagging, repair)
    scores = score_files(
        gold, predicted, format=format, options=options, resample=resample, n_resamples=resamples, seed=seed
    )
    if as_json:
        print_json(scores.as_dict())
    else:
        print_scores(scores)


def print_scores(scores: "Scores") -> None:
    """Print one table over all matchings and one per label."""
    from linnet.cli.printing import stdout
    from linnet.reports.tables import labels_table, matchings_table

    console = stdout()
    found = scores.as_dict()
    console.print(matchings_table(found))
    console.print(labels_table(found, "strict"))
