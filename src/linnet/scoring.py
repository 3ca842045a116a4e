"""Scoring of a file of predictions against a gold file.

Two files with one token per line are compared tag by tag (see `reports/tagged_files.py`). All other files are compared
as documents, by characters (see `reports/compared_documents.py`).
"""

from collections.abc import Iterable
from pathlib import Path

from linnet.contracts import Notes, ReadOptions, formats
from linnet.errors import BadFile
from linnet.formats.corpus import corpus_place
from linnet.formats.reading import detect_format, read_documents
from linnet.metrics.mentions.scores import Scores, score
from linnet.metrics.mentions.units import Unit
from linnet.reports.compared_documents import review_documents, units_from_documents
from linnet.reports.review import ReviewedSentence
from linnet.reports.tagged_files import review_rows, units_from_one_file, units_from_rows, units_from_tags

__all__ = ["are_tagged", "review_files", "score_files", "units_from_documents", "units_from_files", "units_from_tags"]


def score_files(
    gold: str | Path,
    predicted: str | Path | None = None,
    *,
    format: str | None = None,
    options: ReadOptions | None = None,
    resample: str = "sentences",
    n_resamples: int = 1000,
    seed: int = 0,
    notes: Notes | None = None,
) -> Scores:
    """Return all scores of the predicted file against the gold file; repairs are counted in `notes`.

    Without a predicted file, the gold file has both: one word per line, gold and predicted tag in its last two columns.
    """
    other = None if predicted is None else corpus_place(predicted)
    units = units_from_files(corpus_place(gold), other, format=format, options=options, notes=notes)
    return score(units, resample=resample, n_resamples=n_resamples, seed=seed)


def units_from_files(
    gold: Path,
    predicted: Path | None = None,
    *,
    format: str | None = None,
    options: ReadOptions | None = None,
    notes: Notes | None = None,
) -> list[Unit]:
    """Return the sentences of two files, or of one file with both sides, with gold and predicted mentions."""
    options, notes = options or ReadOptions(), notes if notes is not None else Notes()
    format = format and formats.canonical(format)
    if predicted is None:
        _check_has_columns(gold, format or detect_format(gold).name)
        return units_from_one_file(gold, options, notes)
    if are_tagged([gold, predicted], format):
        return list(units_from_rows(gold, predicted, options, notes))
    sides = (read_documents(path, format=format, options=options, notes=notes) for path in (gold, predicted))
    return list(units_from_documents(*sides, names=(str(gold), str(predicted))))


def review_files(
    gold: str | Path,
    predicted: str | Path | None = None,
    *,
    format: str | None = None,
    options: ReadOptions | None = None,
) -> list[ReviewedSentence]:
    """Return the sentences of the same files with gold and predicted mentions, for the error page and `mistakes.tsv`.

    Tags have no confidence; mentions of documents have the one that their file gives.
    """
    options, gold = options or ReadOptions(), corpus_place(gold)
    other = None if predicted is None else corpus_place(predicted)
    if other is None or are_tagged([gold, other], format):
        return list(review_rows(gold, options, units_from_files(gold, other, format=format, options=options)))
    sides = (read_documents(path, format=format, options=options) for path in (gold, other))
    return list(review_documents(*sides, names=(str(gold), str(other))))


def are_tagged(paths: Iterable[Path], format: str | None) -> bool:
    """Do all files have one token per line?"""
    format = format and formats.canonical(format)
    return all((format or detect_format(path).name) == "conll" for path in paths)


def _check_has_columns(path: Path, format: str) -> None:
    if format != "conll":
        raise BadFile(
            f"{path}: this is {format}, which holds the annotations of one side",
            "give the predictions as a second file: `linnet score GOLD PREDICTED`",
        )
