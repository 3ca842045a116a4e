"""Examples of a file that a model about texts predicts, block by block, and the form in which they are written."""

import hashlib
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

from linnet.contracts import Notes
from linnet.documents.texts import Prediction, TextExample
from linnet.errors import BadSetting
from linnet.formats.corpus import choose_split
from linnet.storage.cells import escape_cell
from linnet.storage.files import new_file
from linnet.tasks.texts.evaluation import prediction_from_json, prediction_to_json
from linnet.tasks.texts.reading.empty_splits import refuse_empty
from linnet.tasks.texts.reading.headers import answer_column
from linnet.tasks.texts.reading.unreached import candidates_in
from linnet.tasks.texts.settings import TextSettings

if TYPE_CHECKING:
    from linnet.tasks.texts.predictor import TextPredictor

__all__ = ["JSONL", "TSV", "Form", "TextQuestions", "read_questions"]

TSV, JSONL = "tsv", "jsonl"  # rows of predictions
SUFFIXES = {".tsv": TSV, ".jsonl": JSONL}
BLOCK = 256  # examples that are predicted together


class Form(Protocol):
    """A form in which predictions are written."""

    @property
    def name(self) -> str:
        """What `--to` calls it."""
        ...

    @property
    def suffix(self) -> str | None:
        """The suffix of the files of a folder; None where there is one file only."""
        ...

    @property
    def is_folder(self) -> bool:
        """Is a folder written, even without shards?"""
        ...

    def items(self, predictions: Iterable[Prediction]) -> Iterable[Any]:
        """Return what is written one by one: rows or documents. The predictions are read from the disk, once."""
        ...

    def write(self, items: Iterable[Any], target: Path) -> None:
        """Write items to a file."""
        ...


@dataclass(frozen=True)
class Rows:
    """Predictions as rows: JSON lines, or a table of id, prediction and confidence."""

    name: str

    @property
    def suffix(self) -> str:
        """The suffix of its files."""
        return f".{self.name}"

    @property
    def is_folder(self) -> bool:
        """Rows are written to a file."""
        return False

    def items(self, predictions: Iterable[Prediction]) -> Iterable[Prediction]:
        """Return the predictions."""
        return predictions

    def write(self, items: Iterable[Prediction], target: Path) -> None:
        """Write one row for each prediction."""
        with new_file(target) as file:
            if self.name == TSV:
                file.write("id\tpredicted\tscore\n")
            for each in items:
                file.write(_tsv(each) if self.name == TSV else _json(each))


@dataclass(frozen=True)
class TextQuestions:
    """Examples of a split, ready to be predicted."""

    predictor: "TextPredictor"
    place: Path
    split: str
    examples: list[TextExample]
    counted: Notes
    repair: bool

    @property
    def n_examples(self) -> int:
        """How many examples there are."""
        return len(self.examples)

    @property
    def notes(self) -> list[str]:
        """What was repaired, left out or cannot be written."""
        return self.counted.sentences()

    def blocks(self) -> Iterator[list[TextExample]]:
        """Yield the examples in blocks; what belongs to one question stays together."""
        waiting: list[TextExample] = []
        for together in self._questions():
            waiting += together
            if len(waiting) >= BLOCK:
                yield waiting
                waiting = []
        if waiting:
            yield waiting

    def digest(self, block: Sequence[TextExample]) -> str:
        """Return a digest of the examples of a block."""
        content = [(each.id, each.first, each.second, each.group, each.spans) for each in block]
        return hashlib.sha256(repr(content).encode()).hexdigest()

    def predict(self, block: Sequence[TextExample]) -> list[Prediction]:
        """Return the predictions of a block."""
        return self.predictor.predict_examples(block)

    def as_row(self, prediction: Prediction) -> dict[str, Any]:
        """Return a prediction as JSON, to be kept until all are there."""
        return prediction_to_json(prediction)

    def from_row(self, row: Mapping[str, Any]) -> Prediction:
        """Return a prediction that was kept."""
        return prediction_from_json(row)

    def form(self, target: Path, to: str | None, *, is_folder: bool = False) -> Form:
        """Return the form of an output, by the name of the form or the suffix of the file."""
        own = self.predictor.task.form(self, target, to, is_folder=is_folder)
        named = to or (JSONL if is_folder else SUFFIXES.get(target.suffix.lower()))
        found = own or (Rows(named) if named in (TSV, JSONL) else None)
        if found is None:
            problem = (
                f"{target}: predictions are written as .jsonl or .tsv" if to is None else f"there is no form {to!r}"
            )
            more = "".join(f"{name}, " for name in self.predictor.task.forms)
            raise BadSetting(
                f"{problem} for the task {self.predictor.task.name!r}",
                f"give the output such a name, or `--to` with {more}{JSONL} or {TSV}",
            )
        if is_folder and found.suffix is None:
            raise BadSetting(f"{found.name} is written to one file", "leave `--shard` out, or choose another form")
        return found

    def _questions(self) -> Iterable[list[TextExample]]:
        """Return what is predicted together: wherever they stand, the texts of a question, in its first one's place.

        Only spans are joined over the texts of a question; all else is predicted by itself, in its own place.
        """
        if not self.predictor.shape.kind.has_positions:
            return (list(group) for _, group in groupby(self.examples, key=_question))
        found: dict[str, list[TextExample]] = {}
        for each in self.examples:
            found.setdefault(_question(each), []).append(each)
        return found.values()


def read_questions(predictor: "TextPredictor", place: Path, *, split: str | None, repair: bool) -> TextQuestions:
    """Return the examples of a file, or of a split of a corpus.

    Raises:
        LinnetError: where they cannot be read whole, there are none, or one has a label that the model does not know.
    """
    notes, task = Notes(), predictor.task
    splits = task.read(place, predictor.settings, notes, repair=repair)
    chosen = _choose_split(splits, place, split)
    examples = candidates_in(splits[chosen])
    are_documents = task.reads_documents(place, chosen)
    reasons = task.why_empty(place, chosen, predictor.settings, repair=repair) if not examples else []
    refuse_empty({chosen: examples}, place, notes, reasons=reasons)
    if not are_documents:  # in documents nothing else can be taken for a label
        predictor.check_labels(examples, _about_labels(predictor.settings))
    return TextQuestions(
        predictor=predictor, place=place, split=chosen, examples=examples, counted=notes, repair=repair
    )


def _choose_split(splits: Mapping[str, list[TextExample]], place: Path, split: str | None) -> str:
    if split is None and len(splits) > 1:
        raise BadSetting(f"{place}: has the splits {', '.join(splits)}", "say which with `--split`")
    return next(iter(splits)) if split is None else choose_split(splits, split, place)


def _about_labels(settings: TextSettings) -> str:
    """Return what to do about labels that cannot be right, and may be no labels."""
    named = answer_column(settings.columns)
    taken = "of a table without a header the last column" if named is None else f"the column {named!r}"
    return (
        f"answers need no labels, so leave them out; {taken} was taken for the label: if it is none, name the columns "
        "in a first line"
    )


def _question(example: TextExample) -> str:
    return example.group or example.id


def _json(prediction: Prediction) -> str:
    row: dict[str, Any] = {"id": prediction.id, "predicted": prediction.predicted, "score": prediction.score}
    if prediction.scores:
        row["scores"] = dict(prediction.scores)
    if prediction.details:
        row["details"] = dict(prediction.details)
    return json.dumps(row, ensure_ascii=False) + "\n"


def _tsv(prediction: Prediction) -> str:
    found = prediction.predicted
    shown = "|".join(map(str, found)) if isinstance(found, tuple) else str(found)
    cells = [" ".join(value.split()) for value in (prediction.id, shown)]  # neither tabs nor line ends inside
    return "\t".join([*map(escape_cell, cells), "" if prediction.score is None else f"{prediction.score:.6f}"]) + "\n"
