"""Windows: however long a sentence, every word is predicted exactly once, with context on both sides."""

from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from linnet.batches.windows import Window, plan_windows

SIZES = st.lists(st.integers(1, 12), max_size=60)


@given(SIZES, st.integers(4, 20), st.integers(0, 10))
def test_every_word_is_owned_by_exactly_one_window_that_reads_it(sizes: list[int], capacity: int, overlap: int) -> None:
    windows = plan_windows(sizes, capacity=capacity, overlap=overlap)

    assert [word for window in windows for word in range(window.own_first, window.own_end)] == list(range(len(sizes)))
    assert all(window.first <= window.own_first <= window.own_end <= window.end for window in windows)


@given(SIZES, st.integers(4, 20), st.integers(0, 10))
def test_no_window_exceeds_the_capacity(sizes: list[int], capacity: int, overlap: int) -> None:
    for window in plan_windows(sizes, capacity=capacity, overlap=overlap):
        read = [min(size, capacity) for size in sizes[window.first : window.end]]

        assert sum(read) <= capacity


@given(SIZES, st.integers(4, 20), st.integers(0, 10))
def test_neighbours_share_no_more_than_the_overlap(sizes: list[int], capacity: int, overlap: int) -> None:
    for earlier, later in pairwise(plan_windows(sizes, capacity=capacity, overlap=overlap)):
        shared = [min(size, capacity) for size in sizes[later.first : earlier.end]]

        assert sum(shared) <= overlap
        assert earlier.first < later.first


@given(st.lists(st.integers(1, 12), min_size=1, max_size=60), st.integers(4, 20), st.integers(0, 10))
def test_no_window_is_read_for_nothing(sizes: list[int], capacity: int, overlap: int) -> None:
    assert all(w.own_first < w.own_end for w in plan_windows(sizes, capacity=capacity, overlap=overlap))


@given(st.integers(30, 200))
def test_in_the_overlap_each_word_is_owned_where_it_has_most_context(n_words: int) -> None:
    windows = plan_windows([1] * n_words, capacity=20, overlap=6)

    for window in windows:
        for word in range(window.own_first, window.own_end):
            here = min(word - window.first, window.end - 1 - word)
            elsewhere = [min(word - o.first, o.end - 1 - word) for o in windows if o.first <= word < o.end]
            assert here >= max(elsewhere) - 1  # an odd overlap has a word in its middle


def test_a_sentence_that_fits_is_one_window() -> None:
    assert plan_windows([2, 2, 2], capacity=6, overlap=2) == [Window(0, 3, 0, 3)]


def test_a_sentence_without_words_is_one_empty_window() -> None:
    assert plan_windows([], capacity=6, overlap=2) == [Window(0, 0, 0, 0)]


def test_a_word_longer_than_the_window_fills_one_alone() -> None:
    assert plan_windows([1, 99, 1], capacity=6, overlap=2) == [
        Window(0, 1, 0, 1),
        Window(1, 2, 1, 2),
        Window(2, 3, 2, 3),
    ]
