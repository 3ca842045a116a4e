"""How does one thread work ahead of another, but not too far?"""

from collections.abc import Iterable, Iterator
from queue import Full, Queue
from threading import Event, Thread
from typing import Generic, TypeVar

__all__ = ["ahead"]

T = TypeVar("T")
SECONDS_BETWEEN_LOOKS = 0.1  # at whether anybody still wants what was made


class _End(Generic[T]):
    """Stands behind the last item, with the error that ended the work, if one did."""

    def __init__(self, error: BaseException | None = None) -> None:
        self.error = error


def ahead(items: Iterable[T], depth: int) -> Iterator[T]:
    """Yield the items, which another thread makes, at most `depth` of them ahead.

    An error met there is raised here, behind all items that were made before it. Closing ends the thread.
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


def _fill(items: Iterable[T], queue: "Queue[T | _End[T]]", is_closed: Event) -> None:
    end: _End[T] = _End()
    try:
        for item in items:
            if not _put(item, queue, is_closed):
                return
    except BaseException as error:  # whatever it is, it is raised where the items are used
        end = _End(error)
    _put(end, queue, is_closed)


def _put(item: "T | _End[T]", queue: "Queue[T | _End[T]]", is_closed: Event) -> bool:
    while not is_closed.is_set():
        try:
            queue.put(item, timeout=SECONDS_BETWEEN_LOOKS)
        except Full:
            continue
        return True
    return False
