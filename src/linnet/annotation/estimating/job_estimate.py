"""What an annotation job is estimated to need, in numbers and in sentences."""

from dataclasses import dataclass
from typing import Any

from linnet.documents.counted import counted, estimated
from linnet.storage.machine_load import describe_load

__all__ = ["Estimate"]

LEAST_MAPPED = 10**7  # bytes that are worth a word


@dataclass(frozen=True)
class Estimate:
    """What a job needs, computed from a sample."""

    documents: int
    words: int
    words_per_second: float  # of one core
    cores: int
    memory_bytes: int | None  # of all processes; None where the system does not tell it
    output_bytes: dict[str, int]  # by output
    work_bytes: int  # of the finished blocks, which are removed in the end
    sample_documents: int  # that were read
    annotated_documents: int
    failures: int  # in the sample
    is_whole: bool  # was the whole input read, so that the number of documents is exact?
    threads: int | None = None  # that the job uses as its settings are; None on a cluster
    load: float | None = None  # processes that wanted a processor before the sample was annotated
    share: float = 1.0  # of the bytes of the input that the sample fills
    first_failure: str = ""  # its reason
    mapped_bytes: int = 0  # of the memory: parts of vocabularies, which are mapped from their files

    @property
    def hours(self) -> float:
        """How long all cores together need."""
        return self.words / self.words_per_second / self.cores / 3600 if self.words_per_second else 0.0

    def as_dict(self) -> dict[str, Any]:
        """Return plain values for JSON."""
        return {
            "documents": self.documents,
            "words": self.words,
            "hours": self.hours,
            "cores": self.cores,
            "words_per_second": self.words_per_second,
            "memory_bytes": self.memory_bytes,
            "mapped_bytes": self.mapped_bytes,
            "output_bytes": self.output_bytes,
            "work_bytes": self.work_bytes,
            "sample": {"documents": self.sample_documents, "annotated": self.annotated_documents,
                       "failures": self.failures, "is_whole_input": self.is_whole, "share": self.share,
                       **({"first_failure": self.first_failure} if self.first_failure else {})},
        }  # fmt: skip

    def sentences(self) -> list[str]:
        """Return what the command prints."""
        documents = counted(self.documents, "document")
        if not self.is_whole:
            documents = f"about {counted(estimated(self.documents), 'document')}"
        words = counted(estimated(self.words), "word")
        memory = "" if self.memory_bytes is None else f", at most about {_format_bytes(self.memory_bytes)} of memory"
        memory += "" if self.memory_bytes is None else self._explain_processes()
        memory += self._explain_mapped()
        outputs = ", ".join(f"{_format_bytes(size)} in {name}" for name, size in self.output_bytes.items())
        lines = [
            f"input: {documents}, about {words}",
            f"time: {_format_hours(self.hours)} on {counted(self.cores, 'core')} "
            f"({self.words_per_second:,.0f} words per second on one core){memory}{self._explain_threads()}",
            f"output: {outputs}; until the end another {_format_bytes(self.work_bytes)} for finished blocks",
            f"estimated from {counted(self.sample_documents, 'document')}{self._share()}, {self.annotated_documents:,} "
            "of them annotated; nothing was written",
        ]
        failed = (
            f"{counted(self.failures, 'document')} of the sample cannot be read; `linnet annotate` records failures"
        )
        failed += f" (the first: {self.first_failure})" if self.first_failure else ""
        if busy := describe_load(self.load):
            lines.append(busy)
        return [*lines, failed] if self.failures else lines

    def _explain_processes(self) -> str:
        """Return whose memory it is: one process with a thread for each core, or the processes of a cluster."""
        if self.threads is None:
            return f" for {counted(self.cores, 'process', 'processes')} together"
        return f" for one process with {counted(self.cores, 'thread')}"

    def _explain_threads(self) -> str:
        """Return how many threads the job uses, where that is not the number of cores."""
        if self.threads in (None, self.cores):
            return ""
        return f"; the command as it stands uses {counted(self.threads or 1, 'thread')}"

    def _explain_mapped(self) -> str:
        """Return how much of the memory is mapped, where that matters."""
        if not self.memory_bytes or self.mapped_bytes < LEAST_MAPPED:
            return ""
        return f" ({_format_bytes(self.mapped_bytes)} of it mapped from vocabularies, once for all processes)"

    def _share(self) -> str:
        """Return how much of the input the sample is; the rest may have longer or shorter documents."""
        if self.is_whole or self.documents == self.sample_documents:  # all that `--limit` leaves
            return ""
        return f" ({100 * self.share:.2g} % of the input; the rest may differ)"


def _format_bytes(number: int) -> str:
    """Return a number of bytes as exact as an estimate is."""
    number = estimated(number)
    for unit, size in (("GB", 1e9), ("MB", 1e6), ("kB", 1e3)):
        if number >= size:
            return f"{number / size:,.1f}".removesuffix(".0") + f" {unit}"
    return f"{number} bytes"


def _format_hours(hours: float) -> str:
    if hours >= 1:
        return f"about {hours:,.1f} hours"
    return f"about {max(1, round(60 * hours)):,} minutes" if hours >= 1 / 60 else "less than a minute"
