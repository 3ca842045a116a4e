"""Predicted relations in the documents that they are about."""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from linnet.contracts import Format, WriteOptions
from linnet.documents.document import Document
from linnet.documents.texts import Prediction
from linnet.errors import UnknownName, WouldLose
from linnet.formats.corpus import split_paths
from linnet.formats.reading import convert_documents, format_for_output
from linnet.tasks.texts.questions import TSV

if TYPE_CHECKING:
    from linnet.tasks.relations.task import Relations
    from linnet.tasks.texts.questions import TextQuestions

__all__ = ["RelatedDocuments", "document_form"]

SCORES = "infons of relations"  # as formats call what they lose


@dataclass(frozen=True)
class RelatedDocuments:
    """Documents with predicted relations, in a format of documents."""

    task: "Relations"
    questions: "TextQuestions"
    to: Format
    model: str  # fingerprint of the model

    @property
    def name(self) -> str:
        """The name of the format."""
        return self.to.name

    @property
    def suffix(self) -> str | None:
        """The suffix of its files, None where the format is a folder itself."""
        return self.to.suffixes[0] if self.to.suffixes else None

    @property
    def is_folder(self) -> bool:
        """Is the format a folder itself, as brat is?"""
        return not self.to.suffixes

    def items(self, predictions: Iterable[Prediction]) -> list[Document]:
        """Return the documents with the relations that were predicted."""
        questions = self.questions
        settings: Any = questions.predictor.settings
        place = split_paths(questions.place, None)[questions.split]
        return self.task.with_predictions(place, list(predictions), settings, repair=questions.repair)

    def write(self, items: Iterable[Document], target: Path) -> None:
        """Write the documents; of what a format cannot hold, only the confidence of relations is left out."""
        documents = list(items)
        lost = {what for document in documents for what, number in self.to.losses(document) if number}
        if lost == {SCORES}:
            n_relations = sum(len(document.relations) for document in documents)
            note = f"scores of relations, which {self.to.name} cannot hold, left out"
            self.questions.counted.add(note, str(target), n_relations)
            documents = [_without_scores(document) for document in documents]
        try:
            convert_documents(documents, target, to=self.to, options=WriteOptions(model=self.model))
        except WouldLose as error:
            raise WouldLose(error.problem, "write a format that keeps everything: name the output .jsonl") from None


def document_form(
    task: "Relations", questions: "TextQuestions", target: Path, to: str | None, *, is_folder: bool
) -> RelatedDocuments | None:
    """Return the form of documents for an output; None for a table of rows."""
    if (to or target.suffix.lower().removeprefix(".")) == TSV:
        return None
    try:
        found = format_for_output(target, (to or "jsonl") if is_folder else to)
    except UnknownName as error:
        raise UnknownName(
            error.problem, "end it in .tsv for rows, for documents in .jsonl, .xml or .json (BioC) or .pubtator"
        ) from None
    return RelatedDocuments(task, questions, found, questions.predictor.fingerprint)


def _without_scores(document: Document) -> Document:
    return replace(document, relations=tuple(replace(each, infons={}) for each in document.relations))
