"""Estimates what an annotation job needs (`linnet annotate --dry-run`): documents, words, hours, memory and disk space.

A sample is read from files that are spread over the whole input, because files differ: the oldest files of PubMed have
few abstracts. Some of it is annotated with one thread, which gives the speed of one core. Nothing is written except
temporary files, which show the size of the output.
"""

import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from linnet.annotation.blocks import Block, Failure
from linnet.annotation.counted_inputs import JSON_FIELDS, choose_format, name_fields
from linnet.annotation.estimating.job_estimate import Estimate
from linnet.annotation.estimating.memory import Memory, measure_mapped, measure_peak, measure_thread
from linnet.annotation.job_labels import check_labels
from linnet.annotation.models import describe_model, load_annotator, locate_model
from linnet.annotation.other_outputs import describe_outputs
from linnet.annotation.output import Output
from linnet.annotation.pipeline import annotate_block
from linnet.annotation.provenance import Provenance, describe_maker
from linnet.annotation.steps import open_steps
from linnet.contracts import Notes, ReadOptions, WriteOptions, formats
from linnet.documents.document import Document
from linnet.errors import BadFile, BadSetting
from linnet.formats.corpus import corpus_place
from linnet.formats.inputs.lenient import read_leniently
from linnet.formats.inputs.reading import InputFile, list_inputs
from linnet.settings.annotation import AnnotateSettings
from linnet.storage.files import STANDARD_INPUT, watching_bytes
from linnet.storage.machine_load import measure_load
from linnet.storage.pipes import is_pipe
from linnet.storage.processors import count_processors

__all__ = ["Estimate", "estimate"]

MOST_FILES = 16  # of the sample
MOST_READ = 4_000  # documents of the sample, over all files
MOST_ANNOTATED = 512  # documents, as in a block
MOST_SECONDS = 15.0  # of annotating
CHUNK = 64  # documents that are annotated together
WITHOUT_DRY_RUN = "annotate it without `--dry-run`: errors.jsonl then has the reasons"


@dataclass
class _Sample:
    """What was read of the input."""

    documents: list[Document] = field(default_factory=list)
    n_failures: int = 0
    first_failure: str = ""
    n_bytes: int = 0  # of the files
    n_documents: int = 0  # in these bytes
    is_whole: bool = True
    share: float = 1.0  # of the bytes of the input


def estimate(settings: AnnotateSettings, *, cores: int | None = None) -> Estimate:
    """Return what the job would need; nothing is written.

    Args:
        settings: of the job.
        cores: that it may use; as many as the job uses threads if not given.

    Raises:
        LinnetError: where the input, the model or the outputs cannot be used, as in the job itself.
    """
    load = measure_load()
    first, others = describe_outputs(settings)
    outputs = (first, *others.outputs)
    ours = [each for output in outputs for each in (output.path, output.errors)]
    notes = Notes()
    files = list_inputs(corpus_place(settings.source), format=choose_format(settings), notes=notes, leaving_out=ours)
    _refuse_unknown_size(files)
    maker = describe_maker(settings)
    settings, steps = locate_model(settings), open_steps(settings)
    model = load_annotator(settings.model_copy(update={"threads": 1}))
    check_labels(settings)
    sample = _read_sample(files, notes, settings)
    thread, mapped_before = measure_thread(sample.documents, model), measure_mapped()
    n_documents = _count_documents(files, sample, settings.limit)
    annotated, words_per_second, n_words = _annotate_sample(sample.documents, steps.follow(model))
    if not annotated:
        raise _nothing_annotated(settings, sample, files)
    memory = Memory(measure_peak(), thread, max(0, measure_mapped() - mapped_before))
    provenance = Provenance(maker, describe_model(settings)["model"], steps.infons)
    scale = n_documents / len(annotated)
    threads = settings.threads or count_processors()
    chosen = cores or threads
    return Estimate(
        documents=n_documents,
        words=round(n_words * scale),
        words_per_second=words_per_second,
        cores=chosen,
        threads=threads if settings.ray is None else None,
        memory_bytes=memory.bound(n_documents, n_workers=chosen, is_ray=settings.ray is not None),
        mapped_bytes=memory.mapped,
        output_bytes={
            str(output.path): round(scale * _measure_output(annotated, output, provenance)) for output in outputs
        },
        work_bytes=round(scale * _measure_output(annotated, Output(Path("block.jsonl"), formats.get("jsonl")), None)),
        sample_documents=len(sample.documents) + sample.n_failures,
        annotated_documents=len(annotated),
        failures=sample.n_failures,
        first_failure=sample.first_failure,
        is_whole=sample.is_whole,
        share=sample.share,
        load=load,
    )


def _nothing_annotated(settings: AnnotateSettings, sample: _Sample, files: Any) -> BadFile:
    reason = f" (the first: {sample.first_failure})" if sample.first_failure else ""
    return BadFile(
        f"{settings.source}: no document of the sample can be read and annotated{reason}",
        JSON_FIELDS if any(file.format == "jsonl" for file in files) else WITHOUT_DRY_RUN,
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
        read = read_leniently(file, notes, ReadOptions(repair=settings.repair), fields=name_fields(settings))
        _read_file(file, read, sample, most)
    return sample


def _read_file(file: InputFile, documents: Iterator[Document | Failure], sample: _Sample, most: int) -> None:
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
        for each in documents:
            n_read += 1
            if isinstance(each, Failure):
                n_failed += 1
                sample.first_failure = sample.first_failure or each.reason
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
        sample.share = min(1.0, sample.n_bytes / max(1, n_bytes))
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
