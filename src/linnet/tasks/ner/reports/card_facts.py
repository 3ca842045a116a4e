"""Facts about a tagger that its model card needs."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from linnet.reports.card_sections import Facts

__all__ = ["CardFacts"]


@dataclass(frozen=True, kw_only=True)
class CardFacts(Facts):
    """What the card tells."""

    labels: Sequence[str]
    tagging: str
    scores_by_split: Mapping[str, Mapping[str, Any]]  # in the shape of `linnet score --json`
    head: str = "linear"
