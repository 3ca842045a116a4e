"""Annotates a file or folder with a model: one job from the input to the output, which can be resumed.

The input is read in blocks, each block is kept as soon as it is done, and the output is put together at the end. So a
job can be killed at any moment and resumed, and the output appears when it is complete.
"""

import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from linnet import __version__
from linnet.annotation.blocks import MOST_CHARACTERS, MOST_DOCUMENTS, Block, Failure, split_into_blocks
from linnet.annotation.counted_inputs import Files, choose_format, count_inputs, read_inputs
from linnet.annotation.input_names import describe_changes, keep_names
from linnet.annotation.interruption import explain_interrupts
from linnet.annotation.job_labels import check_labels
from linnet.annotation.models import describe_model, load_annotator, locate_model, with_precision_of
from linnet.annotation.other_outputs import describe_outputs
from linnet.annotation.output import Output
from linnet.annotation.pipeline import Progress, annotate_blocks
from linnet.annotation.provenance import Provenance, describe_maker, describe_thresholds, name_model
from linnet.annotation.results import Annotated, put_together
from linnet.annotation.steps import GIVEN, open_steps
from linnet.annotation.work import SAME_INPUT, Work, check_options
from linnet.contracts import Notes
from linnet.documents.document import Document
from linnet.errors import LinnetError
from linnet.formats.corpus import corpus_place
from linnet.formats.inputs.reading import list_inputs
from linnet.formats.reading import explain_suffix
from linnet.models.published.opening import conversion_notes
from linnet.settings.annotation import LINK_OPTION_NAMES, OPTION_NAMES, AnnotateSettings, list_vocabularies
from linnet.settings.files import with_overrides

__all__ = ["Annotated", "annotate", "annotate_path", "collect_settings"]

PRECISION = "precision"
VOCABULARIES = ("link", "also_names")  # the settings that name them
BLOCK = f"{MOST_DOCUMENTS:,} documents, or {MOST_CHARACTERS:,} characters"


def annotate_path(
    source: str | Path,
    *,
    watcher: Callable[[int], None] | None = None,
    input_watcher: Callable[[float], None] | None = None,
    progress: Progress | None = None,
    **settings: Any,
) -> Annotated:
    """Annotate a file or folder with a model and write the output; `linnet.annotate` in Python.

    The settings are those of the command: `linnet.annotate("texts/", model="runs/ncbi", output="found.jsonl")`;
    without a model, the embedded one annotates. `linnet annotate --help` says more about each of them.

    Args:
        source: file or folder.
        watcher: is called with the number of documents of each finished block.
        input_watcher: is called with the share of the input's bytes that is read.
        progress: is told of each document that is read, kept from before, or annotated.
        settings: `output` (path, or several), `target_format` (name, or one for each output), `shard` (documents per
            file); `model`, `labels`, `label` (text), `engine` ("torch" or "onnx"), `precision` ("auto", "float32" or
            "bfloat16"), `threads` (number); `link` and `also_names` (vocabulary, list of them, or `{label:
            vocabulary}`), `min_link_score` (0 to 1), `candidates` (number); `keep_labels` (list), `min_score` (number,
            or `{label: number}`), `same_abbreviations` (truth value); `source_format`, `id_field` (text), `text_field`
            (list), `repair`, `strict` (truth values), `limit` (number); `resume`, `overwrite` (truth values); `ray`
            (address), `workers` (number). `keep_links` is for `linnet.link`.
    """
    chosen = collect_settings(source, **settings)
    return annotate(chosen, watcher=watcher, input_watcher=input_watcher, progress=progress)


def collect_settings(source: str | Path, **settings: Any) -> AnnotateSettings:
    """Return the settings of a job; paths may be strings, and what is None has its default."""
    settings = settings | {name: list_vocabularies(settings[name]) for name in VOCABULARIES if name in settings}
    given = {name: _as_setting(value) for name, value in settings.items()}
    values = {"source": str(source), **{name: value for name, value in given.items() if value is not None}}
    if values.get("model") == GIVEN:
        return with_overrides(AnnotateSettings, values, (), where="link", shown={**OPTION_NAMES, **LINK_OPTION_NAMES})
    return with_overrides(AnnotateSettings, values, (), where="annotate", shown=OPTION_NAMES)


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
    notes, given, model_name = Notes(), settings, name_model(settings.model)
    ours = (output.path, output.errors, work.folder, *others.places)
    files = list_inputs(corpus_place(settings.source), format=choose_format(settings), notes=notes, leaving_out=ours)
    with work.lock(), explain_interrupts(work, what="document", block=BLOCK), others.lock():
        work.check_free(output.path, resume=settings.resume, overwrite=settings.overwrite)
        others.check_free(work, resume=settings.resume, overwrite=settings.overwrite)
        settings, steps = locate_model(settings), open_steps(settings)
        settings = _with_kept_precision(settings, work)
        job = {**_describe_job(settings, output, files), **steps.describe(), **others.describe()}
        if settings.resume:
            work.check_same(job, but="files")  # a file may be gone if its documents are in no finished block
        output.try_out(work.new_stage())
        others.try_out()
        annotator = load_annotator(settings)  # before the job is begun: a broken model leaves nothing behind
        check_labels(settings)
        settings = with_precision_of(annotator, settings)
        maker = describe_maker(given.model_copy(update={PRECISION: settings.precision}))
        model = steps.follow(annotator) if settings.ray is None else None  # the workers of a cluster load it themselves
        is_lost = settings.resume and work.is_begun and not work.numbers()
        work.begin({**job, **_describe_precision(settings)}, resume=settings.resume)
        keep_names(work.folder, files)
        changes = describe_changes(work.folder, files)
        kept = frozenset(work.numbers())
        started = time.perf_counter()
        with _explain_resuming(work, changes):
            found = read_inputs(files, notes, settings, input_watcher)
            _annotate_inputs(count_inputs(found, progress), model, settings, work, watcher, progress)
            done = put_together(output, others, work, Provenance(maker, job["model"], steps.infons), notes, kept)
        done.seconds = time.perf_counter() - started
        done.notes = [*conversion_notes(Path(settings.model)), *done.notes, *steps.notes(done.labels)]
        done.notes += _list_notes(settings, changes, is_lost=is_lost)
        done.model = model_name
        work.remove()
    return done


def _list_notes(settings: AnnotateSettings, changes: str, *, is_lost: bool) -> list[str]:
    """Return what is to be said about resuming, and about the suffixes of the outputs."""
    lost = f"the interrupted job had not finished a block ({BLOCK}), so nothing was kept of it"
    changed = f"{changes}; no finished block holds documents of them"
    paths = () if settings.target_formats else settings.outputs
    suffixes = [note for path in paths for note in explain_suffix(Path(path), None)]
    return [*([lost] if is_lost else ()), *([changed] if changes else ()), *suffixes]


def _describe_job(settings: AnnotateSettings, output: Output, files: Files) -> dict[str, str]:
    """Return the description of the job; a resumed job must have the same."""
    return {
        "input": settings.source,
        "files": str(len(files)),  # not their size: a truncated file may be downloaded again
        "from": settings.source_format or "",
        "to": output.to.name,
        **describe_model(settings),
        "engine": settings.engine or "",
        "shard": str(settings.shard or ""),
        "linnet": __version__,  # outputs name the version that made them
        **({"fields": ", ".join((settings.id_field or "", *settings.text_field))} if settings.text_field else {}),
        **({} if settings.limit is None else {"limit": str(settings.limit)}),
        **({"min score": describe_thresholds(settings)} if settings.min_score else {}),
        **_describe_precision(settings),
    }


def _with_kept_precision(settings: AnnotateSettings, work: Work) -> AnnotateSettings:
    """Return settings with the number format of the job that is resumed; another processor might choose another."""
    if not settings.resume or settings.precision is not None:
        return settings
    return settings.model_copy(update={PRECISION: work.setting(PRECISION)})


def _describe_precision(settings: AnnotateSettings) -> dict[str, str]:
    return {PRECISION: settings.precision} if settings.precision else {}


@contextmanager
def _explain_resuming(work: Work, changes: str) -> Iterator[None]:
    """Add to an error how the job can be resumed, and which files are gone or new since it was begun."""
    try:
        yield
    except LinnetError as error:
        if not work.numbers():
            raise
        if error.remedy == SAME_INPUT and changes:
            put_back = "put the folder back as it was and go on with `--resume`, or start again with `--overwrite`"
            raise type(error)(f"{error.problem}; {changes}", put_back) from None
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
