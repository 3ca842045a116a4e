"""Counts the mentions that a job leaves out on request, whichever of its steps does it."""

from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

__all__ = ["BY_CONFIDENCE", "BY_LABEL", "count_left_out", "counting_left_out", "describe_left_out"]

BY_CONFIDENCE, BY_LABEL = "confidence", "label"  # why a mention is left out
COUNTED: ContextVar[Counter[tuple[str, str]] | None] = ContextVar("left_out", default=None)


@contextmanager
def counting_left_out() -> Iterator[Counter[tuple[str, str]]]:
    """Give a counter of reason and label, which counts what is left out until the context is left."""
    counts: Counter[tuple[str, str]] = Counter()
    token = COUNTED.set(counts)
    try:
        yield counts
    finally:
        COUNTED.reset(token)


def count_left_out(reason: str, label: str, number: int = 1) -> None:
    """Count mentions of a label that are left out, if anybody wants to know."""
    counts = COUNTED.get()
    if counts is not None:
        counts[reason, label] += number


def describe_left_out(reason: str, label: str, number: int) -> str:
    """Return a sentence about mentions that were left out.

    >>> describe_left_out("label", "Gene", 1200), describe_left_out("confidence", "Gene", 3)
    ('mentions of Gene left out: 1,200', 'mentions of Gene with less confidence left out: 3')
    """
    why = " with less confidence" if reason == BY_CONFIDENCE else ""
    return f"mentions of {label}{why} left out: {number:,}"
