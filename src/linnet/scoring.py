"""Scoring of a file of predictions against a gold file.

Two files with one token per line are compared tag by tag (see `tagged_files.py`). All other files are compared as
documents, by characters: documents are matched by id, must have the same text, and are split into sentences that no
mention crosses.
"""

from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from linnet.contracts import Notes, ReadOptions, formats
from linnet.documents.document import Document, Sentence, Span
from linnet.documents.sentences import join_over_spans, with_sentences
from linnet.documents.tokens import tokenize
from linnet.errors import BadFile
from linnet.formats.corpus import corpus_place
from linnet.formats.reading import detect_format, read_documents
from linnet.labels.alignment import TaggableSentence, align
from linnet.labels.mention import Mention
from linnet.labels.tagging import encode
from linnet.metrics.mentions.scores import Scores, score
from linnet.metrics.mentions.units import Unit
from linnet.reports.tagged_files import COMMON_TAGGING, units_from_one_file, units_from_rows, units_from_tags

__all__ = ["score_files", "units_from_documents", "units_from_files", "units_from_tags"]


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
    kinds = [format or detect_format(path).name for path in (gold, predicted)]
    if kinds == ["conll", "conll"]:
        return list(units_from_rows(gold, predicted, options, notes))
    gold_documents = read_documents(gold, format=format, options=options, notes=notes)
    predicted_documents = read_documents(predicted, format=format, options=options, notes=notes)
    return list(units_from_documents(gold_documents, predicted_documents, names=(str(gold), str(predicted))))


def _check_has_columns(path: Path, format: str) -> None:
    if format != "conll":
        raise BadFile(
            f"{path}: this is {format}, which holds the annotations of one side",
            "give the predictions as a second file: `linnet score GOLD PREDICTED`",
        )


def units_from_documents(
    gold: Iterable[Document], predicted: Iterable[Document], *, names: tuple[str, str] = ("gold", "predicted")
) -> Iterator[Unit]:
    """Yield the sentences of documents that are matched by id, with gold and predicted mentions."""
    predicted_by_id = _index_by_id(predicted, names[1])
    seen: set[str] = set()
    for group, document in enumerate(gold):
        if document.id in seen:
            raise _duplicate_error(document.id, names[0])
        seen.add(document.id)
        other = predicted_by_id.pop(document.id, None)
        if other is None:
            raise BadFile(
                f"{names[1]}: no document is called {document.id!r}, which is document {group + 1} of {names[0]}",
                "predict every document of the gold file, under the same ids",
            )
        _check_same_text(document, other, names)
        yield from _compare_documents(document, other, group)
    if predicted_by_id:
        extra = next(iter(predicted_by_id))
        raise BadFile(
            f"{names[1]}: document {extra!r} is not in {names[0]} ({len(predicted_by_id)} such documents)",
            "score only documents that have gold annotations",
        )


def _index_by_id(documents: Iterable[Document], name: str) -> dict[str, Document]:
    document_by_id: dict[str, Document] = {}
    for document in documents:
        if document.id in document_by_id:
            raise _duplicate_error(document.id, name)
        document_by_id[document.id] = document
    return document_by_id


def _duplicate_error(document_id: str, name: str) -> BadFile:
    return BadFile(f"{name}: two documents are called {document_id!r}", "give each its own id")


def _check_same_text(ours: Document, theirs: Document, names: tuple[str, str]) -> None:
    if ours.text == theirs.text:
        return
    at = next((n for n, (a, b) in enumerate(zip(ours.text, theirs.text, strict=False)) if a != b), None)
    at = min(len(ours.text), len(theirs.text)) if at is None else at
    found = [repr(document.text[at : at + 20]) if at < len(document.text) else "its end" for document in (ours, theirs)]
    raise BadFile(
        f"document {ours.id!r}: the texts differ from character {at} on, {names[0]} has {found[0]}, "
        f"{names[1]} has {found[1]}",
        "score annotations of the same text",
    )


def _compare_documents(gold: Document, predicted: Document, group: int) -> Iterator[Unit]:
    sentences = _find_common_sentences(gold, predicted)
    rows = zip(align(replace(gold, sentences=sentences)), align(replace(predicted, sentences=sentences)), strict=True)
    gold_marks, predicted_marks = (
        _group_by_sentence(gold.spans, sentences),
        _group_by_sentence(predicted.spans, sentences),
    )
    for index, (ours, theirs) in enumerate(rows):
        yield Unit(
            gold=gold_marks[index],
            predicted=predicted_marks[index],
            gold_labels=_label_tokens(ours),
            predicted_labels=_label_tokens(theirs),
            group=group,
            gold_tags=encode(ours.mentions, ours.n_tokens, COMMON_TAGGING),
            predicted_tags=encode(theirs.mentions, theirs.n_tokens, COMMON_TAGGING),
        )


def _find_common_sentences(gold: Document, predicted: Document) -> tuple[Sentence, ...]:
    """Return sentences with tokens that no mention of either side crosses."""
    known = with_sentences(gold)
    whole = join_over_spans([(s.start, s.end) for s in known], (*gold.spans, *predicted.spans))
    tokens = [token for sentence in known for token in sentence.tokens]
    if not whole:
        whole, tokens = [(0, len(gold.text))], list(tokenize(gold.text))
    remaining = iter(tokens)
    token = next(remaining, None)
    sentences: list[Sentence] = []
    for start, end in whole:
        own = []
        while token is not None and token[0] < end:
            own.append(token)
            token = next(remaining, None)
        sentences.append(Sentence(start, end, tuple(own)))
    return tuple(sentences)


def _group_by_sentence(spans: Iterable[Span], sentences: Sequence[Sentence]) -> list[tuple[Mention, ...]]:
    mentions: list[list[Mention]] = [[] for _ in sentences]
    starts = [sentence.start for sentence in sentences]
    for span in spans:
        at = max(0, bisect_right(starts, span.start) - 1)
        mentions[at].append(Mention(span.start, span.end, span.label, span.fragments))
    return [tuple(sorted(row)) for row in mentions]


def _label_tokens(row: TaggableSentence) -> list[str]:
    labels = [""] * row.n_tokens
    for first, end, label, _ in row.mentions:
        labels[first:end] = [label] * (end - first)
    return labels
