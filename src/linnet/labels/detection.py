"""Which tagging does a file use? Answered from the pairs of neighbouring tags that occur in it."""

from collections.abc import Iterable, Sequence
from itertools import chain, pairwise

from linnet.labels.tagging import OUTSIDE, is_allowed

__all__ = ["TagPairs", "detect_tagging"]


class TagPairs:
    """The distinct pairs of neighbouring tags of a file, ends of sentences counted as `O`."""

    def __init__(self) -> None:
        self.pairs: set[tuple[str, str]] = set()

    def add(self, tags: Sequence[str]) -> None:
        """Take in one sentence."""
        self.pairs.update(pairwise(chain((OUTSIDE,), tags, (OUTSIDE,))))

    @property
    def tags(self) -> set[str]:
        """Every tag that occurs."""
        return {tag for _, tag in self.pairs}


def detect_tagging(pairs: Iterable[tuple[str, str]]) -> str:
    """Return the tagging that allows all pairs; where several do, or none does, the likeliest.

    The letters decide between the families. `iob1` is chosen over `iob2` only where the pairs fit it and do not
    fit `iob2`, so a broken IOB2 file is still read as (broken) IOB2.
    """
    known = set(pairs)
    letters = {tag[0] for _, tag in known if tag != OUTSIDE}
    if letters & {"L", "U"}:
        return "bilou"
    if letters & {"E", "S"}:
        return "iobes"
    if letters == {"I"}:
        return "io"
    for tagging in ("iob2", "iob1"):
        if all(is_allowed(before, tag, tagging) for before, tag in known):
            return tagging
    return "iob2"
