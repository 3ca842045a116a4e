"""Words that stand for one another."""

import numpy as np

from linnet.tasks.linking.vocabularies.arrays import Texts
from linnet.tasks.linking.vocabularies.variants import Variants, mine_variants

ORGANS = "breast lung skin colon".split()


def variants_of(*concepts: list[str]) -> Variants:
    arrays = mine_variants(concepts)
    words, others = (Texts(arrays[f"variant_{kind}s"], arrays[f"variant_{kind}_start"]) for kind in ("word", "other"))
    return Variants(words, arrays["variant_start"], others, arrays["variant_share"])


def test_a_pair_that_several_concepts_show_is_found() -> None:
    variants = variants_of(*([f"{organ} cancer", f"neoplasm {organ}"] for organ in ORGANS))

    assert list(variants.of("liver cancer")) == ["liver neoplasm", "neoplasm liver"]
    assert list(variants.of("primary liver cancer")) == ["primary liver neoplasm"]


def test_one_concept_is_no_proof() -> None:
    assert not list(variants_of(["breast cancer", "breast neoplasm"]).of("liver cancer"))


def test_words_of_different_concepts_are_no_variants() -> None:
    assert not list(variants_of(*([f"{organ} cancer"] for organ in ORGANS)).of("lung cancer"))


def test_numbers_and_letters_are_no_variants() -> None:
    variants = variants_of(*([f"{organ} type 1", f"{organ} type 2", f"{organ} type a"] for organ in ORGANS))

    assert not list(variants.of("liver type 1"))


def test_the_most_likely_variant_comes_first() -> None:
    often = [[f"{organ} cancer", f"{organ} neoplasm"] for organ in ORGANS]
    seldom = [[f"{organ} cancer", f"{organ} tumor"] for organ in ("eye", "ear", "nose")]

    found = list(variants_of(*often, *seldom).of("primary liver cancer"))

    assert found == ["primary liver neoplasm", "primary liver tumor"]


def test_single_words_and_long_names_have_no_variants() -> None:
    variants = variants_of(*([f"{organ} cancer", f"{organ} neoplasm"] for organ in ORGANS))

    assert not list(variants.of("cancer"))
    assert not list(variants.of("cancer of five or six other kinds"))


def test_a_vocabulary_without_pairs_has_empty_arrays() -> None:
    assert np.array_equal(mine_variants([])["variant_start"], [0])
