"""Reads the corpus that a model about texts learns from and is scored on: splits, samples and labels."""

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from linnet.contracts import Notes
from linnet.documents.texts import TextExample
from linnet.errors import BadFile, BadSetting
from linnet.formats.corpus import corpus_place
from linnet.tasks.texts.kinds import CLASSIFICATION, SPANS, Kind, Scale
from linnet.tasks.texts.reading.empty_splits import refuse_empty
from linnet.tasks.texts.reading.headers import answer_column
from linnet.tasks.texts.reading.unreached import candidates_in
from linnet.tasks.texts.settings import TextSettings, TextTrainSettings
from linnet.tasks.texts.task import TextTask

__all__ = ["TextSource", "check_gold", "fingerprint", "read_text_source", "sample_examples"]

SCORED = ("devel", "test")


@dataclass(frozen=True)
class TextSource:
    """A corpus of texts: what is learned from and what is scored."""

    name: str
    settings: TextSettings  # as the task completed them from the training split
    kind: Kind
    training: list[TextExample]
    scored: dict[str, list[TextExample]]  # devel and test, where there are any
    labels: tuple[str, ...]  # names of the network's outputs; none for spans
    scale: Scale  # of the numbers to be learned
    fingerprints: dict[str, str]
    notes: Notes


def read_text_source(settings: TextTrainSettings, task: TextTask[Any]) -> TextSource:
    """Return the corpus of a recipe, checked.

    Raises:
        LinnetError: where it cannot be read, or its splits do not fit together.
    """
    place, seed = corpus_place(settings.data), settings.sample_seed
    notes = Notes()
    splits = task.read(place, settings.text, notes, repair=settings.repair)
    refuse_empty({name: rows for name, rows in splits.items() if name in ("train", *SCORED)}, place, notes)
    whole = _choose_training(splits, settings)
    text = task.complete_settings(settings.text, whole)  # before anything is held out or sampled: reading saw all of it
    training, scored = _divide(whole, splits, settings, notes)
    kind = task.kind(training, settings.text)
    check_gold({"train": training, **scored}, place, notes, kind=kind, columns=settings.text.columns)
    training = _sample_training(_keep_known(training, notes), task, settings.text, notes)
    if settings.train_sentences is not None:
        training = sample_examples(training, settings.train_sentences, seed=seed, setting="train_sentences", kind=kind)
    if settings.devel_sentences is not None and "devel" in scored:
        number = settings.devel_sentences
        scored["devel"] = sample_examples(scored["devel"], number, seed=seed, setting="devel_sentences", kind=kind)
    training = _keep_learnable(training, task, settings, notes)
    labels, scale = kind.labels(training, scored), kind.scale(training)
    prints = {name: fingerprint(rows) for name, rows in splits.items()}
    return TextSource(
        name=_name(place),
        settings=text,
        kind=kind,
        training=training,
        scored=scored,
        labels=labels,
        scale=scale,
        fingerprints=prints,
        notes=notes,
    )


def sample_examples(
    examples: Sequence[TextExample], number: int, *, seed: int, setting: str, kind: Kind = CLASSIFICATION
) -> list[TextExample]:
    """Return a sample of the examples, in their own order; a smaller sample is part of every larger one.

    The sample keeps each label's share, and that of texts that hold an answer, up to rounding. Examples
    of one group stay or go one by one.

    Raises:
        BadSetting: where there are not so many.
    """
    total = len(examples)
    if number > total:
        raise BadSetting(f"{setting} is {number:,}, the split has {total:,}", f"give at most {total}")
    order = np.random.default_rng(seed).permutation(total)
    ranks: dict[object, list[int]] = {}
    for index in map(int, order):
        ranks.setdefault(kind.stratum(examples[index]), []).append(index)
    # the n-th of a label's m examples comes after n / m of all: shares hold for every number that is taken
    position = {index: (at + 0.5) / len(equal) for equal in ranks.values() for at, index in enumerate(equal)}
    chosen = sorted(map(int, order), key=lambda index: position[index])[:number]
    return [examples[index] for index in sorted(chosen)]


def fingerprint(examples: Sequence[TextExample]) -> str:
    """Return a digest of the examples of a split, which a run keeps to name its data."""
    digest = hashlib.sha256()
    for each in examples:
        digest.update(repr((each.id, each.first, each.second, each.gold, each.group, each.spans)).encode())
    return digest.hexdigest()


def _name(place: Path) -> str:
    """Return what reports call the corpus: its folder, of a fold with the one that it is in."""
    whole = place.resolve()
    return f"{whole.parent.name}/{whole.name}" if whole.name.isdecimal() else whole.name


def _choose_training(splits: Mapping[str, list[TextExample]], settings: TextTrainSettings) -> list[TextExample]:
    """Return all examples that may be learned from, as they were read."""
    training = splits.get("train", [])
    if not training:
        raise BadSetting(
            f"{settings.data}: there is no training split; found {', '.join(splits) or 'nothing'}",
            "name a file train, or say which files are which with `text.files`",
        )
    return [*training, *splits.get("devel", [])] if settings.train_on == "train_dev" else training


def _divide(
    training: list[TextExample], splits: Mapping[str, list[TextExample]], settings: TextTrainSettings, notes: Notes
) -> tuple[list[TextExample], dict[str, list[TextExample]]]:
    """Return the examples to learn from and those to score; devel is split off training where there is none."""
    scored = {name: splits[name] for name in SCORED if name in splits}
    if settings.train_on == "train_dev":
        scored.pop("devel", None)
        return training, scored
    if "devel" not in scored and settings.optimiser.epochs:
        training, devel = _split_off_devel(training, settings)
        notes.add("devel: examples taken from training, for there is no such split", settings.data, len(devel))
        scored = {"devel": devel, **scored}
    return training, scored


def check_gold(
    splits: Mapping[str, Sequence[TextExample]],
    place: Path | str = "the corpus",
    notes: Notes | None = None,
    *,
    kind: Kind = SPANS,
    columns: Mapping[str, str] | None = None,
) -> None:
    """Refuse splits without gold, or with some examples without gold.

    Args:
        splits: as a task has read them.
        place: of the corpus.
        notes: of the reader, which say why a split is empty.
        kind: of prediction; some questions of span extraction may lack gold, and are not scored.
        columns: as the recipe names them.

    Raises:
        BadFile: with the place of the first example, or of the corpus where there is none.
    """
    refuse_empty(splits, place, notes or Notes())
    named = answer_column(columns)
    why = f": there is no column {named!r}, which `text.columns` names" if named else ""
    for name, rows in splits.items():
        unknown = [each for each in rows if each.gold is None]
        if len(unknown) == len(rows):
            raise BadFile(
                f"{rows[0].place}: the {name} split does not say what is right{why}",
                "give a file with labels, scores or answers; of a table, separate the columns with one tab, or name "
                "them with `text.columns`",
            )
        if unknown and not kind.may_lack_gold:
            raise BadFile(
                f"{unknown[0].place}: this text of the {name} split does not say what is right, and others do",
                "add its label or score, or remove it; `linnet predict` answers texts without",
            )


def _keep_known(training: list[TextExample], notes: Notes) -> list[TextExample]:
    """Return the examples with gold: a question whose answer is not known must not be learned as having none."""
    for each in training:
        if each.gold is None:
            notes.add("train: texts whose answer is not known, left out", each.place)
    return [each for each in training if each.gold is not None]


def _sample_training(
    training: list[TextExample], task: TextTask[Any], settings: TextSettings, notes: Notes
) -> list[TextExample]:
    """Return the examples that the task learns from; devel is set aside before, and is not sampled."""
    kept = task.sample_training(training, settings)
    _note_dropped(candidates_in(training), kept, "train: examples that were not drawn to be learned from", notes)
    return kept


def _note_dropped(before: Sequence[TextExample], kept: Sequence[TextExample], what: str, notes: Notes) -> None:
    same = {id(each) for each in kept}  # not their names, which train and devel may have in common
    for each in before:
        if id(each) not in same:
            notes.add(what, each.place)


def _keep_learnable(
    training: Sequence[TextExample], task: TextTask[Any], settings: TextTrainSettings, notes: Notes
) -> list[TextExample]:
    """Return the examples that the task can learn from."""
    found = [each for each in training if task.is_learnable(each, settings.text)]
    if not found:
        raise BadSetting(f"{settings.data}: nothing to learn from: {task.unlearnable}", "give texts that do")
    _note_dropped(training, found, f"train: {task.unlearnable}", notes)
    return found


def _split_off_devel(
    training: list[TextExample], settings: TextTrainSettings
) -> tuple[list[TextExample], list[TextExample]]:
    """Return the training split without, and only, a share of its groups: a question is never on both sides."""
    groups = list(dict.fromkeys(each.group or each.id for each in training))
    number = round(len(groups) * settings.text.devel_share)
    if not 0 < number < len(groups):
        raise BadSetting(
            f"{settings.data}: there is no devel split, and {settings.text.devel_share:g} of {len(groups)} is none",
            'raise `text.devel_share`, or train on everything with `train_on = "train_dev"`',
        )
    order = np.random.default_rng(settings.sample_seed).permutation(len(groups))
    chosen = {groups[int(at)] for at in order[:number]}
    inside = [each for each in training if (each.group or each.id) in chosen]
    return [each for each in training if (each.group or each.id) not in chosen], inside
