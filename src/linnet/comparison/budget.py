"""How long will the runs of a grid take?

Where a run of the same corpus, encoder and length has ended before, the new ones are taken to last as long. Elsewhere
the arithmetic of training is counted (6 operations for each weight of the layers and sub-word learned, 2 for each one
read) and divided by the rate at which this machine multiplies matrices, of which Linnet reaches about two thirds.
"""

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from statistics import median

from linnet.batches.mixing import count_turns
from linnet.comparison.grid import PlannedRun
from linnet.comparison.identity import Log
from linnet.contracts import CorpusFacts
from linnet.errors import LinnetError
from linnet.settings.training import StageSettings, TrainSettings

__all__ = ["Budget", "estimate"]

SUBWORDS_PER_WORD = 1.5  # of biomedical English, by the vocabularies of common encoders
REACHED = 0.65  # of the rate of bare matrix multiplication
START_SECONDS = 5.0  # reading, tokenising, opening the encoder, writing reports
N_PRODUCTS = 8  # of matrices, multiplied to learn how fast this machine is
SIDE = 384  # of these matrices
Sizes = Mapping[str, tuple[int, int]]  # sentences (or texts) and words of each split
NOTHING = (1, 0)  # sentences and words of a split that is not there


@dataclass(frozen=True)
class Budget:
    """What a grid still costs."""

    n_runs: int
    expected: Mapping[str, float | None]  # seconds of each run that is left, by its name; None where nothing is known
    workers: int

    @property
    def n_left(self) -> int:
        """How many runs are still to be made."""
        return len(self.expected)

    @property
    def n_finished(self) -> int:
        """How many need not be made again."""
        return self.n_runs - self.n_left

    @property
    def n_unknown(self) -> int:
        """How many runs the estimate leaves out."""
        return sum(seconds is None for seconds in self.expected.values())

    @property
    def seconds(self) -> float | None:
        """How long all that are left will take, side by side; None where nothing is known."""
        known = [seconds for seconds in self.expected.values() if seconds is not None]
        return sum(known) / max(1, min(self.workers, self.n_left)) if known or not self.n_left else None


def estimate(runs: Sequence[PlannedRun], corpora: Mapping[str, CorpusFacts], log: Log, *, workers: int) -> Budget:
    """Return how many runs there are and how long those that are left will take with so many workers."""
    left = [run for run in runs if not run.is_finished]
    known = _seconds_of_kinds(runs, log)
    rate = _operations_per_second() if left else 1.0
    words = {path: corpus.sizes() for path, corpus in corpora.items()}
    expected: dict[str, float | None] = {}
    for run in left:
        cost = _operations(run.settings, words)
        expected[run.name] = known.get(_kind(run.settings), None if cost is None else START_SECONDS + cost / rate)
    return Budget(len(runs), expected, workers)


def _kind(settings: TrainSettings) -> str:
    """Return what makes two runs last equally long."""
    told = {"data", "encoder", "train_on", "train_sentences", "devel_sentences", "window", "lora"}
    company = {"corpora", "stages", "sampling"}
    return f"{settings.optimiser.epochs} {settings.model_dump_json(include=told | company)}"


def _seconds_of_kinds(runs: Sequence[PlannedRun], log: Log) -> dict[str, float]:
    found: dict[str, list[float]] = {}
    for run in runs:
        entry = log.entries.get(run.name)
        if run.is_finished and entry is not None and entry.error is None:
            found.setdefault(_kind(run.settings), []).append(entry.seconds)
    return {kind: median(seconds) for kind, seconds in found.items()}  # a run that was held up says little


def _operations(settings: TrainSettings, corpora: Mapping[str, Sizes]) -> float | None:
    """Return the operations of one run; `corpora` are sentences and words of each split, by corpus."""
    n_weights = _n_weights(settings.encoder)
    if n_weights is None:
        return None
    words = corpora[settings.corpus_key]
    is_scored = settings.train_on == "train"  # devel is, after each epoch, where it is not learned from
    devel = _taken(words.get("devel", NOTHING), settings.devel_sentences)[1] if is_scored else 0
    test = words.get("test", NOTHING)[1]
    stages = settings.stages or (None,)  # without stages there is one, with all corpora
    n_epochs = [(stage and stage.epochs) or settings.optimiser.epochs for stage in stages]
    learned = sum(epochs * _epoch(settings, stage, corpora) for stage, epochs in zip(stages, n_epochs, strict=True))
    return SUBWORDS_PER_WORD * n_weights * (6 * learned + 2 * (sum(n_epochs) + 1) * devel + 2 * test)


def _epoch(settings: TrainSettings, stage: StageSettings | None, corpora: Mapping[str, Sizes]) -> float:
    """Return the words of one pass over the target, with what other corpora add to it."""
    own = corpora[settings.corpus_key]
    samples = [each.train_sentences for each in settings.corpora if each.role == "target" and each.train_sentences]
    sample = next(iter(samples), settings.train_sentences)  # what the recipe says at its top is said of the target
    sizes = [_taken(_learned(own, settings.train_on), sample)]
    for each in settings.corpora:
        if each.role != "target" and (stage is None or each.name in stage.corpora):
            other = corpora[each.corpus_key]
            sizes.append(_taken(other.get("all") or _learned(other, settings.train_on), each.train_sentences))
    sampling = settings.sampling
    numbers = [max(1, round(sentences)) for sentences, _ in sizes]
    seen = count_turns(numbers, rule=sampling.rule, temperature=sampling.temperature, share=sampling.share)
    return sum(n_seen * words / number for n_seen, (_, words), number in zip(seen, sizes, numbers, strict=True))


def _learned(sizes: Sizes, train_on: str) -> tuple[int, int]:
    """Return sentences and words of what is learned from: a split, or train and devel where none is both."""
    train, devel = sizes.get("train", NOTHING), sizes.get("devel", (0, 0))
    if train_on == "train":
        return train
    return sizes.get("train_dev", (train[0] + devel[0], train[1] + devel[1]))


def _taken(counted: tuple[int, int], most_sentences: int | None) -> tuple[float, float]:
    sentences, words = counted
    share = 1.0 if most_sentences is None else min(1.0, most_sentences / max(1, sentences))
    return share * sentences, share * words


def _n_weights(encoder: str) -> int | None:
    """Return the weights of the encoder's layers, where its configuration is at hand and says so."""
    from linnet.models.encoders import find_encoder

    try:
        config = find_encoder(encoder).config
    except LinnetError:
        return None  # it is fetched when the run begins, or the run says what is wrong
    sizes = [getattr(config, name, None) for name in ("hidden_size", "num_hidden_layers", "intermediate_size")]
    if not all(isinstance(size, int) for size in sizes):
        return None
    hidden, n_layers, inner = (int(size or 0) for size in sizes)
    return n_layers * (4 * hidden * hidden + 2 * hidden * inner)


def _operations_per_second() -> float:
    """Return what one thread reaches, measured for a moment."""
    import torch

    n_threads = torch.get_num_threads()
    torch.set_num_threads(1)  # several would wait for one another on a busy machine, and count that as work
    matrix = torch.ones((SIDE, SIDE))
    best = 0.0
    for _ in range(3):
        started = time.process_time()
        for _ in range(N_PRODUCTS):
            matrix @ matrix
        best = max(best, N_PRODUCTS * 2 * SIDE**3 / max(1e-6, time.process_time() - started))
    torch.set_num_threads(n_threads)
    return REACHED * best
