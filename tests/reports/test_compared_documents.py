"""Documents are matched by id and compared by characters, on sentences that no mention crosses."""

from dataclasses import replace

import pytest

from linnet.contracts import Notes
from linnet.documents.document import Document, Sentence, Span
from linnet.errors import BadFile
from linnet.labels.mention import Mention
from linnet.reports.compared_documents import compare_documents, match_documents, review_documents
from linnet.reports.mistakes import find_mistakes

TEXT = "No ataxia. Aspirin helps."
GOLD = Document("d1", TEXT, (Span(3, 9, "Disease"), Span(11, 18, "Chemical")))


def test_reviewed_mentions_count_characters_of_their_sentence() -> None:
    predicted = GOLD.with_spans((Span(3, 9, "Disease", score=0.9), Span(11, 15, "Chemical", score=0.4)))

    first, second = review_documents([GOLD], [predicted])

    assert [(each.document, each.number, each.start, each.text) for each in (first, second)] == [
        ("d1", 1, 0, "No ataxia."),
        ("d1", 2, 11, "Aspirin helps."),
    ]
    assert (first.gold, first.predicted, first.scores) == (
        *((Mention(3, 9, "Disease"),), (Mention(3, 9, "Disease"),)),
        (0.9,),
    )
    (mistake,) = find_mistakes([first, second])
    assert (mistake.kind, mistake.texts, mistake.score) == ("boundary", ("Aspirin", "Aspi"), 0.4)
    assert mistake.place_in_document == (11, 18)


def test_predictions_without_confidence_have_no_scores() -> None:
    assert [each.scores for each in review_documents([GOLD], [GOLD])] == [(), ()]


def test_a_mention_in_pieces_keeps_its_pieces_and_its_confidence() -> None:
    pieces = Span(11, 24, "Chemical", fragments=((19, 24), (11, 15)), score=0.7)

    _, second = review_documents([GOLD], [GOLD.with_spans((pieces,))])

    assert second.predicted == (Mention(0, 13, "Chemical", fragments=((0, 4), (8, 13))),)
    assert second.scores == (0.7,)
    assert second.text_of(second.predicted[0]) == "Aspi … helps"


def test_a_mention_outside_of_every_sentence_is_shown_whole() -> None:
    gold = Document("d1", "  ataxia", (Span(0, 8, "Disease"),), sentences=(Sentence(2, 8),))

    (sentence,) = review_documents([gold], [gold.with_spans(())])

    assert (sentence.start, sentence.text) == (0, "  ataxia")
    assert sentence.gold == (Mention(0, 8, "Disease"),)


def test_all_predictions_are_compared_on_the_same_sentences() -> None:
    crossing = GOLD.with_spans((Span(3, 18, "Disease"),))

    (whole,) = compare_documents(GOLD, [GOLD, crossing], 4)

    sentence, units = whole
    assert (sentence.start, sentence.end) == (0, len(TEXT))
    assert [len(unit.predicted) for unit in units] == [2, 1]
    assert all(unit.gold == units[0].gold and unit.group == 4 for unit in units)


def test_the_prediction_that_lacks_a_document_is_named() -> None:
    second = replace(GOLD, id="d2")

    with pytest.raises(BadFile, match="b: no document is called 'd2', which is document 2 of gold"):
        list(match_documents([GOLD, second], [[second, GOLD], [GOLD]], names=("gold", "a", "b")))


def test_documents_that_not_all_have_are_left_out_and_counted_by_file() -> None:
    def named(*names: str) -> list[Document]:
        return [replace(GOLD, id=name) for name in names]

    notes = Notes()
    files = (named("1", "2", "3", "4"), [named("2", "1", "3"), named("2", "3", "5", "6")])

    found = list(match_documents(*files, names=("gold", "a", "b"), left_out=notes))

    assert [[document.id for document in row] for row in found] == [["2"] * 3, ["3"] * 3]
    assert notes.sentences() == [
        "documents of gold that b does not have, left out: 1 (first: 1)",
        "documents of gold that a does not have, left out: 1 (first: 4)",
        "documents of b that gold does not have, left out: 2 (first: 5)",
    ]


def test_files_without_a_document_in_common_are_refused() -> None:
    with pytest.raises(BadFile, match="gold and predicted have no document in common"):
        list(match_documents([GOLD], [[replace(GOLD, id="z")]], names=("gold", "predicted"), left_out=Notes()))


def test_texts_that_differ_in_white_space_are_refused_with_the_way_out() -> None:
    tokens = Document("d1", "No ataxia . Aspirin helps .")

    with pytest.raises(BadFile, match="differ from character 9 on") as refused:
        list(match_documents([GOLD], [[tokens]], names=("gold", "predicted")))

    assert "only white space differs" in refused.value.remedy
