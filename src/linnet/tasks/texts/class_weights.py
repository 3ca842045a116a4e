"""What do wrong answers about texts cost? The loss and its weights, from the settings."""

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
from linnet.tasks.texts.known_labels import labels_of
from linnet.tasks.texts.task import Kind

__all__ = ["text_loss"]

PLAIN = LossSettings()


def text_loss(
    loss: LossSettings, kind: Kind, labels: Sequence[str], training: Sequence[TextExample]
) -> tuple[Loss, Weighting]:
    """Return the loss that the settings describe with the weights of its labels, or refuse what cannot be combined.

    Weights are counted on exactly the examples that the loss sees. Of several labels, each has two answers, which are
    priced by how often each is right.
    """
    if kind in ("number", "spans"):
        return _unpriced(loss, kind)
    if "tagging" in settings_of(loss.name):
        raise BadSetting(
            f"loss {loss.name!r} learns how words follow words, which whole texts do not",
            "use cross-entropy, focal or dice",
        )
    counts = Counter(label for example in training for label in labels_of(example))
    told: dict[str, Any] = loss.model_dump(include={"gamma", "alpha", "smoothing"})
    if kind == "classes":
        weighting = compute_class_weights(loss, {label: counts[label] for label in labels})
        return build_loss(loss.name, LabelSet(tuple(labels)), scale_weights(weighting), **told), weighting
    _refuse_unknown(loss, labels)
    total = len(training)
    parts = {
        label: compute_class_weights(
            _own(loss, label), dict(zip(name_answers(label), (total - counts[label], counts[label]), strict=True))
        )
        for label in labels
    }
    losses = {
        label: build_loss(loss.name, LabelSet(name_answers(label)), scale_weights(each), **told)
        for label, each in parts.items()
    }
    return MultiLabelLoss(losses, labels), _together(list(parts.values()))


def _unpriced(loss: LossSettings, kind: Kind) -> tuple[Loss, Weighting]:
    if loss != PLAIN:
        what = "a number" if kind == "number" else "a stretch of text"
        raise BadSetting(
            f"{what} is learned with one loss, without classes to weigh",
            "leave [loss] out: schemes and losses are for labels",
        )
    nothing = weigh({"all": 1}, "none")
    return RegressionLoss() if kind == "number" else SpanLoss(), Weighting("none", {}, {}, nothing.ratio, [])


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
        parts[0].scheme,
        {name: number for part in parts for name, number in part.counts.items()},
        {name: weight for part in parts for name, weight in part.weights.items()},
        max(part.ratio for part in parts),
        list(dict.fromkeys(warning for part in parts for warning in part.warnings)),
        parts[0].beta,
    )
