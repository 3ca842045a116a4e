"""The commands that can be interrupted and resumed or run again, on tiny data. A new one is one more `Scenario`."""

import multiprocessing
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from tests.campaign.workshop import QUICK, Workshop

__all__ = ["Scenario", "scenarios"]

BLOCK = 8  # documents or texts of a block, so that a small input has many


@dataclass(frozen=True)
class Scenario:
    """A resumable command.

    Its outputs have relative names: it runs in a folder of its own, which holds nothing but what `furnish` puts there.
    """

    name: str
    argv: tuple[str, ...]
    resume: tuple[str, ...] = ("--resume",)  # added after a kill
    prepare: Callable[[], None] | None = None  # called in the process of the command, before it
    furnish: Callable[[Path], None] = lambda folder: None


def scenarios(shop: Workshop) -> list[Scenario]:
    """Return all resumable commands, and some that begin anew and remove what a killed one has left."""
    annotate = ("annotate", str(shop.documents), "--model", str(shop.model), "--threads", "1")
    training = ("--encoder", str(shop.encoder), *QUICK)
    again = ("--overwrite",)  # of commands that begin anew
    return [
        Scenario("annotate", (*annotate, "--output", "out.jsonl"), prepare=_small_blocks),
        Scenario("annotate-shards", (*annotate, "--output", "out", "--shard", "20"), prepare=_small_blocks),
        Scenario(
            "predict",
            ("predict", str(shop.texts / "train.tsv"), "--model", str(shop.classifier), "--output", "out.jsonl"),
            prepare=_small_blocks,
        ),
        Scenario(
            "link",
            ("link", str(shop.corpus / "train.tsv"), "--vocabulary", "demo", "--output", "out.jsonl"),
            prepare=_small_blocks,
        ),
        Scenario("train", ("train", "--data", str(shop.corpus), "--output", "run", *training)),
        Scenario(
            "train-texts",
            ("train", "--task", "classification", "--data", str(shop.texts), "--output", "run", *training),
        ),
        Scenario(
            "pretrain",
            (*("pretrain", "--texts", str(shop.lines), "--encoder", str(shop.encoder), "--output", "run"),
             *("--steps", "20", "--batch-size", "4", "--length", "32", "--threads", "1")),
        ),
        Scenario("convert", ("convert", str(shop.documents), "out.xml"), resume=again),
        Scenario("convert-folder", ("convert", str(shop.corpus), "out", "--to", "brat", "--lossy"), resume=again),
        Scenario("export", ("export", str(shop.model), "out"), resume=again),
        Scenario(
            "evaluate",
            ("evaluate", str(shop.model), str(shop.corpus), "--predictions", "out.tsv", "--report", "page"),
            resume=again,
        ),
        Scenario(
            "compare",
            ("compare", "grid.toml", "--threads", "1"),
            resume=(),
            prepare=_forking_workers,
            furnish=lambda folder: _write_grid(folder, shop),
        ),
    ]  # fmt: skip


def _small_blocks() -> None:
    import linnet.annotation.blocks
    import linnet.tasks.texts.questions

    linnet.annotation.blocks.MOST_DOCUMENTS = BLOCK
    linnet.tasks.texts.questions.BLOCK = BLOCK


def _forking_workers() -> None:
    """Let the workers of a grid be forked from this process, which has computed nothing, instead of starting anew."""
    import linnet.comparison.runner

    linnet.comparison.runner.get_context = lambda _: multiprocessing.get_context("fork")  # type: ignore[attr-defined, assignment]


def _write_grid(folder: Path, shop: Workshop) -> None:
    recipe = f'data = "{shop.corpus}"\nencoder = "{shop.encoder}"\nepochs = 1\nbatch_size = 8\nmax_length = 64\n'
    axes = '[axes]\nscheme = ["none", "ins"]\nseed = [1]\n\n[baseline]\nscheme = "none"\n'
    (folder / "grid.toml").write_text(f'output = "grid"\nmetric = "strict"\n\n[recipe]\n{recipe}\n{axes}', "utf-8")
