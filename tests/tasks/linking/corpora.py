"""A tiny corpus with identifiers, its vocabulary, and runs on them, for tests of training."""

from functools import cache
from pathlib import Path
from typing import Any

from linnet.tasks.linking.settings import LinkingSettings
from linnet.tasks.linking.vocabularies.vocabulary import Vocabulary, open_vocabulary
from linnet.training.job import SilentWatcher
from linnet.training.run_folder import Run
from linnet.training.train import train
from tests import tiny
from tests.tasks.linking.evaluation.examples import gold_document, write_pubtator
from tests.tasks.linking.sources import build

__all__ = ["corpus_folder", "linking_settings", "tiny_vocabulary", "train_linking", "trained_run", "write_corpus"]

MENTIONS = (("growths of the breast", "D001943"), ("ovarian cancer", "D010051"), ("tumours", "D009369"),
            ("breast cancer", "D001943"), ("fujimycin", "D016559"), ("unheard illness", "-1"))  # fmt: skip
SIZES = {"train": 8, "devel": 4, "test": 4}


def write_corpus(folder: Path, **sizes: int) -> Path:
    """Write splits with so many documents, two mentions each; a split of no documents is left out."""
    for number, (split, usual) in enumerate(SIZES.items()):
        documents = []
        for place in range(sizes.get(split, usual)):
            first, second = (MENTIONS[(place * 2 + step + number) % len(MENTIONS)] for step in (0, 1))
            text = f"We saw {first[0]} and then {second[0]} in patient {place} of {split}."
            documents.append(gold_document(text, first, second, id=f"{split}{place}"))
        if documents:
            write_pubtator(folder / f"{split}.txt", *documents)
    return folder


@cache
def tiny_vocabulary() -> Vocabulary:
    """Return the vocabulary of the corpus."""
    place = tiny.workshop() / "linking"
    place.mkdir(parents=True, exist_ok=True)
    return open_vocabulary(build(place).folder)


@cache
def corpus_folder() -> Path:
    """Return the corpus."""
    return write_corpus(tiny.workshop() / "linking" / "corpus")


def linking_settings(output: Path, **given: Any) -> LinkingSettings:
    """Return settings of a training on the corpus; those of a network have no effect."""
    own = {name: value for name, value in given.items() if name in LinkingSettings.model_fields}
    plain = {"data": str(corpus_folder()), "task": "linking", "vocabulary": str(tiny_vocabulary().folder)}
    return LinkingSettings(**{**plain, **own, "output": str(output)})


def train_linking(output: Path, **given: Any) -> Run:
    """Train on the corpus."""
    return train(linking_settings(output, **given), watcher=SilentWatcher())


@cache
def trained_run() -> Run:
    """Return a finished run."""
    return train_linking(tiny.workshop() / "linking" / "run")
