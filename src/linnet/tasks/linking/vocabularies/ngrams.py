"""Character n-grams of normalised names, as numbers.

A name is a set of the 3- and 4-grams of its words. A word begins and ends with a space, and no n-gram reaches into two
words, so the order of words does not matter. An n-gram is the number that its characters make in the alphabet of the
vocabulary; characters that the vocabulary lacks share one place in it.
"""

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

__all__ = ["Codes", "alphabet_of", "codes_of", "codes_of_many", "largest_code"]

Codes = npt.NDArray[np.int64]
Alphabet = npt.NDArray[np.uint32]
SPACE, BREAK = ord(" "), ord("\n")  # the second stands between names


def alphabet_of(names: Sequence[str]) -> Alphabet:
    """Return the characters of the names and the two that separate words and names, sorted."""
    found = set(" \n").union("".join(names))
    return np.array(sorted(map(ord, found)), dtype=np.uint32)


def largest_code(alphabet: Alphabet) -> int:
    """Return the largest number that an n-gram of this alphabet can have."""
    size = len(alphabet) + 1
    return size**3 + size**4


def codes_of(name: str, alphabet: Alphabet) -> Codes:
    """Return the distinct n-grams of one normalised name, sorted."""
    return np.unique(codes_of_many([name], alphabet)[1])


def codes_of_many(names: Sequence[str], alphabet: Alphabet) -> tuple[npt.NDArray[np.int64], Codes]:
    """Return the n-grams of several normalised names: the place of each one's name in the list, and its number."""
    text = "\n".join(f" {name} " for name in names) + "\n"
    points = np.frombuffer(text.encode("utf-32-le"), dtype=np.uint32)
    places = np.minimum(np.searchsorted(alphabet, points), len(alphabet) - 1)
    letters = np.where(alphabet[places] == points, places, len(alphabet)).astype(np.int64)
    is_space, is_break = points == SPACE, points == BREAK
    name_of_letter = np.cumsum(is_break) - is_break
    size = len(alphabet) + 1
    three = (letters[:-2] * size + letters[1:-1]) * size + letters[2:]
    has_three = ~(is_space[1:-1] | is_break[:-2] | is_break[1:-1] | is_break[2:])
    four = size**3 + three[:-1] * size + letters[3:]
    has_four = has_three[:-1] & has_three[1:]
    owners = np.concatenate([name_of_letter[:-2][has_three], name_of_letter[:-3][has_four]])
    return owners, np.concatenate([three[has_three], four[has_four]])
