"""Decoding: the row of tags with the best score for the words of a sentence."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from linnet.labels.label_set import LabelSet
from linnet.labels.mention import Mention
from linnet.labels.tagging import OUTSIDE, decode_conll, is_allowed
from linnet.metrics.mentions.calibration import Calibration
from linnet.tasks.ner.confidence.marginals import log_marginals

__all__ = ["Decoder", "PredictedSentence"]

FloatArray = np.ndarray[tuple[int, ...], np.dtype[np.float32]]
FORBIDDEN = -1e9


@dataclass(frozen=True, slots=True)
class PredictedSentence:
    """Every word's tag, and the mentions that the tags make with a score each."""

    tags: list[str]
    mentions: list[Mention]
    scores: list[float]


@dataclass(frozen=True)
class Decoder:
    """Turns scores (words, tags) into tags.

    `argmax` takes each word's best tag. `valid` takes the best row that the tagging allows, which is the same wherever
    the best tags already are a valid row. With the transitions of a CRF the best row counts them in.
    """

    label_set: LabelSet
    tagging: str
    decoding: str = "valid"
    transitions: Mapping[str, FloatArray] | None = None
    has_marginals: bool = False  # with transitions: scores of mentions use them as well
    calibration: Calibration | None = None

    def decode(self, logits: FloatArray) -> PredictedSentence:
        """Return the tags of one sentence; a mention's score is the geometric mean of its tags' probabilities.

        With `has_marginals` these are the marginals of the CRF. Where there is a calibration, it maps the mean.
        """
        if not len(logits):
            return PredictedSentence([], [], [])
        log_probabilities = logits - _log_sum_exp(logits)
        chosen = self._choose(log_probabilities)
        tags = [self.label_set.names[index] for index in chosen]
        if tags.count(OUTSIDE) == len(tags):
            return PredictedSentence(tags, [], [])
        if self.transitions is not None and self.has_marginals:
            log_probabilities = log_marginals(log_probabilities, *self._transition_scores)
        own = log_probabilities[np.arange(len(chosen)), chosen]
        mentions = decode_conll(tags)
        scores = [float(np.exp(own[first:end].mean())) for first, end, *_ in mentions]
        if self.calibration is not None:
            scores = self.calibration.apply(scores).tolist()
        return PredictedSentence(tags, mentions, scores)

    def log_probabilities(self, logits: FloatArray) -> FloatArray:
        """Return the logarithm of the probability of each tag of each word; under a CRF these are its marginals."""
        alone: FloatArray = logits - _log_sum_exp(logits)
        return alone if self.transitions is None else log_marginals(alone, *self._transition_scores)

    def _choose(self, scores: FloatArray) -> list[int]:
        best = scores.argmax(axis=1)
        start, steps, end = self._transition_scores
        if self.transitions is None:
            is_valid = start[best[0]] == 0 and end[best[-1]] == 0 and not steps[best[:-1], best[1:]].any()
            if self.decoding == "argmax" or is_valid:
                chosen: list[int] = best.tolist()
                return chosen
        return _viterbi(scores, start, steps, end)

    @cached_property
    def _transition_scores(self) -> tuple[FloatArray, FloatArray, FloatArray]:
        """What it costs to begin with a tag, to go from one to another, and to end with it."""
        names = self.label_set.names
        start, steps, end = (
            np.array([0.0 if is_allowed(OUTSIDE, tag, self.tagging) else FORBIDDEN for tag in names], np.float32),
            np.array(
                [[0.0 if is_allowed(a, b, self.tagging) else FORBIDDEN for b in names] for a in names], np.float32
            ),
            np.array([0.0 if is_allowed(tag, OUTSIDE, self.tagging) else FORBIDDEN for tag in names], np.float32),
        )
        if self.transitions is None:
            return start, steps, end
        learned = self.transitions
        return start + learned["start"], steps + learned["transitions"], end + learned["end"]


def _log_sum_exp(scores: FloatArray) -> FloatArray:
    highest = scores.max(axis=1, keepdims=True)
    total: FloatArray = highest + np.log(np.exp(scores - highest).sum(axis=1, keepdims=True))
    return total


def _viterbi(scores: FloatArray, start: FloatArray, steps: FloatArray, end: FloatArray) -> list[int]:
    """Return the row with the highest sum of scores and transition scores."""
    best = start + scores[0]
    back: list[np.ndarray[tuple[int], np.dtype[np.intp]]] = []
    for row in scores[1:]:
        sums = best[:, None] + steps
        back.append(sums.argmax(axis=0))
        best = sums.max(axis=0) + row
    chosen = [int((best + end).argmax())]
    for pointers in reversed(back):
        chosen.append(int(pointers[chosen[-1]]))
    return chosen[::-1]
