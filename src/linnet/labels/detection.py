"""Which tagging does a file use? Answered from the pairs of neighbouring tags that occur in it."""

from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import chain, pairwise

from linnet.labels.tagging import OUTSIDE, is_allowed, split_tag

__all__ = ["TagPairs", "detect_tagging"]

Pair = tuple[str, str]


class TagPairs:
    """How often each pair of neighbouring tags occurs in a file, ends of sentences counted as `O`."""

    def __init__(self) -> None:
        self.counts: Counter[Pair] = Counter()

    def add(self, tags: Sequence[str]) -> None:
        """Take in one sentence."""
        if tags.count(OUTSIDE) != len(tags):
            self.counts.update(pairwise(chain((OUTSIDE,), tags, (OUTSIDE,))))


def detect_tagging(counts: Mapping[Pair, int]) -> str:
    """Return the likeliest tagging of a file with these pairs.

    The letters decide between the families. A file with B and I is `iob2` if it keeps its rules. If not, it is `iob1`
    where more mentions open with I than with B after another tag, and (broken) `iob2` otherwise.
    """
    letters = {tag[0] for _, tag in counts if tag != OUTSIDE}
    if letters & {"L", "U"}:
        return "bilou"
    if letters & {"E", "S", "M", "W"}:
        return "iobes"
    if letters == {"I"}:
        return "io"
    if all(is_allowed(before, tag, "iob2") for before, tag in counts):
        return "iob2"
    opened = Counter[str]()
    for (before, tag), number in counts.items():
        prefix, label = split_tag(tag)
        if label and label != split_tag(before)[1]:
            opened[prefix] += number
    return "iob1" if opened["I"] > opened["B"] else "iob2"
