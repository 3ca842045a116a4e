"""Keeps the soft targets of teachers: the logarithms of their tag probabilities, word by word.

They are computed once for a teacher and a set of texts, block by block, into a file that is mapped into memory. A
computation that was interrupted goes on where it stopped. Beside each file stands what it holds; targets of another
teacher or of other texts are refused.
"""

import hashlib
import json
from collections.abc import Sequence
from pathlib import Path
from tokenize import TokenError
from typing import Any

import numpy as np
from numpy.lib.format import open_memmap

from linnet.errors import BadFile
from linnet.storage.files import cache_folder, new_file, writing
from linnet.storage.folder_lock import lock_folder
from linnet.storage.json_keys import load_json
from linnet.tasks.ner.distillation.settings import DistillSettings
from linnet.tasks.ner.distillation.teachers import Teacher
from linnet.tasks.ner.distillation.texts import UnlabelledTexts
from linnet.tasks.ner.predictor import load
from linnet.training.job import report_preparation

__all__ = ["Targets", "compute_targets", "open_targets", "targets_folder"]

Targets = np.ndarray[tuple[int, ...], np.dtype[np.float16]]  # (words, tags of the teacher)
BLOCK = 2048  # sentences after which the file is up to date
SLACK = 0.01  # by which a logarithm may be above that of 1, rounded
WORDS_CHECKED = 1 << 18  # at a time
LEAST = -100.0  # logarithm of the smallest probability that is kept


def targets_folder(settings: DistillSettings, teachers: Sequence[Teacher], texts: UnlabelledTexts) -> Path:
    """Return the folder that keeps the targets: that of the recipe, or one in the cache for these alone."""
    if settings.targets is not None:
        return Path(settings.targets)
    parts = [texts.fingerprint, *(teacher.fingerprint for teacher in teachers)]
    return cache_folder() / "distill" / hashlib.sha256("\n".join(parts).encode()).hexdigest()[:32]


def compute_targets(
    folder: Path, teachers: Sequence[Teacher], texts: UnlabelledTexts, *, threads: int | None = None
) -> None:
    """Fill the folder with the targets of all teachers, as far as it does not have them.

    Raises:
        BadFile: where the folder keeps targets of another teacher or of other texts, or another process fills it.
    """
    with writing(folder):
        folder.mkdir(parents=True, exist_ok=True)
    with lock_folder(folder):
        done = [_count_done(folder, number, teacher, texts) for number, teacher in enumerate(teachers, 1)]
        for number, (teacher, n_done) in enumerate(zip(teachers, done, strict=True), 1):
            if n_done < len(texts.sentences):
                _compute(folder, number, teacher, texts, n_done, threads)


def open_targets(folder: Path, number: int, teacher: Teacher, texts: UnlabelledTexts) -> Targets:
    """Return the finished targets of a teacher, mapped into memory.

    Raises:
        BadFile: where they are damaged.
    """
    path = _table_path(folder, number)
    try:
        table: Targets = open_memmap(path, mode="r")  # which reads neither archives nor pickles
    except (OSError, ValueError, EOFError, TypeError, OverflowError, SyntaxError, TokenError) as error:
        raise _damaged(path, str(error)) from None
    if table.dtype != np.float16:
        raise _damaged(path, f"its numbers are {table.dtype}, expected float16")
    if table.shape != (texts.n_words, len(teacher.tags)):
        raise _damaged(path, f"its shape is {table.shape}, expected {(texts.n_words, len(teacher.tags))}")
    for start in range(0, len(table), WORDS_CHECKED):  # a flipped byte would be learned from
        part = table[start : start + WORDS_CHECKED]
        if not bool((np.isfinite(part) & (part <= SLACK)).all()):
            raise _damaged(path, f"a value near word {start:,} is no logarithm of a probability")
    return table


def _compute(
    folder: Path, number: int, teacher: Teacher, texts: UnlabelledTexts, n_done: int, threads: int | None
) -> None:
    model = load(teacher.folder, threads=threads)  # half precision is all that is kept of the probabilities
    path, shape = _table_path(folder, number), (texts.n_words, len(teacher.tags))
    with writing(path):
        table: Any = open_memmap(path, mode="r+" if n_done else "w+", dtype=np.float16, shape=None if n_done else shape)
    what = f"predictions of the teacher {teacher.name}"
    report_preparation(what, n_done, len(texts.sentences), "sentences")
    for start in range(n_done, len(texts.sentences), BLOCK):
        block = texts.sentences[start : start + BLOCK]
        rows = [model.decoder.log_probabilities(scores) for scores in model.word_scores(block)]
        first = texts.first_words[start]
        with writing(path):
            table[first : first + sum(map(len, rows))] = np.concatenate(rows).clip(min=LEAST)
            table.flush()
        n_done = start + len(block)
        _write_facts(folder, number, teacher, texts, n_done=n_done)
        report_preparation(what, n_done, len(texts.sentences), "sentences")


def _count_done(folder: Path, number: int, teacher: Teacher, texts: UnlabelledTexts) -> int:
    """Return how many sentences have their targets."""
    path = _facts_path(folder, number)
    if not path.exists():
        return 0
    try:
        kept = load_json(path.read_text(encoding="utf-8"))
        its_teacher, its_texts, n_done = str(kept["fingerprint"]), str(kept["texts"]), kept["done"]
        if type(n_done) is not int or type(kept["sentences"]) is not int:
            raise ValueError("`done` and `sentences` are no whole numbers")
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise _damaged(path, str(error)) from None
    remedy = "name another folder in distill.targets, or remove this one"
    if its_teacher != teacher.fingerprint:
        raise BadFile(
            f"{path}: keeps the targets of another teacher ({kept.get('teacher')}, weights {its_teacher[:12]}) than "
            f"{teacher.name} (weights {teacher.fingerprint[:12]})",
            remedy,
        )
    if its_texts != texts.fingerprint:
        raise BadFile(
            f"{path}: keeps the targets of other texts ({kept.get('sentences'):,} sentences, digest {its_texts[:12]}) "
            f"than those of distill.texts ({len(texts.sentences):,} sentences, digest {texts.fingerprint[:12]})",
            remedy,
        )
    whole = len(texts.sentences)
    if not 0 <= n_done <= whole:
        raise _damaged(path, f"`done` is {n_done} of {whole:,} sentences")
    open_targets(folder, number, teacher, texts)
    return n_done


def _write_facts(folder: Path, number: int, teacher: Teacher, texts: UnlabelledTexts, *, n_done: int) -> None:
    facts = {
        "teacher": teacher.name,
        "fingerprint": teacher.fingerprint,
        "tags": list(teacher.tags),
        "texts": texts.fingerprint,
        "sentences": len(texts.sentences),
        "words": texts.n_words,
        "done": n_done,
    }
    with new_file(_facts_path(folder, number)) as file:
        json.dump(facts, file, indent=2)
        file.write("\n")


def _table_path(folder: Path, number: int) -> Path:
    return folder / f"teacher-{number}.npy"


def _facts_path(folder: Path, number: int) -> Path:
    return folder / f"teacher-{number}.json"


def _damaged(path: Path, reason: str) -> BadFile:
    return BadFile(
        f"{path}: these soft targets cannot be read ({reason})", f"remove {path.parent} to compute them anew"
    )
