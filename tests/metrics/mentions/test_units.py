"""Units of evaluation with gold and predicted mentions."""

import pytest

from linnet.errors import BadSetting
from linnet.labels.mention import Mention
from linnet.metrics.mentions.units import Unit, get_boundaries, overlap, pair_off


def test_a_unit_keeps_its_mentions_in_reading_order() -> None:
    late, early = Mention(5, 6, "X"), Mention(0, 2, "Y")

    unit = Unit(gold=(late, early), predicted=(late, early), strictly_predicted=(late, early))

    assert unit.gold == unit.predicted == unit.strictly_predicted == (early, late)


def test_a_single_fragment_is_the_same_as_none() -> None:
    unit = Unit(gold=(Mention(0, 4, "X"),), predicted=(Mention(0, 4, "X", ((0, 4),)),))

    assert unit.gold == unit.predicted


def test_the_order_of_fragments_does_not_matter() -> None:
    unit = Unit(gold=(Mention(0, 9, "X", ((0, 2), (6, 9))),), predicted=(Mention(0, 9, "X", ((6, 9), (0, 2))),))

    assert unit.gold == unit.predicted


def test_token_labels_of_different_number_are_refused() -> None:
    with pytest.raises(BadSetting, match="document number 7 has 2 true token labels and 1 predicted"):
        Unit(gold=(), predicted=(), gold_labels=["X", ""], predicted_labels=["X"], group=7)


def test_touching_mentions_do_not_overlap() -> None:
    assert not overlap(Mention(0, 2, "X"), Mention(2, 3, "X"))
    assert overlap(Mention(0, 3, "X"), Mention(2, 3, "X"))


def test_equal_mentions_pair_off_one_to_one() -> None:
    twice, other = Mention(0, 1, "X"), Mention(4, 5, "X")

    pairs, missed, spurious = pair_off([twice, twice, other], [twice, Mention(4, 5, "Y")])

    assert pairs == [(twice, twice)]
    assert missed == [twice, other]
    assert spurious == [Mention(4, 5, "Y")]


def test_mentions_pair_off_by_a_key() -> None:
    pairs, missed, spurious = pair_off([Mention(4, 5, "X")], [Mention(4, 5, "Y")], key=get_boundaries)

    assert pairs == [(Mention(4, 5, "X"), Mention(4, 5, "Y"))]
    assert not missed
    assert not spurious
