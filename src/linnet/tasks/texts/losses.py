"""Losses of models about texts with their class weights, from the settings."""

from collections import Counter
from collections.abc import Sequence
from typing import Any

from linnet.contracts import Loss
from linnet.documents.texts import TextExample
from linnet.errors import BadSetting
from linnet.labels.label_set import LabelSet
from linnet.losses.class_weights import compute_class_weights, scale_weights
from linnet.losses.cost_sensitive import build_loss, settings_of
from linnet.losses.texts import MultiLabelLoss, RegressionLoss, SpanLoss, name_answers
from linnet.losses.weighting import Weighting, weigh
from linnet.settings.training import LossSettings
from linnet.tasks.texts.reading.known_labels import labels_of

__all__ = ["classification_loss", "multi_label_loss", "regression_loss", "span_loss"]

PLAIN = LossSettings()


def classification_loss(
    loss: LossSettings, labels: Sequence[str], training: Sequence[TextExample]
) -> tuple[Loss, Weighting]:
    """Return the loss of classification with its class weights, counted on exactly the examples that it sees."""
    _refuse_tagging(loss)
    counts = Counter(label for example in training for label in labels_of(example))
    weighting = compute_class_weights(loss, {label: counts[label] for label in labels})
    return build_loss(loss.name, LabelSet(tuple(labels)), scale_weights(weighting), **_options(loss)), weighting


def multi_label_loss(
    loss: LossSettings, labels: Sequence[str], training: Sequence[TextExample]
) -> tuple[Loss, Weighting]:
    """Return the loss of multi-label classification: each label has two answers, weighted by their counts."""
    _refuse_tagging(loss)
    _refuse_unknown(loss, labels)
    counts, total = Counter(label for example in training for label in labels_of(example)), len(training)
    parts = {
        label: compute_class_weights(
            _own(loss, label), dict(zip(name_answers(label), (total - counts[label], counts[label]), strict=True))
        )
        for label in labels
    }
    losses = {
        label: build_loss(loss.name, LabelSet(name_answers(label)), scale_weights(each), **_options(loss))
        for label, each in parts.items()
    }
    return MultiLabelLoss(losses, labels), _together(list(parts.values()))


def regression_loss(loss: LossSettings) -> tuple[Loss, Weighting]:
    """Return the squared error, or refuse settings of another loss."""
    _refuse_settings(loss, "a number")
    return RegressionLoss(), _equal_weights()


def span_loss(loss: LossSettings) -> tuple[Loss, Weighting]:
    """Return the cross-entropy of the first and the last place, or refuse settings of another loss."""
    _refuse_settings(loss, "a stretch of text")
    return SpanLoss(), _equal_weights()


def _options(loss: LossSettings) -> dict[str, Any]:
    return loss.model_dump(include={"gamma", "alpha", "smoothing"})


def _refuse_tagging(loss: LossSettings) -> None:
    if "tagging" in settings_of(loss.name):
        raise BadSetting(
            f"loss {loss.name!r} learns how words follow words, which whole texts do not",
            "use cross-entropy, focal or dice",
        )


def _refuse_settings(loss: LossSettings, what: str) -> None:
    if loss != PLAIN:
        raise BadSetting(
            f"{what} is learned with one loss, without classes to weigh",
            "leave [loss] out: schemes and losses are for labels",
        )


def _equal_weights() -> Weighting:
    return Weighting(scheme="none", counts={}, weights={}, ratio=weigh({"all": 1}, "none").ratio, warnings=[])


def _refuse_unknown(loss: LossSettings, labels: Sequence[str]) -> None:
    known = [name for label in labels for name in name_answers(label)]
    unknown = [name for name in loss.weights or () if name not in known]
    if unknown:
        raise BadSetting(f"weights are given for {', '.join(unknown)}", f"there are {', '.join(known)}")


def _own(loss: LossSettings, label: str) -> LossSettings:
    """Return the settings with those of the given weights that concern one label."""
    if loss.weights is None:
        return loss
    own = {name: weight for name, weight in loss.weights.items() if name in name_answers(label)}
    return loss.model_copy(update={"weights": own})


def _together(parts: Sequence[Weighting]) -> Weighting:
    return Weighting(
        scheme=parts[0].scheme,
        counts={name: number for part in parts for name, number in part.counts.items()},
        weights={name: weight for part in parts for name, weight in part.weights.items()},
        ratio=max(part.ratio for part in parts),
        warnings=list(dict.fromkeys(warning for part in parts for warning in part.warnings)),
        beta=parts[0].beta,
    )
