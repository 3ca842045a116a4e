"""Building of vocabularies."""

import gzip
import json
from pathlib import Path

import pytest

from linnet.errors import BadFile, BadSetting, UnknownName
from linnet.tasks.linking.vocabularies.building import build_vocabulary
from linnet.tasks.linking.vocabularies.vocabulary import open_vocabulary
from tests.tasks.linking.sources import OBO, TABLE, build, write


def test_a_vocabulary_names_its_sources_and_counts(tmp_path: Path) -> None:
    built = build(tmp_path, TABLE, OBO)

    facts = open_vocabulary(built.folder).facts
    assert (facts["concepts"], facts["merged"], facts["obsolete"]) == (5, 1, 2)
    assert [(each["file"], each["form"], each["version"]) for each in facts["sources"]] == [
        ("source0.txt", "table", ""),
        ("source1.txt", "obo", "releases/2016-03-04"),
    ]
    assert all(len(each["sha256"]) == 64 for each in facts["sources"])
    assert built.facts["hash"] == facts["hash"]
    assert any("obsolete" in each for each in built.warnings)


@pytest.mark.parametrize("prefix", ["", "a b", "a\nb", "a\tb", "a:", "a|b"])
def test_a_prefix_of_more_than_one_word_is_refused(tmp_path: Path, prefix: str) -> None:
    path = write(tmp_path, "source.tsv", "id\tname\n7\tgout\n")

    with pytest.raises(BadSetting, match="the prefix is"):
        build_vocabulary([path], tmp_path / "v", prefix=prefix)

    assert not (tmp_path / "v").exists()


def test_the_same_sources_give_the_same_bytes(tmp_path: Path) -> None:
    (tmp_path / "a").mkdir()
    (tmp_path / "b").mkdir()
    one, other = build(tmp_path / "a", TABLE, OBO).folder, build(tmp_path / "b", TABLE, OBO).folder

    assert {path.name: path.read_bytes() for path in one.iterdir()} == {
        path.name: path.read_bytes() for path in other.iterdir()
    }


def test_compressed_sources_are_read(tmp_path: Path) -> None:
    path = tmp_path / "t.tsv.gz"
    path.write_bytes(gzip.compress(TABLE.encode()))

    assert build_vocabulary([path], tmp_path / "v").facts["concepts"] == 4


def test_bare_identifiers_get_a_prefix_on_request(tmp_path: Path) -> None:
    path = write(tmp_path, "t", "id\tname\n7\tFever\n")

    build_vocabulary([path], tmp_path / "v", prefix="mine")

    vocabulary = open_vocabulary(tmp_path / "v")
    assert vocabulary.identifier(0) == "mine:7"
    assert vocabulary.find("7") == 0


def test_names_without_letters_are_kept_and_counted(tmp_path: Path) -> None:
    built = build(tmp_path, "id\tname\tsynonyms\nx:1\tFever\t+++\n")

    assert (built.facts["names"], built.facts["not_indexed"]) == (2, 1)
    assert any("neither letter nor digit" in each for each in built.warnings)


def test_a_concept_without_name_is_left_out_and_counted(tmp_path: Path) -> None:
    built = build(tmp_path, "id\tname\nx:1\tFever\nx:2\t\n")

    assert (built.facts["concepts"], built.facts["without_name"]) == (1, 1)


def test_a_name_of_ten_thousand_characters_is_kept(tmp_path: Path) -> None:
    built = build(tmp_path, f"id\tname\nx:1\t{'very long ' * 1000}\n")

    assert len(open_vocabulary(built.folder).name(0)) == 9_999


@pytest.mark.parametrize("text", ["id\tname\n", "id\tname\nx:1\t\n", json.dumps({"id": "x:1"})])
def test_a_vocabulary_without_names_is_refused(tmp_path: Path, text: str) -> None:
    with pytest.raises(BadFile, match="no names"):
        build(tmp_path, text)
    assert not (tmp_path / "vocabulary").exists()


def test_filters_that_leave_nothing_are_refused(tmp_path: Path) -> None:
    with pytest.raises(BadFile, match="no concept"):
        build(tmp_path, TABLE, keep=("prefix=omim",))
    assert [path.name for path in tmp_path.iterdir()] == ["source0.txt"]


def test_only_an_older_vocabulary_is_replaced_and_only_on_request(tmp_path: Path) -> None:
    folder = build(tmp_path).folder
    source = tmp_path / "source0.txt"
    with pytest.raises(BadFile, match="overwrite"):
        build_vocabulary([source], folder)
    (folder / "notes.txt").write_text("mine", encoding="utf-8")
    with pytest.raises(BadFile):
        build_vocabulary([source], folder, overwrite=True)
    (folder / "notes.txt").unlink()

    assert build_vocabulary([source], folder, overwrite=True).facts["concepts"] == 4


def test_a_source_in_the_output_is_refused(tmp_path: Path) -> None:
    source = write(tmp_path, "t", TABLE)

    with pytest.raises(BadSetting):
        build_vocabulary([source], tmp_path, overwrite=True)


def test_an_unknown_form_is_refused_with_the_nearest_name(tmp_path: Path) -> None:
    with pytest.raises(UnknownName, match="did you mean 'table'"):
        build_vocabulary([write(tmp_path, "t", TABLE)], tmp_path / "v", form="tabel")


@pytest.mark.parametrize("species", ["human", "2147483648", "9" * 5000, "٣"])
def test_issue_27_a_species_is_a_number_of_the_taxonomy(tmp_path: Path, species: str) -> None:
    with pytest.raises(BadFile, match=r"1: the species is .*, expected a number of the NCBI Taxonomy"):
        build(tmp_path, f"id\tname\tspecies\n1\tFever\t{species}\n")


def test_synonyms_with_another_separator_are_one_name_and_noted_once_with_an_example(tmp_path: Path) -> None:
    built = build(
        tmp_path,
        "id\tname\tsynonyms\nx:1\tPsoriasis\tps; pso\nx:2\tFever\thigh; a|b\nx:3\tPain\tache; pang; hurt\n",
    )

    (said,) = built.warnings
    assert said.startswith(f"{tmp_path / 'source0.txt'}: 2 cells of synonyms are one name with semicolons inside")
    assert "'ps; pso'" in said
    assert "(|)" in said
    assert built.facts["names"] == 7


def test_synonyms_with_the_right_separator_need_no_note(tmp_path: Path) -> None:
    assert build(tmp_path).warnings == []
