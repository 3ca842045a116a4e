"""Consistent abbreviations in what a tagger predicts: the pass of models whose `linnet.json` has `same_abbreviations`.

Annotation and evaluation both call `make_consistent`, so they find the same mentions. What it adds are whole words of
one sentence, because tags cannot hold anything else.
"""

from collections import defaultdict
from collections.abc import Hashable, Sequence

from linnet.documents.document import Document, Sentence, Span
from linnet.documents.same_abbreviations import with_same_abbreviations
from linnet.labels.mention import Mention
from linnet.labels.tagging import encode
from linnet.tasks.ner.decoding import PredictedSentence
from linnet.tasks.ner.examples import Example

__all__ = ["ONLY_SENTENCES", "make_consistent", "predict_consistently", "spans_of"]

LEAST_SCORE = 1e-6  # six digits are kept; a mention that was found is not impossible
ONLY_SENTENCES = (
    "the corpus does not say which sentences are one document, so abbreviations were made consistent within each "
    "sentence only; `--documents FILE` says it"
)


def spans_of(sentence: Sentence, predicted: PredictedSentence) -> list[Span]:
    """Return the mentions of a sentence as spans of the document."""
    tokens = sentence.tokens
    return [
        Span(tokens[first][0], tokens[end - 1][1], label, score=max(round(score, 6), LEAST_SCORE))
        for (first, end, label, _), score in zip(predicted.mentions, predicted.scores, strict=True)
    ]


def make_consistent(text: str, sentences: Sequence[Sentence], spans: list[Span]) -> list[Span]:
    """Return the spans of a whole document with the same label for each abbreviation and its long form."""
    if not spans:
        return spans
    found = with_same_abbreviations(Document("", text, tuple(spans))).spans
    if found == tuple(spans):
        return spans
    first = {start: number for number, sentence in enumerate(sentences) for start, _ in sentence.tokens}
    last = {end: number for number, sentence in enumerate(sentences) for _, end in sentence.tokens}
    return [span for span in found if first.get(span.start, -1) == last.get(span.end, -2)]


def predict_consistently(
    rows: Sequence[Example], predicted: Sequence[PredictedSentence], groups: Sequence[int] | None, tagging: str
) -> list[PredictedSentence]:
    """Return the predictions for sentences after the pass over each document.

    Args:
        rows: the sentences.
        predicted: what was found in each.
        groups: the number of each sentence's document; None if the documents are not known.
        tagging: of the tags.
    """
    numbers: dict[Hashable, list[int]] = defaultdict(list)
    for number, row in enumerate(rows):
        numbers[row.document if groups is None else groups[number]].append(number)
    found = list(predicted)
    for own in numbers.values():
        changed = _predict_document([rows[each] for each in own], [predicted[each] for each in own], tagging)
        for number, sentence in zip(own, changed, strict=True):
            found[number] = sentence
    return found


def _predict_document(
    rows: Sequence[Example], predicted: Sequence[PredictedSentence], tagging: str
) -> Sequence[PredictedSentence]:
    """Return the predictions for one document, whose sentences may have been read as documents of their own."""
    texts = {row.document: row.text for row in rows}
    offsets, offset = {}, 0
    for name, text in texts.items():
        offsets[name] = offset
        offset += len(text) + 1
    sentences = [row.sentence.moved(offsets[row.document]) for row in rows]
    spans = [span for pair in zip(sentences, predicted, strict=True) for span in spans_of(*pair)]
    found = make_consistent("\n".join(texts.values()), sentences, spans)
    if found is spans:
        return predicted
    return [_tag(*pair, found, tagging) for pair in zip(sentences, predicted, strict=True)]


def _tag(sentence: Sentence, before: PredictedSentence, spans: Sequence[Span], tagging: str) -> PredictedSentence:
    """Return the sentence with those of the document's spans that stand in it."""
    first = {start: number for number, (start, _) in enumerate(sentence.tokens)}
    end = {end: number for number, (_, end) in enumerate(sentence.tokens, 1)}
    own = [span for span in spans if span.start in first]
    mentions = [Mention(first[span.start], end[span.end], span.label) for span in own]
    if mentions == before.mentions:
        return before
    scores = [1.0 if span.score is None else span.score for span in own]
    return PredictedSentence(encode(mentions, len(sentence.tokens), tagging), mentions, scores)
