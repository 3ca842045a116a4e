"""The command `linnet score`."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from linnet.cli.options import (
    AsJson,
    CommonDocuments,
    DocumentsFile,
    FormatName,
    Label,
    LabelMap,
    Overwrite,
    Repair,
    Resample,
    ScoredLabels,
    TagColumn,
    Tagging,
    read_options,
)

if TYPE_CHECKING:
    from linnet.reports.review import ReviewedSentence

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
    map_: LabelMap = None,
    keep_labels: ScoredLabels = None,
    resample: Resample = None,
    documents: DocumentsFile = None,
    common_documents: CommonDocuments = False,
    resamples: Annotated[
        int, typer.Option(min=0, max=1_000_000, help="number of bootstrap resamples; 0 leaves the intervals out")
    ] = 1000,
    seed: Annotated[int, typer.Option(min=0, help="seed of the bootstrap")] = 0,
    report: Annotated[
        Path | None, typer.Option(help="folder for a page to browse the errors, and for mistakes.tsv")
    ] = None,
    overwrite: Overwrite = False,
    as_json: AsJson = False,
) -> None:
    """Score predictions: precision, recall and F1 by every matching, with 95 % confidence intervals.

    A single file has one word per line with its gold and its predicted tag in the last two columns, as conlleval reads
    it and as the predictions of a run are written.
    """
    from linnet.cli.display.printing import print_json, print_line, print_scores, print_warnings
    from linnet.contracts import Notes
    from linnet.reports.mistakes import MISTAKES_FILE
    from linnet.reports.page.files import PAGE_FILE
    from linnet.reports.tables import score_tables
    from linnet.scoring import review_files, score_files
    from linnet.storage.outputs import refuse_existing

    if report is not None:
        refuse_existing(report / PAGE_FILE, report / MISTAKES_FILE, overwrite=overwrite)
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
        documents=documents,
        map=map_,
        keep_labels=keep_labels,
        common_documents=common_documents,
    )
    print_warnings(notes.sentences(), what="note")
    print_warnings(scores.shared.sentences() if scores.shared else [])
    found = scores.as_dict()
    if report is not None:
        sentences = review_files(
            gold, predicted, format=format, options=options, shared=scores.shared, common_documents=common_documents
        )
        page = _write_report(report, found, (gold, predicted), sentences)
    if as_json:
        print_json(found)
        return
    print_scores(score_tables(found))
    if report is not None:
        print_line(f"\n{page}: open it in a browser to look at the errors; mistakes.tsv lists them")


def _write_report(
    folder: Path,
    scores: dict[str, Any],
    files: tuple[Path, Path | None],
    sentences: "list[ReviewedSentence]",
) -> Path:
    """Write the error page and `mistakes.tsv`, and return the path of the page."""
    from linnet.reports.error_page import write_page
    from linnet.reports.mistakes import MISTAKES_FILE, find_mistakes, write_mistakes

    gold, predicted = files
    title = gold.name if predicted is None else f"{predicted.name} against {gold.name}"
    details = {"gold": str(gold), "predicted": str(predicted or gold)}
    page = write_page(folder, title=title, scores=scores, sentences=sentences, details=details)
    write_mistakes(find_mistakes(sentences), folder / MISTAKES_FILE)
    return page
