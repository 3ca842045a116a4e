"""Estimates what an annotation job needs (`linnet annotate --dry-run`): documents, words, hours, memory and disk space.

A sample is read from files that are spread over the whole input, because files differ: the oldest files of PubMed have
few abstracts. Some of it is annotated with one thread, which gives the speed of one core. Nothing is written except
temporary files, which show the size of the output.
"""

import sys
import time
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from linnet.annotation.annotate import load_model
from linnet.annotation.blocks import Block, Failure
from linnet.annotation.inputs import InputFile, list_inputs, read_leniently
from linnet.annotation.other_outputs import describe_outputs
from linnet.annotation.output import Output
from linnet.annotation.pipeline import annotate_block
from linnet.annotation.provenance import Provenance, describe_maker
from linnet.contracts import Notes, ReadOptions, WriteOptions, formats
from linnet.documents.document import Document
from linnet.errors import BadFile, BadSetting
from linnet.formats.corpus import corpus_place
from linnet.models.model_folder import model_fingerprint
from linnet.models.published.opening import model_folder
from linnet.settings.annotation import AnnotateSettings
from linnet.storage.files import STANDARD_INPUT, watching_bytes
from linnet.storage.pipes import is_pipe
from linnet.storage.processors import count_processors

__all__ = ["Estimate", "estimate"]

MOST_FILES = 16  # of the sample
MOST_READ = 4_000  # documents of the sample, over all files
MOST_ANNOTATED = 512  # documents, as in a block
MOST_SECONDS = 15.0  # of annotating
CHUNK = 64  # documents that are annotated together
BYTES_OF_ID = 10  # of memory for each document; see `formats.unique_ids`


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
            "output_bytes": self.output_bytes,
            "work_bytes": self.work_bytes,
            "sample": {"documents": self.sample_documents, "annotated": self.annotated_documents,
                       "failures": self.failures, "is_whole_input": self.is_whole},
        }  # fmt: skip

    def sentences(self) -> list[str]:
        """Return what the command prints."""
        about = "" if self.is_whole else "about "
        memory = "" if self.memory_bytes is None else f", {_format_bytes(self.memory_bytes)} of memory"
        outputs = ", ".join(f"{_format_bytes(size)} in {name}" for name, size in self.output_bytes.items())
        lines = [
            f"input: {about}{self.documents:,} documents, about {self.words:,} words",
            f"time: {_format_hours(self.hours)} on {self.cores:,} cores ({self.words_per_second:,.0f} words per second "
            f"on one core){memory}",
            f"output: {outputs}; until the end another {_format_bytes(self.work_bytes)} for finished blocks",
            f"estimated from {self.sample_documents:,} documents, of which {self.annotated_documents:,} were annotated;"
            " nothing was written",
        ]
        failed = f"{self.failures:,} documents of the sample cannot be read; `linnet annotate` records them"
        return [*lines, failed] if self.failures else lines


@dataclass
class _Sample:
    """What was read of the input."""

    documents: list[Document] = field(default_factory=list)
    n_failures: int = 0
    n_bytes: int = 0  # of the files
    n_documents: int = 0  # in these bytes
    is_whole: bool = True


def estimate(settings: AnnotateSettings, *, cores: int | None = None) -> Estimate:
    """Return what the job would need; nothing is written.

    Args:
        settings: of the job.
        cores: that it may use; all of this machine if not given.

    Raises:
        LinnetError: where the input, the model or the outputs cannot be used, as in the job itself.
    """
    first, others = describe_outputs(settings)
    outputs = (first, *others.outputs)
    ours = [each for output in outputs for each in (output.path, output.errors)]
    notes = Notes()
    files = list_inputs(corpus_place(settings.source), format=settings.source_format, notes=notes, leaving_out=ours)
    _refuse_unknown_size(files)
    maker = describe_maker(settings)
    folder = model_folder(settings.model, labels=settings.labels, label=settings.label)
    model = load_model(settings.model_copy(update={"model": str(folder), "threads": 1, "ray": None}))
    sample = _read_sample(files, notes, settings)
    n_documents = _count_documents(files, sample, settings.limit)
    annotated, words_per_second, n_words = _annotate_sample(sample.documents, model)
    if not annotated:
        raise BadFile(
            f"{settings.source}: no document of the sample can be read and annotated",
            "annotate it without `--dry-run`: errors.jsonl then has the reasons",
        )
    provenance = Provenance(maker, model_fingerprint(folder))
    scale = n_documents / len(annotated)
    chosen = cores or count_processors()
    return Estimate(
        documents=n_documents,
        words=round(n_words * scale),
        words_per_second=words_per_second,
        cores=chosen,
        memory_bytes=_measure_memory(n_documents, n_processes=1 if settings.ray is None else chosen),
        output_bytes={
            str(output.path): round(scale * _measure_output(annotated, output, provenance)) for output in outputs
        },
        work_bytes=round(scale * _measure_output(annotated, Output(Path("block.jsonl"), formats.get("jsonl")), None)),
        sample_documents=len(sample.documents) + sample.n_failures,
        annotated_documents=len(annotated),
        failures=sample.n_failures,
        is_whole=sample.is_whole,
    )


def _refuse_unknown_size(files: Any) -> None:  # a list of input files, or one on disk
    if any(file.path is STANDARD_INPUT or is_pipe(file.path) for file in files if not file.problem):
        raise BadSetting("--dry-run needs to know the size of the input", "give a file or folder instead of a pipe")


def _read_sample(files: Any, notes: Notes, settings: AnnotateSettings) -> _Sample:
    """Read the beginnings of files that are spread over the input."""
    sample = _Sample()
    step = -(-len(files) // MOST_FILES)
    chosen = [file for number, file in enumerate(files) if number % step == 0]
    sample.is_whole = len(chosen) == len(files)
    most = min(settings.limit or MOST_READ, MOST_READ) if len(chosen) == 1 else max(1, MOST_READ // len(chosen))
    for file in chosen:
        _read_file(file, sample, notes, ReadOptions(repair=settings.repair), most)
    return sample


def _read_file(file: InputFile, sample: _Sample, notes: Notes, options: ReadOptions, most: int) -> None:
    """Read the first documents of a file, and find how many documents are in how many of its bytes.

    A file is read in blocks. When the next block is needed, the documents so far are those of the blocks before it.
    """
    n_bytes = n_read = n_failed = 0
    measured = (0, 0)  # bytes, and the documents in them

    def count(more: int) -> None:
        nonlocal n_bytes, measured
        measured = (n_bytes, n_read - n_failed)
        n_bytes += more

    with watching_bytes(count):
        for each in read_leniently(file, notes, options):
            n_read += 1
            if isinstance(each, Failure):
                n_failed += 1
            elif n_read <= most:
                sample.documents.append(each)
            if n_read >= most and measured[1]:
                sample.is_whole = False
                break
        else:
            measured = (_measure_size(file), n_read - n_failed)
    sample.n_bytes += measured[0]
    sample.n_documents += measured[1]
    sample.n_failures += n_failed


def _measure_size(file: InputFile) -> int:
    if file.problem:
        return 0
    if file.path.is_dir():  # pairs of text and annotations
        return sum(each.stat().st_size for each in file.path.iterdir() if each.is_file())
    return file.path.stat().st_size


def _count_documents(files: Any, sample: _Sample, limit: int | None) -> int:
    """Return the number of documents that can be read, estimated from the bytes of the input."""
    n_found = sample.n_documents
    if not sample.is_whole:
        n_bytes = sum(map(_measure_size, files))
        n_found = max(len(sample.documents), round(n_found * n_bytes / max(1, sample.n_bytes)))
    return n_found if limit is None else min(n_found, limit)


def _annotate_sample(documents: list[Document], model: Any) -> tuple[list[Document], float, int]:
    """Return annotated documents of the sample, words per second of one core, and the words of those documents."""
    step = max(1, len(documents) // MOST_ANNOTATED)
    chosen = documents[::step][:MOST_ANNOTATED]
    annotate_block(Block(0, chosen[:1]), model, is_strict=False)  # the first call takes longer
    found: list[Document] = []
    n_words, started = 0, time.perf_counter()
    for at in range(0, len(chosen), CHUNK):
        done = annotate_block(Block(0, chosen[at : at + CHUNK]), model, is_strict=False)
        found += done.documents
        n_words += done.n_words
        if time.perf_counter() - started > MOST_SECONDS:
            break
    return found, n_words / max(1e-9, time.perf_counter() - started), n_words


def _measure_output(documents: list[Document], output: Output, provenance: Provenance | None) -> int:
    """Return the bytes that these documents take in the format of an output."""
    with TemporaryDirectory(prefix="linnet-dry-run-") as folder:
        written = documents if provenance is None else provenance.add(documents, output.to)
        output.write(written, Path(folder), WriteOptions(model=provenance.fingerprint if provenance else ""))
        return sum(each.stat().st_size for each in Path(folder).rglob("*") if each.is_file())


def _measure_memory(n_documents: int, *, n_processes: int) -> int | None:
    """Return the peak memory of this process for each process, and what the ids of all documents take."""
    try:
        import resource
    except ImportError:  # on Windows
        return None
    unit = 1 if sys.platform == "darwin" else 1024
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * unit * n_processes + BYTES_OF_ID * n_documents


def _format_bytes(number: int) -> str:
    for unit, size in (("GB", 1e9), ("MB", 1e6), ("kB", 1e3)):
        if number >= size:
            return f"{number / size:,.1f} {unit}"
    return f"{number} bytes"


def _format_hours(hours: float) -> str:
    if hours >= 1:
        return f"about {hours:,.1f} hours"
    return f"about {max(1, round(60 * hours)):,} minutes" if hours >= 1 / 60 else "less than a minute"
