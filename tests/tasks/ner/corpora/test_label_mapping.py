"""Labels of two makings: what both have is scored, what only one has is counted, and nothing is lost in between."""

from linnet.documents.document import Document, Sentence, Span
from linnet.labels.mention import Mention
from linnet.labels.tagging import decode_conll
from linnet.metrics.mentions.shared_labels import SharedLabels, share_labels
from linnet.tasks.ner.corpora.label_mapping import rename_labels, restrict
from linnet.tasks.ner.decoding import PredictedSentence
from linnet.tasks.ner.examples import Example, Examples, read_examples


def examples(*rows: str) -> Examples:
    """Return sentences of words that are called as their tags."""
    found = []
    for number, row in enumerate(rows, 1):
        document = Document(str(number), row)
        words, gold = row.split(), tuple(decode_conll(row.split()))
        found.append(Example(document.id, number, 1, row, Sentence(0, len(row), ()), words, words, gold))
    return Examples(found)


def predicted(row: str) -> PredictedSentence:
    mentions = decode_conll(row.split())
    return PredictedSentence(row.split(), mentions, [n / 10 for n, _ in enumerate(mentions, 1)])


def test_what_only_one_side_has_is_taken_out_and_counted() -> None:
    shared = SharedLabels({"A": "X"}, ("X",))
    gold = examples("B-X I-X O B-Y", "B-Y B-Y O B-X")
    row = [predicted("B-A I-A O B-C"), predicted("O B-C O B-A")]

    found, scored, kept = restrict(shared, gold, row)

    assert (found.only_model, found.only_corpus) == ({"C": 2}, {"Y": 3})
    assert scored.tags == [["B-X", "I-X", "O", "O"], ["O", "O", "O", "B-X"]]
    assert [each.tags for each in kept] == scored.tags
    assert [each.mentions for each in kept] == [[Mention(0, 2, "X")], [Mention(3, 4, "X")]]
    assert [each.scores for each in kept] == [[0.1], [0.2]]  # each mention keeps its own
    assert [each.words for each in scored.rows] == [each.words for each in gold.rows]


def test_what_only_one_side_has_is_listed_where_it_was_not_mentioned() -> None:
    shared = share_labels({"A": "X"}, ["A", "C", "B"], ["X", "Y", "Z"])

    found, *_ = restrict(shared, examples("B-X O B-Z"), [predicted("B-A B-C O")])

    assert list(found.only_model.items()) == [("B", 0), ("C", 1)]
    assert list(found.only_corpus.items()) == [("Y", 0), ("Z", 1)]
    assert found.sentences()[1].endswith("not scored: Z (1 true mention)")


def test_mentions_that_tags_cannot_hold_follow_the_map() -> None:
    inside = tuple(Span(3, 6, label) for label in ("Disease", "Gene"))
    found = read_examples([Document("1", "No ataxia.", (Span(3, 9, "Disease"), *inside))], "iob2")

    shared, kept, _ = restrict(SharedLabels({}, ("Disease",)), found, [PredictedSentence(["O"] * 3, [], [])])
    renamed = rename_labels(found, {"Disease": "Disorder"})

    assert [[mark.label for mark in marks] for marks in kept.gold] == [["Disease", "Disease"]]
    assert shared.only_corpus == {"Gene": 1}
    assert [[mark.label for mark in marks] for marks in renamed.gold] == [["Disorder", "Disorder", "Gene"]]


def test_mentions_that_renaming_joins_are_counted_and_stay_apart_in_gold() -> None:
    iob2, io = examples("B-A B-B O"), examples("I-A I-B O")

    assert rename_labels(iob2, {"B": "A"}).notes.sentences() == []
    assert rename_labels(iob2, {"B": "A"}).tags == [["B-A", "B-A", "O"]]
    assert "learned as one: 1" in rename_labels(io, {"B": "A"}).notes.sentences()[0]
    assert rename_labels(io, {"B": "A"}).gold == [(Mention(0, 1, "A"), Mention(1, 2, "A"))]
    assert io.notes.sentences() == []  # those of the sentences as they were stay theirs
