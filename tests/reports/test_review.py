"""A reviewed sentence knows where its mentions lie."""

from linnet.reports.review import ReviewedMention, ReviewedSentence


def test_a_mention_is_the_text_from_its_first_to_its_last_token() -> None:
    sentence = ReviewedSentence("d", 1, "no Lynch syndrome.", ((0, 2), (3, 8), (9, 17), (17, 18)), (), ())

    mention = ReviewedMention(1, 3, "Disease")

    assert sentence.place(mention) == (3, 17)
    assert sentence.text_of(mention) == "Lynch syndrome"


def test_no_mention_has_no_text() -> None:
    sentence = ReviewedSentence("d", 1, "no", ((0, 2),), (), ())

    assert sentence.text_of(None) == ""


def test_a_predicted_mention_may_have_a_score_and_a_true_one_needs_none() -> None:
    assert ReviewedMention(0, 1, "Disease").score is None
    assert ReviewedMention(0, 1, "Disease", 0.5).score == 0.5
