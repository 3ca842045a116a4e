"""Masking for masked language modelling: single sub-words, whole words, or n-grams of whole words.

The number of masked units depends on the length of the sequence alone, never on earlier draws. So n-gram lengths are
distributed as stated, and the share of masked sub-words is the rate on average. Most of the chosen sub-words become the
mask, some another sub-word, and some stay (Devlin et al. 2019).
"""

import string
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray
from tokenizers import Tokenizer, models

from linnet.errors import BadFile
from linnet.settings.pretraining import MaskingSettings

__all__ = [
    "MaskedSequence",
    "Subwords",
    "compute_ngram_shares",
    "draw_ngrams",
    "find_words",
    "inspect_subwords",
    "mask",
]

SPECIAL_NAMES = {  # by role, in all families
    "cls": ("[CLS]", "<s>", "<cls>"),
    "sep": ("[SEP]", "</s>", "<sep>"),
    "pad": ("[PAD]", "<pad>"),
    "unk": ("[UNK]", "<unk>"),
    "mask": ("[MASK]", "<mask>"),
}
METASPACE, BYTE_SPACE = "▁", "Ġ"  # the space before a word in Unigram and in byte-level BPE

Numbers = NDArray[np.int64]
Flags = NDArray[np.bool_]


@dataclass(frozen=True)
class Subwords:
    """The sub-words of a tokenizer: which are special, and which begin a word."""

    special_ids: dict[str, int]  # by role: cls, sep, pad, unk, mask, if there is one
    special_tokens: dict[str, str]
    is_special: Flags  # (vocabulary,)
    is_start: Flags  # (vocabulary,): does it begin a word?
    ordinary: Numbers  # ids that may replace another

    @property
    def mask_id(self) -> int:
        """Id of the mask."""
        return self.special_ids["mask"]


@dataclass(frozen=True)
class MaskedSequence:
    """A sequence with masked positions."""

    ids: Numbers  # as the network reads them
    positions: Numbers  # ascending, to be predicted
    targets: Numbers  # the original ids at these positions


def inspect_subwords(tokenizer: Tokenizer) -> Subwords:
    """Return which sub-words of a tokenizer are special, and which begin a word.

    Raises:
        BadFile: if a special sub-word that masking needs is missing.
    """
    vocabulary = tokenizer.get_vocab(with_added_tokens=True)
    size = max(vocabulary.values()) + 1
    added = tokenizer.get_added_tokens_decoder()
    tokens = {role: next((name for name in names if name in vocabulary), None) for role, names in SPECIAL_NAMES.items()}
    missing = [role for role in ("cls", "sep", "pad", "mask") if tokens[role] is None]
    if missing:
        expected = ", ".join(" or ".join(SPECIAL_NAMES[role]) for role in missing)
        raise BadFile(f"the tokenizer has no {expected}", "give an encoder that was made for masked language modelling")
    special_tokens = {role: token for role, token in tokens.items() if token is not None}
    is_special, is_start, is_known = (np.zeros(size, dtype=bool) for _ in range(3))
    is_special[[vocabulary[token] for token in special_tokens.values()]] = True
    is_special[[number for number, token in added.items() if token.special]] = True
    is_known[list(vocabulary.values())] = True
    is_continuation = _make_continuation_rule(tokenizer)
    is_start[[number for token, number in vocabulary.items() if number in added or not is_continuation(token)]] = True
    return Subwords(
        special_ids={role: vocabulary[token] for role, token in special_tokens.items()},
        special_tokens=special_tokens,
        is_special=is_special,
        is_start=is_start,
        ordinary=np.flatnonzero(is_known & ~is_special),
    )


def _make_continuation_rule(tokenizer: Tokenizer) -> Callable[[str], bool]:
    """Return the rule by which a sub-word continues a word, for the tokenizer's kind of vocabulary."""
    prefix = getattr(tokenizer.model, "continuing_subword_prefix", None) or ""
    if isinstance(tokenizer.model, models.WordPiece) or prefix:
        return lambda token: token.startswith(prefix) and token != prefix
    # punctuation right after a word is a word of its own, as in the authors' code for ALBERT
    return lambda token: not token.startswith((METASPACE, BYTE_SPACE)) and token[:1] not in string.punctuation


def find_words(ids: Numbers, subwords: Subwords, *, single: bool = False) -> Numbers:
    """Return start and end of each word (words, 2); special sub-words belong to none.

    Args:
        ids: of the sequence, with its special sub-words.
        subwords: of the tokenizer.
        single: treat each sub-word as a word.
    """
    is_ordinary = ~subwords.is_special[ids]
    begins = subwords.is_start[ids].copy()
    begins[0] = True
    begins[1:] |= ~is_ordinary[:-1]  # a special sub-word ends the word before it
    if single:
        begins[:] = True
    firsts = np.flatnonzero(begins & is_ordinary)
    breaks = np.append(np.flatnonzero(begins | ~is_ordinary), len(ids))
    ends = breaks[np.searchsorted(breaks, firsts, side="right")]
    return np.stack([firsts, ends], axis=1)


def compute_ngram_shares(longest: int) -> list[float]:
    """Return the shares of n-grams of 1, 2, ... words: in proportion to 1/n (ALBERT; Lan et al. 2020).

    >>> [round(share, 4) for share in compute_ngram_shares(3)]
    [0.5455, 0.2727, 0.1818]
    """
    total = sum(Fraction(1, n) for n in range(1, longest + 1))
    return [float(Fraction(1, n) / total) for n in range(1, longest + 1)]


def draw_ngrams(follows: Flags, rate: float, longest: int, generator: np.random.Generator) -> list[tuple[int, int]]:
    """Return n-grams that do not overlap, as first word and number of words.

    If a length does not fit any more, the next shorter one is used; this happens at high rates only.

    Args:
        follows: (words,) does the word directly follow the one before?
        rate: share of the words to draw, on average.
        longest: words of the longest n-gram.
        generator: source of random numbers.
    """
    n_words = len(follows)
    shares = compute_ngram_shares(min(longest, max(1, n_words)))
    mean_length = sum(n * share for n, share in enumerate(shares, 1))
    wanted = max(1, int(rate * n_words / mean_length + generator.random()))
    if len(shares) == 1:
        chosen = generator.choice(n_words, size=min(wanted, n_words), replace=False)
        return [(int(word), 1) for word in chosen]
    lengths = generator.choice(len(shares), size=wanted, p=shares) + 1
    is_free = np.ones(n_words, dtype=bool)
    ngrams: list[tuple[int, int]] = []
    for length in lengths:
        for n in range(int(length), 0, -1):
            starts = _find_starts(is_free, follows, n)
            if len(starts):
                first = int(starts[generator.integers(len(starts))])
                is_free[first : first + n] = False
                ngrams.append((first, n))
                break
    return ngrams


def mask(ids: Numbers, subwords: Subwords, settings: MaskingSettings, generator: np.random.Generator) -> MaskedSequence:
    """Return the masked sequence; the same state of the generator masks the same positions.

    Args:
        ids: of the sequence, with its special sub-words, which are never masked.
        subwords: of the tokenizer.
        settings: unit and rate of masking, and the shares that are kept or replaced.
        generator: source of random numbers.
    """
    words = find_words(ids, subwords, single=settings.unit == "subword")
    if not len(words):
        none = np.zeros(0, dtype=np.int64)
        return MaskedSequence(ids, none, none)
    follows = np.append(False, words[1:, 0] == words[:-1, 1])
    longest = settings.longest_ngram if settings.unit == "ngram" else 1
    ngrams = draw_ngrams(follows, settings.rate, longest, generator)
    positions = _list_positions([(words[first, 0], words[first + n - 1, 1]) for first, n in ngrams])
    changed, draw = ids.copy(), generator.random(len(positions))
    is_replaced = draw < settings.replace
    is_masked = draw >= settings.replace + settings.keep
    changed[positions[is_masked]] = subwords.mask_id
    n_replaced = int(is_replaced.sum())
    changed[positions[is_replaced]] = subwords.ordinary[generator.integers(len(subwords.ordinary), size=n_replaced)]
    return MaskedSequence(changed, positions, ids[positions])


def _find_starts(is_free: Flags, follows: Flags, n: int) -> Numbers:
    """Return the words at which an n-gram can begin."""
    fits = is_free.copy()
    for ahead in range(1, n):
        fits[:-ahead] &= is_free[ahead:] & follows[ahead:]
        fits[-ahead:] = False
    return np.flatnonzero(fits)


def _list_positions(ranges: Sequence[tuple[int, int]]) -> Numbers:
    return np.concatenate([np.arange(start, end) for start, end in sorted(ranges)])
