"""Does an exported model say what the original says?"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain
from pathlib import Path

import numpy as np

from linnet.batches.encoding import Batch
from linnet.contracts import ReadOptions
from linnet.errors import BadSetting
from linnet.formats.corpus import read_corpus
from linnet.metrics.mentions.scores import score
from linnet.scoring import units_from_tags
from linnet.tasks.ner.examples import Examples, labels_of, read_examples
from linnet.tasks.ner.predictor import Engine, Predictor

__all__ = ["Parity", "compare", "embedded_sentences", "read_check"]

FloatArray = np.ndarray[tuple[int, ...], np.dtype[np.float32]]


@dataclass(frozen=True)
class Parity:
    """How far an exported model agrees with the original."""

    sentences: int
    words: int
    equal_words: int  # words with the same tag
    largest_difference: float  # between two scores of a word: of its first sub-word, from which its tag is taken
    f1: float | None = None  # of the original, strict, where the true mentions are known
    exported_f1: float | None = None

    @property
    def equal_tags(self) -> float:
        """The share of words with the same tag."""
        return self.equal_words / self.words if self.words else 1.0

    @property
    def points_lost(self) -> float | None:
        """How many F1 points the exported model is below the original; negative where it is above."""
        if self.f1 is None or self.exported_f1 is None:
            return None
        return 100 * (self.f1 - self.exported_f1)


def embedded_sentences(max_length: int) -> list[list[str]]:
    """Return the sentences of the embedded corpus's test split, and one that is longer than the window."""
    sentences = read_examples(read_corpus("demo").test, "iob2").words
    long = list(chain.from_iterable(sentences))[: 2 * max_length]
    return [*sentences, long]


def read_check(
    corpus: str | Path, split: str, predictor: Predictor, *, label: str | None = None, repair: bool = False
) -> Examples:
    """Return the sentences of a split with their true mentions.

    Raises:
        BadSetting: where there is nothing to compare, or the corpus has labels that the model does not know.
    """
    found = read_corpus(corpus, options=ReadOptions(label=label, repair=repair))
    only = next((name for name, each in found.splits.items() if each.path == Path(corpus)), None)
    chosen = found.split(only or split)
    examples = read_examples(chosen, predictor.decoder.tagging)
    examples.notes.take(found.notes)
    examples.notes.take(chosen.notes)
    labels = labels_of(examples)
    known = set(predictor.label_set.labels)
    if not labels:
        raise BadSetting(f"{corpus}: the split has no mention, so there is no F1", "check with another split or corpus")
    if labels - known:
        raise BadSetting(
            f"corpus {found.name!r} has labels that the model does not know: {', '.join(sorted(labels - known))}",
            f"the model knows {', '.join(sorted(known))}; check with a corpus with these labels",
        )
    return examples


def compare(
    original: Predictor, exported: Predictor, sentences: Sequence[Sequence[str]], gold: Examples | None
) -> Parity:
    """Return how far two predictors agree on these sentences, and with `gold`, the same ones, how good each is."""
    both = _Both(original.engine, exported.engine)
    pair = Predictor(both, original.encoder, original.decoder)
    expected = [each.tags for each in pair.tag(sentences)]
    found = [each.tags for each in exported.tag(sentences)]
    equal = sum(a == b for row in zip(expected, found, strict=True) for a, b in zip(*row, strict=True))
    tagging = original.decoder.tagging
    return Parity(
        len(sentences),
        sum(map(len, sentences)),
        equal,
        both.largest,
        _strict_f1(gold, expected, tagging),
        _strict_f1(gold, found, tagging),
    )


class _Both:
    """Runs two engines, gives the scores of the first, and keeps the largest difference."""

    def __init__(self, first: Engine, second: Engine) -> None:
        self.first = first
        self.second = second
        self.largest = 0.0

    def logits(self, batch: Batch) -> FloatArray:
        """Return the first engine's scores (windows, tokens, tags)."""
        scores = self.first.logits(batch)
        differences = np.abs(scores - self.second.logits(batch))
        for window, row in zip(batch.windows, differences, strict=True):
            # a score that is no number differs from everything
            read = np.nan_to_num(row[window.starts], nan=np.inf)
            self.largest = max(self.largest, float(read.max(initial=0.0)))
        return scores


def _strict_f1(gold: Examples | None, found: list[list[str]], tagging: str) -> float | None:
    if gold is None:
        return None
    units = list(units_from_tags(gold.tags, found, tagging=tagging, marks=gold.gold))
    return score(units, names=["strict"], n_resamples=0).matching("strict").micro.f1
