"""Overlapping windows over long sentences, in which every word is predicted once."""

from collections.abc import Sequence
from itertools import accumulate, pairwise
from typing import NamedTuple

__all__ = ["Window", "plan_windows"]


class Window(NamedTuple):
    """Words `first` to `end` (exclusive) are read together; `own_first` to `own_end` are predicted here."""

    first: int
    end: int
    own_first: int
    own_end: int


def plan_windows(sizes: Sequence[int], *, capacity: int, overlap: int) -> list[Window]:
    """Return windows that cover all words; each word is owned by exactly one of them.

    The first half of the overlap of two windows belongs to the earlier window and the second half to the later one, so
    that each word is predicted where it has most context.

    Args:
        sizes: the number of sub-words of each word; more than the capacity counts as the capacity.
        capacity: sub-words that fit into a window.
        overlap: sub-words that two neighbouring windows share at most; windows begin and end between words.

    >>> plan_windows([1] * 10, capacity=6, overlap=2)
    [Window(first=0, end=6, own_first=0, own_end=5), Window(first=4, end=10, own_first=5, own_end=10)]
    """
    fitted = [min(size, capacity) for size in sizes]
    if sum(fitted) <= capacity:
        return [Window(0, len(sizes), 0, len(sizes))]
    bounds = list(_find_bounds([0, *accumulate(fitted)], capacity, overlap))
    cuts = [_find_middle(fitted, later[0], earlier[1]) for earlier, later in pairwise(bounds)]
    edges = [0, *cuts, len(sizes)]
    return [
        Window(first, end, own_first, own_end)
        for (first, end), (own_first, own_end) in zip(bounds, pairwise(edges), strict=True)
        if own_first < own_end  # a window next to a very long word may own no word
    ]


def _find_bounds(before: list[int], capacity: int, overlap: int) -> list[tuple[int, int]]:
    """Return (first, end) of each window; `before[i]` is the number of sub-words before word i."""
    n_words = len(before) - 1
    bounds: list[tuple[int, int]] = []
    first = 0
    while True:
        end = first + 1
        while end < n_words and before[end + 1] - before[first] <= capacity:
            end += 1
        bounds.append((first, end))
        if end == n_words:
            return bounds
        following = end
        while following - 1 > first and before[end] - before[following - 1] <= overlap:
            following -= 1
        first = following


def _find_middle(sizes: list[int], start: int, end: int) -> int:
    """Return the word that divides the shared words start..end into halves by sub-words."""
    half = sum(sizes[start:end]) / 2
    passed = 0.0
    for index in range(start, end):
        if passed >= half:
            return index
        passed += sizes[index]
    return end
