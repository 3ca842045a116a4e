"""Annotates a file or folder with a model: one job from the input to the output, which can be resumed.

The input is read in blocks, each block is kept as soon as it is done, and the output is put together at the end. So a
job can be killed at any moment and resumed, and the output appears when it is complete.
"""

import time
from collections.abc import Callable, Collection, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path
from typing import Any

from linnet import __version__
from linnet.annotation.blocks import Block, Failure, split_into_blocks
from linnet.annotation.counted_inputs import Files, count_inputs, read_inputs
from linnet.annotation.inputs import list_inputs
from linnet.annotation.other_outputs import OtherOutputs, describe_outputs
from linnet.annotation.output import Output
from linnet.annotation.pipeline import Progress, annotate_blocks
from linnet.annotation.provenance import Provenance, describe_maker
from linnet.annotation.work import Work, check_options
from linnet.contracts import Notes, WriteOptions
from linnet.documents.document import Document
from linnet.errors import BadSetting, LinnetError
from linnet.formats.corpus import corpus_place
from linnet.models.loading import load
from linnet.models.model_folder import file_fingerprint, model_fingerprint
from linnet.models.published.opening import conversion_notes, model_folder
from linnet.settings.annotation import AnnotateSettings
from linnet.settings.files import with_overrides

__all__ = ["Annotated", "annotate", "annotate_path", "collect_settings", "load_model"]

BESIDE_WEIGHTS = ("config.json", "linnet.json", "tokenizer.json")  # files that mentions depend on besides the weights


@dataclass
class Annotated:
    """What a job has annotated: counts, time and notes."""

    documents: int = 0
    mentions: int = 0
    tokens: int = 0
    kept_documents: int = 0  # from before a job was resumed
    kept_tokens: int = 0
    failures: int = 0
    seconds: float = 0.0
    notes: list[str] = field(default_factory=list)

    @property
    def tokens_per_second(self) -> float:
        """Words per second that this process annotated, with reading and writing, without loading the model."""
        return (self.tokens - self.kept_tokens) / self.seconds if self.seconds else 0.0

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
    progress: Progress | None = None,
    **settings: Any,
) -> Annotated:
    """Annotate a file or folder with a model and write the output; `linnet.annotate` in Python.

    The settings are those of the command: `annotate_path("texts/", model="runs/ncbi", output="found.jsonl")`.
    """
    chosen = collect_settings(source, **settings)
    return annotate(chosen, watcher=watcher, input_watcher=input_watcher, progress=progress)


def collect_settings(source: str | Path, **settings: Any) -> AnnotateSettings:
    """Return the settings of a job; paths may be strings, and what is None has its default."""
    given = {name: _as_setting(value) for name, value in settings.items()}
    values = {"source": str(source), **{name: value for name, value in given.items() if value is not None}}
    return with_overrides(AnnotateSettings, values, (), where="annotate")


def _as_setting(value: Any) -> Any:  # of any setting
    if isinstance(value, (list, tuple)):
        return [_as_setting(each) for each in value]
    return str(value) if isinstance(value, Path) else value


def annotate(
    settings: AnnotateSettings,
    *,
    watcher: Callable[[int], None] | None = None,
    input_watcher: Callable[[float], None] | None = None,
    progress: Progress | None = None,
) -> Annotated:
    """Annotate as the settings say; the output appears when it is complete.

    Args:
        settings: what to annotate, with what, and where to.
        watcher: is called with the number of documents of each finished block.
        input_watcher: is called with the share of the input's bytes that is read.
        progress: is told of each document that is read, kept from before, or annotated, also in parts of blocks.
    """
    check_options(resume=settings.resume, overwrite=settings.overwrite)
    output, others = describe_outputs(settings)
    work = Work.beside(output.path)
    output.check(Path(settings.source), work.folder)
    others.check(Path(settings.source))
    notes, maker = Notes(), describe_maker(settings)
    ours = (output.path, output.errors, work.folder, *others.places)
    files = list_inputs(corpus_place(settings.source), format=settings.source_format, notes=notes, leaving_out=ours)
    with work.lock(), others.lock():
        work.check_free(output.path, resume=settings.resume, overwrite=settings.overwrite)
        others.check_free(work, resume=settings.resume, overwrite=settings.overwrite)
        folder = model_folder(settings.model, labels=settings.labels, label=settings.label)
        settings = settings.model_copy(update={"model": str(folder)})
        job = {**_describe_job(settings, output, files), **others.describe()}
        if settings.resume:
            work.check_same(job)
        output.try_out(work.new_stage())
        others.try_out()
        model = load_model(settings)  # before the job is begun: a broken model leaves nothing behind
        work.begin(job, resume=settings.resume)
        kept = frozenset(work.numbers())
        started = time.perf_counter()
        with _explain_resuming(work):
            found = islice(read_inputs(files, notes, settings, input_watcher), settings.limit)
            _annotate_inputs(count_inputs(found, progress), model, settings, work, watcher, progress)
            done = _put_together(output, others, work, Provenance(maker, job["model"]), notes, kept)
        done.seconds = time.perf_counter() - started
        done.notes = [*conversion_notes(folder), *done.notes]
        work.remove()
    return done


def _describe_job(settings: AnnotateSettings, output: Output, files: Files) -> dict[str, str]:
    """Return the description of the job; a resumed job must have the same."""
    model = Path(settings.model)
    return {
        "input": settings.source,
        "files": str(len(files)),  # not their size: a truncated file may be downloaded again
        "from": settings.source_format or "",
        "to": output.to.name,
        "model": model_fingerprint(model),
        **{
            f"{name} of the model": file_fingerprint(model / name) if (model / name).is_file() else ""
            for name in BESIDE_WEIGHTS
        },
        "engine": settings.engine or "",
        "shard": str(settings.shard or ""),
        "linnet": __version__,  # outputs name the version that made them
        **({} if settings.limit is None else {"limit": str(settings.limit)}),
    }


def load_model(settings: AnnotateSettings) -> Any:
    """Load the model; return None for a job on a cluster, whose workers load it themselves."""
    found: Any = load(settings.model, engine=settings.engine, threads=settings.threads)
    if not found.annotates:
        raise BadSetting(
            f"{settings.model}: this model predicts values for whole texts, it does not annotate documents",
            f"use `linnet predict INPUT --model {settings.model} --output OUT`",
        )
    return found if settings.ray is None else None


@contextmanager
def _explain_resuming(work: Work) -> Iterator[None]:
    """Add to an error how the job can be resumed; remove the job if no block was finished."""
    try:
        yield
    except LinnetError as error:
        if not work.numbers():
            work.remove()
            raise
        if "--resume" in error.remedy:
            raise
        kept = f"finished blocks are kept in {work.folder}: go on with `--resume` when that is mended"
        raise type(error)(error.problem, f"{error.remedy}; {kept}") from None


def _annotate_inputs(
    inputs: Iterable[Document | Failure],
    model: Any,
    settings: AnnotateSettings,
    work: Work,
    watcher: Callable[[int], None] | None,
    progress: Progress | None = None,
) -> None:
    """Annotate the blocks that are not finished yet; the input of finished ones must not have changed."""
    n_blocks = 0

    def check_blocks() -> Iterator[Block]:
        nonlocal n_blocks
        for block in split_into_blocks(inputs):
            work.check_input(block)
            n_blocks += 1
            if progress is not None and work.is_done(block.number):
                progress.keep(block.n_inputs)
            yield block

    def report(n_documents: int) -> None:
        if watcher is not None:
            watcher(n_documents)

    if model is None:
        from linnet.annotation.ray_job import annotate_on_ray

        annotate_on_ray(check_blocks(), settings, work, report)
    else:
        annotate_blocks(check_blocks(), model, work, report, is_strict=settings.strict, progress=progress)
    work.check_complete(n_blocks)


def _put_together(
    output: Output,
    others: OtherOutputs,
    work: Work,
    provenance: Provenance,
    notes: Notes,
    kept: Collection[int] = (),
) -> Annotated:
    """Write the outputs from the finished blocks; those that were kept from before are counted apart."""
    done = Annotated()

    def documents() -> Iterator[Document]:
        for block in work.blocks():
            done.tokens += block.n_words
            if block.number in kept:
                done.kept_documents += len(block.documents)
                done.kept_tokens += block.n_words
            done.failures += len(block.failures)
            for document in block.documents:
                done.documents += 1
                done.mentions += len(document.spans)
                yield document

    stage, options = work.new_stage(), WriteOptions(model=provenance.fingerprint, are_ids_unique=True)
    lost = [(output, output.write(provenance.add(documents(), output.to), stage, options))]
    output.put_in_place(stage, work.failures())
    lost += others.put_together(work, provenance, options)
    left_out = [f"{to.to.name} cannot hold {what}: {n:,} left out" for to, counts in lost for what, n in counts.items()]
    done.notes = [*notes.sentences(), *left_out]
    return done
