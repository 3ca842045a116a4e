"""Jobs are computed together where they are short, in turns where they are long, and not at all if nobody waits."""

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import pytest

from linnet.models.engines import compute_batches
from linnet.serving.http.batching import Batcher, Limits, QueueFull, Work, divide

Texts = list[str]


class Computer:
    """Computes the length of each text, a batch for each; waits for `go` before each call if it is closed."""

    def __init__(self) -> None:
        self.calls: list[list[Texts]] = []
        self.go = threading.Event()
        self.go.set()
        self.started = threading.Event()

    def __call__(self, groups: list[Texts]) -> list[list[int]]:
        self.calls.append(groups)
        self.started.set()

        def compute(text: str) -> int:
            assert self.go.wait(10)
            if text == "bad":
                raise RuntimeError("bad text")
            return len(text)

        return [list(compute_batches(compute, group, n_parallel=1)) for group in groups]


@contextmanager
def batching(computer: Callable[[list[Texts]], list[list[int]]], **limits: float) -> Iterator[Batcher[str, int]]:
    chosen = {"short": 10, "together": 20, "waiting": 1000, "wait_seconds": 0.0, **limits}
    work = Work(compute=computer, split=lambda texts: [[text] for text in texts], size_of=len)
    batcher: Batcher[str, int] = Batcher(work, Limits(**chosen))  # type: ignore[arg-type]
    try:
        yield batcher
    finally:
        if isinstance(computer, Computer):
            computer.go.set()
        batcher.close()


def test_each_job_gets_its_own_results() -> None:
    with batching(Computer()) as batcher:
        jobs = [batcher.submit(["a" * n, "b"]) for n in range(1, 6)]

        assert [job.future.result(5) for job in jobs] == [[n, 1] for n in range(1, 6)]
        assert batcher.waiting == 0


def test_short_jobs_that_wait_are_computed_together() -> None:
    computer = Computer()
    with batching(computer) as batcher:
        computer.go.clear()
        first = batcher.submit(["x"])
        assert computer.started.wait(5)
        others = [batcher.submit(["a", "b"]) for _ in range(4)]
        computer.go.set()
        results = [job.future.result(5) for job in (first, *others)]

    assert results == [[1], *[[1, 1]] * 4]
    assert computer.calls == [[["x"]], [["a", "b"]] * 4]


def test_a_short_job_does_not_wait_for_a_long_one() -> None:
    computer = Computer()
    with batching(computer) as batcher:
        computer.go.clear()
        long = batcher.submit(["l" * 6] * 3)
        assert computer.started.wait(5)
        short = batcher.submit(["s"])
        while len(computer.calls) < 2:
            time.sleep(0.001)
        computer.go.set()

        assert short.future.result(5) == [1]
        assert long.future.result(5) == [6, 6, 6]


class Steps(Computer):
    """Computes texts one after the other, each when the test says so."""

    def __init__(self) -> None:
        super().__init__()
        self.order: list[str] = []
        self.allowed = threading.Semaphore(0)

    def __call__(self, groups: list[Texts]) -> list[list[int]]:
        self.started.set()

        def compute(text: str) -> int:
            assert self.allowed.acquire(timeout=10)
            self.order.append(text)
            return len(text)

        together = [text for group in groups for text in group]
        return divide(list(compute_batches(compute, together, n_parallel=1)), groups)


def test_a_much_shorter_job_is_let_in_between_two_batches() -> None:
    computer = Steps()
    with batching(computer, short=1000, together=1000) as batcher:
        big = batcher.submit(["a" * 20, "b" * 20, "c" * 20, "d" * 20, "e" * 20])
        assert computer.started.wait(5)
        other, short = batcher.submit(["f" * 40]), batcher.submit(["g"])
        for _ in range(7):
            computer.allowed.release()
        results = [job.future.result(5) for job in (big, other, short)]

    assert results == [[20] * 5, [40], [1]]
    assert "".join(text[0] for text in computer.order) == "agbcdef"


def test_much_shorter_jobs_that_wait_come_first() -> None:
    computer = Computer()
    with batching(computer, short=100, together=1000) as batcher:
        computer.go.clear()
        batcher.submit(["x"])
        assert computer.started.wait(5)
        jobs = [batcher.submit([text]) for text in ("a" * 20, "b" * 20, "c", "d" * 9, "e")]
        computer.go.set()
        results = [job.future.result(5) for job in jobs]

    assert results == [[20], [20], [1], [9], [1]]
    assert [[text[0] for (text,) in groups] for groups in computer.calls[1:]] == [["c", "e"], ["a", "b", "d"]]


def test_what_is_let_in_takes_no_more_than_what_it_delays() -> None:
    computer = Steps()
    with batching(computer, short=1000, together=1000, waiting=10**6) as batcher:
        big = batcher.submit(["A" * 20] * 5)
        assert computer.started.wait(5)
        many = [batcher.submit(["s"]) for _ in range(200)]
        for _ in range(205):
            computer.allowed.release()
        for job in (big, *many):
            job.future.result(5)

    begun = [computer.order[: at + 1] for at, text in enumerate(computer.order) if len(text) == 20]
    assert all(begun[n].count("s") <= 20 * n for n in range(5))
    assert begun[4].count("s") > 20


def test_a_short_job_that_is_let_in_and_breaks_breaks_alone() -> None:
    computer = Steps()

    def compute(groups: list[Texts]) -> list[list[int]]:
        if groups == [["bad"]]:
            raise RuntimeError("bad text")
        return computer(groups)

    with batching(compute, short=1000, together=1000) as batcher:
        big = batcher.submit(["a" * 20] * 5)
        assert computer.started.wait(5)
        bad = batcher.submit(["bad"])
        for _ in range(5):
            computer.allowed.release()

        assert big.future.result(5) == [20] * 5
        with pytest.raises(RuntimeError, match="bad text"):
            bad.future.result(5)


def test_long_jobs_advance_in_turns() -> None:
    computer = Computer()
    with batching(computer) as batcher:
        computer.go.clear()
        first = batcher.submit(["a" * 6] * 3)
        assert computer.started.wait(5)
        second = batcher.submit(["b" * 6] * 2)
        computer.go.set()
        assert (first.future.result(5), second.future.result(5)) == ([6] * 3, [6] * 2)

    order = "".join(groups[0][0][0] for groups in computer.calls)
    assert order in ("ababa", "aabab")


def test_a_full_queue_refuses_with_a_time() -> None:
    computer = Computer()
    with batching(computer, waiting=12) as batcher:
        computer.go.clear()
        job = batcher.submit(["a" * 10])
        with pytest.raises(QueueFull) as caught:
            batcher.submit(["b" * 10])
        computer.go.set()
        assert job.future.result(5) == [10]

        assert 1 <= caught.value.retry_after <= 60
        assert batcher.submit(["b" * 500]).future.result(5) == [500]  # into an empty queue


def test_a_job_that_breaks_does_not_spoil_the_others() -> None:
    computer = Computer()
    with batching(computer) as batcher:
        computer.go.clear()
        batcher.submit(["x"])
        assert computer.started.wait(5)
        good, bad = batcher.submit(["a"]), batcher.submit(["bad"])
        computer.go.set()

        assert good.future.result(5) == [1]
        with pytest.raises(RuntimeError, match="bad text"):
            bad.future.result(5)
        with pytest.raises(RuntimeError, match="bad text"):
            batcher.submit(["l" * 20, "bad"]).future.result(5)


@pytest.mark.parametrize("size", [1, 6])
def test_a_cancelled_job_stops_costing(size: int) -> None:
    computer = Computer()
    with batching(computer) as batcher:
        computer.go.clear()
        job = batcher.submit(["t" * size] * 5)
        assert computer.started.wait(5)
        waiting = batcher.submit(["w" * size] * 5)
        job.cancel()
        waiting.cancel()
        computer.go.set()
        for each in (job, waiting):
            with pytest.raises(Exception, match="cancelled"):
                each.future.result(5)

        assert batcher.waiting == 0
    assert len(computer.calls) == 1


def test_what_was_taken_is_finished_before_the_end() -> None:
    computer = Computer()
    with batching(computer) as batcher:
        computer.go.clear()
        jobs = [batcher.submit(["a"]), batcher.submit(["b" * 6] * 3)]
        ending = threading.Thread(target=batcher.close)
        ending.start()
        computer.go.set()
        ending.join(5)

        assert [job.future.result(0) for job in jobs] == [[1], [6, 6, 6]]
        with pytest.raises(QueueFull):
            batcher.submit(["c"])
