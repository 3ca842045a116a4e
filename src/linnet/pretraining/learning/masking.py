"""What is hidden of a sequence, to be guessed?

Hidden are single sub-words, whole words, or n-grams of whole words. How many units are drawn depends on the length of
the sequence alone, never on what was drawn before, so that lengths are distributed as stated and the share of hidden
sub-words is the rate on average. Of the chosen sub-words most become the mask, some another sub-word, some stay
(Devlin et al. 2019).
"""

import string
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray
from tokenizers import Tokenizer, models

from linnet.errors import BadFile
from linnet.settings.pretraining import MaskingSettings

__all__ = ["Masked", "Subwords", "draw_ngrams", "mask", "ngram_shares", "subwords_of", "words_of"]

SPECIAL_NAMES = {  # what the families call them
    "cls": ("[CLS]", "<s>", "<cls>"),
    "sep": ("[SEP]", "</s>", "<sep>"),
    "pad": ("[PAD]", "<pad>"),
    "unk": ("[UNK]", "<unk>"),
    "mask": ("[MASK]", "<mask>"),
}
METASPACE, BYTE_SPACE = "▁", "Ġ"  # how Unigram and byte-level BPE write the space before a word

Numbers = NDArray[np.int64]
Flags = NDArray[np.bool_]


@dataclass(frozen=True)
class Subwords:
    """What masking must know of a tokenizer's sub-words."""

    special_ids: dict[str, int]  # of cls, sep, pad, unk, mask, as far as there are any
    special_tokens: dict[str, str]
    is_special: Flags  # (vocabulary,)
    is_start: Flags  # (vocabulary,): does a word begin with it?
    ordinary: Numbers  # all that one may be replaced by

    @property
    def mask_id(self) -> int:
        """The sub-word that stands for a hidden one."""
        return self.special_ids["mask"]


@dataclass(frozen=True)
class Masked:
    """A sequence with something hidden."""

    ids: Numbers  # as the network reads them
    places: Numbers  # ascending, where something is to be guessed
    targets: Numbers  # what stood there


def subwords_of(tokenizer: Tokenizer) -> Subwords:
    """Return which sub-words are special, and with which a word begins, as the tokenizer's kind writes it.

    Raises:
        BadFile: where a sub-word is missing without which nothing can be masked.
    """
    vocabulary = tokenizer.get_vocab(with_added_tokens=True)
    size = max(vocabulary.values()) + 1
    added = tokenizer.get_added_tokens_decoder()
    tokens = {role: next((name for name in names if name in vocabulary), None) for role, names in SPECIAL_NAMES.items()}
    missing = [role for role in ("cls", "sep", "pad", "mask") if tokens[role] is None]
    if missing:
        expected = ", ".join(" or ".join(SPECIAL_NAMES[role]) for role in missing)
        raise BadFile(f"the tokenizer has no {expected}", "give an encoder that was made for masked language modelling")
    found = {role: token for role, token in tokens.items() if token is not None}
    is_special, is_start, is_known = (np.zeros(size, dtype=bool) for _ in range(3))
    is_special[[vocabulary[token] for token in found.values()]] = True
    is_special[[number for number, token in added.items() if token.special]] = True
    is_known[list(vocabulary.values())] = True
    continues = _continuation(tokenizer)
    is_start[[number for token, number in vocabulary.items() if number in added or not continues(token)]] = True
    ordinary = np.flatnonzero(is_known & ~is_special)
    return Subwords({role: vocabulary[token] for role, token in found.items()}, found, is_special, is_start, ordinary)


class _continuation:  # noqa: N801 — called like a function
    """Says whether a sub-word goes on with a word that began before it."""

    def __init__(self, tokenizer: Tokenizer) -> None:
        model = tokenizer.model
        self.prefix = getattr(model, "continuing_subword_prefix", None) or ""
        self.is_marked = isinstance(model, models.WordPiece) or bool(self.prefix)

    def __call__(self, token: str) -> bool:
        if self.is_marked:
            return token.startswith(self.prefix) and token != self.prefix
        # punctuation that stands right after a word is a word of its own, as in the authors' code for ALBERT
        return not token.startswith((METASPACE, BYTE_SPACE)) and token[:1] not in string.punctuation


def words_of(ids: Numbers, subwords: Subwords, *, single: bool = False) -> Numbers:
    """Return first place and end of each word (words, 2); special sub-words belong to none.

    Args:
        ids: of the sequence, with its special sub-words.
        subwords: what is known of them.
        single: take each sub-word for a word.
    """
    is_ordinary = ~subwords.is_special[ids]
    begins = subwords.is_start[ids].copy()
    begins[0] = True
    begins[1:] |= ~is_ordinary[:-1]  # what follows a special one begins anew
    if single:
        begins[:] = True
    firsts = np.flatnonzero(begins & is_ordinary)
    breaks = np.append(np.flatnonzero(begins | ~is_ordinary), len(ids))
    ends = breaks[np.searchsorted(breaks, firsts, side="right")]
    return np.stack([firsts, ends], axis=1)


def ngram_shares(longest: int) -> list[float]:
    """Return how often n-grams of 1, 2, ... words are drawn: in proportion to 1/n (ALBERT; Lan et al. 2020).

    >>> [round(share, 4) for share in ngram_shares(3)]
    [0.5455, 0.2727, 0.1818]
    """
    whole = sum(Fraction(1, n) for n in range(1, longest + 1))
    return [float(Fraction(1, n) / whole) for n in range(1, longest + 1)]


def draw_ngrams(follows: Flags, rate: float, longest: int, generator: np.random.Generator) -> list[tuple[int, int]]:
    """Return n-grams that do not overlap, as first word and number of words.

    A length that finds no place any more gives way to the next shorter one, which happens at high rates only.

    Args:
        follows: for each word (words,), does it stand right after the one before?
        rate: share of the words that is wanted on average.
        longest: words of the longest n-gram.
        generator: what draws.
    """
    n_words = len(follows)
    shares = ngram_shares(min(longest, max(1, n_words)))
    mean_length = sum(n * share for n, share in enumerate(shares, 1))
    wanted = max(1, int(rate * n_words / mean_length + generator.random()))
    if len(shares) == 1:
        chosen = generator.choice(n_words, size=min(wanted, n_words), replace=False)
        return [(int(word), 1) for word in chosen]
    lengths = generator.choice(len(shares), size=wanted, p=shares) + 1
    is_free = np.ones(n_words, dtype=bool)
    ngrams: list[tuple[int, int]] = []
    for wish in lengths:
        for n in range(int(wish), 0, -1):
            places = _places(is_free, follows, n)
            if len(places):
                first = int(places[generator.integers(len(places))])
                is_free[first : first + n] = False
                ngrams.append((first, n))
                break
    return ngrams


def mask(ids: Numbers, subwords: Subwords, settings: MaskingSettings, generator: np.random.Generator) -> Masked:
    """Return the sequence with something hidden; the same generator hides the same.

    Args:
        ids: of the sequence, with its special sub-words, which are never chosen.
        subwords: what is known of them.
        settings: what is hidden together, how much, and what becomes of it.
        generator: what draws.
    """
    words = words_of(ids, subwords, single=settings.unit == "subword")
    if not len(words):
        nothing = np.zeros(0, dtype=np.int64)
        return Masked(ids, nothing, nothing)
    follows = np.append(False, words[1:, 0] == words[:-1, 1])
    longest = settings.longest_ngram if settings.unit == "ngram" else 1
    ngrams = draw_ngrams(follows, settings.rate, longest, generator)
    places = _sorted_places([(words[first, 0], words[first + n - 1, 1]) for first, n in ngrams])
    changed, fate = ids.copy(), generator.random(len(places))
    is_replaced = fate < settings.replace
    is_hidden = fate >= settings.replace + settings.keep
    changed[places[is_hidden]] = subwords.mask_id
    n_replaced = int(is_replaced.sum())
    changed[places[is_replaced]] = subwords.ordinary[generator.integers(len(subwords.ordinary), size=n_replaced)]
    return Masked(changed, places, ids[places])


def _places(is_free: Flags, follows: Flags, n: int) -> Numbers:
    """Return the words with which an n-gram could begin."""
    fits = is_free.copy()
    for ahead in range(1, n):
        fits[:-ahead] &= is_free[ahead:] & follows[ahead:]
        fits[-ahead:] = False
    return np.flatnonzero(fits)


def _sorted_places(stretches: Sequence[tuple[int, int]]) -> Numbers:
    return np.concatenate([np.arange(first, end) for first, end in sorted(stretches)])
