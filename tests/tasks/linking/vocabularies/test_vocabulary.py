"""Open vocabularies."""

import pickle
from pathlib import Path

import pytest

from linnet.tasks.linking.vocabularies.vocabulary import Vocabulary, open_vocabulary
from tests.tasks.linking.sources import OBO, TABLE, build


@pytest.fixture
def vocabulary(tmp_path: Path) -> Vocabulary:
    return open_vocabulary(build(tmp_path, TABLE, OBO).folder)


def test_concepts_have_identifiers_and_names(vocabulary: Vocabulary) -> None:
    assert (vocabulary.n_concepts, vocabulary.identifier(0), vocabulary.name(0)) == (
        5,
        "mesh:D001943",
        "Breast Neoplasms",
    )
    assert vocabulary.identifiers(0) == ["mesh:D001943", "doid:1612"]
    assert 'mammary "cancer"' in vocabulary.names_of(0)
    assert len(vocabulary.names) == vocabulary.n_names


@pytest.mark.parametrize(
    "identifier", ["mesh:D001943", "MESH:D001943", "D001943", "DOID:1612", "doid:99", "doid:7", "D000001"]
)
def test_a_concept_is_found_by_each_of_its_identifiers(vocabulary: Vocabulary, identifier: str) -> None:
    assert vocabulary.find(identifier) == 0


def test_what_is_unknown_is_not_found(vocabulary: Vocabulary) -> None:
    assert vocabulary.find("mesh:D999999") is None
    assert vocabulary.find("") is None
    assert not vocabulary.is_known("mesh:D999999")


def test_a_retired_identifier_without_successor_is_known(vocabulary: Vocabulary) -> None:
    assert vocabulary.find("doid:8") is None
    assert vocabulary.is_known("doid:8")


def test_parents_are_those_of_both_sources(vocabulary: Vocabulary) -> None:
    assert [vocabulary.identifier(each) for each in vocabulary.parents(0)] == ["mesh:D009369", "doid:162"]
    assert vocabulary.parents(2) == []


def test_another_process_opens_the_folder_again(vocabulary: Vocabulary) -> None:
    vocabulary.find("mesh:D001943")  # maps arrays, which are not sent

    sent = pickle.dumps(vocabulary)

    assert len(sent) < 1_000
    assert pickle.loads(sent).hash == vocabulary.hash


def test_other_attributes_do_not_exist(vocabulary: Vocabulary) -> None:
    assert not hasattr(vocabulary, "nothing")
