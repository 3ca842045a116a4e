"""Blocks pass through preparing, predicting and keeping; a thread works ahead, in order and not too far."""

import threading
import time
from collections.abc import Iterator
from itertools import count, islice

import pytest

from linnet.annotation.pipeline import work_ahead


def test_items_come_in_order_and_all_of_them() -> None:
    assert list(work_ahead(range(100), 3)) == list(range(100))


def test_it_does_not_run_far_ahead_and_ends_when_closed() -> None:
    made = []

    def items() -> Iterator[int]:
        for number in count():
            made.append(number)
            yield number

    before = threading.active_count()
    source = work_ahead(items(), 2)
    first = list(islice(source, 3))
    deadline = time.monotonic() + 5
    while len(made) < 6 and time.monotonic() < deadline:
        pass
    source.close()  # type: ignore[attr-defined]  # a generator

    assert first == [0, 1, 2]
    assert len(made) <= 3 + 2 + 1  # taken, in the queue, in hand
    assert threading.active_count() == before


def test_an_error_comes_behind_what_was_made_before_it() -> None:
    def items() -> Iterator[int]:
        yield 1
        raise ValueError("broken")

    source = work_ahead(items(), 5)

    assert next(source) == 1
    with pytest.raises(ValueError, match="broken"):
        next(source)
