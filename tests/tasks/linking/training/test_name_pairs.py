"""Pairs of names for contrastive learning."""

import random
from pathlib import Path

from linnet.tasks.linking.linker import Linker
from linnet.tasks.linking.training.name_pairs import pair_mentions, pair_names
from linnet.tasks.linking.training.prepared import prepare
from linnet.tasks.linking.training.searched import Searched, search_documents
from linnet.tasks.linking.vocabularies.normalisation import normalise
from tests.tasks.linking.corpora import linking_settings, tiny_vocabulary


def searched_train(folder: Path) -> list[Searched]:
    prepared = prepare(linking_settings(folder))
    return search_documents(Linker(prepared.vocabulary), prepared.documents["train"], prepared.gold)


def test_synonyms_are_pairs_and_names_of_others_are_not() -> None:
    vocabulary = tiny_vocabulary()

    pairs = pair_names(vocabulary, 1000, random.Random(1))

    assert pairs
    for pair in pairs:
        names = vocabulary.names_of(pair.concept)
        assert {pair.first, pair.second} <= set(names)
        assert normalise(pair.first) != normalise(pair.second)
        assert all(concept != pair.concept and name in vocabulary.names_of(concept) for name, concept in pair.others)
    assert len({pair.first for pair in pairs}) == len(pairs)


def test_the_same_seed_draws_the_same_pairs() -> None:
    first, again, other = (pair_names(tiny_vocabulary(), 3, random.Random(seed)) for seed in (1, 1, 2))

    assert first == again != other
    assert len(first) == 3


def test_each_mention_is_paired_once_with_a_name_of_its_concept(tmp_path: Path) -> None:
    vocabulary, searched = tiny_vocabulary(), searched_train(tmp_path)

    pairs = list(pair_mentions(vocabulary, searched, random.Random(1)))

    assert "growths of the breast" in {pair.first for pair in pairs}
    assert "unheard illness" not in {pair.first for pair in pairs}  # it has no identifier
    assert all(pair.second in vocabulary.names_of(pair.concept) for pair in pairs)
    assert len({(normalise(pair.first), pair.concept) for pair in pairs}) == len(pairs)
