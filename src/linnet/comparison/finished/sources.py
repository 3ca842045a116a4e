"""Reads what is compared without a grid: finished runs, or files with predictions for the same gold annotations."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise, zip_longest
from pathlib import Path
from typing import Any, NamedTuple

from linnet.comparison.judging.documents import name_documents
from linnet.comparison.kept.restored import check_not_restored
from linnet.contracts import Notes, Outcomes, ReadOptions, tasks
from linnet.documents.document import Interval, Sentence
from linnet.errors import BadFile, BadSetting
from linnet.formats.reading import read_documents
from linnet.formats.rows import read_tagged
from linnet.formats.sentence_documents import find_documents
from linnet.labels.alignment import TaggableSentence
from linnet.labels.mention import Mention
from linnet.metrics.mentions.outcomes import mention_outcomes
from linnet.metrics.mentions.shared_labels import SharedLabels, restrict_mentions, restrict_units, share_labels_of_files
from linnet.metrics.mentions.units import Unit, with_groups
from linnet.models.model_folder import FACTS, ModelFacts, read_facts
from linnet.reports.compared_documents import compare_documents, match_documents, review_sentence, score_mentions
from linnet.reports.review import ReviewedSentence
from linnet.reports.tagged_files import review_rows
from linnet.scoring import (
    are_tagged,
    common_documents_error,
    refuse_documents_file,
    restrict_review,
    review_files,
    units_from_files,
)
from linnet.settings.base import Settings
from linnet.settings.differences import differing_settings
from linnet.storage.run_folders import RECIPE
from linnet.training.options import read_recipe

__all__ = ["ComparedRuns", "name_runs", "read_files", "read_runs", "run_folder_of"]

MATCHING = "strict"  # of files, where no metric is given
TAGGED = "predictions-{split}.tsv"  # of runs whose predictions are tags
TRAINING_DATA = "fingerprint of the training data"  # among the settings
UNNAMED = "the same sentences"  # as a place, where the corpus has no name


@dataclass(frozen=True)
class ComparedRuns:
    """Runs or files that were scored against the same gold annotations."""

    outcomes: Outcomes
    metric: str  # as it is shown
    corpus: str
    warnings: Sequence[str] = ()  # labels that were left out
    sentences: Sequence[
        Sequence[ReviewedSentence]
    ] = ()  # of each run, as its file has them; empty if that is not known
    settings: Mapping[str, Sequence[Any]] = field(default_factory=dict)  # that differ, with the value of each run


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


def read_runs(
    folders: Sequence[Path],
    *,
    metric: str | None,
    n_resamples: int,
    seed: int,
    documents: Path | None = None,
    split: str = "test",
) -> ComparedRuns:
    """Return the scores of finished runs of one task, from the predictions for test or devel that they keep.

    Raises:
        BadFile: where a run is not finished, has no predictions for the split, or was scored on other gold.
        BadSetting: for runs of several tasks, or restored runs on devel.
    """
    facts = [read_facts(folder) for folder in folders]
    for folder, each in zip(folders, facts, strict=True):
        if each.onnx is not None:
            raise BadFile(
                f"{folder}: is an exported model, which keeps no predictions",
                "compare the run that it was exported from; or write the predictions of both with "
                "`linnet evaluate MODEL CORPUS --predictions FILE` and compare these files",
            )
        if each.task != facts[0].task:
            raise BadSetting(
                f"{folder} is a run of {each.task}, {folders[0]} one of {facts[0].task}",
                "compare runs of one task",
            )
    check_not_restored(folders, split)
    task = tasks.get(facts[0].task)
    metric = metric or task.default_metric
    runs = [(folder, read_recipe(folder / RECIPE)) for folder in folders]
    if documents is not None:
        runs = [(folder, name_documents(settings, str(documents), split)) for folder, settings in runs]
    outcomes = task.outcomes(runs, metric=metric, n_resamples=n_resamples, seed=seed, split=split)
    return ComparedRuns(
        outcomes,
        task.metric_title(metric),
        facts[0].corpus or UNNAMED,
        sentences=_review_runs(folders, split, len(outcomes.words)),
        settings=_compare_settings([settings for _, settings in runs], facts),
    )


def read_files(  # noqa: PLR0913 — as of `compare_runs`
    paths: Sequence[Path], *, gold: Path | None, format: str | None, options: ReadOptions, metric: str | None,
    n_resamples: int, seed: int, notes: Notes, map: Mapping[str, str] | None = None, documents: Path | None = None,
    keep_labels: Sequence[str] | None = None, common_documents: bool = False,
) -> ComparedRuns:  # fmt: skip
    """Return the scores of files with predictions; without a gold file, each has gold and predicted tags.

    Raises:
        BadFile: where a file has no gold annotations and none are given, or has other sentences than the first.
        BadSetting: where a file has no label in common with gold, or a label is named that does not exist.
    """
    metric = metric or MATCHING
    files = [_predictions_of(path) for path in paths]
    if common_documents and (gold is None or are_tagged([gold, *files], format)):
        raise common_documents_error(files)
    if gold is None:
        _check_have_gold(files, format)
        found = _read_tagged_files([(file, None) for file in files], format, options, notes, documents)
    elif are_tagged([gold, *files], format):
        found = _read_tagged_files([(gold, file) for file in files], format, options, notes, documents)
    else:
        refuse_documents_file(documents, files)
        found = _read_document_files([gold, *files], format, options, notes, common=common_documents)
    shared = None
    if not (gold is None and map is None and keep_labels is None):  # two columns of one file have one maker
        units_by_file = dict(zip(name_runs(paths), found.units, strict=True))
        shared = share_labels_of_files(units_by_file, map, notes, chosen=keep_labels)
    if shared is not None:
        found = _restrict(found, shared)
    outcomes = mention_outcomes(found.units, found.words, metric=metric, n_resamples=n_resamples, seed=seed)
    title = "token F1" if metric == "tokens" else f"{metric.replace('_', ' ')} F1"
    warnings = () if shared is None else shared.sentences()
    corpus = UNNAMED if gold is None else gold.name
    return ComparedRuns(
        outcomes=_show_words(outcomes, found.shown), metric=title, corpus=corpus, warnings=warnings,
        sentences=found.reviewed,
    )  # fmt: skip


class _Sentences(NamedTuple):
    """The sentences of all files: units of each file, words, and mentions as they are shown."""

    units: list[list[Unit]]
    words: list[tuple[str, ...]]
    shown: list[list[tuple[Mention, ...]]]  # by words, of gold and of each file; empty where the units count words
    reviewed: list[list[ReviewedSentence]]  # of each file


def _predictions_of(path: Path) -> Path:
    """Return the file with the predictions: of a folder with the predictions of a tagger, that file."""
    tagged = path / TAGGED.format(split="test")
    if tagged.is_file():
        return tagged
    if run_folder_of(path) == path:
        raise BadFile(
            f"{path}: this run keeps no {tagged.name}, so it cannot be compared with files",
            "compare run folders with run folders, without `--gold`",
        )
    return path


def _check_have_gold(files: Sequence[Path], format: str | None) -> None:
    for file in files:
        if not are_tagged([file], format):
            raise BadFile(f"{file}: holds predictions without gold annotations", "give them with `--gold GOLD`")


def _read_tagged_files(
    pairs: Sequence[tuple[Path, Path | None]],
    format: str | None,
    options: ReadOptions,
    notes: Notes,
    documents: Path | None,
) -> _Sentences:
    units = [
        units_from_files(*pair, format=format, options=options, notes=notes, documents=documents) for pair in pairs
    ]
    words = [[row.words for row in read_tagged(gold, options) if row.words] for gold in dict(pairs)]
    for (file, _), own_words, own_units in zip(pairs[1:], words[1:], units[1:], strict=False):
        for number, (row, unit, first) in enumerate(zip_longest(own_words, own_units, units[0]), 1):
            if unit is None or first is None or (row, unit.gold) != (words[0][number - 1], first.gold):
                raise BadFile(
                    f"{file}: has other words or other gold tags than {pairs[0][0]}, from sentence {number:,} on",
                    "compare predictions for the same sentences with the same gold tags",
                )
    reviewed = [list(review_rows(gold, options, own)) for (gold, _), own in zip(pairs, units, strict=True)]
    return _Sentences(units, words[0], [], reviewed)


def _read_document_files(
    files: Sequence[Path], format: str | None, options: ReadOptions, notes: Notes, *, common: bool
) -> _Sentences:
    """Return the sentences of documents, the gold file first; they are scored by characters and shown by words."""
    read = [read_documents(file, format=format, options=options, notes=notes) for file in files]
    n_predictions = len(files) - 1
    found = _Sentences(
        units=[[] for _ in range(n_predictions)],
        words=[],
        shown=[[] for _ in files],
        reviewed=[[] for _ in range(n_predictions)],
    )
    ids: list[str] = []
    matched = match_documents(read[0], read[1:], names=list(map(str, files)), left_out=notes if common else None)
    for group, (gold, *predicted) in enumerate(matched):
        scores = [score_mentions(document) for document in predicted]
        for number, (sentence, units) in enumerate(compare_documents(gold, predicted, group), 1):
            sides = [units[0].gold, *(unit.predicted for unit in units)]
            row = _cut_words(sentence, [mention for mentions in sides for mention in mentions])
            found.words.append(tuple(row.words(gold.text)) or ("",))
            ids.append(gold.id)
            for mentions, column in zip(sides, found.shown, strict=True):
                column.append(tuple(_by_words(mention, row) for mention in mentions))
            for at, unit in enumerate(units):
                found.units[at].append(unit)
                found.reviewed[at].append(review_sentence(sentence, number, gold, unit, scores[at]))
    groups = find_documents(ids, found.words)
    return found._replace(units=[with_groups(units, groups) for units in found.units])


def _restrict(found: _Sentences, shared: SharedLabels) -> _Sentences:
    """Return the sentences with the shared labels only, by the names of gold."""
    shown = [
        [restrict_mentions(mentions, shared, are_gold=number == 0) for mentions in column]
        for number, column in enumerate(found.shown)
    ]
    units = [restrict_units(units, shared) for units in found.units]
    return _Sentences(units, found.words, shown, [restrict_review(sentences, shared) for sentences in found.reviewed])


def _compare_settings(settings: Sequence[Settings], facts: Sequence[ModelFacts]) -> dict[str, Sequence[Any]]:
    """Return the settings that differ, and the fingerprints of the training data where these differ."""
    found: dict[str, Sequence[Any]] = dict(differing_settings(settings))
    trained_on = [each.fingerprints.get("train") for each in facts]
    return {TRAINING_DATA: trained_on, **found} if len(set(trained_on)) > 1 else found


def _review_runs(folders: Sequence[Path], split: str, n_sentences: int) -> list[list[ReviewedSentence]]:
    """Return the sentences of taggers by the words that runs keep, without places; nothing for other runs."""
    files = [folder / TAGGED.format(split=split) for folder in folders]
    read = [review_files(file, format="conll") for file in files] if all(file.is_file() for file in files) else []
    found = [[replace(sentence, start=None) for sentence in sentences] for sentences in read]
    return found if all(len(sentences) == n_sentences for sentences in found) else []


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
