"""Trainings that are killed at a moment, or shared by two processes, for the tests.

Those of one corpus follow one recipe, those of several corpora and stages another.
"""

from typing import Any

__all__ = ["KILLED", "OF_SEVERAL_CORPORA", "SHARED_BY_TWO"]

KILLED: dict[str, tuple[list[str], list[tuple[str, int]]]] = {  # overrides, and the moments of death in turn
    "checkpoints after epochs": (
        ["optimiser.epochs=3", "checkpoint_minutes=0"],
        [
            *(("step", 2), ("saving", 2), ("epoch", 1), ("saving", 3), ("step", 5), ("removing", 1)),
            *(("epoch", 3), ("finishing", 1), ("moving", 2)),
        ],
    ),
    "checkpoints after each update, accumulated": (
        ["checkpoint_minutes=1e-9", "optimiser.batch_size=3", "optimiser.accumulation=2"],
        [("step", 2), ("saving", 2), ("removing", 1), ("epoch", 1), ("step", 6)],
    ),
    "a running average": (
        ["optimiser.average=0.8", "checkpoint_minutes=1e-9"],
        [("step", 2), ("saving", 2), ("epoch", 1), ("step", 5), ("finishing", 1)],
    ),
    "an adversary": (
        ["optimiser.adversarial=0.5", "checkpoint_minutes=1e-9"],
        [("step", 2), ("saving", 2), ("epoch", 1), ("finishing", 1)],
    ),
    "early stopping": (  # so slow that no epoch is better than the first
        ["optimiser.epochs=5", "selection.patience=2", "optimiser.learning_rate=1e-12", "loss.scheme=welt"],
        [("epoch", 2), ("step", 8), ("finishing", 1)],
    ),
    "two stages": (  # of 16 and 6 updates
        ["checkpoint_minutes=0", "keep_heads=true"],
        [("step", 11), ("second stage", 1), ("saving", 4), ("second stage", 5), ("removing", 1), ("finishing", 1)],
    ),
}
SHARED_BY_TWO: dict[str, tuple[list[Any]]] = {
    "two processes": (
        [
            *("optimiser.dropout=0.0", "optimiser.epochs=3", "optimiser.learning_rate=0.02"),
            *("checkpoint_minutes=1e-9", "loss.scheme=welt"),
        ],
    ),
    "two processes, two corpora": (["optimiser.dropout=0.0", "loss.scheme=welt", "keep_heads=true"],),
}
OF_SEVERAL_CORPORA = ("two stages", "two processes, two corpora")
