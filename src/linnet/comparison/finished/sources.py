"""Reads what is compared without a grid: finished runs, or files with predictions for the same gold annotations."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise, zip_longest
from pathlib import Path
from typing import NamedTuple

from linnet.contracts import Notes, Outcomes, ReadOptions, tasks
from linnet.documents.document import Interval, Sentence
from linnet.errors import BadFile, BadSetting
from linnet.formats.reading import read_documents
from linnet.formats.rows import read_tagged
from linnet.formats.sentence_documents import find_documents
from linnet.labels.alignment import TaggableSentence
from linnet.labels.mention import Mention
from linnet.metrics.mentions.outcomes import mention_outcomes
from linnet.metrics.mentions.shared_labels import (
    SharedLabels,
    restrict_mentions,
    restrict_units,
    share_labels_of_files,
)
from linnet.metrics.mentions.units import Unit, with_groups
from linnet.models.model_folder import FACTS, read_facts
from linnet.reports.compared_documents import compare_documents, match_documents
from linnet.scoring import are_tagged, units_from_files
from linnet.storage.run_folders import RECIPE
from linnet.training.options import read_recipe

__all__ = ["ComparedRuns", "name_runs", "read_files", "read_runs", "run_folder_of"]

MATCHING = "strict"  # of files, where no metric is given
TAGGED = "predictions-test.tsv"  # of runs whose predictions are tags
UNNAMED = "the same sentences"  # as a place, where the corpus has no name


@dataclass(frozen=True)
class ComparedRuns:
    """Runs or files that were scored against the same gold annotations."""

    outcomes: Outcomes
    metric: str  # as it is shown
    corpus: str
    warnings: Sequence[str] = ()  # labels that were left out


def run_folder_of(path: Path) -> Path | None:
    """Return the run folder that this is, or whose test predictions this is; None for any other file or folder."""
    folder = path.parent if path.name.startswith("predictions-test.") else path
    return folder if (folder / FACTS).is_file() or (folder / RECIPE).is_file() else None


def name_runs(paths: Sequence[Path]) -> list[str]:
    """Return a short name for each path: its last part, or as many parts as tell it from the others.

    >>> name_runs([Path("runs/a"), Path("runs/b"), Path("old/b")])
    ['a', 'runs/b', 'old/b']
    """
    parts = [path.absolute().parts for path in paths]
    names = []
    for own in parts:
        others = [other for other in parts if other is not own]
        length = next((n for n in range(1, len(own)) if all(other[-n:] != own[-n:] for other in others)), len(own))
        names.append("/".join(own[-length:]))
    return names


def read_runs(folders: Sequence[Path], *, metric: str | None, n_resamples: int, seed: int) -> ComparedRuns:
    """Return the scores of finished runs of one task, from the test predictions that they keep.

    Raises:
        BadFile: where a run is not finished, has no test predictions, or was scored on other gold.
        BadSetting: for runs of several tasks.
    """
    facts = [read_facts(folder) for folder in folders]
    for folder, each in zip(folders, facts, strict=True):
        if each.task != facts[0].task:
            raise BadSetting(
                f"{folder} is a run of {each.task}, {folders[0]} one of {facts[0].task}",
                "compare runs of one task",
            )
    task = tasks.get(facts[0].task)
    metric = metric or task.default_metric
    runs = [(folder, read_recipe(folder / RECIPE)) for folder in folders]
    outcomes = task.outcomes(runs, metric=metric, n_resamples=n_resamples, seed=seed)
    return ComparedRuns(outcomes, task.metric_title(metric), facts[0].corpus or UNNAMED)


def read_files(  # noqa: PLR0913 — as of `compare_runs`
    paths: Sequence[Path], *, gold: Path | None, format: str | None, options: ReadOptions, metric: str | None,
    n_resamples: int, seed: int, notes: Notes, map: Mapping[str, str] | None = None,
) -> ComparedRuns:  # fmt: skip
    """Return the scores of files with predictions; without a gold file, each has gold and predicted tags.

    Raises:
        BadFile: where a file has no gold annotations and none are given, or has other sentences than the first.
        BadSetting: where a file has no label in common with gold, or the map names one that does not exist.
    """
    metric = metric or MATCHING
    files = [_predictions_of(path) for path in paths]
    if gold is None:
        _check_have_gold(files, format)
        found = _read_tagged_files([(file, None) for file in files], format, options, notes)
    elif are_tagged([gold, *files], format):
        found = _read_tagged_files([(gold, file) for file in files], format, options, notes)
    else:
        found = _read_document_files([gold, *files], format, options, notes)
    shared = None
    if gold is not None or map is not None:  # two columns of one file have one maker
        shared = share_labels_of_files(dict(zip(name_runs(paths), found.units, strict=True)), map, notes)
    if shared is not None:
        found = _restrict(found, shared)
    outcomes = mention_outcomes(found.units, found.words, metric=metric, n_resamples=n_resamples, seed=seed)
    title = "token F1" if metric == "tokens" else f"{metric.replace('_', ' ')} F1"
    warnings = () if shared is None else shared.sentences()
    return ComparedRuns(_show_words(outcomes, found.shown), title, UNNAMED if gold is None else gold.name, warnings)


class _Sentences(NamedTuple):
    """The sentences of all files: units of each file, words, and mentions by words of gold and of each file."""

    units: list[list[Unit]]
    words: list[tuple[str, ...]]
    shown: list[list[tuple[Mention, ...]]]  # empty where the units count words


def _predictions_of(path: Path) -> Path:
    """Return the file with the predictions: of a folder with the predictions of a tagger, that file."""
    if (path / TAGGED).is_file():
        return path / TAGGED
    if run_folder_of(path) == path:
        raise BadFile(
            f"{path}: this run keeps no {TAGGED}, so it cannot be compared with files",
            "compare run folders with run folders, without `--gold`",
        )
    return path


def _check_have_gold(files: Sequence[Path], format: str | None) -> None:
    for file in files:
        if not are_tagged([file], format):
            raise BadFile(f"{file}: holds predictions without gold annotations", "give them with `--gold GOLD`")


def _read_tagged_files(
    pairs: Sequence[tuple[Path, Path | None]], format: str | None, options: ReadOptions, notes: Notes
) -> _Sentences:
    units = [units_from_files(*pair, format=format, options=options, notes=notes) for pair in pairs]
    words = [[row.words for row in read_tagged(gold, options) if row.words] for gold in dict(pairs)]
    for (file, _), own_words, own_units in zip(pairs[1:], words[1:], units[1:], strict=False):
        for number, (row, unit, first) in enumerate(zip_longest(own_words, own_units, units[0]), 1):
            if unit is None or first is None or (row, unit.gold) != (words[0][number - 1], first.gold):
                raise BadFile(
                    f"{file}: has other words or other gold tags than {pairs[0][0]}, from sentence {number:,} on",
                    "compare predictions for the same sentences with the same gold tags",
                )
    return _Sentences(units, words[0], [])


def _read_document_files(files: Sequence[Path], format: str | None, options: ReadOptions, notes: Notes) -> _Sentences:
    """Return the sentences of documents, the gold file first; they are scored by characters and shown by words."""
    read = [read_documents(file, format=format, options=options, notes=notes) for file in files]
    n_predictions = len(files) - 1
    found = _Sentences([[] for _ in range(n_predictions)], [], [[] for _ in files])
    ids: list[str] = []
    for group, (gold, *predicted) in enumerate(match_documents(read[0], read[1:], names=list(map(str, files)))):
        for sentence, units in compare_documents(gold, predicted, group):
            sides = [units[0].gold, *(unit.predicted for unit in units)]
            row = _cut_words(sentence, [mention for mentions in sides for mention in mentions])
            found.words.append(tuple(row.words(gold.text)) or ("",))
            ids.append(gold.id)
            for mentions, column in zip(sides, found.shown, strict=True):
                column.append(tuple(_by_words(mention, row) for mention in mentions))
            for unit, own in zip(units, found.units, strict=True):
                own.append(unit)
    groups = find_documents(ids, found.words)
    return found._replace(units=[with_groups(units, groups) for units in found.units])


def _restrict(found: _Sentences, shared: SharedLabels) -> _Sentences:
    """Return the sentences with the shared labels only, by the names of gold."""
    shown = [
        [restrict_mentions(mentions, shared, are_gold=number == 0) for mentions in column]
        for number, column in enumerate(found.shown)
    ]
    return _Sentences([restrict_units(units, shared) for units in found.units], found.words, shown)


def _cut_words(sentence: Sentence, mentions: Sequence[Mention]) -> TaggableSentence:
    """Return the sentence with words that no mention cuts."""
    edges = sorted({edge for mention in mentions for piece in _pieces(mention) for edge in piece})
    words = [
        piece
        for start, end in sentence.tokens
        for piece in pairwise([start, *(edge for edge in edges if start < edge < end), end])
    ]
    return TaggableSentence(Sentence(sentence.start, sentence.end, tuple(words)), ())


def _by_words(mention: Mention, row: TaggableSentence) -> Mention:
    fragments = tuple(row.tokens_in(*piece) for piece in mention.fragments)
    return Mention(*row.tokens_in(mention.start, mention.end), mention.label, fragments)


def _pieces(mention: Mention) -> tuple[Interval, ...]:
    return mention.fragments or ((mention.start, mention.end),)


def _show_words(outcomes: Outcomes, shown: Sequence[Sequence[tuple[Mention, ...]]]) -> Outcomes:
    """Return the outcomes with mentions by words, where they count characters."""
    if not shown:
        return outcomes
    gold, *predicted = shown
    runs = [replace(run, predicted=own) for run, own in zip(outcomes.runs, predicted, strict=True)]
    return replace(outcomes, runs=runs, gold=gold)
