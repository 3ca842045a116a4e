"""How is the speed of a training measured? Shared by those benchmarks that train; run by itself it measures nothing.

Speed is in real sub-words per second: padding is work, but not output. The first update, which also makes the
optimiser's state, is left out.
"""

import tempfile
import time
from collections.abc import Iterable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import torch

from linnet.training.history import EpochRow, Measured
from linnet.training.job import Job, SilentWatcher
from linnet.training.network import NetworkWithLosses
from linnet.training.trainer import fit


class StopWatch(SilentWatcher):
    """Measures from the first update to the last; the trainer itself counts sub-words and seconds."""

    def __init__(self) -> None:
        self.started = self.last = self.first_rate = self.seconds = 0.0
        self.n_tokens = 0

    def step(self, step: int, loss: float, tokens_per_second: float) -> None:
        self.last = time.perf_counter()
        if step == 1:
            self.started, self.first_rate = self.last, tokens_per_second

    def epoch(self, row: EpochRow, *, is_best: bool) -> None:
        # what the first update took
        first = row.seconds - (self.last - self.started) if row.epoch == 1 else 0.0
        self.seconds += row.seconds - first
        self.n_tokens += round(row.tokens_per_second * row.seconds - self.first_rate * first)

    @property
    def rate(self) -> float:
        return self.n_tokens / self.seconds


def linnet(job: Job) -> StopWatch:
    """Train through Linnet's own trainer, without devel; where the job is kept and who watches does not matter."""
    watch = StopWatch()
    with tempfile.TemporaryDirectory() as folder:
        fit(replace(job, folder=Path(folder), evaluate=Measured, watcher=watch))
    return watch


def plain(model: NetworkWithLosses, batches: Iterable[Mapping[str, Any]]) -> float:
    """Train as a plain loop does, with default AdamW, and return its speed."""
    model.train()
    optimiser = torch.optim.AdamW(model.parameters(), lr=5e-5)
    n_tokens, started = 0, 0.0
    for number, batch in enumerate(batches):
        if number == 1:
            n_tokens, started = 0, time.perf_counter()
        loss = model(**batch, share=1 / model.mass(batch["labels"]))
        loss.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimiser.step()
        optimiser.zero_grad()
        n_tokens += int(batch["attention_mask"].sum())
    return n_tokens / (time.perf_counter() - started)
