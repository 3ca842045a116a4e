"""Annotates the blocks of a job on a Ray cluster.

This process reads the input and hands its blocks over as files beside the output, a bounded number of them ahead. Ray
Data streams their numbers to a pool of actors. Each actor loads the model once, annotates blocks and keeps them as a
job on one machine does. If a worker is lost, another does its block again. The result is the same, since a block makes
the same batches everywhere. All machines must see the working folder and the paths of the job.
"""

import logging
import sys
import time
from collections.abc import Callable, Generator, Iterable, Iterator
from contextlib import closing, contextmanager, redirect_stdout
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np

from linnet.annotation.blocks import Block
from linnet.annotation.models import load_annotator, with_absolute_paths
from linnet.annotation.pipeline import annotate_block, work_ahead
from linnet.annotation.steps import open_steps
from linnet.annotation.work import Work
from linnet.contracts import Annotator
from linnet.errors import LinnetError
from linnet.settings.annotation import AnnotateSettings
from linnet.storage.processors import connect_to_ray

__all__ = ["annotate_on_ray"]

CPUS = 0.5  # reserved by each actor: Ray Data starves where actors take every processor
CPUS_TO_WAIT = 0.1  # of the task that waits for blocks; not the number of the actors, or Ray would fuse the two
AHEAD = 1024  # blocks handed over and not done yet: about 300 MB on disk at most
SECONDS_BETWEEN_LOOKS = 0.1  # for the next block
MOST_TRIES = 4  # of a block whose workers are lost; its documents may be too much for them

Row = dict[str, Any]  # of Ray Data


def annotate_on_ray(
    blocks: Iterable[Block], settings: AnnotateSettings, work: Work, report: Callable[[int], None]
) -> None:
    """Annotate the blocks that are not finished yet on a cluster, and report the number of documents of each.

    An error in the input is raised when the blocks before it are done.
    """
    done_before = frozenset(work.numbers())
    work.begin_hand_over()
    handed_over = work_ahead(_hand_over_blocks(blocks, work, done_before), AHEAD)
    try:
        if next(handed_over, None) is None:
            return
        with (
            redirect_stdout(sys.stderr),  # Ray reports lost workers there; our output is for results
            closing(_annotate_on_actors(settings, work, done_before)) as rows,  # so that the actors stop with the job
        ):
            for row in rows:
                if row["problem"]:
                    raise LinnetError(row["problem"], row["remedy"])
                work.take_back(int(row["number"]))
                report(int(row["documents"]))
                next(handed_over, None)
    finally:
        handed_over.close()  # type: ignore[attr-defined]  # a generator


def _hand_over_blocks(blocks: Iterable[Block], work: Work, done_before: frozenset[int]) -> Iterator[int]:
    """Hand over the blocks that are to be done, and yield their numbers."""
    n_blocks = 0
    try:
        for block in blocks:
            n_blocks = block.number + 1
            if block.number not in done_before:
                work.hand_over(block)
                yield block.number
    finally:
        work.end_hand_over(n_blocks)  # also where the input is broken: the blocks before it are annotated


def _annotate_on_actors(
    settings: AnnotateSettings, work: Work, done_before: frozenset[int]
) -> Generator[Row, None, None]:
    """Yield a row of results for each block, as the actors finish them."""
    ray = connect_to_ray(settings.ray or "auto")
    try:
        import ray.data

        with _silence(logging.getLogger("ray.data")):
            annotated = _build_dataset(ray, settings, str(work.folder.absolute()), done_before)
            for batch in annotated.iter_batches(batch_size=None, batch_format="pyarrow", prefetch_batches=0):
                yield from batch.to_pylist()
    finally:
        ray.shutdown()


@contextmanager
def _silence(logger: logging.Logger) -> Iterator[None]:
    """Let a logger report errors only."""
    level = logger.level
    logger.setLevel(logging.ERROR)
    try:
        yield
    finally:
        logger.setLevel(level)


def _build_dataset(ray: Any, settings: AnnotateSettings, folder: str, done_before: frozenset[int]) -> Any:
    """Return the dataset that is computed as it is read: numbers of blocks, then the results of the actors."""
    threads = settings.threads or 1
    n_workers = settings.workers or max(1, int(ray.cluster_resources().get("CPU", 1)) // threads)
    start = ray.data.from_items([{"number": 0}])
    start.context.enable_progress_bars = False
    start.context.target_max_block_size = 1  # byte: a block of Ray's for each row, so that it is passed on at once
    numbers = start.map_batches(
        _wait_for_blocks, fn_args=(folder, done_before), batch_size=1, batch_format="numpy", num_cpus=CPUS_TO_WAIT
    )
    return numbers.map(
        _Annotator,
        fn_constructor_args=(with_absolute_paths(settings), folder),
        compute=ray.data.ActorPoolStrategy(size=n_workers, max_tasks_in_flight_per_actor=1),
        num_cpus=CPUS,
    )


def _wait_for_blocks(_: Row, folder: str, done_before: frozenset[int]) -> Iterator[Row]:
    """Yield the number of each block as soon as it was handed over; the same ones if the task is run again."""
    work = Work(Path(folder))
    number = 0
    while (n_blocks := work.n_handed_over) is None or number < n_blocks:
        if number in done_before:
            number += 1
        elif work.is_handed_over(number):
            yield {"number": np.array([number])}
            number += 1
        else:
            time.sleep(SECONDS_BETWEEN_LOOKS)


class _Annotator:
    """An actor: the model, loaded once."""

    def __init__(self, settings: AnnotateSettings, folder: str) -> None:
        self.settings = settings.model_copy(update={"threads": settings.threads or 1})
        self.work = Work(Path(folder))

    @cached_property
    def annotator(self) -> Annotator:
        """The model, loaded when it is first needed: a problem with it can then be reported in a row."""
        return open_steps(self.settings).follow(load_annotator(self.settings))

    def __call__(self, row: Row) -> Row:
        """Annotate one block and keep it; return its number of documents, or the problem and its remedy."""
        number = int(row["number"])
        try:
            return {"number": number, "documents": self._annotate(number), "problem": "", "remedy": ""}
        except LinnetError as error:  # Ray would return an exception as text
            return {"number": number, "documents": 0, "problem": error.problem, "remedy": error.remedy}

    def _annotate(self, number: int) -> int:
        if self.work.is_done(number):  # by a worker that was lost before it could report it
            return len(self.work.read(number).documents)
        block, n_tries = self.work.take_over(number)
        if n_tries > MOST_TRIES and block.documents:
            first, last = block.documents[0].id, block.documents[-1].id
            raise LinnetError(
                f"{MOST_TRIES} workers were lost, one after another, with the documents {first!r} to {last!r}",
                "give them more memory, e.g. with fewer `--workers`, and go on with `--resume`",
            )
        done = annotate_block(block, self.annotator, is_strict=self.settings.strict)
        self.work.keep(done)
        return len(done.documents)
