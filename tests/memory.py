"""How much memory does reading a corpus take, apart from whatever else the test process holds and does?"""

import multiprocessing
import tracemalloc
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from pathlib import Path

from linnet.contracts import Notes, ReadOptions, formats
from linnet.documents.document import Document

WARMED_UP = 100  # documents after which buffers have their size


@dataclass(frozen=True)
class Reading:
    """What one pass over a corpus took."""

    n_documents: int
    python_peak: int  # bytes that Python allocated
    process_growth: int  # bytes of the whole process since it had warmed up


def memory_of_reading(format_name: str, path: Path) -> Reading:
    """Measure one pass over a file in a process of its own."""
    with ProcessPoolExecutor(1, mp_context=multiprocessing.get_context("spawn")) as pool:
        return pool.submit(_read, format_name, path).result()


def _read(format_name: str, path: Path) -> Reading:
    documents: Iterator[Document] = iter(formats.get(format_name).read(path, ReadOptions(), Notes()))
    tracemalloc.start()
    pages = [_n_pages() for _ in documents]
    peak = tracemalloc.get_traced_memory()[1]
    return Reading(len(pages), peak, (max(pages) - pages[WARMED_UP]) * 4096)


def _n_pages() -> int:
    """Return how many pages of memory the process holds, or nothing where the system does not say."""
    statistics = Path("/proc/self/statm")
    return int(statistics.read_text().split()[1]) if statistics.exists() else 0
