"""A training as the trainer sees it: network, examples, hyper-parameters, checkpoints, and who shows the progress."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Protocol, runtime_checkable

import torch
from torch.optim import Optimizer

from linnet.batches.bucketing import BucketedBatches
from linnet.batches.encoding import EncodedWindow, collate
from linnet.batches.mixing import MixedBatches, count_turns
from linnet.errors import LinnetError
from linnet.losses.cost_sensitive import IGNORED
from linnet.settings.training import OptimiserSettings, SamplingSettings
from linnet.training.history import DEVEL_F1, EpochRow, Measured
from linnet.training.network import NetworkWithLosses

__all__ = [
    "Batches",
    "Example",
    "Job",
    "LabelledWindow",
    "NamedWatcher",
    "NumberedExamples",
    "PreparationWatcher",
    "SilentWatcher",
    "Watcher",
    "batches_of",
    "diverged",
    "report_preparation",
    "telling_preparation",
    "to_tensors",
]

PREPARATION: "ContextVar[PreparationWatcher | None]" = ContextVar("preparation", default=None)


@dataclass(frozen=True)
class LabelledWindow:
    """A window with the number of the right tag at each sub-word that is learned from."""

    window: EncodedWindow
    labels: list[int]
    corpus: str  # whose loss and head it belongs to

    def __len__(self) -> int:
        """How many sub-words are read."""
        return len(self.window.ids)


class Example(Protocol):
    """Whatever is learned from at once; its length is the number of sub-words that are read for it."""

    def __len__(self) -> int:
        """How many sub-words are read."""
        ...


class Batches(Protocol):
    """The batches of each epoch, as numbers of examples."""

    def set_epoch(self, epoch: int) -> None:
        """Say which epoch the next iteration is for."""

    def __len__(self) -> int:
        """How many batches has an epoch?"""
        ...

    def __iter__(self) -> Iterator[list[int]]:
        """Yield the batches of the epoch."""
        ...


class Watcher(Protocol):
    """Whoever wants to show how it goes."""

    def begin(self, n_steps: int, first_step: int) -> None:
        """Say how many updates there will be, and with which one it starts."""

    def step(self, step: int, loss: float, tokens_per_second: float) -> None:
        """Say that an update was made."""

    def epoch(self, row: EpochRow, *, is_best: bool) -> None:
        """Say that an epoch ended."""


@runtime_checkable
class NamedWatcher(Watcher, Protocol):
    """A watcher that can tell several trainings apart."""

    def rename(self, name: str) -> None:
        """Say that another training begins."""


@runtime_checkable
class PreparationWatcher(Watcher, Protocol):
    """A watcher that also shows what has to be prepared before a training begins."""

    def prepare(self, what: str, done: int, total: int, units: str) -> None:
        """Say how much of it is prepared."""


@contextmanager
def telling_preparation(watcher: Watcher) -> Iterator[None]:
    """Tell the watcher, if it wants to know, what `report_preparation` reports meanwhile."""
    token = PREPARATION.set(watcher if isinstance(watcher, PreparationWatcher) else None)
    try:
        yield
    finally:
        PREPARATION.reset(token)


def report_preparation(what: str, done: int, total: int, units: str) -> None:
    """Report how much is prepared of something that takes long before a training can begin."""
    watcher = PREPARATION.get()
    if watcher is not None:
        watcher.prepare(what, done, total, units)


class SilentWatcher:
    """Shows nothing."""

    def begin(self, n_steps: int, first_step: int) -> None:
        """Say nothing."""

    def step(self, step: int, loss: float, tokens_per_second: float) -> None:
        """Say nothing."""

    def epoch(self, row: EpochRow, *, is_best: bool) -> None:
        """Say nothing."""


@dataclass(frozen=True, kw_only=True)
class Job:
    """What the trainer needs to know: the network, its examples, the hyper-parameters, and where things are kept."""

    model: NetworkWithLosses
    corpora: Sequence[Sequence[Example]]  # the examples of each corpus, the target's first
    pad_id: int
    folder: Path  # of the checkpoints
    evaluate: Callable[[], Measured]  # the network as it is now; without a score, nothing is chosen by it
    watcher: Watcher
    optimiser: OptimiserSettings
    seed: int
    checkpoint_minutes: float
    patience: int | None = None  # epochs without a better score after which training stops early
    tracker: str | None = None
    sampling: SamplingSettings = field(default_factory=SamplingSettings)  # how often each corpus has its turn
    turns: Callable[[Sequence[int]], list[float]] | None = None  # the same from batches of a pass; by `sampling` if not
    collate: Callable[[Sequence[Any], int], dict[str, Any]] | None = None  # a padded batch; `to_tensors` if not given
    batches: Callable[[int, int], Batches] | None = None  # of one of so many processes; by length if not given
    make_optimiser: Callable[[list[dict[str, Any]]], Optimizer] | None = (
        None  # of groups of tensors; AdamW if not given
    )
    steps: int | None = None  # updates, of which the last epoch may have fewer; all of all epochs if not given
    head_steps: int = 0  # updates in which the head learns alone, before the rest begins
    has_finder: bool = True  # can `linnet find-lr` read its recipe?
    is_choosing: bool = True  # keep the weights with the best score; the last ones if not
    is_kept: bool = True  # write weights and checkpoints at all; a trial that is only timed does not
    score: str = DEVEL_F1  # what trackers call the score
    output: Path | None = None  # where trackers write; what holds the checkpoints' folder if not given

    @property
    def examples(self) -> Sequence[Example]:
        """The examples of all corpora, end to end; those of a single one as they are kept."""
        if len(self.corpora) == 1:
            return self.corpora[0]
        return [example for corpus in self.corpora for example in corpus]


def batches_of(job: Job, *, rank: int = 0, world: int = 1) -> Batches:
    """Return the order in which a process sees the job's examples."""
    if job.batches is not None:
        return job.batches(rank, world)
    corpora = [
        BucketedBatches(
            [len(example) for example in examples],
            batch_size=job.optimiser.batch_size,
            seed=job.seed,
            rank=rank,
            world=world,
        )
        for examples in job.corpora
    ]
    n_batches = [len(each) for each in corpora]
    if job.turns is not None:
        return MixedBatches(corpora, job.turns(n_batches), seed=job.seed, in_turn=False)
    n_turns = count_turns(n_batches, **job.sampling.model_dump())
    return MixedBatches(corpora, n_turns, seed=job.seed, in_turn=job.sampling.rule == "round-robin")


def to_tensors(examples: Sequence[LabelledWindow], pad_id: int) -> dict[str, Any]:
    """Return the examples of one corpus as a padded batch: ids, mask and labels (windows, tokens), and its name."""
    corpora = {example.corpus for example in examples}
    if len(corpora) > 1:
        raise ValueError(f"a batch holds examples of {', '.join(sorted(corpora))}, but goes through one head")
    batch = collate([example.window for example in examples], pad_id)
    labels = torch.full(batch.ids.shape, IGNORED)
    for row, example in enumerate(examples):
        labels[row, : len(example.labels)] = torch.tensor(example.labels)
    return {
        "input_ids": torch.from_numpy(batch.ids),
        "attention_mask": torch.from_numpy(batch.mask),
        "labels": labels,
        "corpus": corpora.pop(),
    }


def diverged(step: int, job: Job) -> LinnetError:
    """Return what is said of a training whose loss became no number."""
    rate = job.optimiser.learning_rate
    finder = "; `linnet find-lr` looks for a good one" if job.has_finder else ""
    return LinnetError(
        f"the loss is not a number at update {step + 1:,}",
        f"the learning rate ({rate:g}) is likely too high: try {rate / 3:.2g}, more warm-up, or clipping{finder}",
    )


class NumberedExamples:
    """The examples by number, which is all that a loader asks of a data set."""

    def __init__(self, examples: Sequence[Example]) -> None:
        self.examples = examples

    def __len__(self) -> int:
        return len(self.examples)

    def __getitem__(self, index: int) -> Example:
        return self.examples[index]
