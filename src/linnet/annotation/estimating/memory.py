"""Memory that an annotation job needs, computed from what its sample needed."""

import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from linnet.annotation.blocks import Block
from linnet.annotation.pipeline import annotate_block
from linnet.documents.document import Document

__all__ = ["Memory", "measure_mapped", "measure_peak", "measure_thread"]

MARGIN = 1.3  # a job also keeps blocks that are read ahead and written
BYTES_OF_ID = 10  # of memory for each document; see `formats.unique_ids`
CHUNK = 64  # documents that show what a thread needs
STATUS = Path("/proc/self/status")  # of Linux


@dataclass(frozen=True)
class Memory:
    """What one process with one thread needed for a sample, in bytes; None where the system does not tell it."""

    peak: int | None
    thread: int | None  # what a thread needs to run the model
    mapped: int = 0  # of the peak: parts of vocabularies, which are mapped from their files

    def bound(self, n_documents: int, *, n_workers: int, is_ray: bool) -> int | None:
        """Return the most memory that a job should need; processes of one machine share what is mapped.

        Args:
            n_documents: whose ids are kept in memory.
            n_workers: threads of the job, or processes of a cluster.
            is_ray: is it a cluster?
        """
        if self.peak is None or self.thread is None:
            return None
        more = (n_workers - 1) * (self.peak - self.mapped if is_ray else self.thread)
        return round(MARGIN * (self.peak + more)) + BYTES_OF_ID * n_documents


def measure_thread(documents: list[Document], model: Any) -> int | None:
    """Return the memory that the model needs for documents, without the steps after it, which all threads share."""
    before = measure_peak()
    annotate_block(Block(0, documents[:CHUNK]), model, is_strict=False)
    after = measure_peak()
    return None if before is None or after is None else after - before


def measure_mapped() -> int:
    """Return the memory of this process that is mapped from files; 0 where the system does not tell it."""
    try:
        lines = STATUS.read_text(encoding="ascii").splitlines()
    except OSError:
        return 0
    return next((1024 * int(line.split()[1]) for line in lines if line.startswith("RssFile:")), 0)


def measure_peak() -> int | None:
    """Return the most memory that this process has had; None where the system does not tell it."""
    try:
        import resource
    except ImportError:  # on Windows
        return None
    unit = 1 if sys.platform == "darwin" else 1024
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * unit
