"""The command `linnet evaluate`."""

from pathlib import Path
from typing import Annotated

import typer

from linnet.cli.options import (
    AsJson,
    CorpusPath,
    FormatName,
    Label,
    Labels,
    LeastConfidence,
    Overwrite,
    Repair,
    Resample,
    ScoredLabels,
    Threads,
)

__all__ = ["evaluate"]


def evaluate(
    model: Annotated[
        Path,
        typer.Argument(
            help="run folder, embedded model (bio), vocabulary, or any token-classification model: folder or hub name"
        ),
    ],
    corpus: CorpusPath,
    *,
    split: Annotated[str | None, typer.Option(help="split of a corpus folder; test if not given")] = None,
    report: Annotated[Path | None, typer.Option(help="folder for a page to browse the errors")] = None,
    predictions: Annotated[
        Path | None, typer.Option(help="file for the predictions: word, gold tag, predicted tag; for texts JSON lines")
    ] = None,
    decoding: Annotated[
        str | None, typer.Option(help="how tags are chosen: valid or argmax; as saved with the model if not given")
    ] = None,
    format: FormatName = None,
    label: Label = None,
    labels: Labels = None,
    repair: Repair = False,
    map_: Annotated[
        list[str] | None,
        typer.Option(
            "--map",
            metavar="MODEL=CORPUS",
            help="label of the model, and the label of the corpus with the same meaning",
        ),
    ] = None,
    keep_labels: ScoredLabels = None,
    min_score: LeastConfidence = None,
    resample: Resample = None,
    documents: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help="for corpora with sentences only: id of each sentence's document, one per line or in a column "
            "(FILE:2), or the documents; for linking: documents with the mentions to link end to end",
        ),
    ] = None,
    overwrite: Overwrite = False,
    vocabulary: Annotated[
        Path | None,
        typer.Option(help="for linking: vocabulary or linking run that links the mentions which the model finds"),
    ] = None,
    threads: Threads = None,
    as_json: AsJson = False,
) -> None:
    """Evaluate a model on a corpus: precision, recall and F1, or the scores of its task.

    Every word is predicted, and every gold mention counts. Options that the task of the model does not have are
    refused.
    """
    from linnet.cli.display.page_titles import page_details, page_title, table_title
    from linnet.cli.display.printing import print_json, print_line, print_scores, print_warnings
    from linnet.models.evaluation import evaluate as evaluate_model
    from linnet.reports.page.files import PAGE_FILE
    from linnet.reports.unheld import unheld_file
    from linnet.storage.outputs import refuse_existing

    refuse_existing(report and report / PAGE_FILE, predictions, overwrite=overwrite)
    refuse_existing(predictions and unheld_file(predictions), overwrite=overwrite)  # written, or removed, beside it
    given: dict[str, object] = {"format": format, "label": label, "labels": labels, "decoding": decoding, "map": map_}
    given |= {
        "keep_labels": keep_labels,
        "threads": threads,
        "resample": resample,
        "vocabulary": vocabulary,
        "documents": documents,
        "min_score": min_score,
    }
    options = {name: value for name, value in given.items() if value is not None}
    found = evaluate_model(model, corpus, split=split, repair=repair, **options)
    print_warnings(found.notes, what="note")
    print_warnings(found.warnings)
    if predictions is not None:
        found.write_predictions(predictions)
    details = page_details(model, Path(corpus), found.split)
    if report is not None:
        title = page_title(model, Path(corpus), found.split, vocabulary)
        page = found.write_page(report, title=title, details=details)
    if as_json:
        print_json({**found.as_dict(), **details})
        return
    print_line(f"{table_title(details, vocabulary)}\n")
    print_scores(found.tables())
    if report is not None:
        print_line(f"\n{page}: open it in a browser to look at the errors")
