"""How spans lie to each other."""

from hypothesis import given
from hypothesis import strategies as st

from linnet.documents.document import Span
from linnet.documents.spans import in_reading_order, nested_spans, overlap, without_overlaps

spans = st.lists(
    st.builds(
        lambda start, size, label: Span(start, start + size, label), *[st.integers(0, 12)] * 2, st.sampled_from("XY")
    ),
    max_size=8,
)


def test_reading_order_is_by_start_and_the_longer_one_first() -> None:
    short, long, late = Span(2, 4, "X"), Span(2, 9, "X"), Span(5, 6, "X")

    assert in_reading_order([late, short, long]) == [long, short, late]


def test_touching_spans_do_not_overlap() -> None:
    assert not overlap(Span(0, 3, "X"), Span(3, 5, "X"))


def test_spans_that_share_a_character_overlap() -> None:
    assert overlap(Span(0, 4, "X"), Span(3, 5, "Y"))


def test_of_two_overlapping_spans_the_later_or_shorter_is_nested() -> None:
    outer, inner, crossing, apart = Span(0, 10, "X"), Span(2, 4, "X"), Span(8, 12, "X"), Span(12, 13, "X")

    assert nested_spans([crossing, inner, apart, outer]) == [inner, crossing]


def test_a_span_marked_twice_counts_as_nested_once() -> None:
    assert nested_spans([Span(0, 3, "X"), Span(0, 3, "Y")]) == [Span(0, 3, "Y")]


def test_the_longest_of_overlapping_spans_stays() -> None:
    outer, inner, beside = Span(0, 10, "X"), Span(2, 4, "X"), Span(10, 12, "Y")

    assert without_overlaps([inner, outer, beside]) == ([outer, beside], [inner])


def test_the_first_of_equally_long_overlapping_spans_stays() -> None:
    assert without_overlaps([Span(2, 6, "X"), Span(0, 4, "X")]) == ([Span(0, 4, "X")], [Span(2, 6, "X")])


def test_discontinuous_spans_are_left_out() -> None:
    broken = Span(0, 9, "X", fragments=((0, 2), (7, 9)))

    assert without_overlaps([broken, Span(3, 5, "X")]) == ([Span(3, 5, "X")], [broken])


def test_an_empty_span_does_not_hide_that_its_neighbours_overlap() -> None:
    outer, empty, inner = Span(0, 10, "X"), Span(0, 0, "X"), Span(5, 8, "X")

    kept, left_out = without_overlaps([outer, empty, inner])

    assert outer in kept
    assert left_out == [inner]


@given(spans)
def test_no_span_is_lost_and_no_two_that_stay_overlap(found: list[Span]) -> None:
    kept, left_out = without_overlaps(found)

    assert sorted(map(hash, [*kept, *left_out])) == sorted(map(hash, found))
    assert kept == in_reading_order(kept)
    assert not any(overlap(a, b) for i, a in enumerate(kept) for b in kept[i + 1 :])
    assert all(any(overlap(span, other) for other in kept) for span in left_out)
