"""Scoring of a file of predictions against a gold file.

Two files with one token per line are compared tag by tag (see `reports/tagged_files.py`). All other files are compared
as documents, by characters (see `reports/compared_documents.py`).
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import compress
from pathlib import Path

from linnet.contracts import Notes, ReadOptions, formats
from linnet.errors import BadFile, BadSetting
from linnet.formats.corpus import place_or_stdin
from linnet.formats.reading import detect_format, read_documents
from linnet.metrics.mentions.scores import Scores, score
from linnet.metrics.mentions.shared_labels import (
    FILES,
    SharedLabels,
    parse_map,
    restrict_mentions,
    restrict_units,
    share_labels_of_files,
)
from linnet.metrics.mentions.units import Unit
from linnet.reports.compared_documents import review_documents, units_from_documents
from linnet.reports.review import ReviewedSentence
from linnet.reports.tagged_files import review_rows, units_from_one_file, units_from_rows, units_from_tags
from linnet.settings.label_lists import parse_labels

__all__ = [
    "are_tagged",
    "common_documents_error",
    "refuse_documents_file",
    "restrict_review",
    "review_files",
    "score_files",
    "units_from_documents",
    "units_from_files",
    "units_from_tags",
]


def score_files(  # noqa: PLR0913 — each is an option of the command
    gold: str | Path,
    predicted: str | Path | None = None,
    *,
    format: str | None = None,
    options: ReadOptions | None = None,
    resample: str | None = None,
    n_resamples: int = 1000,
    seed: int = 0,
    notes: Notes | None = None,
    documents: str | Path | None = None,
    map: Mapping[str, str] | Sequence[str] | None = None,
    keep_labels: Sequence[str] | None = None,
    common_documents: bool = False,
) -> Scores:
    """Return all scores of the predicted file against the gold file; repairs are counted in `notes`.

    Without a predicted file, the gold file has both: one word per line, gold and predicted tag in its last two columns.
    Intervals resample documents, and sentences only where no documents are known; `documents` is a file that says which
    sentences are one document (`formats.sentence_documents`). With a map from labels of the prediction to those of
    gold, the labels that both have are scored, and the mentions of others are counted in `shared` of the scores. With
    `keep_labels`, by the names of gold, these are scored and no others. `common_documents` scores the documents that
    both files have, and counts the others in `notes`.

    Raises:
        BadSetting: where two files have no label in common, or a label is named that does not exist.
    """
    pairs = map if map is None or isinstance(map, Mapping) else parse_map(map, FILES)
    notes = notes if notes is not None else Notes()
    other = None if predicted is None else place_or_stdin(predicted)
    units = units_from_files(
        place_or_stdin(gold),
        other,
        format=format,
        options=options,
        notes=notes,
        documents=None if documents is None else Path(documents),
        common_documents=common_documents,
    )
    shared = None
    chosen = None if keep_labels is None else parse_labels(keep_labels)
    if not (other is None and pairs is None and chosen is None):
        shared = share_labels_of_files({str(predicted or gold): units}, pairs, notes, chosen=chosen)
    units = units if shared is None else restrict_units(units, shared)
    return replace(score(units, resample=resample, n_resamples=n_resamples, seed=seed), shared=shared)


def units_from_files(
    gold: Path,
    predicted: Path | None = None,
    *,
    format: str | None = None,
    options: ReadOptions | None = None,
    notes: Notes | None = None,
    documents: Path | None = None,
    common_documents: bool = False,
) -> list[Unit]:
    """Return the sentences of two files, or of one file with both sides, with gold and predicted mentions.

    `documents` is a file that says which sentences of files with one token per line are one document.
    With `common_documents`, documents that only one file has are left out and noted.
    """
    options, notes = options or ReadOptions(), notes if notes is not None else Notes()
    format = format and formats.canonical(format)
    if common_documents and (predicted is None or are_tagged([gold, predicted], format)):
        raise common_documents_error([gold] if predicted is None else [gold, predicted])
    if predicted is None:
        _check_has_columns(gold, format or detect_format(gold).name)
        return units_from_one_file(gold, options, notes, documents)
    if are_tagged([gold, predicted], format):
        return units_from_rows(gold, predicted, options, notes, documents=documents)
    refuse_documents_file(documents, [gold, predicted])
    sides = (read_documents(path, format=format, options=options, notes=notes) for path in (gold, predicted))
    left_out = notes if common_documents else None
    return list(units_from_documents(*sides, names=(str(gold), str(predicted)), left_out=left_out))


def review_files(
    gold: str | Path,
    predicted: str | Path | None = None,
    *,
    format: str | None = None,
    options: ReadOptions | None = None,
    shared: SharedLabels | None = None,
    common_documents: bool = False,
) -> list[ReviewedSentence]:
    """Return the sentences of the same files with gold and predicted mentions, for the error page and `mistakes.tsv`.

    Tags have no confidence; mentions of documents have the one that their file gives. `shared` are the labels that were
    scored, where these are not all.
    """
    left_out = Notes() if common_documents else None
    found = _read_review(gold, predicted, format=format, options=options, left_out=left_out)
    return found if shared is None else restrict_review(found, shared)


def restrict_review(sentences: Iterable[ReviewedSentence], shared: SharedLabels) -> list[ReviewedSentence]:
    """Return the sentences with the shared labels only, by the names of gold."""
    return [_restrict_review(sentence, shared) for sentence in sentences]


def refuse_documents_file(documents: Path | None, files: Sequence[Path]) -> None:
    """Refuse a file of documents where the files are compared as documents already."""
    if documents is not None:
        raise BadSetting(
            f"{' and '.join(map(str, files))} are compared as documents, so {documents} cannot say which sentences "
            "are one",
            "leave `--documents` out; it is for files with one token per line",
        )


def are_tagged(paths: Iterable[Path], format: str | None) -> bool:
    """Do all files have one token per line?"""
    format = format and formats.canonical(format)
    return all((format or detect_format(path).name) == "conll" for path in paths)


def common_documents_error(files: Iterable[Path]) -> BadSetting:
    """Return why documents of files with one token per line cannot be left out."""
    return BadSetting(
        f"--common-documents is for files of documents, and {' and '.join(map(str, files))} have one token per line",
        "leave it out, and give files with the same sentences",
    )


def _read_review(
    gold: str | Path,
    predicted: str | Path | None,
    *,
    format: str | None,
    options: ReadOptions | None,
    left_out: Notes | None,
) -> list[ReviewedSentence]:
    options, gold = options or ReadOptions(), place_or_stdin(gold)
    other = None if predicted is None else place_or_stdin(predicted)
    if other is None or are_tagged([gold, other], format):
        return list(review_rows(gold, options, units_from_files(gold, other, format=format, options=options)))
    sides = (read_documents(path, format=format, options=options) for path in (gold, other))
    return list(review_documents(*sides, names=(str(gold), str(other)), left_out=left_out))


def _restrict_review(sentence: ReviewedSentence, shared: SharedLabels) -> ReviewedSentence:
    kept = [shared.name(mention.label) in shared.labels for mention in sentence.predicted]
    return replace(
        sentence,
        gold=restrict_mentions(sentence.gold, shared, are_gold=True),
        predicted=restrict_mentions(sentence.predicted, shared, are_gold=False),
        scores=tuple(compress(sentence.scores, kept)),
    )


def _check_has_columns(path: Path, format: str) -> None:
    if format != "conll":
        raise BadFile(
            f"{path}: this is {format}, which holds the annotations of one side",
            "give the predictions as a second file: `linnet score GOLD PREDICTED`",
        )
