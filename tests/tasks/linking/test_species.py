"""Species of genes."""

from pathlib import Path

import pytest

from linnet.documents.document import Document, Span
from linnet.tasks.linking.linker import Linker
from linnet.tasks.linking.species import SpeciesInText, strip_species
from linnet.tasks.linking.vocabularies.vocabulary import open_vocabulary
from tests.tasks.linking.sources import TABLE, build

GENES = (
    "id\tname\tsynonyms\tspecies\n"
    "ncbigene:22059\tTrp53\tp53|Tp53|transformation related protein 53|bbl|bfy\t10090\n"
    "ncbigene:7157\tTP53\tp53|tumor protein 53\t9606\n"
    "ncbigene:24842\tTp53\tp53\t10116\n"
    "ncbigene:1\tXYZ1\tTP53\t9606\n"
)


@pytest.mark.parametrize(
    ("mention", "expected"),
    [
        ("human p53", ("p53", "9606")),
        ("Murine p53", ("p53", "10090")),
        ("hTERT", ("TERT", "9606")),
        ("mPER1", ("PER1", "10090")),
        ("humanin", ("humanin", "")),
        ("hedgehog", ("hedgehog", "")),
        ("rat", ("rat", "")),
    ],
)
def test_the_species_of_a_mention_is_stripped(mention: str, expected: tuple[str, str]) -> None:
    assert strip_species(mention) == expected


def order(text: str, mention: str) -> list[str]:
    start = text.index(mention)
    return SpeciesInText(text).order_for(Span(start, start + len(mention), "Gene"))


def test_the_nearest_species_of_the_sentence_comes_before_the_most_frequent_one() -> None:
    text = "Mice and mice and mice. In rats, and later in yeast, p53 was seen."

    assert order(text, "p53") == ["559292", "10116", "10090", "9606"]


def test_the_species_of_the_mention_comes_first() -> None:
    assert order("In mice, human p53 was seen.", "human p53") == ["9606", "10090"]


def test_without_any_species_it_is_human() -> None:
    assert order("We saw p53.", "p53") == ["9606"]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("p53 in mice", "ncbigene:22059"),
        ("p53 in patients", "ncbigene:7157"),
        ("p53 in a rat", "ncbigene:24842"),
        ("p53", "ncbigene:7157"),
        ("TP53", "ncbigene:7157"),  # the official symbol before the synonym of another gene
    ],
)
def test_genes_of_one_name_are_chosen_by_species(tmp_path: Path, text: str, expected: str) -> None:
    linker = Linker(open_vocabulary(build(tmp_path, GENES).folder))

    (linked,) = linker.link_documents([Document("1", text, (Span(0, 3 + (text == "TP53"), "Gene"),))])

    assert [link.identifier for link in linked.spans[0].links] == [expected]


def test_a_species_before_the_name_is_left_out_of_the_search(tmp_path: Path) -> None:
    linker = Linker(open_vocabulary(build(tmp_path, GENES).folder))

    (linked,) = linker.link_documents([Document("1", "mouse tp53", (Span(0, 10, "Gene"),))])

    assert [link.identifier for link in linked.spans[0].links] == ["ncbigene:22059"]


def test_only_vocabularies_of_genes_have_species(tmp_path: Path) -> None:
    (tmp_path / "other").mkdir()
    genes, others = (
        open_vocabulary(build(tmp_path / name, text).folder) for name, text in (("", GENES), ("other", TABLE))
    )

    assert [genes.species(concept) for concept in range(3)] == ["10090", "9606", "10116"]
    assert genes.species(-1) == others.species(0) == ""
    assert not others.has_species
