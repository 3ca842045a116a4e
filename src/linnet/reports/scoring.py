"""How is a file of predictions scored against a gold file?

Two token-per-line files are compared tag by tag, so that a model's invalid sequences get both readings (strict and
conlleval); repairs concern the gold file only. All other files are compared as documents, by characters: documents
are matched by id, must have the same text, and are cut into sentences that no mention crosses.
"""

from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import count, repeat, zip_longest
from pathlib import Path

from linnet.contracts import Notes, ReadOptions, formats
from linnet.documents.document import Document, Sentence, Span
from linnet.documents.sentences import join_over_spans, with_sentences
from linnet.documents.tokens import tokenize
from linnet.errors import BadFile
from linnet.formats.conll import MENDED
from linnet.formats.reading import detect_format, read_documents
from linnet.formats.rows import TaggedSentence, find_tagging, read_tagged
from linnet.labels.alignment import TaggableSentence, align
from linnet.labels.tagging import (
    InvalidTags,
    Mention,
    decode,
    decode_conll,
    decode_well_formed,
    encode,
    first_fault,
    split_tag,
)
from linnet.metrics.scores import Scores, score
from linnet.metrics.units import Mark, Unit

__all__ = ["score_files", "units_from_documents", "units_from_files", "units_from_tags"]

COMMON_TAGGING = "iob2"  # of word-level scores, where the two sides do not have one tagging
SAME_SENTENCES = "score a prediction for exactly the sentences of the gold file, in their order"


def score_files(
    gold: str | Path,
    predicted: str | Path,
    *,
    format: str | None = None,
    options: ReadOptions | None = None,
    resample: str = "sentences",
    n_resamples: int = 1000,
    seed: int = 0,
    notes: Notes | None = None,
) -> Scores:
    """Return all scores of the predicted file against the gold file; `notes` takes what was repaired."""
    units = units_from_files(Path(gold), Path(predicted), format=format, options=options, notes=notes)
    return score(units, resample=resample, n_resamples=n_resamples, seed=seed)


def units_from_files(
    gold: Path,
    predicted: Path,
    *,
    format: str | None = None,
    options: ReadOptions | None = None,
    notes: Notes | None = None,
) -> list[Unit]:
    """Return the sentences of two files with what is marked in each."""
    options, notes = options or ReadOptions(), notes if notes is not None else Notes()
    format = format and formats.canonical(format)
    kinds = [format or detect_format(path).name for path in (gold, predicted)]
    if kinds == ["conll", "conll"]:
        return list(_units_from_rows(gold, predicted, options, notes))
    gold_documents = read_documents(gold, format=format, options=options, notes=notes)
    predicted_documents = read_documents(predicted, format=format, options=options, notes=notes)
    return list(units_from_documents(gold_documents, predicted_documents, names=(str(gold), str(predicted))))


def units_from_tags(
    gold: Iterable[Sequence[str]],
    predicted: Iterable[Sequence[str]],
    *,
    tagging: str,
    groups: Iterable[int] | None = None,
    marks: Iterable[tuple[Mark, ...] | None] | None = None,
) -> Iterator[Unit]:
    """Yield a unit for each pair of rows of tags; the gold rows must be valid.

    Args:
        gold: one row of tags per sentence.
        predicted: as many rows, each as long as its gold row.
        tagging: of both.
        groups: the number of each sentence's document; without them each sentence is a document of its own.
        marks: the gold mentions of each sentence, which its tags may not be able to hold; None where they are.
    """
    rows = zip(gold, predicted, strict=True)
    numbered = zip(rows, groups, strict=True) if groups is not None else zip(rows, count(), strict=False)
    beside = zip(numbered, marks if marks is not None else repeat(None), strict=marks is not None)
    for ((gold_tags, predicted_tags), group), true in beside:
        is_same = gold_tags == predicted_tags
        unit = _same_unit(gold_tags, group) if is_same else _unit(gold_tags, predicted_tags, tagging, group)
        yield unit if true is None or true == unit.gold else replace(unit, gold=true)


def units_from_documents(
    gold: Iterable[Document], predicted: Iterable[Document], *, names: tuple[str, str] = ("gold", "predicted")
) -> Iterator[Unit]:
    """Yield the sentences of documents that are matched by id."""
    predicted_by_id = _by_id(predicted, names[1])
    seen: set[str] = set()
    for group, document in enumerate(gold):
        if document.id in seen:
            raise _twice(document.id, names[0])
        seen.add(document.id)
        other = predicted_by_id.pop(document.id, None)
        if other is None:
            raise BadFile(
                f"{names[1]}: no document is called {document.id!r}, which is document {group + 1} of {names[0]}",
                "predict every document of the gold file, under the same ids",
            )
        _check_same_text(document, other, names)
        yield from _document_units(document, other, group)
    if predicted_by_id:
        extra = next(iter(predicted_by_id))
        raise BadFile(
            f"{names[1]}: document {extra!r} is not in {names[0]} ({len(predicted_by_id)} such documents)",
            "score only documents that have gold annotations",
        )


def _by_id(documents: Iterable[Document], name: str) -> dict[str, Document]:
    document_by_id: dict[str, Document] = {}
    for document in documents:
        if document.id in document_by_id:
            raise _twice(document.id, name)
        document_by_id[document.id] = document
    return document_by_id


def _twice(document_id: str, name: str) -> BadFile:
    return BadFile(f"{name}: two documents are called {document_id!r}", "give each its own id")


def _units_from_rows(gold: Path, predicted: Path, options: ReadOptions, notes: Notes) -> Iterator[Unit]:
    gold_tagging = options.tagging or find_tagging([gold], options)
    predicted_tagging = options.tagging or _predicted_tagging(predicted, gold_tagging, options)
    group, has_documents = -1, False
    pairs = zip_longest(_sentences(gold, options), _sentences(predicted, options))
    for index, (ours, theirs) in enumerate(pairs):
        ours, theirs = _checked_pair(ours, theirs, index, (gold, predicted))
        tags = ours.tags
        is_faulty = first_fault(tags, gold_tagging) is not None
        if is_faulty:
            tags = _mend_or_refuse(ours, gold_tagging, gold, notes if options.repair else None)
        has_documents = has_documents or ours.begins is not None
        group += ours.begins is not None or not has_documents
        is_one_tagging = gold_tagging == predicted_tagging
        if not is_faulty and is_one_tagging and tags == theirs.tags:
            yield _same_unit(tags, group)
        else:
            unit = _unit(tags, theirs.tags, predicted_tagging, group)
            yield unit if is_one_tagging else _with_common_tags(unit)


def _sentences(path: Path, options: ReadOptions) -> Iterator[TaggedSentence]:
    return (sentence for sentence in read_tagged(path, options) if sentence.words)


def _predicted_tagging(predicted: Path, gold_tagging: str, options: ReadOptions) -> str:
    """Return the tagging to read predictions in: `iob2` where gold is, since a model's faults are no dialect."""
    found = find_tagging([predicted], options)
    return "iob2" if gold_tagging == "iob2" and found in ("io", "iob1") else found


def _checked_pair(
    ours: TaggedSentence | None, theirs: TaggedSentence | None, index: int, paths: tuple[Path, Path]
) -> tuple[TaggedSentence, TaggedSentence]:
    gold, predicted = paths
    if ours is None or theirs is None:
        (longer, more), shorter = ((gold, ours), predicted) if ours else ((predicted, theirs), gold)
        goes_on = f"; {longer}:{more.line} goes on with {more.words[0]!r}" if more else ""
        raise BadFile(f"{shorter}: ends after sentence {index:,}{goes_on}", SAME_SENTENCES)
    if ours.words != theirs.words:
        at = next(n for n, (a, b) in enumerate(zip_longest(ours.words, theirs.words)) if a != b)
        found = [repr(s.words[at]) if at < len(s.words) else "the end of the sentence" for s in (ours, theirs)]
        raise BadFile(
            f"sentence {index + 1:,} differs: {gold}:{ours.line + at} has {found[0]}, "
            f"{predicted}:{theirs.line + at} has {found[1]}",
            SAME_SENTENCES,
        )
    return ours, theirs


def _mend_or_refuse(sentence: TaggedSentence, tagging: str, path: Path, notes: Notes | None) -> tuple[str, ...]:
    """Return the tags by the conlleval reading and count the changes; refuse where there are no notes to take them."""
    if notes is not None:
        mended = encode(decode_conll(sentence.tags), len(sentence.tags), tagging)
        changed = [line for line, (a, b) in enumerate(zip(sentence.tags, mended, strict=True), sentence.line) if a != b]
        notes.add(MENDED, f"{path}:{changed[0]}", len(changed))
        return tuple(mended)
    try:
        decode(sentence.tags, tagging)
    except InvalidTags as error:
        raise BadFile(f"{path}:{sentence.line + error.position}: {error.problem}", error.remedy) from None
    return sentence.tags


def _same_unit(tags: Sequence[str], group: int) -> Unit:
    """Return the unit of a valid row that was predicted as it is, without reading it three times."""
    marks = tuple(Mark(*mention) for mention in decode_conll(tags))
    labels = [split_tag(tag)[1] for tag in tags] if marks else [""] * len(tags)
    return Unit(marks, marks, None, labels, labels, group, tags, tags)


def _unit(gold: Sequence[str], predicted: Sequence[str], predicted_tagging: str, group: int) -> Unit:
    return Unit(
        tuple(Mark(*mention) for mention in decode_conll(gold)),
        tuple(Mark(*mention) for mention in decode_conll(predicted)),
        tuple(Mark(*mention) for mention in decode_well_formed(predicted, predicted_tagging)),
        [split_tag(tag)[1] for tag in gold],
        [split_tag(tag)[1] for tag in predicted],
        group,
        gold,
        predicted,
    )


def _with_common_tags(unit: Unit) -> Unit:
    """Return the unit with the tags of both sides in one tagging, where the files have two."""
    rows = [
        encode([Mention(*mark[:3]) for mark in marks], len(unit.gold_tags), COMMON_TAGGING)
        for marks in (unit.gold, unit.predicted)
    ]
    return replace(unit, gold_tags=rows[0], predicted_tags=rows[1])


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


def _document_units(gold: Document, predicted: Document, group: int) -> Iterator[Unit]:
    sentences = _common_sentences(gold, predicted)
    rows = zip(align(replace(gold, sentences=sentences)), align(replace(predicted, sentences=sentences)), strict=True)
    gold_marks, predicted_marks = _by_sentence(gold.spans, sentences), _by_sentence(predicted.spans, sentences)
    for index, (ours, theirs) in enumerate(rows):
        yield Unit(
            gold_marks[index],
            predicted_marks[index],
            None,
            _token_labels(ours),
            _token_labels(theirs),
            group,
            encode(ours.mentions, ours.n_tokens, COMMON_TAGGING),
            encode(theirs.mentions, theirs.n_tokens, COMMON_TAGGING),
        )


def _common_sentences(gold: Document, predicted: Document) -> tuple[Sentence, ...]:
    """Return sentences with tokens that no mention of either side crosses."""
    known = with_sentences(gold)
    whole = join_over_spans([(s.start, s.end) for s in known], (*gold.spans, *predicted.spans))
    tokens = [token for sentence in known for token in sentence.tokens]
    if not whole:
        whole, tokens = [(0, len(gold.text))], list(tokenize(gold.text))
    inside = iter(tokens)
    held = next(inside, None)
    sentences: list[Sentence] = []
    for start, end in whole:
        own = []
        while held is not None and held[0] < end:
            own.append(held)
            held = next(inside, None)
        sentences.append(Sentence(start, end, tuple(own)))
    return tuple(sentences)


def _by_sentence(spans: Iterable[Span], sentences: Sequence[Sentence]) -> list[tuple[Mark, ...]]:
    marks: list[list[Mark]] = [[] for _ in sentences]
    starts = [sentence.start for sentence in sentences]
    for span in spans:
        at = max(0, bisect_right(starts, span.start) - 1)
        marks[at].append(Mark(span.start, span.end, span.label, span.fragments))
    return [tuple(sorted(row)) for row in marks]


def _token_labels(row: TaggableSentence) -> list[str]:
    labels = [""] * row.n_tokens
    for first, end, label in row.mentions:
        labels[first:end] = [label] * (end - first)
    return labels
