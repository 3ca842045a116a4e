"""Annotates texts and documents with a tagger.

There is one way to predict: training evaluates, the commands annotate and Python users call with this class. Sentences
are read up to a bounded look-ahead, batched by length across documents, and returned in order.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from copy import copy
from dataclasses import dataclass, replace
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np

from linnet.batches.bucketing import MOST_TOKENS, MOST_WINDOWS, batch_by_tokens
from linnet.batches.encoding import EncodedWindow, WordEncoder, collate
from linnet.documents.document import Document, Sentence
from linnet.documents.given import as_document
from linnet.documents.sentences import with_sentences
from linnet.errors import BadSetting
from linnet.labels.label_set import LabelSet
from linnet.models.engines import (
    Engine,
    choose_engine,
    compute_batches,
    interruptible,
    open_chosen_engine,
    precision_of_engine,
)
from linnet.models.model_folder import ModelFacts, read_facts
from linnet.models.published.opening import model_folder
from linnet.tasks.ner.confidence.calibrating import open_calibration
from linnet.tasks.ner.confidence.thresholds import check_thresholds, count_unsure, keep_confident_spans
from linnet.tasks.ner.decoding import Decoder, PredictedSentence
from linnet.tasks.ner.model_checks import (
    check_facts,
    check_scores,
    describe_model,
    open_encoder,
    open_transitions,
    refuse_broken_scores,
)
from linnet.tasks.ner.passes.same_abbreviations import make_consistent, spans_of

__all__ = ["Engine", "Predictor", "Prepared", "load"]

FloatArray = np.ndarray[tuple[int, ...], np.dtype[np.float32]]
LOOK_AHEAD = 1024  # sentences that are batched together
LOOK_AHEAD_CHARACTERS = 150_000  # about as many sentences, and a bound for a single long text as well
NOT_FINITE = "the scores of the model are not finite numbers"


@dataclass(frozen=True)
class Prepared:
    """Documents cut into sentences and windows, ready to be predicted together; a repeated sentence stands once."""

    documents: list[Document]
    sentences: list[list[Sentence]]  # of each document
    numbers: list[int]  # which of the different rows of words each sentence is, in order
    words: list[tuple[str, ...]]  # the different ones
    windows: list[EncodedWindow]

    @property
    def n_words(self) -> int:
        """How many words the documents have."""
        return sum(len(sentence.tokens) for sentences in self.sentences for sentence in sentences)


class Predictor:
    """Annotates with one model.

    Args:
        engine: computes scores.
        encoder: makes numbers of words.
        decoder: makes mentions of scores.
        facts: about the model.
        n_parallel: how many batches are computed at once, where the engine can.
        batch_cost: what a batch costs the engine besides its sub-words, in sub-words, if it pads them.
        min_score: least score of mentions that are kept, by label; `*` for all others.
        same_abbreviations: whether abbreviations get the label of their long forms, and the other way round.
    """

    def __init__(
        self,
        engine: Engine,
        encoder: WordEncoder,
        decoder: Decoder,
        facts: ModelFacts | None = None,
        *,
        n_parallel: int = 1,
        batch_cost: int | None = None,
        min_score: Mapping[str, float] | None = None,
        same_abbreviations: bool = False,
    ) -> None:
        self.engine, self.encoder, self.decoder = engine, encoder, decoder
        self.facts = facts
        self.n_parallel, self.batch_cost = n_parallel, batch_cost
        self.min_score = min_score or {}
        self.has_same_abbreviations = same_abbreviations
        self.name = ""  # of the model's folder

    def __repr__(self) -> str:
        return describe_model(self)

    @property
    def label_set(self) -> LabelSet:
        """The tags that the model knows."""
        return self.decoder.label_set

    @property
    def precision(self) -> str | None:
        """The number format that the engine chose; None where it has no choice."""
        return getattr(self.engine, "precision", None)

    @property
    def annotates(self) -> bool:
        """It annotates documents with mentions."""
        return True

    def predict(self, texts: Iterable[Any]) -> list[Any]:
        """Refuse: mentions belong to documents, so this model annotates."""
        raise BadSetting("this model finds mentions in documents", "call `annotate(texts)`")

    def questions(self, place: Path, *, split: str | None, repair: bool) -> Any:
        """Refuse: mentions belong to documents, so this model annotates."""
        raise BadSetting("this model finds mentions in documents", "use `linnet annotate`")

    def tag(self, sentences: Iterable[Sequence[str]]) -> Iterator[PredictedSentence]:
        """Yield the tags of each sentence of words, in order; every word gets exactly one."""
        return map(self.decoder.decode, self.word_scores(sentences))

    def word_scores(self, sentences: Iterable[Sequence[str]]) -> Iterator[FloatArray]:
        """Yield the scores (words, tags) of each sentence of words, in order: what predictions are decoded from."""
        source = iter(sentences)
        while chunk := list(islice(source, LOOK_AHEAD)):
            with refuse_broken_scores():
                found = self._word_logits(chunk, list(self.encoder.encode(chunk)))
            yield from found

    def try_windows(self, windows: list[EncodedWindow]) -> FloatArray:
        """Return the scores (windows, tokens, tags) of one batch, as the engine computes them."""
        return self.engine.logits(collate(windows, self.encoder.pad_id))

    def with_min_score(self, min_score: Mapping[str, float]) -> "Predictor":
        """Return the same model with other thresholds; both share the network."""
        other = copy(self)
        other.min_score = min_score
        return other

    def annotate(self, texts: Iterable[str | Document]) -> Iterator[Document]:
        """Yield each text or document with the mentions that the model finds, in order, with scores.

        Sentences are split and words found where a document does not bring its own; its former spans and the relations
        between them are replaced.
        """
        if isinstance(texts, str):
            raise BadSetting("this is one text, not several", "call `annotate_one(text)`, or `annotate([text])`")
        waiting: list[Document] = []
        n_characters = 0
        for number, text in enumerate(texts, 1):
            document = as_document(number, text)
            waiting.append(document)
            n_characters += len(document.text)
            if n_characters >= LOOK_AHEAD_CHARACTERS or len(waiting) == LOOK_AHEAD:
                yield from self._annotate_together(waiting)
                waiting, n_characters = [], 0
        yield from self._annotate_together(waiting)

    def annotate_one(self, text: str) -> Document:
        """Return one text with the mentions that the model finds."""
        return self._annotate_together([Document("1", text)])[0]

    def _annotate_together(self, documents: list[Document]) -> list[Document]:
        """Return the documents with what the model finds, predicted together."""
        prepared = self.prepare(documents)
        with refuse_broken_scores():
            return self.finish(prepared, self.infer(prepared))

    def prepare(self, documents: list[Document]) -> Prepared:
        """Return the documents as windows; needs no engine, so another thread can do it ahead."""
        sentences = [
            [each for each in with_sentences(document.without_annotations()) if each.tokens] for document in documents
        ]
        numbers: list[int] = []
        different: dict[tuple[str, ...], int] = {}
        for document, own in zip(documents, sentences, strict=True):
            for sentence in own:
                words = tuple(document.text[start:end] for start, end in sentence.tokens)
                numbers.append(different.setdefault(words, len(different)))
        words_of = list(different)
        return Prepared(
            documents=documents,
            sentences=sentences,
            numbers=numbers,
            words=words_of,
            windows=list(interruptible(self.encoder.encode(words_of))),
        )

    def infer(self, prepared: Prepared) -> list[FloatArray]:
        """Return the scores (words, tags) of each different sentence: the expensive part.

        Raises:
            FloatingPointError: where scores are not finite; a job keeps the document as a failure.
        """
        return self._word_logits(prepared.words, prepared.windows)

    def finish(self, prepared: Prepared, logits: list[FloatArray]) -> list[Document]:
        """Return the documents with the mentions that are decoded from the scores."""
        predicted = [self.decoder.decode(scores) for scores in logits]
        numbers = iter(prepared.numbers)
        found = []
        for document, sentences in zip(prepared.documents, prepared.sentences, strict=True):
            own = [span for sentence in sentences for span in spans_of(sentence, predicted[next(numbers)])]
            spans = keep_confident_spans(own, self.min_score)
            if self.has_same_abbreviations:
                changed = make_consistent(document.text, sentences, spans)
                spans = keep_confident_spans(changed, self.min_score)
            if self.min_score:
                count_unsure(own, spans)
            numbered = tuple(replace(span, id=f"T{n}") for n, span in enumerate(spans, 1))
            found.append(replace(document, spans=numbered, relations=()))
        return found

    def _word_logits(self, sentences: Sequence[Sequence[str]], windows: list[EncodedWindow]) -> list[FloatArray]:
        """Return the scores (words, tags) of each sentence."""
        found: list[FloatArray] = [np.zeros((len(words), len(self.label_set)), np.float32) for words in sentences]
        lengths = [len(window.ids) for window in windows]
        batches = [
            collate([windows[index] for index in indices], self.encoder.pad_id)
            for indices in batch_by_tokens(
                lengths, most_tokens=MOST_TOKENS, most_examples=MOST_WINDOWS, batch_cost=self.batch_cost
            )
        ]
        for batch, logits in zip(
            batches, compute_batches(self.engine.logits, batches, n_parallel=self.n_parallel), strict=True
        ):
            is_finite = bool(np.isfinite(logits).all())
            for window, scores in zip(batch.windows, logits, strict=True):
                if not is_finite and not np.isfinite(scores[window.starts]).all():
                    raise FloatingPointError(NOT_FINITE)
                found[window.sentence][window.own_first : window.own_end] = scores[window.starts]
        return found


def load(  # noqa: PLR0913 — each is an option of the commands
    folder: str | Path, *, decoding: str | None = None, device: str | None = None, engine: str | None = None,
    threads: int | None = None, labels: str | Path | None = None, label: str | None = None,
    min_score: Mapping[str, float] | None = None, same_abbreviations: bool | None = None, precision: str | None = None,
) -> Predictor:  # fmt: skip
    """Return the predictor of a model folder: that of `linnet train` or `linnet export`, or of others.

    Of others, any token-classification model with a fast tokenizer will do.

    Args:
        folder: of the model, or its hub name.
        decoding: `valid` or `argmax`; the model's own if not given.
        device: for the engine `torch`; a GPU where there is one if not given.
        engine: `torch` or `onnx`, which takes an exported folder; as the folder is, if not given.
        threads: of the CPU; the engine's own choice if not given.
        labels: file with the tags of the outputs in their order, for models of others that do not name them.
        label: what bare B/I/O tags of such a model mark.
        min_score: least score of mentions that are kept, by label; `*` for all others.
        same_abbreviations: give abbreviations the label of their long forms; the model's own choice if not given.
        precision: number format of the engine `torch`: `float32`, `bfloat16` or `auto`, which measures; `auto` if not
            given. What is scored is computed in float32.
    """
    place = model_folder(folder, labels=labels, label=label)
    facts = read_facts(place)
    if decoding not in (None, "valid", "argmax"):
        raise BadSetting(f"there is no decoding called {decoding!r}", "choose valid or argmax")
    check_facts(facts, place)
    check_thresholds(min_score or {}, facts.label_set.labels)
    chosen = choose_engine(place, engine, device)
    encoder = open_encoder(place, facts)
    is_crf = facts.decoding == "crf" and decoding is None
    transitions = open_transitions(place, len(facts.tags)) if is_crf else None
    decoder = Decoder(
        label_set=facts.label_set,
        tagging=facts.tagging,
        decoding=decoding or facts.decoding,
        transitions=transitions,
        has_marginals=facts.confidence == "marginals",
        calibration=open_calibration(facts, place, is_crf=is_crf),
    )
    number_format = precision_of_engine(precision, chosen, place)
    network, n_parallel, batch_cost = open_chosen_engine(
        chosen, place, facts, device=device, threads=threads, precision=number_format
    )
    same = facts.same_abbreviations if same_abbreviations is None else same_abbreviations
    found = Predictor(
        network, encoder, decoder, facts, n_parallel=n_parallel, batch_cost=batch_cost, min_score=min_score,
        same_abbreviations=same,
    )  # fmt: skip
    found.name = place.resolve().name
    check_scores(found, place)
    return found
