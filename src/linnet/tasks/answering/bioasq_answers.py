"""Answers in the JSON of BioASQ's task B, as its test files are filled in and submitted.

A file holds `questions` with `id`, `type`, `body` and `exact_answer`: "yes" or "no", or a list of lists with one name
each, the best first, at most five for a factoid and a hundred for a list question. Since BioASQ 5 no synonyms are
given. Ideal answers, which are whole sentences, are not written.
"""

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from linnet.contracts import Notes
from linnet.documents.texts import Prediction, TextExample
from linnet.storage.compression import unpacked_name
from linnet.storage.files import new_file
from linnet.tasks.answering.merging import MOST_ANSWERS, MOST_LISTED
from linnet.tasks.texts.reading.json_positions import IDS, read_json
from linnet.tasks.texts.reading.tables import split_files

if TYPE_CHECKING:
    from linnet.tasks.texts.questions import TextQuestions

__all__ = ["BIOASQ", "BioasqAnswers", "write_bioasq"]

BIOASQ = "bioasq"  # what the form is called
MOST_CHARACTERS = 100  # of an entry of a list

ExactAnswer = str | list[list[str]]


@dataclass(frozen=True)
class BioasqAnswers:
    """Predictions in BioASQ's form, all in one file."""

    questions: "TextQuestions"
    name: str = BIOASQ
    suffix: None = None
    is_folder: bool = False

    def items(self, predictions: Iterable[Prediction]) -> Iterable[Prediction]:
        """Return the answered questions."""
        return predictions

    def write(self, items: Iterable[Prediction], target: Path) -> None:
        """Write the answers."""
        asked = self.questions
        settings: Any = asked.predictor.settings
        write_bioasq(
            target,
            items,
            sources=split_files(asked.place, settings.files)[asked.split],
            examples=asked.examples,
            type=settings.questions,
            notes=asked.counted,
        )


def write_bioasq(
    target: Path,
    predictions: Iterable[Prediction],
    *,
    sources: Sequence[Path],
    examples: Sequence[TextExample],
    type: str,
    notes: Notes,
) -> None:
    """Write the answers; questions that stand in a file of BioASQ keep all else that they have there.

    Questions of other types in such a file are carried over as they are, so that the answers of several models can be
    put into one file, one model after the other.

    Args:
        target: the file to write.
        predictions: the answered questions.
        sources: the files that they were read from.
        examples: what was read, for the texts of questions that stand in no file of BioASQ.
        type: of all answered questions: factoid, list or yesno.
        notes: counts what is carried over, and answers that BioASQ does not take.
    """
    answers = {each.id: _exact_answer(each, type, notes) for each in predictions}
    found = [_fill(entry, answers, notes) for path in sources for entry in _entries(path)]
    known = {entry["id"] for entry in found}
    bodies = {example.group or example.id: example.first for example in reversed(examples)}
    found += [
        {"id": id, "type": type, "body": bodies[id], "exact_answer": answer}
        for id, answer in answers.items()
        if id not in known
    ]
    with new_file(target) as file:
        json.dump({"questions": found}, file, ensure_ascii=False, indent=2)
        file.write("\n")


def _exact_answer(prediction: Prediction, type: str, notes: Notes) -> ExactAnswer:
    if type == "yesno":
        return str(prediction.predicted)
    given = prediction.predicted if isinstance(prediction.predicted, tuple) else (prediction.predicted,)
    names = [str(name) for name in given]
    if type == "list":
        short = [name for name in names if len(name) <= MOST_CHARACTERS]
        if len(short) < len(names):
            what = f"answers of more than {MOST_CHARACTERS} characters, which BioASQ does not take, left out"
            notes.add(what, prediction.id, len(names) - len(short))
        names = short
    most = MOST_LISTED if type == "list" else MOST_ANSWERS
    if len(names) > most:
        notes.add(
            f"answers after the first {most}, which BioASQ does not take, left out", prediction.id, len(names) - most
        )
    return [[name] for name in names[:most]]


def _entries(path: Path) -> Iterator[dict[str, Any]]:
    """Yield the questions of a file, if it is one of BioASQ; its reader has checked them."""
    if unpacked_name(path).suffix.lower() == ".json":
        content = read_json(path, IDS).content
        yield from content.get("questions", [])


def _fill(entry: dict[str, Any], answers: Mapping[str, ExactAnswer], notes: Notes) -> dict[str, Any]:
    if entry["id"] not in answers:
        notes.add("questions of other types, carried over with their answers, if any", entry["id"])
        return entry
    return {**entry, "exact_answer": answers[entry["id"]]}
