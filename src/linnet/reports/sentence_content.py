"""A mention of a reviewed sentence as web pages hold it: in the offsets of a browser, labels as numbers."""

import math
from collections.abc import Mapping, Sequence
from itertools import accumulate
from typing import Any

from linnet.labels.mention import Mention
from linnet.reports.review import ReviewedSentence

__all__ = ["browser_offsets", "mention_content"]

FIRST_OF_TWO_UNITS = "\U00010000"  # from here on JavaScript counts a character twice


def browser_offsets(text: str) -> Sequence[int]:
    """Return where each character begins when JavaScript counts, which counts UTF-16 units."""
    if not text or max(text) < FIRST_OF_TWO_UNITS:
        return range(len(text) + 1)
    return [0, *accumulate(1 + (character >= FIRST_OF_TWO_UNITS) for character in text)]


def mention_content(
    sentence: ReviewedSentence,
    mention: Mention,
    score: float | None,
    offsets: Sequence[int],
    label_numbers: Mapping[str, int],
) -> list[Any]:
    """Return start, end, number of the label, score and pieces; what is unknown at the end is left out."""
    start, end = sentence.place(mention)
    pieces = (
        [[offsets[first], offsets[last]] for first, last in sentence.pieces(mention)] if mention.fragments else None
    )
    shown = round(score, 4) if score is not None and math.isfinite(score) else None
    content = [offsets[start], offsets[end], label_numbers[mention.label], shown, pieces]
    while content[-1] is None:  # a page has many mentions
        content.pop()
    return content
