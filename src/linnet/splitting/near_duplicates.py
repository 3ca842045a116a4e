"""Near-duplicate texts: which ones belong together.

Two texts are near-duplicates if they share most of their runs of words: the Jaccard similarity of their shingles (runs
of three words, in lower case) is at least 0.5. Candidates share one of the 32 smallest hashes of their shingles
(bottom-k sketches, Broder 1997); each candidate is then compared by all of its shingles.
"""

import re
from collections import defaultdict
from collections.abc import Sequence
from hashlib import blake2b
from itertools import pairwise

__all__ = ["group_near_duplicates"]

LENGTH = 3  # words of a shingle
SIMILAR = 0.5
SKETCH = 32
MOST_SHARING = 200  # texts with one hash in common; above, it is boilerplate and tells nothing
WORD = re.compile(r"\w+")


def group_near_duplicates(texts: Sequence[str]) -> list[int]:
    """Return the number of each text's group: the position of the first text that it belongs together with.

    >>> group_near_duplicates(["no ataxia was found here", "something else", "No ataxia was found here!"])
    [0, 1, 0]
    """
    shingles = [_shingles(text) for text in texts]
    groups = list(range(len(texts)))
    for first, second in _candidates(shingles):
        a, b = _find(groups, first), _find(groups, second)
        if a != b and _similarity(shingles[first], shingles[second]) >= SIMILAR:
            groups[max(a, b)] = min(a, b)
    return [_find(groups, number) for number in range(len(texts))]


def _shingles(text: str) -> frozenset[int]:
    words = WORD.findall(text.casefold())
    runs = (words[at : at + LENGTH] for at in range(max(1, len(words) - LENGTH + 1)))
    return frozenset(_hash(" ".join(run)) for run in runs)


def _hash(run: str) -> int:
    """Return the same number in every process, which Python's own hash does not."""
    return int.from_bytes(blake2b(run.encode("utf-8", "surrogatepass"), digest_size=8).digest(), "big")


def _candidates(shingles: Sequence[frozenset[int]]) -> list[tuple[int, int]]:
    owners: dict[int, list[int]] = defaultdict(list)
    for number, found in enumerate(shingles):
        for value in sorted(found)[:SKETCH]:
            owners[value].append(number)
    sharing = (numbers for numbers in owners.values() if len(numbers) > 1)
    pairs = {pair for numbers in sharing for pair in _pairs(numbers)}
    return sorted(pairs)


def _pairs(numbers: list[int]) -> list[tuple[int, int]]:
    if len(numbers) > MOST_SHARING:  # equal texts must still meet: each with the next one
        return list(pairwise(numbers))
    return [(a, b) for at, a in enumerate(numbers) for b in numbers[at + 1 :]]


def _similarity(a: frozenset[int], b: frozenset[int]) -> float:
    shared = len(a & b)
    return shared / (len(a) + len(b) - shared)


def _find(groups: list[int], number: int) -> int:
    while groups[number] != number:
        groups[number] = groups[groups[number]]
        number = groups[number]
    return number
