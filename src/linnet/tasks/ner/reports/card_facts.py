"""What must be known of a model that marks mentions to write its card?"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

__all__ = ["CardFacts"]


@dataclass(frozen=True)
class CardFacts:
    """What the card tells."""

    name: str
    encoder: str
    labels: Sequence[str]
    tagging: str
    corpus: str
    fingerprints: Mapping[str, str]  # digest by split
    counts_by_split: Mapping[str, Mapping[str, int]]  # sentences and mentions
    scheme: str
    loss: str
    weights: Mapping[str, float]  # by tag
    seed: int
    epochs: int
    best_epoch: int | None
    settings: Mapping[str, Any]  # flat; each has its own type
    scores_by_split: Mapping[str, Mapping[str, Any]]  # in the shape of `linnet score --json`
    versions: Mapping[str, str]
    command: str
    licence: str | None = None
    head: str = "linear"
