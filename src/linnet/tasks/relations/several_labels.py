"""Several relations of one pair: when pairs are multi-label, and how their labels are written.

The tables of i2b2 2010 (as BLUE makes them) have a row for each relation of a pair, all with the same index and
sentence. Such a pair has several labels; one without a relation has none. The label that says so (`false`) is then no
label to be learned.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace

from linnet.documents.texts import Plain, Prediction, TextExample
from linnet.errors import BadFile, BadSetting
from linnet.metrics.texts.classification import multi_label_metrics
from linnet.metrics.texts.resampled import Metric
from linnet.tasks.relations.settings import RelationSettings

__all__ = ["NEGATIVES", "are_several", "labels_in", "negative_labels", "settle_labels", "several_metrics"]

NEGATIVES = frozenset({"0", "false", "none", "no", "na", "no_relation", "ddi-false", "cpr:0"})  # in lower case
OF_DOCUMENTS = "document_"


def are_several(golds: Iterable[Plain | None], settings: RelationSettings) -> bool:
    """Return whether pairs may have several labels: from the settings, or else from the pairs."""
    if settings.several_labels is not None:
        return settings.several_labels
    return any(isinstance(gold, tuple) for gold in golds)


def negative_labels(labels: Collection[str], settings: RelationSettings) -> set[str]:
    """Return the negative labels, which mean no relation: the one that is set, else those with usual names."""
    if settings.negative is not None:
        return {settings.negative}
    return {label for label in labels if label.lower() in NEGATIVES}


def settle_labels(
    splits: Mapping[str, Sequence[TextExample]], settings: RelationSettings
) -> dict[str, list[TextExample]]:
    """Return the pairs of tables with one label each, or all of them with any number of labels.

    Args:
        splits: pairs; gold is a tuple where a pair has several rows.
        settings: of a recipe, or of a model, which has settled whether pairs have several labels.

    Raises:
        BadFile: where a pair has several labels and must have one, or one that contradicts the others.
        BadSetting: where the negative label is none that training has.
    """
    pairs = [example for examples in splits.values() for example in examples]
    is_of_model = settings.pairs is not None and settings.labels is not None
    is_undecided = settings.several_labels is None and not is_of_model
    has_several = any(isinstance(example.gold, tuple) for example in pairs)
    if settings.several_labels or (is_undecided and has_several):
        _check_negative(splits.get("train", ()), settings)
        return {name: [_with_labels(each, settings) for each in examples] for name, examples in splits.items()}
    double = next((example for example in pairs if isinstance(example.gold, tuple)), None)
    if double is not None:
        what = "the model has learned one label of each pair" if is_of_model else "`text.several_labels` is false"
        raise BadFile(
            f"{double.place}: the pair {double.id!r} has the labels {', '.join(labels_in(double.gold))}, and {what}",
            "keep one row of it, or train with `text.several_labels = true`",
        )
    return {name: list(examples) for name, examples in splits.items()}


def labels_in(value: Plain | None) -> tuple[str, ...]:
    """Return the labels of a pair, of which there may be none."""
    return tuple(map(str, value)) if isinstance(value, tuple) else () if value is None else (str(value),)


def several_metrics(predictions: Sequence[Prediction], settings: RelationSettings) -> list[Metric]:
    """Return micro F1 over all pairs and labels, which chooses the epoch, macro F1, and the share of pairs all right.

    Raises:
        BadFile: where a pair has no labels to compare with.
    """
    unknown = next((each for each in predictions if each.gold is None), None)
    if unknown is not None:
        raise BadFile(
            f"pair {unknown.id}: the labels are missing, so it cannot be scored",
            "give a test split with labels; `linnet predict` answers texts without",
        )
    gold, predicted = ([labels_in(value) for value in values] for values in zip(*map(_both, predictions), strict=True))
    labels = sorted({*(settings.labels or ()), *(label for labels in (*gold, *predicted) for label in labels)})
    groups = [str(number) for number in range(len(predictions))]  # each pair stands for itself, whatever its document
    metrics = multi_label_metrics(gold, predicted, groups=groups, labels=labels)
    return [metric for metric in metrics if not metric.name.startswith(OF_DOCUMENTS)]


def _check_negative(training: Sequence[TextExample], settings: RelationSettings) -> None:
    known = {label for example in training for label in labels_in(example.gold)}
    if known and settings.negative is not None and settings.negative not in known:
        raise BadSetting(
            f"`text.negative` is {settings.negative!r}, which is no label of the training split",
            f"give one of its labels ({', '.join(sorted(known))}), or leave it out",
        )


def _both(prediction: Prediction) -> tuple[Plain | None, Plain]:
    return prediction.gold, prediction.predicted


def _with_labels(example: TextExample, settings: RelationSettings) -> TextExample:
    if example.gold is None:
        return example
    labels = labels_in(example.gold)
    negatives = negative_labels(labels, settings)
    if negatives and set(labels) - negatives:
        raise BadFile(
            f"{example.place}: the pair {example.id!r} has the labels {', '.join(labels)}, of which "
            f"{', '.join(sorted(negatives))} says that there is none",
            "remove one of its rows, or say with `text.negative` which label means that there is no relation",
        )
    return replace(example, gold=tuple(sorted(set(labels) - negatives)))
