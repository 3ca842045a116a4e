"""The command `linnet pretrain`."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from linnet.cli.options import AsJson

if TYPE_CHECKING:
    from linnet.cli.display.watching import TrainingBar
    from linnet.settings.pretraining import VocabularySettings
    from linnet.training.history import EpochRow

__all__ = ["PretrainingBar", "pretrain"]

OF_TEXT = ("tokens_per_word", "tokens_per_word_before", "excluded", "vocabulary_size", "n_new_words")  # what is told


def pretrain(
    recipe: Annotated[Path | None, typer.Argument(help="recipe: TOML file with the settings; see recipes/")] = None,
    *,
    texts: Annotated[
        list[str] | None, typer.Option(help="file or folder of text, or of documents in any format; may be repeated")
    ] = None,
    output: Annotated[str | None, typer.Option(help="folder of the run")] = None,
    encoder: Annotated[
        str | None, typer.Option(help="encoder to continue with: alias, folder or hub name; with --fresh a size")
    ] = None,
    fresh: Annotated[
        bool, typer.Option("--fresh", help="start from random weights; --encoder names one of `linnet list sizes`")
    ] = False,
    vocab: Annotated[int | None, typer.Option(help="learn a vocabulary of this size from the text")] = None,
    extend: Annotated[
        int | None, typer.Option(help="add this number of words of the text to the encoder's vocabulary")
    ] = None,
    hours: Annotated[float | None, typer.Option(help="budget: hours on this machine")] = None,
    steps: Annotated[int | None, typer.Option(help="budget: updates")] = None,
    tokens: Annotated[int | None, typer.Option(help="budget: sub-words that are read")] = None,
    batch_size: Annotated[int | None, typer.Option(help="sequences per update")] = None,
    learning_rate: Annotated[float | None, typer.Option(help="peak learning rate")] = None,
    length: Annotated[int | None, typer.Option(help="length of a sequence in sub-words")] = None,
    seed: Annotated[int | None, typer.Option(help="random seed")] = None,
    threads: Annotated[int | None, typer.Option(help="CPU threads")] = None,
    set_: Annotated[
        list[str] | None,
        typer.Option("--set", metavar="KEY=VALUE", help="any setting; see `linnet list settings pretrain`"),
    ] = None,
    resume: Annotated[
        bool, typer.Option("--resume", help="continue an interrupted run from its last checkpoint")
    ] = False,
    overwrite: Annotated[
        bool, typer.Option("--overwrite", help="replace an existing run in the output folder")
    ] = False,
    as_json: AsJson = False,
) -> None:
    """Pretrain an encoder on text, from an existing encoder or from scratch; the run folder is the new encoder.

    Settings are read from the recipe, then from the options, then from `--set`; later ones override earlier ones. A
    budget given as an option replaces the budget of the recipe.
    """
    from linnet.settings.files import load_settings
    from linnet.settings.pretraining import PretrainSettings
    from linnet.settings.short_forms import spread_pretraining

    given: dict[str, object] = {"texts": texts, "output": output, "encoder": encoder, "fresh": fresh or None}
    given |= {"vocab": vocab, "extend": extend, "hours": hours, "steps": steps, "tokens": tokens}
    given |= {"batch_size": batch_size, "learning_rate": learning_rate, "length": length}
    given |= {"seed": seed, "threads": threads}
    settings = load_settings(PretrainSettings, recipe, set_ or (), **spread_pretraining(given))
    from linnet.cli.display.printing import print_json, print_line, print_warnings
    from linnet.pretraining.run import pretrain as pretrain_encoder
    from linnet.training.processes import is_main_process

    with _bars() as (bar, text_bar):
        run = pretrain_encoder(
            settings,
            watcher=bar,
            text_watcher=text_bar,
            warn=print_warnings,
            resume=resume,
            overwrite=overwrite,
        )
    if not is_main_process():
        return
    metrics = run.metrics
    text = {key: run.facts["text"][key] for key in OF_TEXT}
    if as_json:
        print_json({**metrics, **text})
        return
    for line in (*_lines_of_text(text, settings.vocabulary), *_lines_of_training(metrics)):
        print_line(line)
    print_line(f"\n{run.folder}: encoder, metrics.json, history.jsonl, training.png, README.md (card)")


def _lines_of_text(text: dict[str, Any], wanted: "VocabularySettings") -> Iterator[str]:
    if wanted.train is not None:  # little text has fewer words than were asked for
        yield f"vocabulary of {text['vocabulary_size']:,} sub-words, {wanted.train:,} were asked for"
    if wanted.extend is not None:
        yield f"{text['n_new_words']:,} words added to the vocabulary, {wanted.extend:,} were asked for"
    per_word, per_word_before = text["tokens_per_word"], text["tokens_per_word_before"]
    before = f", before {per_word_before:.3f}" if per_word_before not in (None, per_word) else ""
    yield f"{per_word:.3f} sub-words for a word of held-out text{before}"
    if text["excluded"]:
        counts = ", ".join(f"{corpus} {number:,}" for corpus, number in text["excluded"].items())
        yield f"sentences left out because they stand in evaluation corpora: {counts}"


def _lines_of_training(metrics: dict[str, Any]) -> Iterator[str]:
    from linnet.documents.counted import counted

    perplexities = (metrics["perplexity"], metrics["perplexity_before"])
    after, before = ("not measurable" if each is None else f"{each:.2f}" for each in perplexities)
    yield f"held-out perplexity {after}, before {before}"
    rate = metrics["tokens_per_second"]
    speed = f", {rate:,.0f} tokens/s" if rate else ""
    yield f"{counted(metrics['steps'], 'update')}, {metrics['tokens']:,} sub-words{speed}"


class PretrainingBar:
    """Shows updates, loss, perplexity, speed and remaining time."""

    def __init__(self, bar: "TrainingBar") -> None:
        self.bar = bar

    def begin(self, n_steps: int, first_step: int) -> None:
        """Set the length of the bar."""
        self.bar.name = "pretraining"
        self.bar.begin(n_steps, first_step)

    def step(self, step: int, loss: float, tokens_per_second: float) -> None:
        """Move the bar."""
        self.bar.step(step, loss, tokens_per_second)

    def epoch(self, row: "EpochRow", *, is_best: bool) -> None:
        """Print the stretch above the bar."""
        perplexity = "" if row.score is None else f"perplexity {row.score:.2f}"
        line = f"update {row.step:,}: loss {row.loss:.4f}  {perplexity}  {row.tokens_per_second:,.0f} tokens/s"
        self.bar.print(line, best=perplexity)


class _TextBar:
    """Shows on the same bar how far the text is prepared."""

    def __init__(self, bar: "TrainingBar") -> None:
        self.bar = bar

    def __call__(self, what: str, done: int, total: int) -> None:
        self.bar.prepare(what, done // 1000, total // 1000, "kB")


@contextmanager
def _bars() -> Iterator[tuple[PretrainingBar, _TextBar]]:
    """Give what shows the training and the preparation of the text, while the block runs."""
    from linnet.cli.display.watching import training_bar

    with training_bar() as bar:
        yield PretrainingBar(bar), _TextBar(bar)
