"""Corpora, an encoder and trained models for a campaign, all tiny, made in children so that the parent can fork."""

import json
import random
from dataclasses import dataclass
from pathlib import Path

from tests.campaign.forks import Outcome, call, run_command

__all__ = ["Workshop", "build_workshop"]

QUICK = ("--epochs", "2", "--batch-size", "8", "--max-length", "64", "--learning-rate", "0.01", "--threads", "1")


@dataclass(frozen=True)
class Workshop:
    """The places of what a campaign works with."""

    folder: Path

    @property
    def corpus(self) -> Path:
        """A corpus of mentions with three splits."""
        return self.folder / "corpus"

    @property
    def texts(self) -> Path:
        """A corpus for classification."""
        return self.folder / "texts"

    @property
    def encoder(self) -> Path:
        """A BERT of two layers."""
        return self.folder / "encoder"

    @property
    def model(self) -> Path:
        """A run that finds mentions."""
        return self.folder / "model"

    @property
    def classifier(self) -> Path:
        """A run that classifies texts."""
        return self.folder / "classifier"

    @property
    def documents(self) -> Path:
        """Documents to annotate, as JSON lines."""
        return self.folder / "documents.jsonl"

    @property
    def lines(self) -> Path:
        """Plain text."""
        return self.folder / "lines.txt"


def build_workshop(folder: Path) -> Workshop:
    """Make everything; raise RuntimeError with the output of a command that fails."""
    folder.mkdir(parents=True, exist_ok=True)
    shop = Workshop(folder)
    _finish(call(lambda: _write_inputs(shop), folder / "log").wait(600), shop.lines)  # which is written last
    data: tuple[str, ...] = (
        "train",
        "--data",
        str(shop.corpus),
        "--encoder",
        str(shop.encoder),
        "--output",
        str(shop.model),
        *QUICK,
    )
    _finish(run_command(data, folder, folder / "log", seconds=900), shop.model / "metrics.json")
    data = ("train", "--task", "classification", "--data", str(shop.texts), "--encoder", str(shop.encoder))
    log = run_command((*data, "--output", str(shop.classifier), *QUICK), folder, folder / "log", seconds=900)
    _finish(log, shop.classifier / "metrics.json")
    return shop


def _finish(outcome: Outcome, wanted: Path) -> None:
    if outcome.code != 0 or not wanted.is_file():
        ended = "took too long" if outcome.code is None else f"ended with {outcome.code}"
        raise RuntimeError(f"the workshop has no {wanted.name}, its command {ended}: {outcome.text[-2000:]}")


def _write_inputs(shop: Workshop) -> None:
    from tests import text_corpora, tiny

    tiny.write_corpus(shop.corpus)
    tiny.write_encoder(shop.encoder)
    text_corpora.write(shop.texts, "classification")
    draw = random.Random(5)
    texts = [" ".join(word for word, _ in sentence) for sentence in tiny.sentences(96, 5)]
    rows = [{"id": f"d{number}", "text": " ".join(draw.sample(texts, 2))} for number in range(96)]
    shop.documents.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    shop.lines.write_text("".join(text + "\n" + "\n" * (number % 5 == 0) for number, text in enumerate(texts)), "utf-8")
