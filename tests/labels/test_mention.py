"""A mention is equal to another only if its pieces are, too."""

from linnet.labels.mention import Mention


def test_mentions_with_other_pieces_are_not_equal() -> None:
    whole, in_pieces = Mention(0, 4, "X"), Mention(0, 4, "X", ((0, 1), (3, 4)))

    assert whole == Mention(0, 4, "X", ())
    assert whole != in_pieces
    assert sorted([in_pieces, whole, Mention(0, 3, "Y")]) == [Mention(0, 3, "Y"), whole, in_pieces]
