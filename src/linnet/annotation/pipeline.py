"""A pipeline of threads that prepares, annotates and keeps blocks of documents at the same time.

One thread reads, splits and tokenises ahead, the caller's thread runs the model, another writes finished blocks. Queues
are short, so memory does not grow with the input.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from queue import Full, Queue
from threading import Event, Thread
from typing import Generic, Protocol, TypeVar

from linnet.annotation.blocks import Block, Failure
from linnet.annotation.done_blocks import DoneBlock
from linnet.annotation.work import Work
from linnet.contracts import Annotator, PreparedDocuments
from linnet.documents.document import Document
from linnet.documents.left_out import counting_left_out
from linnet.errors import LinnetError
from linnet.models.engines import watching_batches

__all__ = ["Progress", "annotate_block", "annotate_blocks", "part_reporter", "work_ahead"]

T = TypeVar("T")
DEPTH = 2  # blocks that are prepared before they are needed
SECONDS_BETWEEN_CHECKS = 0.1  # whether the items are still wanted


class Progress(Protocol):
    """Whoever wants to show how far a job is; a document may be another text that is predicted."""

    def begin(self, total: int, /) -> None:
        """Say how many documents there are, where that is known."""

    def find(self, number: int, /) -> None:
        """Say that so many more documents were read, where their number is not known."""

    def keep(self, number: int, /) -> None:
        """Say that so many more documents were done before the job was resumed."""

    def reach(self, number: float, /) -> None:
        """Say how many documents this process has done, parts of a block included."""


@dataclass(frozen=True)
class _Ready:
    """A block for the model; `prepared` is None where a document of it could not be prepared."""

    block: Block
    prepared: PreparedDocuments | None


class _End(Generic[T]):
    """Marks the end of the items, with the error that ended the work, if there was one."""

    def __init__(self, error: BaseException | None = None) -> None:
        self.error = error


def annotate_blocks(
    blocks: Iterable[Block],
    model: Annotator,
    work: Work,
    report: Callable[[int], None],
    *,
    is_strict: bool,
    progress: Progress | None = None,
) -> None:
    """Annotate the blocks that are not finished yet and keep each.

    Args:
        blocks: of the input.
        model: annotates documents.
        work: folder of the job.
        report: is called with the number of documents of each block that was kept.
        is_strict: whether a document that breaks the model stops the job; otherwise it is kept as a failure.
        progress: is told how many documents this process has annotated so far, also in parts of a block.
    """
    n_before = 0
    ready = work_ahead(_prepare_blocks(blocks, model, work), DEPTH)
    with ThreadPoolExecutor(1) as writer:
        writing: Future[None] | None = None
        try:
            for each in ready:
                with watching_batches(part_reporter(progress, n_before, len(each.block.documents))):
                    found = _annotate(each, model, is_strict)
                n_before += len(each.block.documents)
                if writing is not None:
                    writing.result()
                writing = writer.submit(_keep, found, work, report)
        finally:
            ready.close()  # type: ignore[attr-defined]  # a generator
            if writing is not None:
                writing.result()


def part_reporter(progress: Progress | None, n_before: int, n_documents: int) -> Callable[[int, int], None] | None:
    """Return a function that reports the batches of a block as documents; None where nobody watches."""
    if progress is None:
        return None
    return lambda n_batches, n_all: progress.reach(n_before + n_documents * n_batches / n_all)


def annotate_block(block: Block, model: Annotator, *, is_strict: bool) -> DoneBlock:
    """Return one block, annotated."""
    return _annotate(_prepare(block, model), model, is_strict)


def work_ahead(items: Iterable[T], depth: int) -> Iterator[T]:
    """Yield the items, which another thread computes, at most `depth` of them ahead.

    An error in that thread is raised here, after all items that were computed before it. Closing the generator ends
    the thread.
    """
    queue: Queue[T | _End[T]] = Queue(depth)
    is_closed = Event()
    thread = Thread(target=_fill, args=(items, queue, is_closed), daemon=True)
    thread.start()
    try:
        while True:
            found = queue.get()
            if isinstance(found, _End):
                if found.error is not None:
                    raise found.error
                return
            yield found
    finally:
        is_closed.set()
        thread.join()


def _prepare_blocks(blocks: Iterable[Block], model: Annotator, work: Work) -> Iterator[_Ready]:
    for block in blocks:
        if not work.is_done(block.number):
            yield _prepare(block, model)


def _prepare(block: Block, model: Annotator) -> _Ready:
    try:
        return _Ready(block, model.prepare(block.documents))
    except LinnetError:
        raise
    except Exception:  # caused by one of the documents, so each is tried alone
        return _Ready(block, None)


def _annotate(ready: _Ready, model: Annotator, is_strict: bool) -> DoneBlock:
    block, prepared = ready.block, ready.prepared
    if prepared is not None:
        try:
            with counting_left_out() as left_out:
                documents = model.finish(prepared, model.infer(prepared))
        except LinnetError:
            raise
        except Exception:  # as in `_prepare`
            pass
        else:
            return _finish_block(block, documents, block.failures, prepared.n_words, left_out)
    return _annotate_one_by_one(block, model, is_strict)


def _annotate_one_by_one(block: Block, model: Annotator, is_strict: bool) -> DoneBlock:
    """Annotate each document alone, so that one that breaks the model fails alone."""
    found: list[Document] = []
    failures = list(block.failures)
    n_words = 0
    left_out: Counter[tuple[str, str]] = Counter()
    for document in block.documents:
        try:
            prepared = model.prepare([document])
            with counting_left_out() as own:
                found += model.finish(prepared, model.infer(prepared))
            left_out += own
            n_words += prepared.n_words
        except LinnetError:
            raise
        except Exception as error:
            failure = Failure(document.id, f"{type(error).__name__}: {error}")
            if is_strict:
                raise failure.as_error() from error
            failures.append(failure)
    return _finish_block(block, found, failures, n_words, left_out)


def _finish_block(
    block: Block, documents: list[Document], failures: list[Failure], n_words: int, left_out: Counter[tuple[str, str]]
) -> DoneBlock:
    return DoneBlock(
        number=block.number,
        documents=documents,
        failures=failures,
        n_words=n_words,
        digest=block.digest,
        left_out=left_out,
    )


def _keep(found: DoneBlock, work: Work, report: Callable[[int], None]) -> None:
    work.keep(found)
    report(len(found.documents))


def _fill(items: Iterable[T], queue: "Queue[T | _End[T]]", is_closed: Event) -> None:
    end: _End[T] = _End()
    try:
        for item in items:
            if not _put(item, queue, is_closed):
                return
    except BaseException as error:  # it is raised in the thread that uses the items
        end = _End(error)
    _put(end, queue, is_closed)


def _put(item: "T | _End[T]", queue: "Queue[T | _End[T]]", is_closed: Event) -> bool:
    while not is_closed.is_set():
        try:
            queue.put(item, timeout=SECONDS_BETWEEN_CHECKS)
        except Full:
            continue
        return True
    return False
