"""Every wrong mention is found once, in the right bucket, and written with its context."""

import csv
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from linnet.labels.mention import Mention
from linnet.reports.mistakes import KINDS, count_kinds, find_mistakes, write_mistakes, write_mistakes_of_runs
from linnet.reports.review import ReviewedSentence
from linnet.storage.cells import read_rows

Triple = tuple[int, int, str]


def sentence_of(gold: list[Triple], predicted: list[Triple], text: str = "a b c d e f g h") -> ReviewedSentence:
    tokens, start = [], 0
    for word in text.split(" "):
        tokens.append((start, start + len(word)))
        start += len(word) + 1
    return ReviewedSentence(
        "doc",
        1,
        text,
        tuple(tokens),
        tuple(Mention(*mention) for mention in gold),
        tuple(Mention(*mention) for mention in predicted),
        (0.5,) * len(predicted),
    )


@pytest.mark.parametrize(
    ("gold", "predicted", "kind"),
    [
        ([], [(0, 2, "A")], "spurious"),
        ([(0, 2, "A")], [], "missed"),
        ([(0, 2, "A")], [(1, 2, "A")], "boundary"),
        ([(0, 2, "A")], [(0, 2, "B")], "label"),
        ([(0, 2, "A")], [(1, 3, "B")], "label and boundary"),
    ],
)
def test_each_way_to_be_wrong_has_its_bucket(gold: list[Triple], predicted: list[Triple], kind: str) -> None:
    mistakes = find_mistakes([sentence_of(gold, predicted)])

    assert [mistake.kind for mistake in mistakes] == [kind]


@pytest.mark.parametrize(("label", "kind"), [("A", "boundary"), ("B", "label and boundary")])
def test_a_mention_in_pieces_is_not_found_by_the_stretch_from_its_start_to_its_end(label: str, kind: str) -> None:
    sentence = sentence_of([], [(0, 4, label)])
    in_pieces = Mention(0, 4, "A", fragments=((0, 1), (3, 4)))

    assert [mistake.kind for mistake in find_mistakes([replace(sentence, gold=(in_pieces,))])] == [kind]


def test_a_mention_inside_one_that_is_right_is_missed() -> None:
    (mistake,) = find_mistakes([sentence_of([(0, 3, "A"), (1, 2, "B")], [(0, 3, "A")])])

    assert (mistake.kind, mistake.texts) == ("missed", ("b", ""))


def test_a_right_mention_is_no_mistake() -> None:
    assert find_mistakes([sentence_of([(0, 2, "A"), (4, 5, "B")], [(0, 2, "A"), (4, 5, "B")])]) == []


def test_touching_mentions_are_not_paired() -> None:
    mistakes = find_mistakes([sentence_of([(0, 2, "A")], [(2, 4, "A")])])

    assert [mistake.kind for mistake in mistakes] == ["missed", "spurious"]


def test_one_long_prediction_over_two_mentions_is_paired_with_the_one_it_shares_most_of() -> None:
    sentence = sentence_of([(0, 1, "A"), (2, 5, "A")], [(0, 5, "A")])

    missed, boundary = sorted(find_mistakes([sentence]), key=lambda mistake: mistake.kind, reverse=True)

    assert (missed.kind, missed.texts) == ("missed", ("a", ""))
    assert (boundary.kind, boundary.texts) == ("boundary", ("c d e", "a b c d e"))


def test_equal_ends_come_before_a_larger_overlap() -> None:
    sentence = sentence_of([(0, 2, "A"), (0, 5, "B")], [(0, 5, "A")])

    kinds = {mistake.kind: mistake.texts for mistake in find_mistakes([sentence])}

    assert kinds == {"label": ("a b c d e", "a b c d e"), "missed": ("a b", "")}


def test_with_as_many_shared_tokens_the_equal_label_wins() -> None:
    sentence = sentence_of([(0, 2, "B"), (2, 4, "A")], [(1, 3, "A")])

    kinds = {mistake.kind: mistake.texts for mistake in find_mistakes([sentence])}

    assert kinds == {"boundary": ("c d", "b c"), "missed": ("a b", "")}


def test_a_mention_predicted_twice_is_right_once_and_spurious_once() -> None:
    mistakes = find_mistakes([sentence_of([(0, 2, "A")], [(0, 2, "A"), (0, 2, "A")])])

    assert [mistake.kind for mistake in mistakes] == ["spurious"]


mentions = st.lists(
    st.tuples(st.integers(0, 7), st.integers(1, 3), st.sampled_from("AB")).map(
        lambda drawn: (drawn[0], min(8, drawn[0] + drawn[1]), drawn[2])
    ),
    max_size=5,
)


@given(mentions, mentions)
def test_every_mention_is_right_or_in_exactly_one_mistake(gold: list[Triple], predicted: list[Triple]) -> None:
    sentence = sentence_of(gold, predicted)

    mistakes = find_mistakes([sentence])

    n_right = sum(min(gold.count(mention), predicted.count(mention)) for mention in set(gold))
    assert sum(mistake.gold is not None for mistake in mistakes) == len(gold) - n_right
    assert sum(mistake.predicted is not None for mistake in mistakes) == len(predicted) - n_right
    assert sum(count_kinds(mistakes).values()) == len(mistakes)


@given(mentions, mentions)
def test_swapping_gold_and_predicted_swaps_spurious_and_missed(gold: list[Triple], predicted: list[Triple]) -> None:
    there = count_kinds(find_mistakes([sentence_of(gold, predicted)]))
    back = count_kinds(find_mistakes([sentence_of(predicted, gold)]))

    assert there["spurious"] - there["missed"] == back["missed"] - back["spurious"]


def test_kinds_that_do_not_occur_are_counted_as_none() -> None:
    counts = count_kinds(find_mistakes([sentence_of([(0, 1, "A")], [])]))

    assert counts == {"spurious": 0, "missed": 1, "boundary": 0, "label": 0, "label and boundary": 0}
    assert tuple(counts) == KINDS


def rows_of(path: Path) -> list[dict[str, str]]:
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE))


def test_the_file_has_a_row_per_mistake_with_its_place_in_the_document(tmp_path: Path) -> None:
    sentence = sentence_of([(1, 3, "Disease")], [(2, 3, "Disease")], "with breast cancer cells")

    write_mistakes(find_mistakes([replace(sentence, start=100)]), tmp_path / "mistakes.tsv")

    (row,) = rows_of(tmp_path / "mistakes.tsv")
    assert list(row.items()) == [
        *(("kind", "boundary"), ("document", "doc"), ("sentence", "1"), ("start", "105"), ("end", "118")),
        *(("text", "breast cancer"), ("gold", "Disease"), ("predicted", "Disease"), ("confidence", "0.5000")),
        *(("gold label", "Disease"), ("gold text", "breast cancer")),
        *(("predicted label", "Disease"), ("predicted text", "cancer"), ("score", "0.5000")),
        *(("left context", "with "), ("right context", " cells")),
    ]


def test_a_place_in_a_document_that_is_not_known_is_empty(tmp_path: Path) -> None:
    sentence = sentence_of([(1, 3, "Disease")], [(2, 3, "Disease")], "with breast cancer cells")

    write_mistakes(find_mistakes([replace(sentence, start=None)]), tmp_path / "mistakes.tsv")

    (row,) = rows_of(tmp_path / "mistakes.tsv")
    assert (row["start"], row["end"], row["text"]) == ("", "", "breast cancer")


def test_the_place_of_a_pair_reaches_over_both_mentions(tmp_path: Path) -> None:
    sentence = sentence_of([(0, 2, "A")], [(1, 3, "B")])

    write_mistakes(find_mistakes([sentence]), tmp_path / "mistakes.tsv")

    (row,) = rows_of(tmp_path / "mistakes.tsv")
    assert (row["start"], row["end"], row["text"]) == ("0", "5", "a b c")
    assert (row["gold"], row["predicted"]) == ("A", "B")


def test_a_missed_mention_has_no_confidence(tmp_path: Path) -> None:
    write_mistakes(find_mistakes([sentence_of([(0, 2, "A")], [])]), tmp_path / "mistakes.tsv")

    (row,) = rows_of(tmp_path / "mistakes.tsv")
    assert (row["gold"], row["predicted"], row["confidence"], row["score"]) == ("A", "", "", "")


def test_tabs_and_line_ends_in_cells_become_spaces(tmp_path: Path) -> None:
    sentence = sentence_of([(1, 3, "A")], [], "one\ttwo\r\nthree four\u2028five six")

    write_mistakes(find_mistakes([sentence]), tmp_path / "mistakes.tsv")

    (row,) = rows_of(tmp_path / "mistakes.tsv")
    assert (row["text"], row["gold text"]) == ("four five six", "four five six")
    assert (row["left context"], row["right context"]) == ("one two three ", "")


def test_no_mistakes_leave_only_the_header(tmp_path: Path) -> None:
    write_mistakes([], tmp_path / "mistakes.tsv")

    assert (tmp_path / "mistakes.tsv").read_text(encoding="utf-8").count("\n") == 1


def test_a_long_context_is_cut_between_words_and_says_so() -> None:
    words = " ".join(f"word{number}" for number in range(100))
    sentence = sentence_of([(50, 51, "A")], [], words)

    left, right = find_mistakes([sentence])[0].context(20)

    assert left == "…word48 word49 "
    assert right == " word51 word52…"


def test_mistakes_of_several_runs_name_the_others_that_make_them(tmp_path: Path) -> None:
    gold, other = Mention(0, 1, "X"), Mention(1, 2, "X")
    missed = ReviewedSentence("d", 1, "a b", ((0, 1), (2, 3)), (gold,), ())
    both = replace(missed, predicted=(other,), scores=(0.25,))

    write_mistakes_of_runs({"a": [missed], "b": [both]}, tmp_path / "mistakes.tsv")

    rows = list(read_rows(tmp_path / "mistakes.tsv"))
    assert [(row["run"], row["also in"], row["kind"], row["document"], row["confidence"]) for row in rows] == [
        ("a", "b", "missed", "d", ""),
        ("b", "a", "missed", "d", ""),
        ("b", "", "spurious", "d", "0.2500"),
    ]
