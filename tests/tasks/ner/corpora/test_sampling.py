"""Samples keep the share of sentences with mentions, and smaller ones lie within larger ones."""

import pytest

from linnet.documents.document import Sentence
from linnet.errors import BadSetting
from linnet.tasks.ner.corpora.sampling import sample
from linnet.tasks.ner.examples import Example, Examples


def examples(n_with: int, n_without: int) -> Examples:
    tags = [["B-Disease"]] * n_with + [["O"]] * n_without
    rows = [
        Example("1", 0, number, "x", Sentence(0, 1, ((0, 1),)), ["x"], each, ()) for number, each in enumerate(tags)
    ]
    return Examples(rows)


def numbers(drawn: Examples) -> list[int]:
    return [row.number for row in drawn.rows]


@pytest.mark.parametrize(("number", "n_with"), [(10, 3), (50, 15), (100, 30), (7, 2)])
def test_the_share_of_sentences_with_mentions_is_kept(number: int, n_with: int) -> None:
    drawn = sample(examples(30, 70), number, seed=1, setting="train_sentences")

    assert len(drawn.rows) == number
    assert sum(row.tags == ["B-Disease"] for row in drawn.rows) == n_with
    assert numbers(drawn) == sorted(set(numbers(drawn)))


def test_a_smaller_sample_is_part_of_a_larger_one() -> None:
    rows = examples(30, 70)

    small, large = (sample(rows, number, seed=1, setting="train_sentences") for number in (20, 60))

    assert set(numbers(small)) < set(numbers(large))


def test_more_than_there_are_is_refused() -> None:
    with pytest.raises(BadSetting, match="devel_sentences is 3, the split has 2"):
        sample(examples(1, 1), 3, seed=1, setting="devel_sentences")
