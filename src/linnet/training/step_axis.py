"""The steps that trackers see: counted on over the stages of a training, on one axis."""

from collections.abc import Iterator
from contextlib import contextmanager

from transformers import TrainerState

from linnet.training.history import History

__all__ = ["counting_on"]


@contextmanager
def counting_on(state: TrainerState, before: History) -> Iterator[None]:
    """Let the state count from the end of the stages before, while trackers read it."""
    n_steps, n_epochs = (before.epochs[-1].step if before.epochs else 0), len(before.epochs)
    own = state.global_step, state.epoch
    state.global_step += n_steps
    state.epoch = None if state.epoch is None else state.epoch + n_epochs
    try:
        yield
    finally:
        state.global_step, state.epoch = own
