"""Concept records."""

from linnet.tasks.linking.vocabularies.concepts import Concept


def test_names_begin_with_the_preferred_one_and_are_unique() -> None:
    concept = Concept("x:1", " Fever ", ("Pyrexia", "Fever", " "))

    assert concept.names == ("Fever", "Pyrexia")
