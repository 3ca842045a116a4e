"""Masking: rate, n-gram lengths, whole words, and never a special sub-word."""

from collections import Counter

import numpy as np
import pytest
from scipy.stats import chisquare
from tokenizers import Tokenizer, models

from linnet.errors import BadFile
from linnet.models.encoders import find_encoder
from linnet.pretraining.learning.masking import (
    MaskedSequence,
    Subwords,
    compute_ngram_shares,
    draw_ngrams,
    find_words,
    inspect_subwords,
    mask,
)
from linnet.settings.pretraining import MaskingSettings
from tests import tiny

DRAWS = 400


def subwords(family: str = "bert") -> Subwords:
    return inspect_subwords(find_encoder(str(tiny.encoder(family))).backend)


def sequence(family: str = "bert", n_words: int = 60) -> np.ndarray[tuple[int], np.dtype[np.int64]]:
    """Return words of one to several sub-words with the special ones around them."""
    tokenizer = find_encoder(str(tiny.encoder(family))).backend
    words = tiny.words()
    text = " ".join(words[number % len(words)] for number in range(n_words))
    return np.array(tokenizer.encode(text).ids, dtype=np.int64)


def drawn(unit: str, *, rate: float = 0.15, family: str = "bert", draws: int = DRAWS) -> list[MaskedSequence]:
    settings = MaskingSettings.model_validate({"unit": unit, "rate": rate})
    ids, known = sequence(family), subwords(family)
    return [mask(ids, known, settings, np.random.default_rng((7, number))) for number in range(draws)]


@pytest.mark.parametrize("unit", ["subword", "word", "ngram"])
@pytest.mark.parametrize("rate", [0.15, 0.4])
def test_the_share_of_masked_subwords_is_the_rate(unit: str, rate: float) -> None:
    ids = sequence()
    n_ordinary = int((~subwords().is_special[ids]).sum())

    shares = [len(found.positions) / n_ordinary for found in drawn(unit, rate=rate)]

    error = np.std(shares) / len(shares) ** 0.5
    assert np.mean(shares) == pytest.approx(rate, abs=4 * error)
    assert error < 0.01  # the vocabulary of the tiny encoder differs a little from process to process


@pytest.mark.parametrize("family", ["bert", "albert", "roberta"])
@pytest.mark.parametrize("unit", ["word", "ngram"])
def test_whole_words_stay_whole(unit: str, family: str) -> None:
    ids = sequence(family)
    words = find_words(ids, subwords(family))
    lengths = words[:, 1] - words[:, 0]

    for found in drawn(unit, family=family, draws=50):
        hidden = set(found.positions.tolist())
        for first, end in words:
            assert len(hidden & set(range(first, end))) in (0, end - first)

    assert lengths.max() > 2  # else there would be nothing to see
    assert lengths.sum() == int((~subwords(family).is_special[ids]).sum())


def test_lengths_of_ngrams_are_drawn_in_proportion_to_one_over_n() -> None:
    # 1/1 : 1/2 : 1/3 = 6/11, 3/11, 2/11 (ALBERT, Lan et al. 2020, section 4.1 (equation for p(n)))
    assert compute_ngram_shares(3) == pytest.approx([6 / 11, 3 / 11, 2 / 11])
    follows = np.append(False, np.ones(99, dtype=bool))

    lengths = Counter(
        n for seed in range(600) for _, n in draw_ngrams(follows, 0.15, 3, np.random.default_rng((1, seed)))
    )

    seen = [lengths[n] for n in (1, 2, 3)]
    assert sum(seen) > 5000
    assert chisquare(seen, [share * sum(seen) for share in compute_ngram_shares(3)]).pvalue > 0.01


def test_ngrams_neither_overlap_nor_reach_over_a_gap() -> None:
    follows = np.array([False, True, True, False, True, True, True, False, True])

    for seed in range(200):
        ngrams = draw_ngrams(follows, 0.6, 3, np.random.default_rng(seed))

        words = [word for first, n in ngrams for word in range(first, first + n)]
        assert len(words) == len(set(words))
        assert all(follows[first + 1 : first + n].all() for first, n in ngrams)


def test_the_same_seed_masks_the_same_and_another_does_not() -> None:
    first, second = drawn("ngram", draws=20), drawn("ngram", draws=20)

    assert all(
        np.array_equal(one.ids, other.ids) and np.array_equal(one.positions, other.positions)
        for one, other in zip(first, second, strict=True)
    )
    assert len({tuple(found.positions) for found in first}) > 15


def test_eight_of_ten_become_the_mask_one_another_and_one_stays() -> None:
    ids, known = sequence(), subwords()
    counts: Counter[str] = Counter()

    for found in drawn("subword"):
        assert np.array_equal(found.targets, ids[found.positions])
        untouched = np.setdiff1d(np.arange(len(ids)), found.positions)
        assert np.array_equal(found.ids[untouched], ids[untouched])
        now = found.ids[found.positions]
        counts["masked"] += int((now == known.mask_id).sum())
        counts["kept"] += int((now == found.targets).sum())
        counts["all"] += len(now)

    # one of the replaced in 73 is replaced by itself
    assert counts["masked"] / counts["all"] == pytest.approx(0.8, abs=0.015)
    assert counts["kept"] / counts["all"] == pytest.approx(0.1, abs=0.015)


@pytest.mark.parametrize("unit", ["subword", "word", "ngram"])
def test_special_subwords_are_neither_masked_nor_drawn_as_replacements(unit: str) -> None:
    known = subwords()
    ids = np.concatenate([sequence(), sequence()])  # with two special ones in the middle
    settings = MaskingSettings.model_validate({"unit": unit, "rate": 0.5, "keep": 0.0, "replace": 0.5})

    for seed in range(100):
        found = mask(ids, known, settings, np.random.default_rng(seed))

        assert not known.is_special[found.targets].any()
        changed = found.ids[found.positions]
        assert not known.is_special[changed[changed != known.mask_id]].any()


def test_a_sequence_of_special_subwords_alone_has_nothing_to_mask() -> None:
    known = subwords()
    ids = np.array([known.special_ids["cls"], known.special_ids["sep"]])

    assert len(mask(ids, known, MaskingSettings(), np.random.default_rng(1)).positions) == 0


def test_a_single_word_is_masked_whatever_the_rate() -> None:
    known = subwords()
    ids = np.array([known.special_ids["cls"], known.ordinary[3], known.special_ids["sep"]])

    assert mask(ids, known, MaskingSettings(rate=0.01), np.random.default_rng(1)).positions.tolist() == [1]


def test_a_tokenizer_without_a_mask_is_refused() -> None:
    vocabulary = {"[CLS]": 0, "[SEP]": 1, "[PAD]": 2, "a": 3}
    with pytest.raises(BadFile, match=r"the tokenizer has no \[MASK\] or <mask>"):
        inspect_subwords(Tokenizer(models.WordPiece(vocabulary, unk_token="[PAD]")))
