"""Gold and predicted mentions of documents, sentence by sentence and by characters, to score and to review.

Documents are matched by id, must have the same text, and are split into sentences that no mention of any side crosses.
"""

from bisect import bisect_right
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

from linnet.contracts import Notes
from linnet.documents.document import Document, Sentence, Span
from linnet.documents.sentences import join_over_spans, with_sentences
from linnet.documents.tokens import tokenize
from linnet.errors import BadFile
from linnet.formats.sentence_documents import find_documents
from linnet.labels.alignment import TaggableSentence, align
from linnet.labels.mention import Mention
from linnet.labels.tagging import encode
from linnet.metrics.mentions.units import Unit, with_groups
from linnet.reports.review import ReviewedSentence
from linnet.reports.tagged_files import COMMON_TAGGING

__all__ = [
    "compare_documents",
    "match_documents",
    "review_documents",
    "review_sentence",
    "score_mentions",
    "units_from_documents",
]


def units_from_documents(
    gold: Iterable[Document],
    predicted: Iterable[Document],
    *,
    names: tuple[str, str] = ("gold", "predicted"),
    left_out: Notes | None = None,
) -> Iterator[Unit]:
    """Yield the sentences of documents that are matched by id, with gold and predicted mentions."""
    ids: list[str] = []
    words: list[list[str]] = []
    units: list[Unit] = []
    for group, (document, other) in enumerate(match_documents(gold, [predicted], names=names, left_out=left_out)):
        for sentence, (unit,) in compare_documents(document, [other], group):
            ids.append(document.id)
            words.append([document.text[start:end] for start, end in sentence.tokens])
            units.append(unit)
    yield from with_groups(units, find_documents(ids, words))


def review_documents(
    gold: Iterable[Document],
    predicted: Iterable[Document],
    *,
    names: tuple[str, str] = ("gold", "predicted"),
    left_out: Notes | None = None,
) -> Iterator[ReviewedSentence]:
    """Yield the same sentences with their text, and with the confidence of predicted mentions that have one."""
    for document, other in match_documents(gold, [predicted], names=names, left_out=left_out):
        scores = score_mentions(other)
        for number, (sentence, (unit,)) in enumerate(compare_documents(document, [other], 0), 1):
            yield review_sentence(sentence, number, document, unit, scores)


def review_sentence(
    sentence: Sentence, number: int, document: Document, unit: Unit, scores: Mapping[Mention, float | None]
) -> ReviewedSentence:
    """Return a sentence of a document with its text; `scores` has the confidence of predicted mentions."""
    mentions = (*unit.gold, *unit.predicted)
    start = min([sentence.start, *(mention.start for mention in mentions)])
    end = max([sentence.end, *(mention.end for mention in mentions)])
    found = tuple(scores[mention] for mention in unit.predicted)
    return ReviewedSentence(
        document=document.id,
        number=number,
        text=document.text[start:end],
        tokens=None,
        gold=tuple(_shift(mention, start) for mention in unit.gold),
        predicted=tuple(_shift(mention, start) for mention in unit.predicted),
        scores=found if any(score is not None for score in found) else (),
        start=start,
    )


def score_mentions(document: Document) -> dict[Mention, float | None]:
    """Return the confidence of each mention; the first one counts where mentions are equal."""
    return {_mention_of(span): span.score for span in reversed(document.spans)}


def match_documents(
    gold: Iterable[Document],
    predicted: Sequence[Iterable[Document]],
    *,
    names: Sequence[str],
    left_out: Notes | None = None,
) -> Iterator[tuple[Document, ...]]:
    """Yield each gold document with the documents of the same id of all predictions.

    Args:
        gold: the documents with gold annotations.
        predicted: the documents of each prediction, in any order.
        names: of the gold file and of each prediction, for messages.
        left_out: receives the documents that not all files have; they are refused if it is not given.

    Raises:
        BadFile: for documents that come twice, have several texts, or are not in all files; if no document is in all.
    """
    by_id = [_index_by_id(documents, name) for documents, name in zip(predicted, names[1:], strict=True)]
    seen: set[str] = set()
    n_common = 0
    for number, document in enumerate(gold, 1):
        if document.id in seen:
            raise _duplicate_error(document.id, names[0])
        seen.add(document.id)
        others = [document_by_id.pop(document.id, None) for document_by_id in by_id]
        found = [other for other in others if other is not None]
        if len(found) < len(others):
            lacking = names[1 + others.index(None)]
            if left_out is None:
                raise _missing_error(lacking, document.id, f"document {number} of {names[0]}")
            left_out.add(f"documents of {names[0]} that {lacking} does not have, left out", document.id)
            continue
        for name, other in zip(names[1:], found, strict=True):
            _check_same_text(document, other, (names[0], name))
        n_common += 1
        yield document, *found
    for name, document_by_id in zip(names[1:], by_id, strict=True):
        if document_by_id:
            _leave_out_extra(name, list(document_by_id), names[0], left_out)
    if left_out is not None and seen and not n_common:
        raise BadFile(f"{' and '.join(names)} have no document in common", "give files with the same ids of documents")


def compare_documents(
    gold: Document, predicted: Sequence[Document], group: int
) -> Iterator[tuple[Sentence, tuple[Unit, ...]]]:
    """Yield the sentences of one document, each with a unit for each prediction."""
    sentences = _find_common_sentences(gold, predicted)
    sides = [_Side(document, sentences) for document in (gold, *predicted)]
    for at, sentence in enumerate(sentences):
        units = (
            Unit(
                gold=sides[0].mentions[at],
                predicted=side.mentions[at],
                gold_labels=sides[0].labels[at],
                predicted_labels=side.labels[at],
                group=group,
                gold_tags=sides[0].tags[at],
                predicted_tags=side.tags[at],
            )
            for side in sides[1:]
        )
        yield sentence, tuple(units)


class _Side:
    """The mentions, token labels and tags of each sentence, as one side annotates them."""

    def __init__(self, document: Document, sentences: tuple[Sentence, ...]) -> None:
        rows = list(align(replace(document, sentences=sentences)))
        self.mentions = _group_by_sentence(document.spans, sentences)
        self.labels = [_label_tokens(row) for row in rows]
        self.tags = [encode(row.mentions, row.n_tokens, COMMON_TAGGING) for row in rows]


def _index_by_id(documents: Iterable[Document], name: str) -> dict[str, Document]:
    document_by_id: dict[str, Document] = {}
    for document in documents:
        if document.id in document_by_id:
            raise _duplicate_error(document.id, name)
        document_by_id[document.id] = document
    return document_by_id


def _duplicate_error(document_id: str, name: str) -> BadFile:
    return BadFile(f"{name}: two documents are called {document_id!r}", "give each its own id")


def _missing_error(name: str, document_id: str, place: str) -> BadFile:
    return BadFile(
        f"{name}: no document is called {document_id!r}, which is {place}",
        "predict every document of the gold file, under the same ids, or add `--common-documents` to score those that "
        "all files have",
    )


def _leave_out_extra(name: str, ids: Sequence[str], gold: str, left_out: Notes | None) -> None:
    if left_out is None:
        raise BadFile(
            f"{name}: document {ids[0]!r} is not in {gold} ({len(ids)} such documents)",
            "score only documents that have gold annotations, or add `--common-documents`, which leaves the others out",
        )
    left_out.add(f"documents of {name} that {gold} does not have, left out", ids[0], len(ids))


def _check_same_text(ours: Document, theirs: Document, names: tuple[str, str]) -> None:
    if ours.text == theirs.text:
        return
    at = next((n for n, (a, b) in enumerate(zip(ours.text, theirs.text, strict=False)) if a != b), None)
    at = min(len(ours.text), len(theirs.text)) if at is None else at
    found = [repr(document.text[at : at + 20]) if at < len(document.text) else "its end" for document in (ours, theirs)]
    remedy = "score annotations of the same text"
    if _without_space(ours.text) == _without_space(theirs.text):
        remedy = (
            "only white space differs, as after a conversion to a format of tokens (`conll`): convert both files to it"
        )
    raise BadFile(
        f"document {ours.id!r}: the texts differ from character {at} on, {names[0]} has {found[0]}, "
        f"{names[1]} has {found[1]}",
        remedy,
    )


def _without_space(text: str) -> str:
    return "".join(text.split())


def _find_common_sentences(gold: Document, predicted: Sequence[Document]) -> tuple[Sentence, ...]:
    """Return sentences with tokens that no mention of any side crosses."""
    known = with_sentences(gold)
    spans = [span for document in (gold, *predicted) for span in document.spans]
    whole = join_over_spans([(s.start, s.end) for s in known], spans)
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
        mentions[at].append(_mention_of(span))
    return [tuple(sorted(row)) for row in mentions]


def _label_tokens(row: TaggableSentence) -> list[str]:
    labels = [""] * row.n_tokens
    for first, end, label, _ in row.mentions:
        labels[first:end] = [label] * (end - first)
    return labels


def _mention_of(span: Span) -> Mention:
    fragments = tuple(sorted(span.fragments)) if span.is_discontinuous else ()
    return Mention(span.start, span.end, span.label, fragments)


def _shift(mention: Mention, start: int) -> Mention:
    """Return the mention by characters from `start` on."""
    fragments = tuple((first - start, end - start) for first, end in mention.fragments)
    return Mention(mention.start - start, mention.end - start, mention.label, fragments)
