"""History of a training: losses, learning rates and devel scores by step and epoch."""

from collections.abc import Sequence
from dataclasses import asdict, dataclass, field, replace
from typing import Any

__all__ = ["DEVEL_F1", "DEVEL_LOSS", "DEVEL_SCORE", "EpochRow", "History", "Measured", "StepRow"]

DEVEL_F1, DEVEL_SCORE = "devel_f1", "devel_score"  # names of the score in files and trackers: of mentions, of texts
DEVEL_LOSS = "devel_loss"
OLD_NAMES = {"devel_f1": "score", "best_f1": "best_score"}


@dataclass(frozen=True)
class Measured:
    """Devel score and devel loss at the end of an epoch; None where not measured."""

    score: float | None = None  # on devel, or a perplexity
    loss: float | None = None  # on devel

    def named(self, score: str) -> dict[str, float]:
        """Return the values that were measured, by name; the score has this name."""
        found = {score: self.score, DEVEL_LOSS: self.loss}
        return {name: value for name, value in found.items() if value is not None}


@dataclass(frozen=True)
class StepRow:
    """The loss and the learning rate around one update."""

    step: int
    loss: float
    learning_rate: float


@dataclass(frozen=True)
class EpochRow:
    """One pass over the training split."""

    epoch: int
    step: int
    loss: float
    learning_rate: float
    score: float | None  # on devel, or a perplexity, as the task decides
    seconds: float
    tokens_per_second: float
    stage: int = 1
    devel_loss: float | None = None


@dataclass
class History:
    """The history so far, with everything that a resumed run must know of earlier steps."""

    epochs: list[EpochRow] = field(default_factory=list)
    steps: list[StepRow] = field(default_factory=list)
    best_epoch: int | None = None
    best_score: float | None = None
    is_stopped: bool = False
    precision: str | None = None  # number format; None until training begins
    loss_sum: float = 0.0  # of the epoch under way
    n_updates: int = 0
    n_tokens: int = 0
    seconds: float = 0.0

    def add_update(self, loss: float, n_tokens: int, *, seconds: float) -> None:
        """Count an update of the epoch under way."""
        self.loss_sum += loss
        self.n_updates += 1
        self.n_tokens += n_tokens
        self.seconds += seconds

    def close_epoch(self, epoch: int, step: int, learning_rate: float, measured: Measured) -> EpochRow:
        """Add the row of the epoch that just ended and return it; the sums start at zero again."""
        row = EpochRow(
            epoch=epoch,
            step=step,
            loss=self.loss_sum / max(1, self.n_updates),
            learning_rate=learning_rate,
            score=measured.score,
            seconds=self.seconds,
            tokens_per_second=self.n_tokens / self.seconds if self.seconds else 0.0,
            devel_loss=measured.loss,
        )
        self.epochs.append(row)
        self.loss_sum, self.n_updates, self.n_tokens, self.seconds = 0.0, 0, 0, 0.0
        return row

    def is_better(self, score: float | None) -> bool:
        """Is this the best epoch so far? Without a devel score the last epoch is."""
        return score is None or self.best_score is None or score > self.best_score

    def epochs_since_best(self) -> int:
        """How many epochs have passed without a better one, for early stopping (patience)?"""
        return len(self.epochs) - (self.best_epoch or 0)

    def rows(self, score: str = "score") -> list[dict[str, Any]]:
        """Return rows to write and plot: single steps, then epochs, whose score has this name.

        Epochs have a loss on devel where it was measured.
        """
        steps = [asdict(row) for row in self.steps]
        epochs = [
            {
                score if key == "score" else key: each
                for key, each in asdict(row).items()
                if key != DEVEL_LOSS or each is not None
            }
            for row in self.epochs
        ]
        return [*steps, *epochs]

    def as_dict(self) -> dict[str, Any]:
        """Return plain values."""
        return asdict(self)

    @classmethod
    def join(cls, stages: Sequence["History"]) -> "History":
        """Return one history of a training in stages; the best epoch is that of the last stage."""
        whole = cls()
        for number, stage in enumerate(stages, 1):
            n_epochs, n_steps = len(whole.epochs), whole.epochs[-1].step if whole.epochs else 0
            whole.epochs += [
                replace(row, epoch=row.epoch + n_epochs, step=row.step + n_steps, stage=number) for row in stage.epochs
            ]
            whole.steps += [replace(row, step=row.step + n_steps) for row in stage.steps]
            whole.best_epoch = None if stage.best_epoch is None else stage.best_epoch + n_epochs
            whole.best_score, whole.is_stopped = stage.best_score, stage.is_stopped
            whole.precision = stage.precision or whole.precision
        return whole

    @classmethod
    def from_dict(cls, found: dict[str, Any]) -> "History":
        """Return the history that `as_dict` gave; earlier versions called every score an F1."""
        found = {OLD_NAMES.get(key, key): value for key, value in found.items()}
        epochs = [EpochRow(**{OLD_NAMES.get(key, key): value for key, value in row.items()}) for row in found["epochs"]]
        steps = [StepRow(**row) for row in found["steps"]]
        return cls(**{**found, "epochs": epochs, "steps": steps})
