"""A reviewed sentence knows where its mentions lie."""

from dataclasses import replace

import pytest

from linnet.labels.mention import Mention
from linnet.reports.review import ReviewedSentence


def test_a_mention_is_the_text_from_its_first_to_its_last_token() -> None:
    sentence = ReviewedSentence("d", 1, "no Lynch syndrome.", ((0, 2), (3, 8), (9, 17), (17, 18)), (), ())

    mention = Mention(1, 3, "Disease")

    assert sentence.place(mention) == (3, 17)
    assert sentence.text_of(mention) == "Lynch syndrome"


def test_a_mention_in_pieces_leaves_out_what_is_between_them() -> None:
    sentence = ReviewedSentence("d", 1, "breast or ovarian cancer", ((0, 6), (7, 9), (10, 17), (18, 24)), (), ())

    mention = Mention(0, 4, "Disease", fragments=((0, 1), (3, 4)))

    assert sentence.place(mention) == (0, 24)
    assert sentence.pieces(mention) == [(0, 6), (18, 24)]
    assert sentence.text_of(mention) == "breast … cancer"


@pytest.mark.parametrize(("first", "place"), [(1, (4, 4)), (2, (9, 9))])
def test_a_mention_that_touches_no_token_lies_before_the_next_one(first: int, place: tuple[int, int]) -> None:
    sentence = ReviewedSentence("d", 1, "no  cold ", ((0, 2), (4, 8)), (), ())

    mention = Mention(first, first, "Disease")

    assert sentence.place(mention) == place
    assert sentence.text_of(mention) == ""


def test_no_mention_has_no_text() -> None:
    sentence = ReviewedSentence("d", 1, "no", ((0, 2),), (), ())

    assert sentence.text_of(None) == ""


def test_a_predicted_mention_may_have_a_score_and_a_true_one_needs_none() -> None:
    mention = Mention(0, 1, "Disease")

    sentence = ReviewedSentence("d", 1, "no", ((0, 2),), (mention,), (mention,))

    assert sentence.score_of(mention) is None
    assert sentence.score_of(None) is None
    assert replace(sentence, scores=(0.5,)).score_of(mention) == 0.5


def test_without_tokens_mentions_count_characters() -> None:
    sentence = ReviewedSentence("d", 1, "breast or ovarian cancer", None, (), ())
    mention = Mention(0, 24, "Disease", fragments=((0, 6), (18, 24)))

    assert sentence.place(mention) == (0, 24)
    assert sentence.text_of(mention) == "breast … cancer"
