"""Words that stand for one another in the names of a vocabulary: `renal` and `kidney`, `tumor` and `neoplasm`.

Where two names of one concept differ in one word, the two words may replace each other. Pairs that at least three
concepts show, and that make up at least 2 % of the names with the first word, are kept, eight for a word at most. Words
with digits or fewer than three letters are no pairs, since `type 1` and `type 2` name different concepts.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import permutations

import numpy as np

from linnet.tasks.linking.vocabularies.arrays import Array, Texts, pack_texts

__all__ = ["Variants", "mine_variants"]

FEWEST_CONCEPTS = 3
LEAST_SHARE = 20  # in thousandths
MOST_VARIANTS = 8  # of a word
MOST_WORDS, MOST_FORMS, MOST_ALTERNATIVES = 5, 60, 10  # of a name, of a concept, and of one place in a name


def mine_variants(forms_of_concepts: Iterable[Sequence[str]]) -> dict[str, Array]:
    """Return the arrays of the word pairs that the normalised names of each concept show."""
    n_by_pair: Counter[tuple[str, str]] = Counter()
    n_by_word: Counter[str] = Counter()
    for forms in forms_of_concepts:
        bags = sorted({tuple(sorted(form.split())) for form in forms})
        bags = [bag for bag in bags if 1 < len(bag) <= MOST_WORDS]
        for bag in bags:
            n_by_word.update(bag)
        if 1 < len(bags) <= MOST_FORMS:
            n_by_pair.update(_pairs_of(bags))
    found: dict[str, list[tuple[int, str]]] = {}
    for (word, other), number in n_by_pair.items():
        share = 1000 * number // n_by_word[word]
        if number >= FEWEST_CONCEPTS and share >= LEAST_SHARE:
            found.setdefault(word, []).append((-share, other))
    return _pack({word: sorted(others)[:MOST_VARIANTS] for word, others in found.items()})


class Variants:
    """The word pairs of a vocabulary."""

    def __init__(self, words: Texts, starts: Array, others: Texts, shares: Array) -> None:
        self._words, self._starts, self._others, self._shares = words, starts, others, shares

    def of(self, form: str) -> Iterator[str]:
        """Yield the normalised name with one word replaced, the most likely variants first.

        A name of two words comes in both orders, since `renal cancer` is `cancer, kidney`.
        """
        words = form.split()
        if not 1 < len(words) <= MOST_WORDS:
            return
        found = [(share, place, other) for place, word in enumerate(words) for share, other in self._variants_of(word)]
        for _, place, other in sorted(found):
            changed = [*words[:place], other, *words[place + 1 :]]
            yield " ".join(changed)
            if len(changed) == 2:
                yield " ".join(reversed(changed))

    def _variants_of(self, word: str) -> list[tuple[int, str]]:
        place = self._words.find(word)
        if place is None:
            return []
        rows = range(int(self._starts[place]), int(self._starts[place + 1]))
        return [(-int(self._shares[row]), self._others[row]) for row in rows]


def _pairs_of(bags: Iterable[tuple[str, ...]]) -> set[tuple[str, str]]:
    """Return the pairs of words in which two bags of words differ."""
    words_by_rest: dict[tuple[str, ...], set[str]] = {}
    for bag in bags:
        for place, word in enumerate(bag):
            if len(word) > 2 and word.isalpha():
                words_by_rest.setdefault((*bag[:place], *bag[place + 1 :]), set()).add(word)
    groups = (words for words in words_by_rest.values() if 1 < len(words) <= MOST_ALTERNATIVES)
    return {pair for words in groups for pair in permutations(words, 2)}


def _pack(variants: dict[str, list[tuple[int, str]]]) -> dict[str, Array]:
    words = sorted(variants, key=str.encode)
    text, starts = pack_texts(words)
    others, other_starts = pack_texts(other for word in words for _, other in variants[word])
    return {
        "variant_words": text,
        "variant_word_start": starts,
        "variant_start": np.concatenate([[0], np.cumsum([len(variants[word]) for word in words])]).astype(np.int32),
        "variant_others": others,
        "variant_other_start": other_starts,
        "variant_share": np.array([-share for word in words for share, _ in variants[word]], dtype=np.int16),
    }
