"""Scores of finished taggers on the same sentences, read from the predictions that they keep."""

from collections.abc import Sequence
from pathlib import Path

from linnet.contracts import Outcomes, ReadOptions
from linnet.errors import BadFile
from linnet.formats.rows import read_tagged
from linnet.formats.sentence_documents import has_texts, is_documents_file, read_sentence_documents
from linnet.metrics.mentions.outcomes import mention_outcomes
from linnet.metrics.mentions.units import Unit, groups_of, with_groups
from linnet.tasks.ner.evaluation import read_predictions
from linnet.tasks.ner.kept import NO_WORD
from linnet.tasks.ner.settings import NerSettings
from linnet.training.kept_predictions import check_same_gold, predictions_of

__all__ = ["read_outcomes"]

Words = Sequence[Sequence[str]]  # of each sentence


def read_outcomes(
    runs: Sequence[tuple[Path, NerSettings]], *, metric: str, n_resamples: int, seed: int, split: str = "test"
) -> Outcomes:
    """Return the outcomes of finished runs at one place, on the test or the devel split.

    Raises:
        BadFile: where a run has no predictions for the split, was scored on other sentences than the first or in other
            documents, or where a file of documents does not fit the sentences.
    """
    folders = [folder for folder, _ in runs]
    paths = [predictions_of(folder, split, "tsv") for folder in folders]
    units = [read_predictions(path) for path in paths]
    words = [_words(path) for path in paths]
    gold = [[(*row, unit.gold) for row, unit in zip(*each, strict=True)] for each in zip(words, units, strict=True)]
    check_same_gold(folders, gold)
    groups = _find_groups(runs, units, words[0], split)
    units = [with_groups(each, groups) for each in units]
    return mention_outcomes(units, words[0], metric=metric, n_resamples=n_resamples, seed=seed)


def _words(path: Path) -> list[tuple[str, ...]]:
    return [tuple(sentence.words) for sentence in read_tagged(path, ReadOptions(tag_column=2)) if sentence.words]


def _find_groups(
    runs: Sequence[tuple[Path, NerSettings]], units: Sequence[Sequence[Unit]], words: Words, split: str
) -> list[int] | None:
    """Return the number of each sentence's document; None if the documents are not known.

    The file that the settings name counts, also for runs that were made without it. Where it is not at hand, as with
    kept runs, the documents count that the predictions have.
    """
    saved = {
        tuple(groups): folder
        for (folder, _), each in zip(runs, units, strict=True)
        if (groups := groups_of(each)) is not None
    }
    known = next(iter(saved), None)
    named = dict.fromkeys(path for _, settings in runs if (path := _file_of(settings, split)) is not None)
    usable = [path for path in named if known is None or (is_documents_file(path) and _is_usable(path, words))]
    found = {tuple(_read_groups(path, words)): path for path in usable} or saved
    if len(found) > 1:
        first, second, *_ = found.values()
        raise BadFile(
            f"{second}: has other documents than {first}, for the same sentences",
            "name one file for all runs that are compared: `documents` in the recipe, or `--documents FILE`",
        )
    return list(next(iter(found))) if found else None


def _file_of(settings: NerSettings, split: str) -> Path | None:
    """Return the file with the documents of a split; a sample of devel has other sentences than the file."""
    if settings.documents is None or (split == "devel" and settings.devel_sentences is not None):
        return None
    found = {str(name): file for name, file in settings.documents.items()}.get(split)
    return None if found is None else Path(found)


def _read_groups(path: Path, words: Words) -> list[int]:
    if not _is_usable(path, words):
        raise BadFile(
            f"{path}: has texts, but the words of the sentences are not here to be found in them",
            "put the corpus of the kept runs back, or give a file with the id of the document of each sentence",
        )
    return read_sentence_documents(path, words)


def _is_usable(path: Path, words: Words) -> bool:
    """Can the file say the documents of these sentences? Kept runs have no words where their corpus is not here."""
    has_words = any(word != NO_WORD for row in words for word in row)
    return has_words or not has_texts(path)
