"""Assigns groups of items to parts, so that each part gets its share of the items and of every label.

The groups that matter most come first: those with many items or many occurrences of rare labels. Each goes to the part
that still lacks most of what it holds. The many small groups at the end even out what is left.
"""

import random
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

__all__ = ["Group", "assign"]

ITEMS = ""  # counted like a label; no label is empty


@dataclass(frozen=True, slots=True)
class Group:
    """Items that stay together."""

    items: tuple[int, ...]
    labels: Mapping[str, int]  # how often each occurs in them

    def amounts(self) -> dict[str, int]:
        """Return how much of everything it holds that is dealt out: items, and each label."""
        return {ITEMS: len(self.items), **self.labels}


def assign(groups: Sequence[Group], shares: Sequence[float], *, seed: int) -> list[int]:
    """Return the number of the part that each group goes to; the same seed gives the same parts."""
    amounts = [group.amounts() for group in groups]
    totals = Counter[str]()
    for amount in amounts:
        totals.update(amount)
    # The number of items is worth as much as all labels together.
    worth = {name: (max(1, len(totals) - 1) if name == ITEMS else 1) / total for name, total in totals.items()}
    order = random.Random(seed).sample(range(len(groups)), len(groups))
    order.sort(key=lambda number: -sum(worth[name] * each for name, each in amounts[number].items()))
    lacking = [{name: share * total for name, total in totals.items()} for share in shares]
    parts = [0] * len(groups)
    for number in order:
        gains = [
            sum(worth[name] * each * left[name] / (share * totals[name]) for name, each in amounts[number].items())
            for left, share in zip(lacking, shares, strict=True)
        ]
        parts[number] = gains.index(max(gains))
        for name, each in amounts[number].items():
            lacking[parts[number]][name] -= each
    return parts
