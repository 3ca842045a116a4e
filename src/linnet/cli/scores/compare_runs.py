"""The command `linnet compare-runs`."""

from pathlib import Path
from typing import Annotated

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
    ScoredLabels,
    TagColumn,
    Tagging,
    read_options,
)

__all__ = ["compare_runs"]

PLACES_UNKNOWN = (
    "runs keep their predictions as words, so `start`, `end` and `confidence` in mistakes.tsv are empty; "
    "files with documents, such as .jsonl, have them: compare these with `--gold`"
)


def compare_runs(
    runs: Annotated[
        list[Path],
        typer.Argument(metavar="RUN", help="run folders, or prediction files; the first is the baseline"),
    ],
    *,
    gold: Annotated[
        Path | None, typer.Option(help="gold annotations; not needed for runs and for files with both columns of tags")
    ] = None,
    metric: Annotated[
        str | None,
        typer.Option(help="score to compare: a matching, e.g. strict, conll, fair, tokens, or a score of the task"),
    ] = None,
    on: Annotated[
        str | None,
        typer.Option(metavar="test|devel", help="split of the runs to compare on; devel is for choosing settings"),
    ] = None,
    report: Annotated[
        Path | None, typer.Option(help="folder for a page to browse the disagreements, and for mistakes.tsv")
    ] = None,
    format: FormatName = None,
    label: Label = None,
    tag_column: TagColumn = None,
    tagging: Tagging = None,
    repair: Repair = False,
    map_: LabelMap = None,
    documents: DocumentsFile = None,
    keep_labels: ScoredLabels = None,
    common_documents: CommonDocuments = False,
    resamples: Annotated[
        int, typer.Option(min=2, max=1_000_000, help="number of bootstrap resamples of the paired test")
    ] = 4000,
    seed: Annotated[int, typer.Option(min=0, help="seed of the bootstrap")] = 0,
    overwrite: Overwrite = False,
    as_json: AsJson = False,
) -> None:
    """Compare finished runs or prediction files: paired test, agreement, and where they disagree.

    Each is compared with the first. Nothing is trained. All must have predictions for the same gold annotations.
    """
    from linnet.cli.display.printing import print_json, print_line, print_scores, print_warnings
    from linnet.comparison.arrangement import trouble
    from linnet.comparison.finished.comparing import as_dict, result_tables
    from linnet.comparison.finished.comparing import compare_runs as compare
    from linnet.comparison.page import write_comparison_page
    from linnet.contracts import Notes
    from linnet.reports.mistakes import MISTAKES_FILE, write_mistakes_of_runs
    from linnet.reports.page.files import PAGE_FILE
    from linnet.storage.outputs import refuse_existing

    if report is not None:
        refuse_existing(report / PAGE_FILE, report / MISTAKES_FILE, overwrite=overwrite)
    notes = Notes()
    results = compare(
        runs,
        gold=gold,
        format=format,
        options=read_options(label, tag_column, tagging, repair),
        metric=metric,
        n_resamples=resamples,
        seed=seed,
        notes=notes,
        map=map_,
        documents=documents,
        keep_labels=keep_labels,
        common_documents=common_documents,
        on=on,
    )
    print_warnings([*notes.sentences(), *results.notes], what="note")
    print_warnings(filter(None, [results.details.get("labels"), *trouble(results)]))
    if report is not None:
        page = write_comparison_page(results, report)
        if results.sentences:
            write_mistakes_of_runs(results.sentences, report / MISTAKES_FILE)
        if any(sentence.start is None for each in results.sentences.values() for sentence in each):
            print_warnings([PLACES_UNKNOWN], what="note")
    if as_json:
        print_json(as_dict(results))
        return
    print_scores(result_tables(results))
    print_line("\n" + "\n".join(comparison.sentence for comparison in results.comparisons))
    if report is not None:
        lists = f"; {MISTAKES_FILE} lists the mistakes of each" if results.sentences else ""
        print_line(f"\n{page}: open it in a browser to look at the disagreements{lists}")
