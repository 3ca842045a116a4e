"""Character n-grams as numbers."""

import numpy as np

from linnet.tasks.linking.vocabularies.ngrams import alphabet_of, codes_of, codes_of_many, largest_code


def grams_of(name: str) -> set[str]:
    """Return the n-grams by plain slicing."""
    words = [f" {word} " for word in name.split()]
    return {word[start : start + size] for word in words for size in (3, 4) for start in range(len(word) - size + 1)}


def test_a_name_has_the_grams_of_its_words() -> None:
    names = ["breast cancer", "k", "αβγ x", "fk 506"]
    alphabet = alphabet_of(names)

    for name in names:
        assert len(codes_of(name, alphabet)) == len(grams_of(name))


def test_names_share_numbers_where_they_share_grams() -> None:
    alphabet = alphabet_of(["ovarian cancer", "cancer breast"])

    shared = np.intersect1d(codes_of("ovarian cancer", alphabet), codes_of("cancer breast", alphabet))

    assert len(shared) == len(grams_of("ovarian cancer") & grams_of("cancer breast"))


def test_the_order_of_words_does_not_matter() -> None:
    alphabet = alphabet_of(["breast cancer"])

    assert codes_of("breast cancer", alphabet).tolist() == codes_of("cancer breast", alphabet).tolist()


def test_several_names_have_the_grams_of_each() -> None:
    names = ["breast cancer", "", "k"]
    alphabet = alphabet_of(names)

    owners, codes = codes_of_many(names, alphabet)

    for place, name in enumerate(names):
        assert sorted(set(codes[owners == place].tolist())) == codes_of(name, alphabet).tolist()
    assert codes.max() <= largest_code(alphabet)


def test_unknown_characters_make_no_known_gram() -> None:
    alphabet = alphabet_of(["abc"])

    assert not np.isin(codes_of("a漢c", alphabet), codes_of("abc", alphabet)).any()
