"""Confusion matrices: rows, columns and their order, and labels that are left out."""

from linnet.reports.confusion import count_confusion


def test_rows_are_gold_and_columns_predicted_in_the_given_order() -> None:
    table = count_confusion(["b", "a", "b"], ["a", "a", "b"], ["b", "a", "never"])

    assert table.labels == ("b", "a")
    assert table.counts == ((1, 1), (0, 1))
    assert (table.n_labels, table.n_left_out) == (2, 0)


def test_labels_outside_of_the_given_order_come_last() -> None:
    assert count_confusion(["z", "c"], ["a", "c"], ["c"]).labels == ("c", "a", "z")


def test_only_the_most_frequent_are_kept_in_their_order() -> None:
    table = count_confusion(["a", "b", "c", "c"], ["a", "b", "c", "b"], ["a", "b", "c"], most=2)

    assert table.labels == ("b", "c")
    assert table.counts == ((1, 0), (1, 1))
    assert (table.n_labels, table.n_left_out) == (3, 1)


def test_nothing_is_counted_where_there_is_nothing() -> None:
    table = count_confusion([], [], ["a"])

    assert (table.labels, table.counts, table.n_left_out) == ((), (), 0)
