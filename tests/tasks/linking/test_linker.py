"""Links of mentions."""

import json
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from linnet.documents.document import Document, Link, Span
from linnet.errors import BadFile, BadSetting
from linnet.tasks.linking.candidates import Candidate
from linnet.tasks.linking.linker import Linker, open_linker
from linnet.tasks.linking.ranking import MentionText
from linnet.tasks.linking.vocabularies.vocabulary import Vocabulary, open_vocabulary
from tests.tasks.linking.sources import build


@pytest.fixture(scope="module")
def vocabulary(tmp_path_factory: pytest.TempPathFactory) -> Vocabulary:
    return open_vocabulary(build(tmp_path_factory.mktemp("linker")).folder)


def mark(text: str, *mentions: str, label: str = "Disease") -> Document:
    """Return a document with the first occurrence of each mention marked."""
    starts = [text.index(mention) for mention in mentions]
    spans = (Span(start, start + len(each), label) for start, each in zip(starts, mentions, strict=True))
    return Document("1", text, tuple(spans))


def identifiers(document: Document) -> list[list[str]]:
    return [[link.identifier for link in span.links] for span in document.spans]


def test_a_mention_gets_identifier_database_name_and_score(vocabulary: Vocabulary) -> None:
    document = mark("A case of breast cancer.", "breast cancer")

    (linked,) = Linker(vocabulary).link_documents([document])

    assert linked.spans[0].links == (Link("mesh:D001943", "MESH", "Breast Neoplasms", 1.0),)
    assert replace(linked.spans[0], links=()) == document.spans[0]


def test_an_abbreviation_links_like_its_long_form_everywhere(vocabulary: Vocabulary) -> None:
    text = "BC was rare. Breast cancer (BC) is common."

    (linked,) = Linker(vocabulary).link_documents([mark(text, "BC", "Breast cancer")])

    assert identifiers(linked) == [["mesh:D001943"], ["mesh:D001943"]]


def test_a_composite_mention_has_a_link_for_each_concept(vocabulary: Vocabulary) -> None:
    document = mark("breast and ovarian cancer", "breast and ovarian cancer")

    (linked,) = Linker(vocabulary).link_documents([document])

    assert identifiers(linked) == [["mesh:D001943", "mesh:D010051"]]


NEARLY_EQUAL = "id\tname\tsynonyms\nx:1\tDiabetes One\t\nx:2\tDiabetes Two\t\nx:3\tAnaemia\tAnaemic state\n"


@pytest.mark.parametrize(
    ("mention", "expected"), [("diabetes", []), ("Diabetes two", ["x:2"]), ("anaemic states", ["x:3"])]
)
def test_a_mention_that_two_names_resemble_alike_has_no_link(tmp_path: Path, mention: str, expected: list[str]) -> None:
    linker = Linker(open_vocabulary(build(tmp_path, NEARLY_EQUAL).folder), min_score=0.3)

    (linked,) = linker.link_documents([mark(f"A {mention}.", mention)])
    ranked = linker.rank(linked)

    assert identifiers(linked) == [expected]
    assert ranked[0]


def test_candidates_that_are_kept_are_those_that_were_asked_for(tmp_path: Path) -> None:
    linker = Linker(open_vocabulary(build(tmp_path, NEARLY_EQUAL).folder), min_score=0.3, candidates=1)

    (linked,) = linker.link_documents([mark("A diabetes.", "diabetes")])

    assert [len(part) for part in json.loads(linked.spans[0].infons["candidates"])] == [1]


def test_a_concept_that_a_composite_mention_names_twice_is_linked_once(vocabulary: Vocabulary) -> None:
    document = mark("breast cancer/breast tumors", "breast cancer/breast tumors")

    (linked,) = Linker(vocabulary).link_documents([document])

    assert identifiers(linked) == [["mesh:D001943"]]


def test_below_the_lowest_score_there_is_no_link_and_old_links_go(vocabulary: Vocabulary) -> None:
    document = Document("1", "breast carcinoma", (Span(0, 16, "X", links=(Link("D1"),)),))

    (strict,) = Linker(vocabulary, min_score=0.9).link_documents([document])
    (lenient,) = Linker(vocabulary, min_score=0).link_documents([document])

    assert identifiers(strict) == [[]]
    assert identifiers(lenient) == [["mesh:D001943"]]


def test_candidates_are_kept_on_request(vocabulary: Vocabulary) -> None:
    document = mark("breast and ovarian cancer", "breast and ovarian cancer")

    (linked,) = Linker(vocabulary, candidates=2).link_documents([document])

    first, second = json.loads(linked.spans[0].infons["candidates"])
    assert (first[0]["id"], second[0]["id"]) == ("mesh:D001943", "mesh:D010051")
    assert len(first) == 2
    assert sorted(first[0]) == ["id", "matched", "name", "score"]


def test_candidates_change_no_link(vocabulary: Vocabulary) -> None:
    text = "FK506, tumours, breast and ovarian cancer"
    document = mark(text, "FK506", "tumours", "breast and ovarian cancer")

    (alone,) = Linker(vocabulary).link_documents([document])
    (beside,) = Linker(vocabulary, candidates=5).link_documents([document])

    assert [span.links for span in alone.spans] == [span.links for span in beside.spans]


def test_ranks_come_before_the_threshold_and_parts_alternate(vocabulary: Vocabulary) -> None:
    document = mark("FK506 in breast and ovarian cancer", "FK506", "breast and ovarian cancer")
    linker = Linker(vocabulary, min_score=1)

    single, composite = linker.rank(document)
    (part,), parts = linker.rank_parts(document)

    assert single[0].id == "mesh:D016559"
    assert part.mention == MentionText("FK506", "FK506", "FK506", "Disease")
    assert [each.id for each in composite[:2]] == ["mesh:D001943", "mesh:D010051"]
    assert [each.mention.searched for each in parts] == ["breast cancer", "ovarian cancer"]


class Reversed:
    """A ranker that prefers the last candidate."""

    n_candidates, min_score, fingerprint = 3, 0.0, "sha256:1"

    def rank(
        self, mentions: Sequence[MentionText], candidates: Sequence[Sequence[Candidate]], /
    ) -> list[list[Candidate]]:
        return [list(reversed(each)) for each in candidates]


def test_a_ranker_orders_candidates_again(vocabulary: Vocabulary) -> None:
    document = mark("breast cancer", "breast cancer")
    best = Linker(vocabulary).rank(document, top=3)[0]

    linker = Linker(vocabulary, ranker=Reversed())

    (linked,) = linker.link_documents([document])
    assert identifiers(linked) == [[best[-1].id]]
    assert linker.rank(document, top=1) == [[best[-1]]]


def test_a_mention_outside_its_text_is_refused(vocabulary: Vocabulary) -> None:
    document = Document("7", "short", (Span(0, 9, "X"),))

    with pytest.raises(BadFile, match="document '7': 0 to 9 is outside its text of 5 characters"):
        list(Linker(vocabulary).link_documents([document]))


def test_empty_documents_and_very_long_names_are_linked(vocabulary: Vocabulary) -> None:
    long = "breast and ovarian cancer " * 400

    empty, marked = Linker(vocabulary).link_documents([Document("1", ""), mark(long, long[:10_000])])

    assert empty == Document("1", "")
    assert len(marked.spans) == 1


def test_a_mention_without_a_letter_has_no_link(vocabulary: Vocabulary) -> None:
    (linked,) = Linker(vocabulary, min_score=0).link_documents([mark("a ++ b", "++")])

    assert identifiers(linked) == [[]]


def test_numbers_out_of_range_are_refused(vocabulary: Vocabulary) -> None:
    with pytest.raises(BadSetting, match=r"the lowest score is 1\.5, expected 0 to 1"):
        Linker(vocabulary, min_score=1.5)
    with pytest.raises(BadSetting, match="-1 candidates"):
        Linker(vocabulary, candidates=-1)


def test_a_linker_opens_from_a_vocabulary_or_its_folder(vocabulary: Vocabulary, tmp_path: Path) -> None:
    assert open_linker(vocabulary).vocabulary.hash == open_linker(vocabulary.folder, min_score=0.1).vocabulary.hash
    with pytest.raises(BadFile, match="is no vocabulary"):
        open_linker(tmp_path)


def test_a_code_in_brackets_links_like_the_name_before_it_everywhere(vocabulary: Vocabulary) -> None:
    text = "Tacrolimus (XZ-17, new) helped. Later XZ-17 did not."
    first, second = text.index("XZ-17"), text.rindex("XZ-17")
    spans = (Span(0, 10, "C"), Span(first, first + 5, "C"), Span(second, second + 5, "C"))

    (linked,) = Linker(vocabulary).link_documents([Document("1", text, spans)])

    assert identifiers(linked) == [["mesh:D016559"]] * 3


def test_a_code_of_another_label_keeps_its_own_links(vocabulary: Vocabulary) -> None:
    text = "Tacrolimus (XZ-17) helped. XZ-17 is also a gene."
    second = text.rindex("XZ-17")
    spans = (Span(0, 10, "C"), Span(12, 17, "C"), Span(second, second + 5, "Gene"))

    (linked,) = Linker(vocabulary).link_documents([Document("1", text, spans)])

    assert identifiers(linked) == [["mesh:D016559"], ["mesh:D016559"], []]
