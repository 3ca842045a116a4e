"""Tiny corpora for the conformance tests of tasks, found by the name of the task.

A task that is registered needs an entry in `SAMPLES`: at least one corpus that a tiny encoder can learn by heart.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache, partial
from pathlib import Path
from typing import Any

from linnet.settings.training import TrainSettings
from linnet.training.run_folder import Run
from tests import text_corpora, tiny
from tests.tasks.linking import corpora as linking

__all__ = ["SAMPLES", "Sample", "corpus", "trained", "write_four"]

BRIEFLY: Mapping[str, Any] = {"epochs": 2, "learning_rate": 0.03}  # most models are neither right nor wrong everywhere
PAIR = ("ataxia was treated with aspirin .", "we gave aspirin .")


@dataclass(frozen=True, eq=False)
class Sample:
    """A tiny corpus of a task, and what a tiny model does with it."""

    name: str
    write: Callable[..., Path]  # a folder and how many examples each split gets
    settings: Callable[..., TrainSettings]  # of a quick training on the corpus, given the run folder
    train: Callable[..., Run]  # with these settings, without drawing
    inputs: Sequence[Any]  # what a Python user gives the model
    by_heart: Mapping[str, Any] = field(default_factory=dict)  # settings that learning by heart needs besides
    learned: float = 1.0  # the main score of what was learned by heart
    has_network: bool = True  # does the run folder hold a network, which can be exported?


@cache
def corpus(sample: Sample) -> Path:
    """Return the folder of the corpus."""
    return sample.write(tiny.workshop() / "conformance" / sample.name / "corpus")


@cache
def trained(sample: Sample) -> Run:
    """Return a run that has learned something from the corpus."""
    output = tiny.workshop() / "conformance" / sample.name / "run"
    return sample.train(output, data=str(corpus(sample)), **BRIEFLY)


def write_four(sample: Sample, folder: Path) -> Path:
    """Write a corpus whose three splits hold the same four examples."""
    sample.write(folder, train=4, devel=0, test=0)
    training = next(folder.glob("train.*"))
    for split in ("devel", "test"):
        same = training.read_text(encoding="utf-8").replace("train-q", f"{split}-q")  # a question is in one split only
        (folder / f"{split}{training.suffix}").write_text(same, encoding="utf-8")
    return folder


def _of_texts(form: str, *inputs: Any, **given: Any) -> Sample:
    """Return the sample of a task about texts, in one of the forms that its examples have."""
    return Sample(
        name=form,
        write=lambda folder, **sizes: text_corpora.write(folder, form, **sizes),
        settings=partial(text_corpora.settings, form),
        train=partial(text_corpora.train, form),
        inputs=inputs,
        **given,
    )


SAMPLES: Mapping[str, Sequence[Sample]] = {
    "ner": [Sample("ner", tiny.write_corpus, tiny.settings, tiny.train, PAIR)],
    "relations": [_of_texts("relations", "@DISEASE$ was treated with @CHEMICAL$ .")],
    "classification": [_of_texts("classification", *PAIR), _of_texts("several", *PAIR)],
    "similarity": [_of_texts("similarity", PAIR, learned=0.98)],  # a correlation; numbers are never quite right
    "inference": [
        # the first token of two random layers learns of its pair, but slowly
        _of_texts("inference", PAIR, by_heart={"text": {"pooling": "mean"}})
    ],
    "linking": [
        Sample(
            "linking", linking.write_corpus, linking.linking_settings, linking.train_linking, PAIR, has_network=False
        )
    ],
    "answering": [_of_texts("answering", ("treated with", PAIR[0])), _of_texts("yesno", ("is known", PAIR[0]))],
}
