"""How is a file or folder annotated, start to end?

The input is read in blocks, each block is kept as soon as it is done, and the output is put together at the end. So a
job can be killed at any moment and resumed, and the output appears when it is complete.
"""

import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from linnet.annotation.blocks import Block, Failure, in_blocks
from linnet.annotation.inputs import InputFile, find_inputs, read_leniently
from linnet.annotation.output import Output, output_of
from linnet.annotation.pipeline import annotate_blocks
from linnet.annotation.work import Work
from linnet.contracts import Notes, ReadOptions, WriteOptions
from linnet.documents.document import Document
from linnet.errors import BadFile, BadSetting, LinnetError
from linnet.formats.corpus import corpus_place
from linnet.models.loading import load
from linnet.models.model_folder import file_fingerprint, model_fingerprint
from linnet.models.published.opening import conversion_notes, model_folder
from linnet.settings.annotation import AnnotateSettings
from linnet.settings.files import with_overrides
from linnet.storage.files import watching_bytes

__all__ = ["Annotated", "annotate", "annotate_path"]

BESIDE_WEIGHTS = ("config.json", "linnet.json", "tokenizer.json")  # of a model: what its mentions depend on as well


@dataclass
class Annotated:
    """What was done."""

    documents: int = 0
    mentions: int = 0
    tokens: int = 0
    failures: int = 0
    seconds: float = 0.0
    notes: list[str] = field(default_factory=list)

    @property
    def tokens_per_second(self) -> float:
        """Words per second, reading and writing included, loading the model not."""
        return self.tokens / self.seconds if self.seconds else 0.0

    def as_dict(self) -> dict[str, int | float]:
        """Return plain values for JSON."""
        return {
            "documents": self.documents,
            "mentions": self.mentions,
            "tokens": self.tokens,
            "failures": self.failures,
            "seconds": self.seconds,
            "tokens_per_second": self.tokens_per_second,
        }


def annotate_path(
    source: str | Path,
    *,
    watcher: Callable[[int], None] | None = None,
    input_watcher: Callable[[float], None] | None = None,
    **settings: Any,
) -> Annotated:
    """Annotate what is at `source` with a model and write it to an output; what `linnet.annotate` is in Python.

    The settings are those of the command: `annotate_path("texts/", model="runs/ncbi", output="found.jsonl")`.
    """
    given = {name: str(value) if isinstance(value, Path) else value for name, value in settings.items()}
    values = {"source": str(source), **{name: value for name, value in given.items() if value is not None}}
    chosen = with_overrides(AnnotateSettings, values, (), where="annotate")
    return annotate(chosen, watcher=watcher, input_watcher=input_watcher)


def annotate(
    settings: AnnotateSettings,
    *,
    watcher: Callable[[int], None] | None = None,
    input_watcher: Callable[[float], None] | None = None,
) -> Annotated:
    """Annotate as the settings say; the output appears when all is done.

    Args:
        settings: what to annotate, with what, and where to.
        watcher: is told how many documents were done.
        input_watcher: is told which share of the bytes of the input is read.
    """
    if settings.resume and settings.overwrite:
        raise BadSetting("--resume and --overwrite exclude each other", "give one of them")
    output = output_of(Path(settings.output), format=settings.target_format, shard=settings.shard)
    work = Work.beside(output.path)
    output.check(Path(settings.source), work.folder)
    notes = Notes()
    ours = (output.path, output.errors, work.folder)
    files = find_inputs(corpus_place(settings.source), format=settings.source_format, notes=notes, leaving_out=ours)
    with work.holding():
        _check_free(output, work, settings)
        folder = model_folder(settings.model, labels=settings.labels, label=settings.label)
        settings = settings.model_copy(update={"model": str(folder)})
        job = _described(settings, output, files)
        if settings.resume:
            work.check_same(job)
        output.try_out(work.new_stage())
        predictor = _predictor(settings)  # before the job is begun: a model that is broken leaves nothing behind
        work.begin(job, resume=settings.resume)
        started = time.perf_counter()
        with _kept(work):
            _annotate_inputs(_inputs(files, notes, settings, input_watcher), predictor, settings, work, watcher)
            done = _put_together(output, work, job["model"], notes)
        done.seconds = time.perf_counter() - started
        done.notes = [*conversion_notes(folder), *done.notes]
        work.remove()
    return done


def _check_free(output: Output, work: Work, settings: AnnotateSettings) -> None:
    """Refuse to replace an output or a job without a word; one that is resumed replaces what it began to put there."""
    if output.path.exists() and not settings.overwrite and not (settings.resume and work.is_begun):
        raise BadFile(
            f"{output.path}: is there already{', and no interrupted job' if settings.resume else ''}",
            "replace it with `--overwrite`, or name another output (`--output`)",
        )
    if work.is_begun and not (settings.resume or settings.overwrite):
        raise BadFile(
            f"{work.folder}: a job for this output was interrupted",
            "go on with it (`--resume`), or start again (`--overwrite`)",
        )


def _described(settings: AnnotateSettings, output: Output, files: list[InputFile]) -> dict[str, str]:
    """Return what a resumed job must have in common with the one it resumes."""
    model = Path(settings.model)
    return {
        "input": settings.source,
        "files": str(len(files)),  # not their size: a file that broke off may be fetched again
        "from": settings.source_format or "",
        "to": output.to.name,
        "model": model_fingerprint(model),
        **{
            f"{name} of the model": file_fingerprint(model / name) if (model / name).is_file() else ""
            for name in BESIDE_WEIGHTS
        },
        "engine": settings.engine or "",
        "shard": str(settings.shard or ""),
    }


def _predictor(settings: AnnotateSettings) -> Any:
    """Return the model; none where the workers of a cluster load it, once it was seen that it can be loaded."""
    found: Any = load(settings.model, engine=settings.engine, threads=settings.threads)
    if not found.annotates:
        raise BadSetting(
            f"{settings.model}: this model predicts values for whole texts, it does not annotate documents",
            f"use `linnet predict INPUT --model {settings.model} --output OUT`",
        )
    return found if settings.ray is None else None


@contextmanager
def _kept(work: Work) -> Iterator[None]:
    """Say of a job that stops how it goes on; if nothing was done that could be resumed, leave nothing behind."""
    try:
        yield
    except LinnetError as error:
        if not work.numbers():
            work.remove()
            raise
        if "--resume" in error.remedy:
            raise
        kept = f"what was done is kept in {work.folder}: go on with `--resume` when that is mended"
        raise type(error)(error.problem, f"{error.remedy}; {kept}") from None


def _inputs(
    files: list[InputFile], notes: Notes, settings: AnnotateSettings, watcher: Callable[[float], None] | None
) -> Iterator[Document | Failure]:
    """Yield the documents of all files, and what could not be read in their place."""
    ids: set[str] = set()
    options = ReadOptions(repair=settings.repair)
    teller = _share_teller(files, watcher)
    for file in files:
        for found in _watched(read_leniently(file, notes, options), teller):
            each = found
            if isinstance(each, Document):
                if each.id in ids:
                    each = Failure(each.id, f"{file.path}: a document with this id came before")
                else:
                    ids.add(each.id)
            if isinstance(each, Failure):
                if settings.strict:
                    raise each.as_error()
            elif each.spans:
                notes.add("mentions of the input, replaced by predicted ones", each.id, len(each.spans))
            yield each


def _share_teller(files: list[InputFile], watcher: Callable[[float], None] | None) -> Callable[[int], None] | None:
    """Return what tells the watcher which share of the bytes of all files is read; None where that cannot be known."""
    if watcher is None or not all(file.path.is_file() for file in files):  # standard input has no size
        return None
    n_bytes, whole = 0, max(1, sum(file.path.stat().st_size for file in files))

    def tell(more: int) -> None:
        nonlocal n_bytes
        n_bytes += more
        watcher(min(1.0, n_bytes / whole))

    return tell


def _watched(
    documents: Iterator[Document | Failure], teller: Callable[[int], None] | None
) -> Iterator[Document | Failure]:
    """Yield the documents of a file whose bytes are counted as they are read; the first one opens it."""
    with watching_bytes(teller):
        first = next(documents, None)
    if first is not None:
        yield first
    yield from documents


def _annotate_inputs(
    inputs: Iterable[Document | Failure],
    predictor: Any,
    settings: AnnotateSettings,
    work: Work,
    watcher: Callable[[int], None] | None,
) -> None:
    """Annotate the blocks that are not finished yet; those that are must have been made from this input."""
    n_blocks = 0

    def compared() -> Iterator[Block]:
        nonlocal n_blocks
        for block in in_blocks(inputs):
            work.check_input(block)
            n_blocks += 1
            yield block

    def told(n_documents: int) -> None:
        if watcher is not None:
            watcher(n_documents)

    if predictor is None:
        from linnet.annotation.ray_job import annotate_on_ray

        annotate_on_ray(compared(), settings, work, told)
    else:
        annotate_blocks(compared(), predictor, work, told, is_strict=settings.strict)
    work.check_complete(n_blocks)


def _put_together(output: Output, work: Work, fingerprint: str, notes: Notes) -> Annotated:
    """Write the output from the finished blocks."""
    done = Annotated()
    failures: list[Failure] = []

    def documents() -> Iterator[Document]:
        for block in work.blocks():
            done.tokens += block.n_words
            failures.extend(block.failures)
            for document in block.documents:
                done.documents += 1
                done.mentions += len(document.spans)
                yield document

    stage = work.new_stage()
    lost = output.write(documents(), stage, WriteOptions(model=fingerprint))
    output.put_in_place(stage, failures)
    done.failures = len(failures)
    left_out = [f"{output.to.name} cannot hold {what}: {number:,} left out" for what, number in lost.items()]
    done.notes = [*notes.sentences(), *left_out]
    return done
