"""Mentions that are left out on request are counted by reason and label."""

from linnet.documents.left_out import BY_CONFIDENCE, BY_LABEL, count_left_out, counting_left_out


def test_counts_belong_to_the_innermost_context() -> None:
    with counting_left_out() as outer:
        count_left_out(BY_LABEL, "Gene", 2)
        with counting_left_out() as inner:
            count_left_out(BY_CONFIDENCE, "Gene")
        count_left_out(BY_LABEL, "Gene")

    assert (outer, inner) == ({(BY_LABEL, "Gene"): 3}, {(BY_CONFIDENCE, "Gene"): 1})


def test_without_anybody_who_counts_nothing_happens() -> None:
    count_left_out(BY_LABEL, "Gene")

    with counting_left_out() as counts:
        pass
    assert not counts
