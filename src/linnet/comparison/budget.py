"""Estimates the training time of a grid's remaining runs.

If a run with the same corpus, encoder and length is finished, the estimate is its duration. Otherwise the arithmetic
operations of training are counted (6 for each weight of the layers and sub-word in training, 2 in evaluation) and
divided by the speed at which this machine computes a layer in the number format of each, of which Linnet reaches a
known share. If other programs use the processors, their share of the time is counted too. A run that ends early takes
less.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from statistics import median
from typing import Literal

from linnet.batches.mixing import count_turns
from linnet.comparison.grid import PlannedRun
from linnet.comparison.identity import Log
from linnet.contracts import CorpusFacts
from linnet.errors import LinnetError
from linnet.settings.training import StageSettings, TrainSettings
from linnet.storage.machine_load import describe_load, measure_load
from linnet.storage.processors import count_processors

__all__ = ["Budget", "estimate"]

SUBWORDS_PER_WORD = 1.5  # of biomedical English, by the vocabularies of common encoders
REACHED = 0.65  # share of the speed of a bare layer
START_SECONDS = 5.0  # reading, tokenising, loading the encoder, writing reports
WIDTH = 384  # of the layer by which the speed of this machine is measured
Size = tuple[int, int]  # sentences (or texts) and words
Sizes = Mapping[str, Size]  # by split
NO_SPLIT = (1, 0)  # size of a missing split


@dataclass(frozen=True)
class Operations:
    """Arithmetic operations of a run, or how many this machine makes in a second."""

    learning: float
    reading: float

    def seconds(self, rates: "Operations") -> float:
        """Return how long they take at these rates."""
        return self.learning / rates.learning + self.reading / rates.reading


@dataclass(frozen=True)
class Budget:
    """The number of remaining runs and their estimated time."""

    n_runs: int
    expected: Mapping[str, float | None]  # seconds of each remaining run, by its name; None without an estimate
    workers: int
    notes: tuple[str, ...] = ()  # worth knowing before the runs are made

    @property
    def n_left(self) -> int:
        """The number of remaining runs."""
        return len(self.expected)

    @property
    def n_finished(self) -> int:
        """The number of finished runs."""
        return self.n_runs - self.n_left

    @property
    def n_unknown(self) -> int:
        """The number of remaining runs without an estimate."""
        return sum(seconds is None for seconds in self.expected.values())

    @property
    def seconds(self) -> float | None:
        """The time of all remaining runs with these workers; None if no run has an estimate."""
        known = [seconds for seconds in self.expected.values() if seconds is not None]
        return sum(known) / max(1, min(self.workers, self.n_left)) if known or not self.n_left else None


def estimate(runs: Sequence[PlannedRun], corpora: Mapping[str, CorpusFacts], log: Log, *, workers: int) -> Budget:
    """Return the number of runs and the estimated seconds of each remaining one."""
    load = measure_load()
    remaining = [run for run in runs if not run.is_finished]
    measured = _measured_seconds(runs, log)
    rates = {precision: _rates(precision) for precision in {run.settings.optimiser.precision for run in remaining}}
    sizes = {path: corpus.sizes() for path, corpus in corpora.items()}
    expected: dict[str, float | None] = {}
    is_computed = False  # with the present speed of this machine
    for run in remaining:
        operations = _count_operations(run.settings, sizes)
        rate = rates[run.settings.optimiser.precision]
        computed = None if operations is None else START_SECONDS + operations.seconds(rate)
        duration = measured.get(_duration_key(run.settings))
        expected[run.name] = computed if duration is None else duration
        is_computed |= duration is None and computed is not None
    busy = describe_load(load) if is_computed else ""
    return Budget(len(runs), expected, workers, notes=(busy,) if busy else ())


def _duration_key(settings: TrainSettings) -> str:
    """Return the settings on which the duration of a run depends, as text."""
    names = {"data", "encoder", "train_on", "train_sentences", "devel_sentences", "window", "lora"}
    of_several_corpora = {"corpora", "stages", "sampling"}
    return f"{settings.optimiser.epochs} {settings.model_dump_json(include=names | of_several_corpora)}"


def _measured_seconds(runs: Sequence[PlannedRun], log: Log) -> dict[str, float]:
    """Return the duration of finished runs by `_duration_key`; the median, since a run may have been delayed."""
    seconds_by_key: dict[str, list[float]] = {}
    for run in runs:
        entry = log.entries.get(run.name)
        if run.is_finished and entry is not None and entry.error is None:
            seconds_by_key.setdefault(_duration_key(run.settings), []).append(entry.seconds)
    return {key: median(seconds) for key, seconds in seconds_by_key.items()}


def _count_operations(settings: TrainSettings, corpora: Mapping[str, Sizes]) -> Operations | None:
    """Return the arithmetic operations of one run; None if the size of its encoder is unknown."""
    n_weights = _n_weights(settings.encoder)
    if n_weights is None:
        return None
    splits = corpora[settings.corpus_key]
    is_devel_scored = settings.train_on == "train"  # after each epoch, unless the training includes devel
    devel = _sample(splits.get("devel", NO_SPLIT), settings.devel_sentences)[1] if is_devel_scored else 0
    test = splits.get("test", NO_SPLIT)[1]
    stages = settings.stages or (None,)  # without stages all corpora are learned together
    n_epochs = [(stage and stage.epochs) or settings.optimiser.epochs for stage in stages]
    train = sum(
        epochs * _words_per_epoch(settings, stage, corpora) for stage, epochs in zip(stages, n_epochs, strict=True)
    )
    each = SUBWORDS_PER_WORD * n_weights
    return Operations(learning=6 * each * train, reading=2 * each * ((sum(n_epochs) + 1) * devel + test))


def _words_per_epoch(settings: TrainSettings, stage: StageSettings | None, corpora: Mapping[str, Sizes]) -> float:
    """Return the words of one pass over the target corpus, with those of the other corpora in it."""
    target = corpora[settings.corpus_key]
    limits = [corpus.train_sentences for corpus in settings.corpora if corpus.role == "target"]
    limit = next(filter(None, limits), settings.train_sentences)  # the recipe's own limit is for the target
    sizes = [_sample(_training_size(target, settings.train_on), limit)]
    for corpus in settings.corpora:
        if corpus.role != "target" and (stage is None or corpus.name in stage.corpora):
            other = corpora[corpus.corpus_key]
            size = other.get("all") or _training_size(other, settings.train_on)
            sizes.append(_sample(size, corpus.train_sentences))
    sampling = settings.sampling
    numbers = [max(1, round(sentences)) for sentences, _ in sizes]
    seen = count_turns(numbers, rule=sampling.rule, temperature=sampling.temperature, share=sampling.share)
    return sum(n_seen * words / number for n_seen, (_, words), number in zip(seen, sizes, numbers, strict=True))


def _training_size(sizes: Sizes, train_on: str) -> Size:
    """Return the size of the training data: one split, or train and devel together."""
    train, devel = sizes.get("train", NO_SPLIT), sizes.get("devel", (0, 0))
    if train_on == "train":
        return train
    return sizes.get("train_dev", (train[0] + devel[0], train[1] + devel[1]))


def _sample(size: Size, most_sentences: int | None) -> tuple[float, float]:
    """Return the sentences and words of a sample of at most so many sentences."""
    sentences, words = size
    share = 1.0 if most_sentences is None else min(1.0, most_sentences / max(1, sentences))
    return share * sentences, share * words


def _n_weights(encoder: str) -> int | None:
    """Return the number of weights in the encoder's layers; None if its configuration is missing or lacks sizes."""
    from linnet.models.encoders import find_encoder

    try:
        config = find_encoder(encoder).config
    except LinnetError:
        return None  # the run fetches the encoder, or fails with the reason
    sizes = [getattr(config, name, None) for name in ("hidden_size", "num_hidden_layers", "intermediate_size")]
    if not all(isinstance(size, int) for size in sizes):
        return None
    hidden, n_layers, inner = (int(size or 0) for size in sizes)
    return n_layers * (4 * hidden * hidden + 2 * hidden * inner)


def _rates(precision: Literal["auto", "float32", "bfloat16", "float16"]) -> Operations:
    """Return the speed of one thread beside the other work on this machine; what is scored is computed in float32."""
    import torch

    from linnet.models.precision import operations_per_second

    n_threads = torch.get_num_threads()
    torch.set_num_threads(1)  # on a busy machine several threads would wait for each other
    share = REACHED / _slowdown()
    found = Operations(
        learning=share * operations_per_second(precision, WIDTH, learns=True),
        reading=share * operations_per_second("float32", WIDTH, learns=False),
    )
    torch.set_num_threads(n_threads)
    return found


def _slowdown() -> float:
    """Return how many times as long a thread takes because other programs use the processors, too."""
    load = measure_load()
    if load is None:  # on Windows
        return 1.0
    return max(1.0, (load + 1) / count_processors())  # one more than now: the run itself
