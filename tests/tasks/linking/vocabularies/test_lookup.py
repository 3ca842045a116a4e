"""Looking up a concept by an identifier."""

from pathlib import Path

from linnet.tasks.linking.vocabularies.lookup import is_of_vocabulary, look_up
from linnet.tasks.linking.vocabularies.vocabulary import open_vocabulary
from tests.tasks.linking.sources import OBO, TABLE, build


def test_a_concept_is_found_by_each_of_its_identifiers(tmp_path: Path) -> None:
    opened = open_vocabulary(build(tmp_path, TABLE, OBO).folder)

    found = [look_up(opened, each) for each in ("MESH:D001943", "DOID:1612", "D000001")]

    assert found[0] is not None
    assert found[0].id == "mesh:D001943"
    assert found == [found[0]] * 3
    assert look_up(opened, "Breast Neoplasms") is None
    assert look_up(opened, "mesh:D009999") is None


def test_a_species_is_told(tmp_path: Path) -> None:
    genes = build(tmp_path, "id\tname\tspecies\nncbigene:7157\tTP53\t9606\n")

    found = look_up(open_vocabulary(genes.folder), "7157")

    assert found is not None
    assert found.as_dict()["species"] == "9606"
    assert found.sentences()[-1] == "species: 9606"


def test_texts_that_are_written_as_identifiers_are_recognised(tmp_path: Path) -> None:
    opened = open_vocabulary(build(tmp_path).folder)

    assert [is_of_vocabulary(opened, each) for each in ("D009999", "mesh:X", "omim:1", "cancer")] == [
        True, True, False, False,
    ]  # fmt: skip
