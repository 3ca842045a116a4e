"""Calibrates the confidence of a tagger on devel, and measures it on every split that is scored."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from linnet.errors import BadFile
from linnet.labels.mention import Mention
from linnet.metrics.mentions.by_threshold import ThresholdScores, score_thresholds
from linnet.metrics.mentions.calibration import LEAST_MENTIONS, Calibration, fit_calibration
from linnet.metrics.mentions.reliability import Reliability, measure_reliability
from linnet.models.model_folder import FACTS, ModelFacts
from linnet.tasks.ner.decoding import PredictedSentence

__all__ = ["calibrate", "describe_calibration", "fit_to", "open_calibration", "reliability_of", "thresholds_of"]

Gold = Sequence[tuple[Mention, ...]]


def fit_to(gold: Gold, predicted: Sequence[PredictedSentence]) -> Calibration | None:
    """Return the calibration by the predicted mentions of devel; None where they are too few."""
    return fit_calibration(*_scores(gold, predicted))


def calibrate(predicted: Sequence[PredictedSentence], calibration: Calibration | None) -> list[PredictedSentence]:
    """Return the sentences with calibrated scores."""
    if calibration is None:
        return list(predicted)
    return [replace(each, scores=calibration.apply(each.scores).tolist()) for each in predicted]


def reliability_of(gold: Gold, predicted: Sequence[PredictedSentence]) -> Reliability:
    """Return how often predicted mentions of each confidence are right by strict matching."""
    return measure_reliability(*_scores(gold, predicted))


def thresholds_of(gold: Gold, predicted: Sequence[PredictedSentence]) -> list[ThresholdScores]:
    """Return the strict scores of the mentions that reach each threshold."""
    return list(score_thresholds(*_scores(gold, predicted), gold=sum(map(len, gold))))


def describe_calibration(calibration: Calibration | None, before: Mapping[str, Reliability]) -> dict[str, Any]:
    """Return how scores were calibrated and the error before, for `metrics.json`.

    Args:
        calibration: that was fitted; None if there was none.
        before: reliability of the raw scores by split.
    """
    found: dict[str, Any] = {
        "method": "none" if calibration is None else calibration.method,
        "fitted_on": None if calibration is None else calibration.n_mentions,
        "ece_before": {name: each.ece for name, each in before.items()},
    }
    if calibration is None:
        found["reason"] = f"fewer than {LEAST_MENTIONS} predicted mentions on devel, or no devel"
    return found


def open_calibration(facts: ModelFacts, folder: Path, *, is_crf: bool) -> Calibration | None:
    """Return the calibration of a model folder; None for models without one.

    That of a CRF is for scores with its marginals: it is left out where the CRF is not used (`is_crf`).

    Raises:
        BadFile: where `linnet.json` has one that is no calibration.
    """
    if not facts.calibration or (facts.decoding == "crf" and not is_crf):
        return None
    try:
        return Calibration.from_dict(facts.calibration)
    except ValueError as error:
        raise BadFile(f"{folder / FACTS}: 'calibration' is broken ({error})", "train or copy the model again") from None


def _scores(gold: Gold, predicted: Sequence[PredictedSentence]) -> tuple[list[float], list[bool]]:
    scores: list[float] = []
    is_right: list[bool] = []
    for mentions, sentence in zip(gold, predicted, strict=True):
        known = set(mentions)
        scores += sentence.scores
        is_right += [mention in known for mention in sentence.mentions]
    return scores, is_right
