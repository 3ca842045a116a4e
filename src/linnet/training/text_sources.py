"""Which texts are learned from and scored, and what can be said of them?"""

import hashlib
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from linnet.contracts import Notes
from linnet.documents.texts import TextExample
from linnet.errors import BadFile, BadSetting
from linnet.settings import TextSettings, TrainSettings
from linnet.tasks.answering import answerable
from linnet.tasks.empty_splits import refuse_empty
from linnet.tasks.missed import asked
from linnet.tasks.similarity import score_range
from linnet.tasks.text_task import Kind, TextTask

__all__ = ["TextSource", "check_gold", "fingerprint", "first_places", "labels_of", "read_text_source", "taken"]

MOST_SHOWN = 5
SCORED = ("devel", "test")


@dataclass(frozen=True)
class TextSource:
    """A corpus of texts: what is learned from and what is scored."""

    name: str
    settings: TextSettings  # as the task has settled them after looking at the training split
    kind: Kind
    training: list[TextExample]
    scored: dict[str, list[TextExample]]  # devel and test, as far as there are any
    labels: tuple[str, ...]  # of classes and labels, sorted; `score` for a number, none for spans
    lowest: float  # of the numbers to be learned
    highest: float
    fingerprints: dict[str, str]
    notes: Notes


def read_text_source(settings: TrainSettings, task: TextTask) -> TextSource:
    """Return the corpus of a recipe, checked.

    Raises:
        LinnetError: where it cannot be read, or its splits do not fit together.
    """
    place = Path(settings.data)
    notes = Notes()
    splits = task.read(place, settings.text, notes)
    refuse_empty({name: rows for name, rows in splits.items() if name in ("train", *SCORED)}, place, notes)
    training, scored = _divided(splits, settings, notes)
    check_gold({"train": training, **scored}, place, notes)
    training = _thinned(_known(training, notes), task, settings.text, notes)
    if settings.train_sentences is not None:
        training = taken(training, settings.train_sentences, seed=settings.sample_seed, setting="train_sentences")
    if settings.devel_sentences is not None and "devel" in scored:
        devel = taken(scored["devel"], settings.devel_sentences, seed=settings.sample_seed, setting="devel_sentences")
        scored["devel"] = devel
    kind = task.kind(training, settings.text)
    if kind == "spans" and settings.text.answerable_only:
        training = _answerable(training, settings, notes)
    labels = _known_labels(training, scored, kind)
    lowest, highest = score_range(training) if kind == "number" else (0.0, 1.0)
    prints = {name: fingerprint(rows) for name, rows in splits.items()}
    text = task.settled(settings.text, training)
    return TextSource(_name(place), text, kind, training, scored, labels, lowest, highest, prints, notes)


def labels_of(example: TextExample) -> tuple[str, ...]:
    """Return the label or labels of an example."""
    if isinstance(example.gold, str):
        return (example.gold,)
    return tuple(str(label) for label in example.gold) if isinstance(example.gold, tuple) else ()


def first_places(examples: Sequence[TextExample], known: Collection[str]) -> dict[str, str]:
    """Return the labels that are not known, each with the first place where it stands."""
    found: dict[str, str] = {}
    for each in examples:
        for label in labels_of(each):
            if label not in known:
                found.setdefault(label, each.place)
    return found


def taken(examples: Sequence[TextExample], number: int, *, seed: int, setting: str) -> list[TextExample]:
    """Return so many examples in their own order; a smaller sample is part of every larger one.

    The sample keeps each label's share as far as whole numbers allow. Examples of one group stay or go one by one.

    Raises:
        BadSetting: where there are not so many.
    """
    total = len(examples)
    if number > total:
        raise BadSetting(f"{setting} is {number:,}, the split has {total:,}", f"give at most {total}")
    order = np.random.default_rng(seed).permutation(total)
    ranks: dict[tuple[str, ...], list[int]] = {}
    for index in map(int, order):
        ranks.setdefault(labels_of(examples[index]), []).append(index)
    # the n-th of a label's m examples comes after n / m of all: shares hold for every number that is taken
    position = {index: (at + 0.5) / len(same) for same in ranks.values() for at, index in enumerate(same)}
    chosen = sorted(map(int, order), key=lambda index: position[index])[:number]
    return [examples[index] for index in sorted(chosen)]


def fingerprint(examples: Sequence[TextExample]) -> str:
    """Return a digest of all that a task read, so that a run can say which data it saw."""
    digest = hashlib.sha256()
    for each in examples:
        digest.update(repr((each.id, each.first, each.second, each.gold, each.group, each.spans)).encode())
    return digest.hexdigest()


def _name(place: Path) -> str:
    """Return what reports call the corpus: its folder, of a fold with the one that it is in."""
    whole = place.resolve()
    return f"{whole.parent.name}/{whole.name}" if whole.name.isdecimal() else whole.name


def _divided(
    splits: Mapping[str, list[TextExample]], settings: TrainSettings, notes: Notes
) -> tuple[list[TextExample], dict[str, list[TextExample]]]:
    """Return what is learned from and what is scored; devel is taken from training where there is none."""
    training = splits.get("train", [])
    if not training:
        raise BadSetting(
            f"{settings.data}: there is no training split; found {', '.join(splits) or 'nothing'}",
            "name a file train, or say which files are which with `text.files`",
        )
    scored = {name: splits[name] for name in SCORED if name in splits}
    if settings.train_on == "train_dev":
        return [*training, *scored.pop("devel", [])], scored
    if "devel" not in scored and settings.optimiser.epochs:
        training, devel = _without_share(training, settings)
        notes.add("devel: examples taken from training, for there is no such split", settings.data, len(devel))
        scored = {"devel": devel, **scored}
    return training, scored


def check_gold(
    splits: Mapping[str, Sequence[TextExample]], place: Path | str = "the corpus", notes: Notes | None = None
) -> None:
    """Refuse splits in which nothing says what is right; questions whose answer nobody knows are not scored.

    Args:
        splits: as a task has read them.
        place: of the corpus.
        notes: of the reader, which say why a split is empty.

    Raises:
        BadFile: with the place of the first example, or of the corpus where there is none.
    """
    refuse_empty(splits, place, notes or Notes())
    for name, rows in splits.items():
        if all(each.gold is None for each in rows):
            raise BadFile(
                f"{rows[0].place}: the {name} split does not say what is right",
                "give a file with labels, scores or answers",
            )
        unknown = [each for each in rows if each.gold is None]
        if unknown and name == "train" and not any(each.spans for each in rows):
            raise BadFile(f"{unknown[0].place}: there is no label to learn", "add one, or remove the row")


def _known(training: list[TextExample], notes: Notes) -> list[TextExample]:
    """Return the examples that say what is right: a question whose answer is not known must not be learned as none."""
    for each in training:
        if each.gold is None:
            notes.add("train: texts whose answer is not known, left out", each.place)
    return [each for each in training if each.gold is not None]


def _thinned(training: list[TextExample], task: TextTask, settings: TextSettings, notes: Notes) -> list[TextExample]:
    """Return the examples that the task wants to learn from; devel is set aside by now, and keeps all of its own."""
    kept = task.thinned(training, settings)
    _note_dropped(asked(training), kept, "train: examples that were not drawn to be learned from", notes)
    return kept


def _note_dropped(before: Sequence[TextExample], kept: Sequence[TextExample], what: str, notes: Notes) -> None:
    same = {id(each) for each in kept}  # not their names, which train and devel may have in common
    for each in before:
        if id(each) not in same:
            notes.add(what, each.place)


def _without_share(training: list[TextExample], settings: TrainSettings) -> tuple[list[TextExample], list[TextExample]]:
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


def _answerable(training: Sequence[TextExample], settings: TrainSettings, notes: Notes) -> list[TextExample]:
    found = answerable(training)
    if not found:
        raise BadSetting(f"{settings.data}: no text of the training split holds an answer", "give texts that do")
    _note_dropped(training, found, "train: texts that hold no answer, left out (`text.answerable_only`)", notes)
    return found


def _known_labels(
    training: Sequence[TextExample], scored: Mapping[str, Sequence[TextExample]], kind: Kind
) -> tuple[str, ...]:
    if kind == "number":
        return ("score",)
    if kind == "spans":
        return ()
    known = tuple(sorted({label for each in training for label in labels_of(each)}))
    if len(known) < (1 if kind == "labels" else 2):
        raise BadSetting(
            f"the training split has {len(known)} label{'s' * (len(known) != 1)}: {', '.join(known) or 'none'}",
            "give a corpus with at least two labels to tell apart",
        )
    for name, rows in scored.items():
        unseen = first_places(asked(rows), known)
        if unseen:
            places = ", ".join(f"{label!r} ({place})" for label, place in list(unseen.items())[:MOST_SHOWN])
            raise BadSetting(
                f"the {name} split has labels that training does not have: {places}",
                f"training has {', '.join(known)}; rename or remove the others",
            )
    return known
