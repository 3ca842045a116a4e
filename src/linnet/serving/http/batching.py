"""Batching across requests: short ones are computed together, long ones in turns, and none starves the other.

Each model has two threads. One takes short jobs: it waits a few milliseconds for others and computes them together. The
other takes long jobs, one part of each in turn, so that two long requests advance alike. Both run at the same time, so
a short request never waits for a long one to end. Of the short jobs, those that are much shorter than the others come
first, and are let in between two batches of the network while others are computed: they would wait longer for those
than those wait for them. What waits is bounded; a job that nobody waits for any more is dropped between two batches.
"""

import time
from collections import deque
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from dataclasses import dataclass, field
from threading import Condition, Thread
from typing import Any, Generic, TypeVar

from linnet.errors import LinnetError
from linnet.models.engines import watching_batches

__all__ = ["Batcher", "Job", "Limits", "QueueFull", "Work", "divide"]

T = TypeVar("T")
R = TypeVar("R")
LEAST_RETRY, MOST_RETRY = 1, 60  # seconds
FIRST_RATE = 50_000.0  # characters per second, until the first measurement
SMOOTHING = 0.3
MUCH_SHORTER = 3  # times shorter than the mean of the others


class QueueFull(Exception):
    """So much waits already that a new job is refused."""

    def __init__(self, retry_after: int) -> None:
        super().__init__(f"try again in {retry_after} s")
        self.retry_after = retry_after


@dataclass
class _Running:
    """Jobs that are being computed together, and what was let in between their batches."""

    jobs: "list[Job[Any, Any]]"
    seconds: float = 0.0  # that those took which were let in
    let_in: int = 0  # characters of them

    @property
    def size(self) -> int:
        """How many characters they have together."""
        return sum(job.size for job in self.jobs)

    @property
    def most(self) -> float:
        """How many characters a job has at most that is let in."""
        return self.size / len(self.jobs) / MUCH_SHORTER

    def room(self, share: float) -> float:
        """Return the characters that may be let in now, when this share of the batches is done.

        Together they delay these jobs by less than these would delay them, and take no more time than these have had.
        """
        return min(self.size * (1 - share) / len(self.jobs), self.size * share - self.let_in)


class _Dropped(LinnetError):
    """Nobody waits for the result any more; an error of ours, so that no document is tried again alone."""

    def __init__(self) -> None:
        super().__init__("the request was cancelled", "ask again")


@dataclass(frozen=True)
class Limits:
    """When a job is short, what is computed together, and how much may wait; in characters.

    Exported models are as fast with 20,000 characters as with more, and the next jobs wait less.
    """

    short: int = 20_000
    together: int = 20_000
    waiting: int = 10_000_000
    wait_seconds: float = 0.003


@dataclass(frozen=True)
class Work(Generic[T, R]):
    """What a model does with the items of jobs."""

    compute: Callable[[list[list[T]]], list[list[R]]]  # the items of several jobs to the results of each
    split: Callable[[list[T]], list[list[T]]]  # a long job into parts
    size_of: Callable[[T], int]  # in characters


@dataclass(eq=False)
class Job(Generic[T, R]):
    """Items of one request, and the future with their results."""

    items: list[T]
    size: int
    future: "Future[list[R]]" = field(default_factory=Future)
    is_cancelled: bool = False
    parts: "deque[list[T]]" = field(default_factory=deque)
    results: list[R] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.future.set_running_or_notify_cancel()  # so that nobody but the worker ends it

    def cancel(self) -> None:
        """Say that nobody waits for the results any more."""
        self.is_cancelled = True


class Batcher(Generic[T, R]):
    """Takes jobs for one model from many threads."""

    def __init__(self, work: Work[T, R], limits: Limits) -> None:
        self._work, self._limits = work, limits
        self._short: deque[Job[T, R]] = deque()
        self._long: deque[Job[T, R]] = deque()
        self._condition = Condition()
        self._is_closed = False
        self._rate = FIRST_RATE
        self.waiting = 0  # characters, those that are being computed included
        self.n_batches = 0
        self.n_jobs = 0
        self._threads = [Thread(target=self._run_short, daemon=True), Thread(target=self._run_long, daemon=True)]
        for thread in self._threads:
            thread.start()

    def submit(self, items: Sequence[T]) -> Job[T, R]:
        """Take a job, or refuse it if too much waits; a job into an empty queue is always taken.

        Raises:
            QueueFull: with the seconds after which to try again.
        """
        job: Job[T, R] = Job(list(items), sum(map(self._work.size_of, items)))
        with self._condition:
            if self._is_closed or (self.waiting and self.waiting + job.size > self._limits.waiting):
                raise QueueFull(self._estimate_wait())
            self.waiting += job.size
            self.n_jobs += 1
            (self._short if job.size <= self._limits.short else self._long).append(job)
            self._condition.notify_all()
        return job

    def close(self) -> None:
        """Finish what was taken, then end; nothing new is taken meanwhile."""
        with self._condition:
            self._is_closed = True
            self._condition.notify_all()
        for thread in self._threads:
            thread.join()

    def _estimate_wait(self) -> int:
        return round(min(max(self.waiting / self._rate, LEAST_RETRY), MOST_RETRY))

    def _run_short(self) -> None:
        while jobs := self._take_short():
            for together in _shortest_first(jobs):
                self._compute(together)

    def _run_long(self) -> None:
        while (job := self._take_long()) is not None:
            self._advance(job)

    def _take_short(self) -> list[Job[T, R]]:
        """Return short jobs to be computed together; none when the service ends."""
        with self._condition:
            self._condition.wait_for(lambda: self._short or self._is_closed)
            if not self._short:
                return []
            until = time.monotonic() + self._limits.wait_seconds
            while not self._is_closed and self._waiting_short() < self._limits.together:
                if not self._condition.wait(max(0.0, until - time.monotonic())) or time.monotonic() >= until:
                    break
            taken: list[Job[T, R]] = []
            size = 0
            while self._short and (not taken or size + self._short[0].size <= self._limits.together):
                job = self._short.popleft()
                size += job.size
                taken.append(job)
            return taken

    def _waiting_short(self) -> int:
        return sum(job.size for job in self._short)

    def _take_long(self) -> Job[T, R] | None:
        with self._condition:
            self._condition.wait_for(lambda: self._long or self._is_closed)
            return self._long.popleft() if self._long else None

    def _compute(self, jobs: list[Job[T, R]], *, lets_in: bool = True) -> None:
        """Compute jobs together; if that fails, each alone, so that one cannot spoil the others."""
        wanted = [job for job in jobs if not job.is_cancelled]
        try:
            found = self._call([job.items for job in wanted], wanted, lets_in=lets_in) if wanted else []
        except _Dropped:
            found = []
        except Exception as error:
            if len(wanted) > 1:
                for job in wanted:
                    self._compute([job], lets_in=lets_in)
                self._release([job for job in jobs if job not in wanted])
                return
            wanted[0].future.set_exception(error)
            found = []
        for job, results in zip(wanted, found, strict=False):
            job.future.set_result(results)
        self._release(jobs)

    def _advance(self, job: Job[T, R]) -> None:
        """Compute the next part of a long job, and put it behind the others if it is not done."""
        try:
            if not job.parts and not job.results:
                job.parts.extend(self._work.split(job.items))
            if not job.is_cancelled:
                job.results += self._call([job.parts.popleft()], [job], lets_in=False)[0]
        except _Dropped:
            job.cancel()
        except Exception as error:
            job.future.set_exception(error)
            self._release([job])
            return
        if job.parts and not job.is_cancelled:
            with self._condition:
                self._long.append(job)
            return
        if not job.is_cancelled:
            job.future.set_result(job.results)
        self._release([job])

    def _call(self, groups: list[list[T]], jobs: list[Job[T, R]], *, lets_in: bool) -> list[list[R]]:
        running = _Running(jobs)

        def check(n_done: int, n_all: int) -> None:
            if all(job.is_cancelled for job in jobs):
                raise _Dropped
            if lets_in and n_done < n_all:
                self._let_in(running, n_done / n_all)

        started = time.monotonic()
        with watching_batches(check):
            found = self._work.compute(groups)
        self.n_batches += 1
        size = sum(self._work.size_of(item) for group in groups for item in group)
        rate = size / max(time.monotonic() - started - running.seconds, 1e-6)
        self._rate += SMOOTHING * (rate - self._rate)
        return found

    def _let_in(self, running: _Running, share: float) -> None:
        """Compute the shortest jobs that wait, as far as there is room, when this share of the batches is done."""
        if not self._short:
            return
        room = running.room(share)
        taken: list[Job[T, R]] = []
        with self._condition:
            for job in sorted(self._short, key=lambda job: job.size):
                if job.size > min(room, running.most):
                    break
                room -= job.size
                self._short.remove(job)
                taken.append(job)
        if taken:
            started = time.monotonic()
            self._compute(taken, lets_in=False)
            running.let_in += sum(job.size for job in taken)
            running.seconds += time.monotonic() - started

    def _release(self, jobs: Sequence[Job[Any, Any]]) -> None:
        with self._condition:
            self.waiting -= sum(job.size for job in jobs)
        for job in jobs:
            if not job.future.done():
                job.future.set_exception(_Dropped())


def _shortest_first(jobs: list[Job[T, R]]) -> list[list[Job[T, R]]]:
    """Return the jobs that are computed together: those that are much shorter than the mean come before the others."""
    mean = sum(job.size for job in jobs) / len(jobs)
    short = [job for job in jobs if job.size * MUCH_SHORTER <= mean]
    others = [job for job in jobs if job.size * MUCH_SHORTER > mean]
    return [group for group in (short, others) if group]


def divide(found: Sequence[R], groups: list[list[T]]) -> list[list[R]]:
    """Return the results of the items of several jobs, those of each job apart."""
    divided, at = [], 0
    for group in groups:
        divided.append(list(found[at : at + len(group)]))
        at += len(group)
    return divided
