"""Examples: a tag for each word, and nothing left out in silence."""

from collections.abc import Sequence

import pytest

from linnet.contracts import tasks
from linnet.documents.document import Document, Span
from linnet.errors import BadSetting
from linnet.labels.mention import Mention
from linnet.tasks.ner.examples import check_labels, label_set_of, read_examples

TEXT = "No ataxia. Aspirin helps."


def document(*spans: Span, text: str = TEXT, name: str = "1") -> Document:
    return Document(name, text, spans)


def mentioning(*labels: str) -> Sequence[Document]:
    return [document(Span(3, 9, label), name=label) for label in labels]


def test_each_sentence_is_an_example_with_a_tag_for_each_word() -> None:
    found = read_examples([document(Span(3, 9, "Disease"), Span(11, 18, "Chemical"))], "iob2")

    assert found.words == [["No", "ataxia", "."], ["Aspirin", "helps", "."]]
    assert found.tags == [["O", "B-Disease", "O"], ["B-Chemical", "O", "O"]]
    assert [(row.document, row.group, row.number) for row in found.rows] == [("1", 0, 1), ("1", 0, 2)]
    assert found.counts == {"O": 4, "B-Disease": 1, "B-Chemical": 1}


def test_what_tags_cannot_hold_is_counted() -> None:
    nested, cutting = Span(3, 6, "Disease"), Span(11, 14, "Chemical")

    found = read_examples([document(Span(3, 9, "Disease"), nested, cutting)], "iob2")

    assert found.notes.sentences() == [
        "mentions that tags cannot hold, not learned and counted as missed: 1 (first: 1)",
        "mentions that cut a word, widened: 1 (first: 1)",
    ]


def test_what_tags_cannot_hold_is_gold_too() -> None:
    in_pieces = Span(0, 10, "Disease", fragments=((0, 2), (9, 10)))

    first, second = read_examples([document(Span(3, 9, "Disease"), Span(3, 6, "Part"), in_pieces)], "iob2").rows

    assert first.tags == ["O", "B-Disease", "O"]
    assert first.gold == (Mention(0, 3, "Disease", ((0, 1), (2, 3))), Mention(1, 2, "Disease"), Mention(1, 2, "Part"))
    assert second.gold == ()


def test_mentions_without_a_word_are_counted() -> None:
    found = read_examples([Document("1", "  ", spans=(Span(0, 1, "X"),))], "iob2")

    assert found.notes.sentences() == ["mentions without a word, left out: 1 (first: 1)"]


def test_mentions_that_io_runs_together_are_counted() -> None:
    touching = document(Span(3, 9, "X"), Span(9, 10, "X"), Span(11, 18, "X"))

    assert read_examples([touching], "iob2").notes.sentences() == []
    assert read_examples([touching], "io").notes.sentences() == [
        "mentions that touch one of their label, learned as one by io: 1 (first: 1)"
    ]


def test_documents_without_words_give_no_examples() -> None:
    assert read_examples([document(text=""), document(text=" \n ")], "iob2").rows == []


def test_the_tags_are_those_of_the_training_labels() -> None:
    training = read_examples(mentioning("B", "A"), "iob2")

    assert label_set_of([training], [read_examples(mentioning("A"), "iob2")], "iob2").names == (
        *("O", "B-A", "B-B", "I-A", "I-B"),
    )


def test_labels_unseen_in_training_are_refused_by_name() -> None:
    training, other = read_examples(mentioning("A"), "iob2"), read_examples(mentioning("A", "C", "B"), "iob2")

    with pytest.raises(BadSetting, match="labels that training does not have: B, C") as refused:
        label_set_of([training], [other], "iob2")
    assert "training has A" in refused.value.remedy


def test_labels_are_checked_by_name_where_no_sentences_are_at_hand() -> None:
    check_labels({"A", "B"}, {"B"})

    with pytest.raises(BadSetting, match="labels that training does not have: C"):
        check_labels({"A"}, {"A", "C"})
    with pytest.raises(BadSetting, match="the training split has no mention"):
        check_labels(set(), {"A"})


def test_a_training_split_without_mentions_is_refused() -> None:
    with pytest.raises(BadSetting, match="the training split has no mention"):
        label_set_of([read_examples([document()], "iob2")], [], "iob2")


def test_the_task_is_registered() -> None:
    assert tasks.get("ner").name == "ner"
