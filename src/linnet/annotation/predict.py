"""Predicts values for the texts of a file with a model and writes them: one job, which can be resumed.

Each block is kept as soon as it is predicted, beside the output. So a job can be killed at any moment and resumed, and
the output appears when it is complete.
"""

import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path
from typing import Any

from linnet.annotation.block_files import read_block_file, write_block_file
from linnet.annotation.interruption import explain_interrupts
from linnet.annotation.output import check_apart, check_replaceable
from linnet.annotation.pipeline import Progress, part_reporter
from linnet.annotation.work import Work, check_options
from linnet.contracts import Questions
from linnet.errors import BadFile, BadSetting, WouldLose
from linnet.formats.corpus import corpus_place
from linnet.models.engines import watching_batches
from linnet.models.loading import load
from linnet.models.model_folder import model_fingerprint
from linnet.storage.durable import rename_durably
from linnet.storage.files import writing

__all__ = ["Predictions", "predict_path"]


@dataclass(frozen=True)
class Predictions:
    """What a job has predicted: counts, time and notes."""

    examples: int
    answers: int
    seconds: float
    notes: list[str] = field(default_factory=list)

    def as_dict(self) -> dict[str, float | int]:
        """Return plain values for JSON."""
        return {"examples": self.examples, "answers": self.answers, "seconds": self.seconds}


def predict_path(  # noqa: PLR0913 — each is an option of the command
    model: str | Path,
    source: str | Path,
    *,
    output: str | Path,
    to: str | None = None,
    split: str | None = None,
    repair: bool = False,
    engine: str | None = None,
    threads: int | None = None,
    shard: int | None = None,
    resume: bool = False,
    overwrite: bool = False,
    watcher: Callable[[int], object] | None = None,
    progress: Progress | None = None,
) -> Predictions:
    """Predict the texts of a file with a model and write the predictions; `linnet.predict` in Python.

    Args:
        model: folder of a model about texts.
        source: file (or corpus folder, with `split`) in one of the formats that the model's task reads.
        output: `.jsonl` or `.tsv`; for answers to questions also `.json` (BioASQ), for relations in documents also a
            document format, by its suffix. With `shard` a folder.
        to: the form of the output, whatever its suffix: `jsonl`, `tsv`, `bioasq` or a document format.
        split: of a corpus folder; aliases such as `dev` are known.
        repair: mend what can be mended by a stated rule.
        engine: `torch` or, for exported models, `onnx`; by the model folder if not given.
        threads: of the CPU.
        shard: predictions (or documents) in each file of an output that is a folder.
        resume: go on with an interrupted job.
        overwrite: replace an output that is there, and an interrupted job with it.
        watcher: is called with the number of examples that were predicted since the last call.
        progress: is told the number of examples, those that were kept from before, and parts of blocks.

    Raises:
        LinnetError: where a text cannot be read, there are no texts, or the output cannot be written.
    """
    check_options(resume=resume, overwrite=overwrite)
    place, target = corpus_place(source), Path(output)
    work = Work.beside(target)
    work.check_free(target, resume=resume, overwrite=overwrite)
    started = time.monotonic()
    found: Any = load(model, engine=engine, threads=threads)
    if found.annotates:
        raise BadSetting(
            f"{model}: this model finds mentions in documents, it does not predict values",
            f"use `linnet annotate INPUT --model {model} --output OUT`",
        )
    questions: Questions = found.questions(place, split=split, repair=repair)
    form = questions.form(target, to and to.lower(), is_folder=shard is not None)
    is_sharded = shard is not None
    check_apart(place, target, work.folder)
    check_replaceable(target, name=form.name, is_folder=is_sharded or form.is_folder, is_sharded=is_sharded)
    job = {
        "input": str(source),
        "split": split or "",
        "model": model_fingerprint(Path(model)),
        "to": form.name,
        "shard": str(shard or ""),
        "examples": str(questions.n_examples),
    }
    with work.lock(), explain_interrupts(work, what="prediction"):
        work.check_free(target, resume=resume, overwrite=overwrite)  # another job may have ended since
        if resume:
            work.check_same(job)
        work.begin(job, resume=resume)
        counts = _predict_blocks(questions, work, watcher, progress)
        try:
            _write(form.items(_read_predictions(questions, work, len(counts))), form, target, work, shard)
        except WouldLose:
            work.remove()  # another form needs another output, so this job cannot be resumed
            raise
        work.remove()
    return Predictions(questions.n_examples, sum(counts), time.monotonic() - started, list(questions.notes))


def _predict_blocks(
    questions: Questions,
    work: Work,
    watcher: Callable[[int], object] | None,
    progress: Progress | None = None,
) -> list[int]:
    """Predict and keep all blocks, and return the number of predictions of each; finished blocks are checked."""
    counts: list[int] = []
    n_before = 0
    if progress is not None:
        progress.begin(questions.n_examples)
    for number, block in enumerate(questions.blocks()):
        path, digest = work.path(number), questions.digest(block)
        if work.is_done(number):
            counts.append(len(_read_block(questions, path, digest)))
            if progress is not None:
                progress.keep(len(block))
            continue
        with watching_batches(part_reporter(progress, n_before, len(block))):
            predicted = questions.predict(block)
        write_block_file(path, {"input": digest}, [questions.as_row(each) for each in predicted])
        counts.append(len(predicted))
        n_before += len(block)
        if watcher is not None:
            watcher(len(block))
    return counts


def _read_predictions(questions: Questions, work: Work, n_blocks: int) -> Iterator[Any]:
    """Yield the predictions of all blocks; only those of one block are in memory."""
    for number in range(n_blocks):
        yield from _read_block(questions, work.path(number))


def _read_block(questions: Questions, path: Path, digest: str | None = None) -> list[Any]:
    kept, predictions = read_block_file(path, lambda about: about["input"], lambda row, _: questions.from_row(row))
    if digest is not None and kept != digest:
        raise BadFile(
            f"{path}: was predicted from other examples: the input has changed",
            "resume with the same input, or start again with `--overwrite`",
        )
    return predictions


def _write(items: Iterable[Any], form: Any, target: Path, work: Work, shard: int | None) -> None:
    """Write the output inside the folder of the job, then move it to its name."""
    stage = work.new_stage() / target.name
    if shard is None:
        form.write(items, stage)
    else:
        with writing(stage):
            stage.mkdir()
        for number, part in enumerate(_split(items, shard)):
            form.write(part, stage / f"part-{number:05d}{form.suffix}")
    with writing(target):
        if target.is_dir():
            target.replace(stage.with_name(f"{target.name}.old"))  # it goes with the folder of the job
        rename_durably(stage, target)


def _split(items: Iterable[Any], size: int) -> Iterator[list[Any]]:
    """Yield the items of each shard; of no items, one shard with none."""
    left = iter(items)
    yield list(islice(left, size))
    while part := list(islice(left, size)):
        yield part
