"""Lists of labels."""

import pytest

from linnet.settings.label_lists import parse_labels, split_labels


def test_labels_are_separated_by_commas_and_given_once() -> None:
    assert split_labels(["Disease, Chemical", "Gene,Disease"]) == ("Disease", "Chemical", "Gene")
    assert split_labels("Disease,Gene") == ("Disease", "Gene")
    assert split_labels([]) == ()


def test_other_types_are_left_to_the_check_of_types() -> None:
    assert split_labels(5) == 5
    assert split_labels(["Disease", 5]) == ["Disease", 5]


@pytest.mark.parametrize("given", ["", " , ", ["", ","]])
def test_a_list_without_a_label_is_refused(given: object) -> None:
    with pytest.raises(ValueError, match="names no label"):
        split_labels(given)


def test_labels_keep_their_order_and_stand_once() -> None:
    assert parse_labels(["b, a", " a,,c "]) == ("b", "a", "c")
    assert parse_labels([" , "]) == ()
