"""How does a model annotate texts and documents?

There is one way to predict: the trainer evaluates, the command annotates and Python users call through this class.
Sentences are taken in up to a bounded look-ahead, batched by length across documents, and given back in order.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import islice
from pathlib import Path
from typing import Protocol

import numpy as np

from linnet.batches.bucketing import by_tokens
from linnet.batches.encoding import Batch, EncodedWindow, WordEncoder, collate
from linnet.documents.document import Document, Sentence, Span
from linnet.documents.sentences import with_sentences
from linnet.errors import BadSetting
from linnet.labels.label_set import LabelSet
from linnet.models.artifact import ModelFacts, read_facts
from linnet.tasks.decoding import Decoder, PredictedSentence

__all__ = ["Engine", "Predictor", "load"]

FloatArray = np.ndarray[tuple[int, ...], np.dtype[np.float32]]
LOOK_AHEAD = 1024  # sentences that are batched together
MOST_TOKENS = 2048  # padded sub-words per batch: more is slower on CPUs, whose caches it leaves
MOST_WINDOWS = 64
LEAST_SCORE = 1e-6  # six digits are kept; a mention that was found is not impossible


class Engine(Protocol):
    """Whatever computes the scores of a batch."""

    def logits(self, batch: Batch) -> FloatArray:
        """Return scores (windows, tokens, tags)."""
        ...


class Predictor:
    """Annotates with one model."""

    def __init__(self, engine: Engine, encoder: WordEncoder, decoder: Decoder, facts: ModelFacts | None = None) -> None:
        self.engine = engine
        self.encoder = encoder
        self.decoder = decoder
        self.facts = facts

    @property
    def label_set(self) -> LabelSet:
        """The tags that the model knows."""
        return self.decoder.label_set

    def predict(self, sentences: Iterable[Sequence[str]]) -> Iterator[PredictedSentence]:
        """Yield the tags of each sentence of words, in order; every word gets exactly one."""
        source = iter(sentences)
        while chunk := list(islice(source, LOOK_AHEAD)):
            for logits in self._word_logits(chunk):
                yield self.decoder.decode(logits)

    def annotate(self, texts: Iterable[str | Document]) -> Iterator[Document]:
        """Yield each text or document with the mentions that the model finds, in order, with scores.

        Sentences are split and words found where a document does not bring its own; its former spans and the relations
        between them are replaced.
        """
        for document, sentences in self._in_groups(texts):
            spans: list[Span] = []
            for sentence, predicted in sentences:
                tokens = sentence.tokens
                spans += [
                    Span(tokens[first][0], tokens[end - 1][1], label, score=max(round(score, 6), LEAST_SCORE))
                    for (first, end, label), score in zip(predicted.mentions, predicted.scores, strict=True)
                ]
            yield document.with_spans(tuple(replace(span, id=f"T{n}") for n, span in enumerate(spans, 1)))

    def _in_groups(
        self, texts: Iterable[str | Document]
    ) -> Iterator[tuple[Document, list[tuple[Sentence, PredictedSentence]]]]:
        """Yield documents with predicted sentences, predicting over several documents at a time."""
        waiting: list[tuple[Document, list[Sentence]]] = []
        n_waiting = 0
        for number, text in enumerate(texts, 1):
            document = Document(str(number), text) if isinstance(text, str) else text
            sentences = [each for each in with_sentences(document.with_spans(())) if each.tokens]
            waiting.append((document, sentences))
            n_waiting += len(sentences)
            if n_waiting >= LOOK_AHEAD:
                yield from self._predicted(waiting)
                waiting, n_waiting = [], 0
        yield from self._predicted(waiting)

    def _predicted(
        self, waiting: list[tuple[Document, list[Sentence]]]
    ) -> Iterator[tuple[Document, list[tuple[Sentence, PredictedSentence]]]]:
        words = (
            [document.text[start:end] for start, end in sentence.tokens]
            for document, sentences in waiting
            for sentence in sentences
        )
        predicted = self.predict(words)
        for document, sentences in waiting:
            yield document, [(sentence, next(predicted)) for sentence in sentences]

    def _word_logits(self, sentences: list[Sequence[str]]) -> list[FloatArray]:
        """Return the scores (words, tags) of each sentence."""
        found: list[FloatArray] = [np.zeros((len(words), len(self.label_set)), np.float32) for words in sentences]
        windows = list(self.encoder.encode(sentences))
        lengths = [len(window.ids) for window in windows]
        for indices in by_tokens(lengths, most_tokens=MOST_TOKENS, most_examples=MOST_WINDOWS):
            batch = collate([windows[index] for index in indices], self.encoder.pad_id)
            for window, scores in zip(batch.windows, self.engine.logits(batch), strict=True):
                _put(found[window.sentence], window, scores)
        return found


def load(folder: str | Path, *, decoding: str | None = None, device: str | None = None) -> Predictor:
    """Return the predictor of a model folder: one that `linnet train` wrote, or any token-classification model."""
    from linnet.models.torch_engine import open_engine, open_tokenizer, read_transitions

    place = Path(folder)
    facts = read_facts(place)
    if decoding not in (None, "valid", "argmax"):
        raise BadSetting(f"there is no decoding called {decoding!r}", "choose valid or argmax")
    encoder = WordEncoder(open_tokenizer(place), max_length=facts.max_length, overlap=facts.overlap)
    transitions = read_transitions(place) if facts.decoding == "crf" and decoding is None else None
    decoder = Decoder(facts.label_set, facts.tagging, decoding or facts.decoding, transitions)
    return Predictor(open_engine(place, device=device), encoder, decoder, facts)


def _put(found: FloatArray, window: EncodedWindow, scores: FloatArray) -> None:
    found[window.own_first : window.own_end] = scores[window.starts]
