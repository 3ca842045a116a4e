"""What is to be trained, on what, where is it kept, and who watches?"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

import torch
from torch import Tensor

from linnet.batches.encoding import EncodedWindow, collate
from linnet.losses.cost_sensitive import IGNORED
from linnet.settings import TrainSettings
from linnet.training.history import EpochRow
from linnet.training.network import PricedNetwork

__all__ = ["Job", "LabelledWindow", "SilentWatcher", "Watcher", "to_tensors"]


@dataclass(frozen=True)
class LabelledWindow:
    """A window with the number of the right tag at each sub-word that is learned from."""

    window: EncodedWindow
    labels: list[int]


class Watcher(Protocol):
    """Whoever wants to show how it goes."""

    def begin(self, n_steps: int, first_step: int) -> None:
        """Say how many updates there will be, and with which one it starts."""

    def step(self, step: int, loss: float, tokens_per_second: float) -> None:
        """Say that an update was made."""

    def epoch(self, row: EpochRow, *, is_best: bool) -> None:
        """Say that an epoch ended."""


class SilentWatcher:
    """Shows nothing."""

    def begin(self, n_steps: int, first_step: int) -> None:
        """Say nothing."""

    def step(self, step: int, loss: float, tokens_per_second: float) -> None:
        """Say nothing."""

    def epoch(self, row: EpochRow, *, is_best: bool) -> None:
        """Say nothing."""


@dataclass(frozen=True)
class Job:
    """What is to be trained, on what, and where it is kept."""

    model: PricedNetwork
    examples: list[LabelledWindow]
    pad_id: int
    settings: TrainSettings
    folder: Path  # of the checkpoints
    evaluate: Callable[[], float | None]  # devel F1 of the network as it is now; None where nothing is chosen by it
    watcher: Watcher


def to_tensors(examples: Sequence[LabelledWindow], pad_id: int) -> dict[str, Tensor]:
    """Return the examples as one padded batch: ids, mask and labels, each (windows, tokens)."""
    batch = collate([example.window for example in examples], pad_id)
    labels = torch.full(batch.ids.shape, IGNORED)
    for row, example in enumerate(examples):
        labels[row, : len(example.labels)] = torch.tensor(example.labels)
    return {"input_ids": torch.from_numpy(batch.ids), "attention_mask": torch.from_numpy(batch.mask), "labels": labels}
