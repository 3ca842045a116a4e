"""Vocabularies for single labels."""

from pathlib import Path

import pytest

from linnet.documents.document import Document, Link, Span
from linnet.errors import BadFile, BadSetting
from linnet.tasks.linking.by_label import load_linker, open_linkers
from tests.tasks.linking.sources import build

CHEMICALS = "id\tname\nmesh:D016559\tTacrolimus\nmesh:D000001\tCancer\n"
TEXT = "cancer tacrolimus"
DOCUMENT = Document("1", TEXT, (Span(0, 6, "Disease"), Span(0, 6, "Chemical"), Span(7, 17, "Gene")))


@pytest.fixture(scope="module")
def places(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    first, second = tmp_path_factory.mktemp("all"), tmp_path_factory.mktemp("chemicals")
    return build(first).folder, build(second, CHEMICALS).folder


def identifiers(document: Document) -> list[list[str]]:
    return [[link.identifier for link in span.links] for span in document.spans]


def test_a_label_has_its_own_vocabulary_and_the_others_have_the_common_one(places: tuple[Path, Path]) -> None:
    linker = load_linker(places[0], f"Chemical={places[1]}")

    (linked,) = linker.link_documents([DOCUMENT])

    assert identifiers(linked) == [["mesh:D009369"], ["mesh:D000001"], ["mesh:D016559"]]
    assert linker.labels == ["Chemical"]


def test_mentions_of_labels_without_a_vocabulary_stay_as_they_are(places: tuple[Path, Path]) -> None:
    kept = Span(7, 17, "Gene", links=(Link("9606"),))
    document = Document("1", TEXT, (Span(0, 6, "Chemical"), kept))

    (linked,) = load_linker(f"Chemical={places[1]}").link_documents([document])

    assert identifiers(linked) == [["mesh:D000001"], ["9606"]]


def test_hashes_are_named_by_label_and_no_path_is_told(places: tuple[Path, Path]) -> None:
    linker = open_linkers([str(places[0]), f"Chemical={places[1]}"], min_score=0.25)
    first, second = (each.vocabulary.hash for each in linker.linkers.values())

    assert linker.infons == {"vocabulary": f"{first} Chemical={second}"}
    assert linker.description == "vocabulary vocabulary; Chemical: vocabulary vocabulary; links from a score of 0.25"


def test_two_vocabularies_for_the_same_mentions_are_refused(places: tuple[Path, Path]) -> None:
    with pytest.raises(BadSetting, match="two vocabularies are given for all labels"):
        load_linker(*places)
    with pytest.raises(BadSetting, match="two vocabularies are given for label 'X'"):
        load_linker(f"X={places[0]}", f"X={places[1]}")


def test_no_vocabulary_and_a_missing_one_are_refused(tmp_path: Path) -> None:
    with pytest.raises(BadSetting, match="no vocabulary is given"):
        load_linker()
    with pytest.raises(BadFile, match="is no vocabulary"):
        load_linker(tmp_path)
