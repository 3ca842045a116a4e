"""Relation extraction: how two mentions of a text, or two concepts of a document, are related.

In tables the pairs are marked already (`tables`). Documents have mentions, from which pairs are built and marked
(`documents`). F1 counts the labels of relations; gold relations without a candidate pair count as missed
(`unreached`).
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Literal, NoReturn

from linnet.contracts import Notes, ReadOptions, tasks
from linnet.documents.document import Document
from linnet.documents.texts import Output, Plain, Prediction, TextExample
from linnet.errors import BadFile, BadSetting
from linnet.formats.corpus import split_paths
from linnet.formats.reading import find_format, read_documents
from linnet.metrics.texts.classification import classification_metrics
from linnet.metrics.texts.resampled import Metric
from linnet.storage.compression import unpacked_name
from linnet.storage.files import read_lines
from linnet.storage.json_keys import load_json
from linnet.tasks.relations.checks import check_training, refuse_settings_of_documents
from linnet.tasks.relations.documents import (
    NONE,
    Candidates,
    Placed,
    examples_of_documents,
    sample_negatives,
    with_relations,
)
from linnet.tasks.relations.markers import marked_pair
from linnet.tasks.relations.settings import RelationSettings
from linnet.tasks.relations.several_labels import (
    are_several,
    labels_in,
    negative_labels,
    settle_labels,
    several_metrics,
)
from linnet.tasks.relations.tables import check_pairs, examples_of_tables
from linnet.tasks.texts.kinds import CLASSIFICATION, MULTI_LABEL, Kind
from linnet.tasks.texts.reading.json_positions import refuse_duplicate
from linnet.tasks.texts.reading.tables import split_files
from linnet.tasks.texts.reading.unreached import candidates_in, is_unreached
from linnet.tasks.texts.task import Decision, TextTask, decide_each

if TYPE_CHECKING:
    from linnet.tasks.texts.questions import Form, TextQuestions

__all__ = ["Relations", "negative_labels", "read_relations"]

TABLES = (".tsv", ".csv")
WITHOUT_RELATIONS = "conll"  # which every table looks like
DOCUMENT = frozenset({"id", "text", "passages", "sentences", "spans", "relations", "infons"})
LEADING = ("f1", "micro_f1")  # the first of these that there is chooses the epoch


class Relations(TextTask[RelationSettings]):
    """A label for each pair of mentions."""

    name = "relations"
    description = "relation extraction: a label for each pair of mentions, in a sentence or a document"
    pooling: Literal["cls", "mean", "markers"] = "markers"
    section = RelationSettings

    def read(
        self, place: Path, settings: RelationSettings, notes: Notes | None = None, *, repair: bool = False
    ) -> dict[str, list[TextExample]]:
        """Return the pairs of each split, with the relations without a candidate pair, which the notes count.

        Raises:
            BadFile: with file and line where something cannot be read whole.
            BadSetting: where a model learned from tables and there are documents, or the other way round.
        """
        found = read_relations(place, settings, repair=repair)
        if notes is not None:
            notes.take(found.notes)
        return found.splits

    def complete_settings(self, settings: RelationSettings, training: Sequence[TextExample]) -> RelationSettings:
        """Return the settings with labels, types and unit of the training split, to pair and score new documents alike.

        A model that learned from tables pairs no types.

        Args:
            settings: of the recipe.
            training: the split as it was read; relations without a candidate pair count for the types.

        Raises:
            BadFile: where documents have no relation to learn.
            BadSetting: where the settings do not fit the split.
        """
        check_training(training, settings)
        several = any(isinstance(example.gold, tuple) for example in training)
        labels = {label for example in candidates_in(training) for label in labels_in(example.gold)}
        found = {
            "labels": tuple(sorted(labels)) or None,
            "several_labels": several or None,
            "pairs": tuple(sorted({example.details["types"] for example in training if "types" in example.details})),
            "unit": next((example.details["unit"] for example in training if "unit" in example.details), None),
        }
        return settings.model_copy(
            update={name: value for name, value in found.items() if getattr(settings, name) is None}
        )

    def kind(self, examples: Sequence[TextExample], settings: RelationSettings) -> Kind:
        """Return multi-label classification where a pair may have several labels."""
        return MULTI_LABEL if are_several((example.gold for example in examples), settings) else CLASSIFICATION

    def label_group(self, example: TextExample) -> str:
        """Return the pair itself: its labels are not those of its document."""
        return example.id

    def sample_training(self, training: Sequence[TextExample], settings: RelationSettings) -> list[TextExample]:
        """Return the pairs to learn from; those of documents with the number of negatives that is set."""
        pairs = candidates_in(training)
        if settings.negatives is None or any("document" not in example.details for example in pairs):
            return pairs
        return sample_negatives(pairs, settings.negatives, settings.negative or NONE)

    def prepare_text(self, example: TextExample, settings: RelationSettings) -> TextExample:
        """Return a text as Python users give it with its pair found, where it has one marked."""
        return replace(example, spans=marked_pair(example.first))

    def reads_documents(self, place: Path, split: str = "") -> bool:
        """Are there documents at this place, rather than rows of a table?"""
        return _holds_documents(split_paths(place, None)[split] if split else place)

    def why_empty(self, place: Path, split: str, settings: RelationSettings, *, repair: bool) -> list[str]:
        """Return which types of mentions the model pairs, and which there are."""
        own = split_paths(place, None)[split]
        if not _holds_documents(own):
            return []
        options = ReadOptions(repair=repair)
        found = sorted({span.label for document in read_documents(own, options=options) for span in document.spans})
        wanted, there = ", ".join(settings.pairs or ("the types of relations",)), ", ".join(found) or "no type"
        return [f"the model pairs {wanted} within a {settings.level}, the mentions are of {there}"]

    def form(self, questions: "TextQuestions", target: Path, to: str | None, *, is_folder: bool) -> "Form | None":
        """Return the documents with their relations, where documents are predicted."""
        from linnet.tasks.relations.answers import document_form

        if not self.reads_documents(questions.place, questions.split):
            return None
        return document_form(self, questions, target, to, is_folder=is_folder)

    def with_predictions(
        self, place: Path, predictions: Sequence[Prediction], settings: RelationSettings, *, repair: bool = False
    ) -> list[Document]:
        """Return the documents at this place with the relations that were predicted."""
        options = ReadOptions(repair=repair)
        documents = [
            document for document, _ in _read_placed([place], Notes(), options)
        ]  # of which reading has noted all
        predicted = {label for each in predictions for label in labels_in(each.predicted)}
        return with_relations(documents, predictions, negatives=negative_labels(predicted, settings))

    def decide(
        self, examples: Sequence[TextExample], outputs: Sequence[Output], decision: Decision, settings: RelationSettings
    ) -> list[Prediction]:
        """Return each pair with its label; a relation without a candidate pair is predicted as no relation.

        Raises:
            BadFile: where a text has no marks that the model could read.
        """
        check_pairs(examples, settings.pooling or self.pooling)
        negative = decision.kind.nothing(settings.negative or NONE)
        return [
            replace(each, predicted=negative, score=None) if is_unreached(each) else each
            for each in decide_each(examples, outputs, decision)
        ]

    def metrics(self, predictions: Sequence[Prediction], settings: RelationSettings) -> list[Metric]:
        """Return f1 first where one label is positive, else micro_f1; of several labels micro_f1.

        The labels are those of training, or else of gold: predictions must not decide which scores exist.

        Raises:
            BadFile: where a pair has no label to compare with.
        """
        if are_several([*(each.gold for each in predictions), *(each.predicted for each in predictions)], settings):
            return several_metrics(predictions, settings)
        gold, predicted = (
            [_label(each, each.gold) for each in predictions],
            [_label(each, each.predicted) for each in predictions],
        )
        known = set(settings.labels or (_label(each, each.gold) for each in predictions if not is_unreached(each)))
        labels = {*known, *gold, *predicted}
        negative = negative_labels(labels, settings)
        metrics = classification_metrics(
            gold, predicted, positive=sorted(labels - negative), has_f1=len(known - negative) <= 1
        )
        leading = next(name for name in LEADING for metric in metrics if metric.name == name)
        return sorted(metrics, key=lambda metric: metric.name != leading)


def read_relations(place: Path, settings: RelationSettings, *, repair: bool = False) -> Candidates:
    """Return the pairs of each split with notes, and the relations without a candidate pair.

    Raises:
        BadFile: with file and line (or document) where something cannot be read whole.
        BadSetting: where the settings are of a model that learned from tables and there are documents, or the other way
            round.
    """
    notes = Notes()
    files = split_files(place, settings.files, notes)
    paths = [path for listed in files.values() for path in listed]
    are_documents = [_holds_documents(path) for path in paths]
    if all(are_documents):
        return _read_documents(files, settings, ReadOptions(repair=repair), notes)
    if any(are_documents):
        odd, even = paths[are_documents.index(True)], paths[are_documents.index(False)]
        raise BadFile(f"{odd} holds documents, but {even} rows of a table", "give all splits in the same form")
    if settings.pairs and settings.labels:  # as a trained model has them
        _refuse_form(paths[0], "a table", learned="documents")
    if settings.pairs:  # of a recipe; its other settings of documents are refused where it is learned from
        refuse_settings_of_documents(str(paths[0]), settings)
    splits = {name: examples_of_tables(listed, settings.columns, notes) for name, listed in files.items()}
    found = Candidates(settle_labels(splits, settings), notes)
    check_pairs(
        (example for examples in found.splits.values() for example in examples), settings.pooling or Relations.pooling
    )
    return found


def _read_documents(
    files: Mapping[str, Sequence[Path]], settings: RelationSettings, options: ReadOptions, notes: Notes
) -> Candidates:
    if settings.pairs == ():  # as a model has it that learned from tables
        _refuse_form(next(path for listed in files.values() for path in listed), "documents", learned="tables")
    placed = {name: list(_read_placed(listed, notes, options)) for name, listed in files.items()}
    return examples_of_documents(placed, settings, notes)


def _refuse_form(path: Path, found: str, *, learned: str) -> NoReturn:
    raise BadSetting(
        f"{path}: holds {found}, but the model has learned from {learned}, whose pairs are marked otherwise",
        f"give {learned} as those of training, or a model that has learned from such as these",
    )


def _holds_documents(path: Path) -> bool:
    if path.is_dir():
        return True
    if unpacked_name(path).suffix.lower() in TABLES:
        return False
    found = find_format(path)
    if found is None or found.name == WITHOUT_RELATIONS:
        return False
    return found.name != "jsonl" or _first_is_document(path)


def _first_is_document(path: Path) -> bool:
    """Is the first row a document of Linnet's? One with a pair marked in its text is none."""
    first = next((line for _, line in read_lines(path) if line.strip()), "")
    try:
        found = load_json(first)
    except ValueError:
        return False  # its reader reports the problem
    is_document = isinstance(found, dict) and "id" in found and found.keys() <= DOCUMENT
    return is_document and ("spans" in found or not marked_pair(str(found.get("text"))))


def _read_placed(paths: Sequence[Path], notes: Notes, options: ReadOptions) -> Iterator[Placed]:
    seen: dict[str, str] = {}
    for path in paths:
        for document in read_documents(path, notes=notes, options=options):
            refuse_duplicate(seen, document.id, str(path), "document id")
            yield document, path


def _label(prediction: Prediction, value: Plain | None) -> str:
    if not isinstance(value, str):
        raise BadFile(
            f"pair {prediction.id}: the label is {'missing' if value is None else repr(value)}, so it cannot be scored",
            "give a test split with labels; `linnet predict` answers texts without",
        )
    return value


tasks.register("relations")(Relations())
