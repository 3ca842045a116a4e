"""In which order tags become numbers."""

from itertools import permutations

import pytest

from linnet.errors import BadSetting
from linnet.labels.label_set import LabelSet


def test_the_order_of_the_labels_does_not_matter() -> None:
    sets = {LabelSet.of_tags(order, "iob2") for order in permutations(["Disease", "Chemical", "Gene"])}

    assert sets == {
        LabelSet(("O", "B-Chemical", "B-Disease", "B-Gene", "I-Chemical", "I-Disease", "I-Gene")),
    }


def test_outside_is_always_the_first() -> None:
    assert LabelSet.of_tags(["A"], "bilou").id_by_name == {"O": 0, "B-A": 1, "I-A": 2, "L-A": 3, "U-A": 4}


def test_names_become_numbers_and_labels_are_found_again() -> None:
    label_set = LabelSet.of_tags(["X", "Y"], "io")

    assert label_set.ids(["O", "I-Y", "I-X"]) == [0, 2, 1]
    assert label_set.labels == ["X", "Y"]
    assert (len(label_set), "I-X" in label_set, "B-X" in label_set) == (3, True, False)


def test_values_by_name_are_put_in_order_whatever_order_they_come_in() -> None:
    label_set = LabelSet.of_tags(["X"], "iob2")

    assert label_set.in_order({"I-X": 3.0, "O": 1.0, "B-X": 2.0, "unused": 9.0}) == [1.0, 2.0, 3.0]


def test_a_missing_value_is_refused_by_name() -> None:
    with pytest.raises(BadSetting, match="no value for I-X"):
        LabelSet.of_tags(["X"], "iob2").in_order({"O": 1, "B-X": 2})


def test_an_unknown_name_is_refused() -> None:
    with pytest.raises(BadSetting, match="'B-Y'"):
        LabelSet.of_tags(["X"], "iob2").ids(["B-Y"])


def test_a_name_that_stands_twice_is_refused() -> None:
    with pytest.raises(BadSetting, match="twice"):
        LabelSet(("O", "B-X", "O"))


def test_an_unknown_tagging_is_refused() -> None:
    with pytest.raises(BadSetting, match="known taggings"):
        LabelSet.of_tags(["X"], "bioes2")
