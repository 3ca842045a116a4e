"""Says what an interrupted job keeps, so that whoever interrupted it knows how it goes on."""

from collections.abc import Iterator
from contextlib import contextmanager

from linnet.annotation.block_files import count_rows
from linnet.annotation.work import Work
from linnet.documents.counted import counted

__all__ = ["explain_interrupts"]


@contextmanager
def explain_interrupts(work: Work, *, what: str, block: str = "") -> Iterator[None]:
    """Add to an interruption (Ctrl+C, SIGTERM) a note with what is kept; the command prints it.

    Args:
        work: folder of the job, which is locked.
        what: the rows of its blocks are, e.g. `document`.
        block: size of a block.
    """
    try:
        yield
    except KeyboardInterrupt as interrupt:
        if work.folder.is_dir():  # the job is not done
            interrupt.add_note(_describe_kept(work, what, block))
        raise


def _describe_kept(work: Work, what: str, block: str) -> str:
    numbers = work.numbers() if work.is_begun else []
    if not numbers:
        size = f" ({block})" if block else ""
        return f"nothing is kept yet, because no block{size} was finished: give the same command again"
    n_rows = sum(count_rows(work.path(number)) for number in numbers)
    are = "is" if n_rows == 1 else "are"
    return f"{counted(n_rows, what)} {are} kept in {work.folder}: give the same command again with `--resume` to go on"
