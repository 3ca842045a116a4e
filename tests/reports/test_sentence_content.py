"""Pages hold mentions in the offsets of a browser."""

from linnet.labels.mention import Mention
from linnet.reports.review import ReviewedSentence
from linnet.reports.sentence_content import browser_offsets, mention_content


def test_characters_beyond_the_first_plane_count_twice() -> None:
    assert list(browser_offsets("ab")) == [0, 1, 2]
    assert list(browser_offsets("a😀b")) == [0, 1, 3, 4]


def test_a_mention_has_its_place_label_confidence_and_pieces() -> None:
    mentions = (Mention(1, 3, "X"), Mention(0, 3, "Y", ((0, 1), (2, 3))))
    sentence = ReviewedSentence("d", 1, "😀 b", None, mentions, mentions)
    offsets = browser_offsets(sentence.text)

    found = [mention_content(sentence, each, 0.12345, offsets, {"X": 0, "Y": 1}) for each in mentions]

    assert found == [[2, 4, 0, 0.1235], [0, 4, 1, 0.1235, [[0, 2], [3, 4]]]]
    assert mention_content(sentence, mentions[0], None, offsets, {"X": 0}) == [2, 4, 0]
    assert mention_content(sentence, mentions[0], float("nan"), offsets, {"X": 0}) == [2, 4, 0]
