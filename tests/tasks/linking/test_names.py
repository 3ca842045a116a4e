"""Dictionary annotation: names of a vocabulary in texts."""

from pathlib import Path

import pytest

from linnet.documents.document import Document, Span
from linnet.errors import LinnetError
from linnet.tasks.linking.names import LABEL, NameFinder, choose_longest, open_names
from linnet.tasks.linking.vocabularies.vocabulary import Vocabulary, open_vocabulary
from tests.tasks.linking.sources import TABLE, build

MORE = "mesh:D029424\tPulmonary Disease, Chronic Obstructive\tCOPD\nmesh:D004194\tDisease\tdiseases\nmesh:D1\tBC\n"


@pytest.fixture(scope="module")
def vocabulary(tmp_path_factory: pytest.TempPathFactory) -> Vocabulary:
    return open_vocabulary(build(tmp_path_factory.mktemp("names"), TABLE + MORE).folder)


def find(vocabulary: Vocabulary, text: str) -> list[tuple[str, str]]:
    """Return the names in a text with their identifiers."""
    return [
        (text[span.start : span.end], span.links[0].identifier)
        for span in NameFinder(vocabulary).find(Document("1", text))
    ]


def test_names_are_found_in_other_spellings(vocabulary: Vocabulary) -> None:
    text = "Breast tumours, an ovarian-cancer and FK506 were seen."

    assert find(vocabulary, text) == [
        ("Breast tumours", "mesh:D001943"), ("ovarian-cancer", "mesh:D010051"), ("FK506", "mesh:D016559"),
    ]  # fmt: skip


def test_the_longest_name_counts(vocabulary: Vocabulary) -> None:
    assert find(vocabulary, "ovarian cancer") == [("ovarian cancer", "mesh:D010051")]
    assert choose_longest([(5, 9), (0, 6), (6, 12)]) == [(0, 6), (6, 12)]


def test_words_of_two_phrases_are_no_name(vocabulary: Vocabulary) -> None:
    assert find(vocabulary, "the breast, cancer") == [("cancer", "mesh:D009369")]
    assert find(vocabulary, "the breast. Cancer") == [("Cancer", "mesh:D009369")]


def test_a_name_ends_where_its_words_end(vocabulary: Vocabulary) -> None:
    assert find(vocabulary, "the cancer of the") == [("cancer", "mesh:D009369")]


def test_general_words_and_short_names_in_other_letters_are_left_out(vocabulary: Vocabulary) -> None:
    assert find(vocabulary, "Diseases of copd, and COPD, in BC") == [("COPD", "mesh:D029424")]


def test_an_abbreviation_stands_for_its_long_form(vocabulary: Vocabulary) -> None:
    text = "Ovarian cancer (OC) is rare. OC and OCs, not LOC."

    assert [each for each, _ in find(vocabulary, text)] == ["Ovarian cancer", "OC", "OC"]


def test_an_abbreviation_of_something_else_is_no_name(vocabulary: Vocabulary) -> None:
    assert find(vocabulary, "Cost of polite debate (COPD) is high. COPD fell.") == []


def test_names_are_added_only_where_no_mention_stands(tmp_path: Path) -> None:
    names = open_names([f"Disease={build(tmp_path).folder}"])
    text = "Breast cancer and cancer"
    model = Document("1", text, (Span(7, 13, "Tumour", score=0.9),))

    (added,) = names.add_to([model])
    (alone,) = names.annotate([model])

    assert [(span.start, span.end, span.label) for span in added.spans] == [(7, 13, "Tumour"), (18, 24, "Disease")]
    assert [(span.start, span.end, span.label) for span in alone.spans] == [(0, 13, "Disease"), (18, 24, "Disease")]


def test_of_two_vocabularies_the_first_counts(tmp_path: Path) -> None:
    (tmp_path / "b").mkdir()
    first, second = build(tmp_path).folder, build(tmp_path / "b", TABLE + MORE).folder
    names = open_names([f"A={first}", str(second)])

    (found,) = names.annotate([Document("1", "Cancer, COPD")])

    assert [span.label for span in found.spans] == ["A", LABEL]
    assert names.hash.startswith("A=")
    assert names.description == "vocabulary, vocabulary"


@pytest.mark.parametrize("text", ["", "   ", ".,;", "x" * 10_000])
def test_texts_without_names_have_none(vocabulary: Vocabulary, text: str) -> None:
    assert find(vocabulary, text) == []


def test_a_missing_vocabulary_is_refused(tmp_path: Path) -> None:
    with pytest.raises(LinnetError, match="missing"):
        open_names([f"Disease={tmp_path / 'missing'}"])
