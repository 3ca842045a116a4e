"""Text classification: one label for each text, or any number of labels (multi-label).

The Hallmarks of Cancer as BLURB gives them (Baker et al. 2016, Gu et al. 2021) are sentences with any number of ten
labels, scored by abstract. Three sentences of four have none: 9,034 of 12,119, 1,337 of 1,798 and 2,650 of 3,547.
"""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Literal

from linnet.contracts import Notes, tasks
from linnet.documents.texts import Plain, Prediction, TextExample
from linnet.errors import BadFile
from linnet.metrics.texts.classification import classification_metrics, multi_label_metrics
from linnet.metrics.texts.resampled import Metric
from linnet.tasks.texts.kinds import CLASSIFICATION, MULTI_LABEL, Kind
from linnet.tasks.texts.reading.json_positions import refuse_duplicate
from linnet.tasks.texts.reading.known_labels import labels_of
from linnet.tasks.texts.reading.label_values import LabelReader, document_of, has_labels, label_reader
from linnet.tasks.texts.reading.row_names import RowNames, row_names
from linnet.tasks.texts.reading.tables import Row, read_rows, split_files
from linnet.tasks.texts.settings import TextSettings
from linnet.tasks.texts.task import TextTask

__all__ = ["Classification"]

LAYOUTS = (
    ("text", "label"),
    ("id", "text", "label"),
    ("text",),  # from here on headers, and texts to be labelled
    ("sentence",),
    ("title",),
    ("abstract",),
)
TEXTS = ("text", "sentence")
PARTS = ("title", "abstract")
IDS = ("id", "index")


class Classification(TextTask[TextSettings]):
    """Labels of texts."""

    name = "classification"
    description = "text classification: one label for each text, or any number of labels"
    pooling: Literal["cls", "mean", "markers"] = "mean"

    def read(
        self, place: Path, settings: TextSettings, notes: Notes | None = None, *, repair: bool = False
    ) -> dict[str, list[TextExample]]:
        """Return the texts of each split: gold is a label, or a tuple of labels where a text may have several.

        Texts of a file without labels have no gold. All splits together decide whether a text may have several.

        Args:
            place: a file or a folder.
            settings: `files`, `columns`, `several_labels` and `labels` are used.
            notes: counts the texts of each split that have no label, where a text may have several.
            repair: changes nothing, as it is about documents.

        Raises:
            BadFile: with file and line where a text or a label is empty or missing, or an id comes twice.
        """
        files = split_files(place, settings.files, notes)
        rows = {
            name: [row for path in paths for row in read_rows(path, LAYOUTS, settings.columns)]
            for name, paths in files.items()
        }
        whole = [row for found in rows.values() for row in found]
        read_labels = label_reader(whole, settings.several_labels, frozenset(settings.labels or ()))
        splits = {name: _examples(found, read_labels, row_names(files[name])) for name, found in rows.items()}
        if notes is not None:
            _count_unlabelled(splits, notes)
        return splits

    def complete_settings(self, settings: TextSettings, training: Sequence[TextExample]) -> TextSettings:
        """Return the settings with the labels of training where a text may have several.

        A file that is read later may have no text with two labels, and so not show what stands between them.
        """
        labels = {label for each in training if isinstance(each.gold, tuple) for label in labels_of(each)}
        if settings.labels is not None or not labels:
            return settings
        return settings.model_copy(update={"labels": tuple(sorted(labels))})

    def kind(self, examples: Sequence[TextExample], settings: TextSettings) -> Kind:
        """Return multi-label classification where a text may have several labels."""
        return MULTI_LABEL if _may_be_several([example.gold for example in examples], settings) else CLASSIFICATION

    def metrics(self, predictions: Sequence[Prediction], settings: TextSettings) -> list[Metric]:
        """Return the scores, with the one first that chooses the epoch.

        For one label it is macro F1, in which a rare label counts as much as a frequent one; accuracy (which is micro
        F1) already rises when the frequent ones are preferred. For several it is micro F1 as BLURB has it: of documents
        where they have several texts, else of texts.

        Raises:
            BadFile: where a text has no labels to compare with.
        """
        gold, predicted = [_known_gold(each) for each in predictions], [each.predicted for each in predictions]
        if not _may_be_several([*gold, *predicted], settings):
            scores = classification_metrics([str(label) for label in gold], [str(label) for label in predicted])
            return _with_first("macro_f1", scores)
        right, found = [_labels(each) for each in gold], [_labels(each) for each in predicted]
        groups = [each.group or each.id for each in predictions]
        scores = multi_label_metrics(right, found, groups=groups, labels=sorted(set().union(*right, *found)))
        return _with_first("document_micro_f1" if len(set(groups)) < len(groups) else "micro_f1", scores)


def _examples(rows: Sequence[Row], read_labels: LabelReader, name_of: RowNames) -> list[TextExample]:
    is_labelled = has_labels(rows)
    seen: dict[str, str] = {}
    examples = []
    for row in rows:
        id = row.id(*IDS) or name_of(row.place)
        refuse_duplicate(seen, id, row.place)
        gold = read_labels(row) if is_labelled else None
        examples.append(TextExample(id, _text(row), gold=gold, group=document_of(id), place=row.place))
    return examples


def _count_unlabelled(splits: Mapping[str, Sequence[TextExample]], notes: Notes) -> None:
    for name, examples in splits.items():
        for example in examples:
            if example.gold == ():
                notes.add(f"texts of {name} without a label", example.place)


def _text(row: Row) -> str:
    """Return the text, or title and abstract with a space between them; one of the two may be missing or empty."""
    parts = [row.text(name) for name in PARTS if row.values.get(name)]
    is_whole = any(row.values.get(name) is not None for name in TEXTS)
    if is_whole or not any(part.strip() for part in parts):
        return row.filled_text(*TEXTS, *PARTS)
    return " ".join(parts)


def _may_be_several(answers: Sequence[Plain | None], settings: TextSettings) -> bool:
    if settings.several_labels is not None:
        return settings.several_labels
    return any(isinstance(each, tuple) for each in answers)


def _known_gold(prediction: Prediction) -> Plain:
    if prediction.gold is None:
        raise BadFile(
            f"text {prediction.id} has no labels to compare with", "score texts with labels; others can be predicted"
        )
    return prediction.gold


def _labels(value: Plain) -> tuple[str, ...]:
    return tuple(str(label) for label in value) if isinstance(value, tuple) else (str(value),)


def _with_first(name: str, metrics: Sequence[Metric]) -> list[Metric]:
    return sorted(metrics, key=lambda metric: metric.name != name)


tasks.register("classification")(Classification())
