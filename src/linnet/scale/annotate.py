"""How is a file or folder annotated, start to end?

The input is read in blocks, each block is kept as soon as it is done, and the output is put together at the end. So a
job can be killed at any moment and resumed, and the output appears when it is complete.
"""

import json
import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path
from typing import Any

from linnet.contracts import Format, Notes, WriteOptions
from linnet.documents.document import Document
from linnet.errors import BadFile, BadSetting, MissingExtra
from linnet.files import new_file, new_folder
from linnet.formats.reading import convert_documents, format_for_output
from linnet.held import held
from linnet.models.artifact import model_fingerprint
from linnet.predictor import Predictor, load
from linnet.scale.blocks import Failure, in_blocks
from linnet.scale.inputs import InputFile, find_inputs
from linnet.scale.lenient import read_leniently
from linnet.scale.pipeline import annotate_blocks
from linnet.scale.work import Work
from linnet.settings import AnnotateSettings
from linnet.settings_files import with_overrides

__all__ = ["Annotated", "annotate", "annotate_path"]

ERRORS = "errors.jsonl"


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


def annotate_path(source: str | Path, *, watcher: Callable[[int], None] | None = None, **settings: Any) -> Annotated:
    """Annotate what is at `source` with a model and write it to an output; what `linnet.annotate` is in Python.

    The settings are those of the command: `annotate_path("texts/", model="runs/ncbi", output="found.jsonl")`.
    """
    given = {name: str(value) if isinstance(value, Path) else value for name, value in settings.items()}
    values = {"source": str(source), **{name: value for name, value in given.items() if value is not None}}
    return annotate(with_overrides(AnnotateSettings, values, (), where="annotate"), watcher=watcher)


def annotate(settings: AnnotateSettings, *, watcher: Callable[[int], None] | None = None) -> Annotated:
    """Annotate as the settings say; the output appears when all is done.

    Args:
        settings: what to annotate, with what, and where to.
        watcher: is told how many documents were done.
    """
    to, output, work = _target(settings), Path(settings.output), Work.beside(Path(settings.output))
    _check_output(output, work, settings)
    notes = Notes()
    files = find_inputs(Path(settings.source), format=settings.source_format, notes=notes)
    fingerprint = model_fingerprint(Path(settings.model))
    work.begin(_described(settings, to, files, fingerprint), resume=settings.resume)
    started = time.perf_counter()
    blocks = in_blocks(_noted(_inputs(files, notes, settings.strict), notes))

    def told(n_documents: int) -> None:
        if watcher is not None:
            watcher(n_documents)

    try:
        with held(work.folder):
            if settings.ray is not None:
                from linnet.scale.ray_job import annotate_on_ray

                annotate_on_ray(blocks, settings, work, told)
            else:
                annotate_blocks(blocks, _predictor(settings), work, lambda block: told(len(block.documents)))
    except (BadSetting, MissingExtra):
        if not work.numbers():
            work.remove()  # nothing was done that could be resumed
        raise
    except BadFile as error:
        kept = f"what was done is kept in {work.folder}: go on with `--resume` when that is mended"
        raise BadFile(error.problem, f"{error.remedy}; {kept}") from None
    done = _put_together(settings, to, work, fingerprint, notes)
    done.seconds = time.perf_counter() - started
    work.remove()
    return done


def _predictor(settings: AnnotateSettings) -> Predictor:
    return load(settings.model, engine=settings.engine, threads=settings.threads)


def _target(settings: AnnotateSettings) -> Format:
    """Return the format of the output; one that cannot be written is refused before anything is read."""
    if settings.shard is None:
        return format_for_output(Path(settings.output), settings.target_format)
    to = format_for_output(Path(settings.output), settings.target_format or "jsonl")
    if not to.suffixes:
        raise BadSetting(f"{to.name} is a folder itself", "leave out `--shard`, or choose another format")
    return to


def _check_output(output: Path, work: Work, settings: AnnotateSettings) -> None:
    if settings.resume and settings.overwrite:
        raise BadSetting("--resume and --overwrite exclude each other", "give one of them")
    if output.exists() and not settings.overwrite:
        raise BadFile(
            f"{output}: is there already", "replace it with `--overwrite`, or name another output (`--output`)"
        )
    if work.is_begun and not (settings.resume or settings.overwrite):
        raise BadFile(
            f"{work.folder}: a job for this output was interrupted",
            "go on with it (`--resume`), or start again (`--overwrite`)",
        )


def _described(settings: AnnotateSettings, to: Format, files: list[InputFile], fingerprint: str) -> dict[str, str]:
    """Return what a resumed job must have in common with the one it resumes."""
    return {
        "input": settings.source,
        "files": str(len(files)),  # not their size: a file that broke off may be fetched again
        "from": settings.source_format or "",
        "to": to.name,
        "model": fingerprint,
        "engine": settings.engine or "",
        "shard": str(settings.shard or ""),
    }


def _inputs(files: list[InputFile], notes: Notes, is_strict: bool) -> Iterator[Document | Failure]:
    """Yield the documents of all files, and what could not be read in their place."""
    ids: set[str] = set()
    for file in files:
        for found in read_leniently(file, notes):
            each = found
            if isinstance(each, Document):
                if each.id in ids:
                    each = Failure(each.id, f"{file.path}: a document with this id came before")
                else:
                    ids.add(each.id)
            if is_strict and isinstance(each, Failure):
                raise BadFile(f"document {each.document!r}: {each.reason}", "mend it, or leave out `--strict`")
            yield each


def _noted(inputs: Iterable[Document | Failure], notes: Notes) -> Iterator[Document | Failure]:
    for each in inputs:
        if isinstance(each, Document) and each.spans:
            notes.add("mentions of the input, replaced by predicted ones", each.id, len(each.spans))
        yield each


def _put_together(settings: AnnotateSettings, to: Format, work: Work, fingerprint: str, notes: Notes) -> Annotated:
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

    output, options = Path(settings.output), WriteOptions(model=fingerprint)
    lost: dict[str, int] = {}
    if settings.shard is not None:
        _write_shards(documents(), output, to, options, settings.shard)
    else:
        lost = convert_documents(documents(), output, to=to, is_lossy=True, notes=notes, options=options).lost
    done.failures = len(failures)
    if failures:
        _write_errors(output, failures)
    left_out = [f"{to.name} cannot hold {what}: {number:,} left out" for what, number in lost.items()]
    done.notes = [*notes.sentences(), *left_out]
    return done


def _write_shards(documents: Iterable[Document], output: Path, to: Format, options: WriteOptions, size: int) -> None:
    """Write files of so many documents each; the folder appears when all of them are there."""
    source = iter(documents)
    with new_folder(output, overwrite=True) as part:
        number = 0
        while chunk := list(islice(source, size)):
            to.write(chunk, part / f"part-{number:05d}{to.suffixes[0]}", options)
            number += 1


def _write_errors(output: Path, failures: list[Failure]) -> None:
    """Keep the failures of this output in errors.jsonl: in its folder, or beside it with those of its neighbours."""
    path = (output if output.is_dir() else output.parent) / ERRORS
    others = path.read_text(encoding="utf-8").splitlines() if path.is_file() else []
    rows = [line for line in others if json.loads(line).get("output") != output.name]
    rows += [
        json.dumps({"output": output.name, "document": each.document, "reason": each.reason}, ensure_ascii=False)
        for each in failures
    ]
    with new_file(path) as file:
        file.writelines(f"{row}\n" for row in rows)
