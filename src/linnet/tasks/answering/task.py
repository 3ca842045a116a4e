"""Question answering: factoid and list answers as spans of the given texts, and yes/no answers.

Factoid and list questions are answered with spans of their snippets or paragraphs. Questions are read from BioASQ's
golden files and SQuAD-style files, yes/no questions also from BLURB's tables (id, question, context, label).
`text.questions` says which kind is read.
"""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, get_args

from linnet.contracts import Notes, tasks
from linnet.documents.texts import Output, Prediction, TextExample
from linnet.errors import BadFile
from linnet.metrics.texts.question_answering import factoid_metrics, list_metrics, span_metrics, yesno_metrics
from linnet.metrics.texts.resampled import Metric
from linnet.storage.compression import unpacked_name
from linnet.storage.files import read_lines
from linnet.storage.json_keys import load_json
from linnet.storage.pipes import is_pipe
from linnet.tasks.answering import bioasq
from linnet.tasks.answering.merging import decide_questions
from linnet.tasks.answering.settings import AnsweringSettings
from linnet.tasks.answering.squad import SquadQuestion, group_questions, read_squad
from linnet.tasks.texts.kinds import CLASSIFICATION, SPANS, Kind
from linnet.tasks.texts.reading.json_positions import IDS, JsonFile, read_json, refuse_duplicate
from linnet.tasks.texts.reading.labelled_pairs import PairColumns, read_pairs
from linnet.tasks.texts.reading.row_names import RowNames, row_names
from linnet.tasks.texts.reading.tables import split_files
from linnet.tasks.texts.task import Decision, TextTask, decide_each

if TYPE_CHECKING:
    from linnet.tasks.texts.questions import Form, TextQuestions

__all__ = ["Answering"]

YESNO_COLUMNS = PairColumns(
    layouts=(("id", "question", "context", "label"), ("question", "context", "label"), ("question", "context")),
    first=("question",),
    second=("context",),
    label=("label",),
    id=("id",),
)
JOINED = "train_dev"  # holds the questions of train and devel once more


class Answering(TextTask[AnsweringSettings]):
    """Questions and the texts that answer them."""

    name = "answering"
    description = "question answering: factoid and list answers as stretches of texts, and yes or no"
    pooling: Literal["cls", "mean", "markers"] = "cls"
    section = AnsweringSettings
    forms = ("bioasq",)
    unlearnable = "texts that hold no answer, left out (`text.answerable_only`)"
    needs_pairs = True

    def read(
        self, place: Path, settings: AnsweringSettings, notes: Notes | None = None, *, repair: bool = False
    ) -> dict[str, list[TextExample]]:
        """Return the questions of each split: one example for each snippet, or for each yes/no question.

        Args:
            place: a file or a folder.
            settings: `questions`, `files` and, for tables, `columns` are used.
            notes: counts what is left out or not known; see `linnet.tasks.answering.bioasq`.
            repair: changes nothing, as it is about documents.

        Raises:
            BadFile: with file, line and question where something cannot be read whole, or a question stands in two
                splits: what was learned must not be asked again.
        """
        counted = Notes() if notes is None else notes
        seen: dict[str, str] = {}
        found = {
            name: _read_split(paths, settings, {} if name == JOINED else seen, counted)
            for name, paths in split_files(place, settings.files, notes).items()
        }
        _refuse_divided_questions({name: examples for name, examples in found.items() if name != JOINED})
        return found

    def kind(self, examples: Sequence[TextExample], settings: AnsweringSettings) -> Kind:
        """Return `classes` for yes/no questions, `spans` for the others."""
        return CLASSIFICATION if settings.questions == "yesno" else SPANS

    def complete_settings(self, settings: AnsweringSettings, training: Sequence[TextExample]) -> AnsweringSettings:
        """Return the settings with whether `none` may be the answer: where the model learns questions without one."""
        if settings.questions == "yesno" or settings.no_answer is not None:
            return settings
        has_unanswered = any(example.gold == () for example in training)
        return settings.model_copy(update={"no_answer": has_unanswered and not settings.answerable_only})

    def sections(self, files: Mapping[str, Sequence[str]] | None) -> list[AnsweringSettings]:
        """Return settings for questions of every kind."""
        given: Any = files
        kinds = get_args(AnsweringSettings.model_fields["questions"].annotation)
        return [AnsweringSettings(files=given, questions=kind) for kind in kinds]

    def form(self, questions: "TextQuestions", target: Path, to: str | None, *, is_folder: bool) -> "Form | None":
        """Return BioASQ's form, where the output has its name or suffix."""
        from linnet.tasks.answering.bioasq_answers import BIOASQ, BioasqAnswers

        is_bioasq = to == BIOASQ or (to is None and not is_folder and target.suffix.lower() == ".json")
        return BioasqAnswers(questions) if is_bioasq else None

    def longest_answer(self, settings: AnsweringSettings) -> int:
        """Return how many characters an answer may have."""
        return settings.longest_answer

    def is_learnable(self, example: TextExample, settings: AnsweringSettings) -> bool:
        """Does the text hold an answer, where only such texts are to be learned from?"""
        return settings.questions == "yesno" or not settings.answerable_only or bool(example.spans)

    def decide(
        self,
        examples: Sequence[TextExample],
        outputs: Sequence[Output],
        decision: Decision,
        settings: AnsweringSettings,
    ) -> list[Prediction]:
        """Return each question with its answer or answers, merged over its snippets by `merging`."""
        if settings.questions == "yesno":
            return decide_each(examples, outputs, decision)
        return decide_questions(examples, outputs, settings)

    def metrics(self, predictions: Sequence[Prediction], settings: AnsweringSettings) -> list[Metric]:
        """Return accuracy first for yes/no questions, list F1 for list questions, MRR for factoids.

        Factoids are scored as BioASQ and, their first answer, as SQuAD does; a question that has no answer by what its
        file says counts for the latter only, and for nothing in lists. Questions whose answer is not known are not
        scored.
        """
        known = [each for each in predictions if each.gold is not None]
        if settings.questions == "yesno":
            return yesno_metrics([str(each.gold) for each in known], [str(each.predicted) for each in known])
        answered = [each for each in known if each.gold]
        found = [_texts(each.predicted) for each in answered]
        if settings.questions == "list":
            return list_metrics([_answers(each.gold) for each in answered], found)
        firsts = [next(iter(_texts(each.predicted)), "") for each in known]
        return [
            *factoid_metrics([_synonyms(each) for each in answered], found),
            *span_metrics([_synonyms(each) for each in known], firsts),
        ]


def _read_split(
    paths: Sequence[Path], settings: AnsweringSettings, seen: dict[str, str], notes: Notes
) -> list[TextExample]:
    rows: dict[str, str] = {}  # rows without an id are named after their file and line, unlike only within a split
    found: list[TextExample] = []
    name_of = row_names(paths)
    asked: list[SquadQuestion] = []  # grouped into questions once all files are read
    for path in paths:
        if _is_json_file(path):
            file = read_json(path, IDS)
            if _is_squad(file, settings.questions):
                asked += read_squad(file, seen)
            else:
                found += _read_golden(file, settings.questions, seen, notes)
            continue
        examples = _read_table(path, settings, rows, notes, name_of)
        for example in examples:
            if example.id != name_of(example.place):
                refuse_duplicate(seen, example.id, example.place, "question id")
        found += examples
    return [*found, *group_questions(asked, settings.questions, {example.group for example in found})]


def _is_json_file(path: Path) -> bool:
    """Is the file one JSON object, by its name? A pipe has no name, so its first line decides."""
    if not is_pipe(path):
        return unpacked_name(path).suffix.lower() == ".json"
    line = next((line for _, line in read_lines(path) if line.strip()), "").lstrip()
    try:
        found = load_json(line)
    except ValueError:  # the first line is only the beginning of an object, or no JSON
        return line.startswith("{")
    return isinstance(found, dict) and not found.keys().isdisjoint(("data", "questions"))


def _is_squad(file: JsonFile, type: str) -> bool:
    """Is it a SQuAD-style file, and not one of BioASQ's? Others are refused."""
    keys = file.content.keys() if isinstance(file.content, dict) else ()
    if "questions" in keys:
        return False
    if "data" not in keys:
        raise BadFile(
            f"{file.path}: expected an object with `questions` (BioASQ) or `data` (SQuAD)",
            "give a golden file of BioASQ's task B or a SQuAD-style file",
        )
    if type == "yesno":
        raise BadFile(
            f"{file.path}: a SQuAD-style file has stretches of text as answers, not yes and no",
            'give a golden file of BioASQ or a table, or say `text.questions = "factoid"`',
        )
    return True


def _read_golden(file: JsonFile, type: str, seen: dict[str, str], notes: Notes) -> list[TextExample]:
    questions = bioasq.read_questions(file, type, seen, notes)
    if type == "yesno":
        return [bioasq.read_yesno(question) for question in questions]
    return [example for question in questions for example in bioasq.read_pairs(question, type, notes)]


def _read_table(
    path: Path, settings: AnsweringSettings, seen: dict[str, str], notes: Notes, name_of: RowNames
) -> list[TextExample]:
    if settings.questions != "yesno":
        raise BadFile(
            f"{path}: {settings.questions} questions stand in JSON files (BioASQ, SQuAD), tables hold yes/no questions",
            'give a `.json` file, or say `text.questions = "yesno"`',
        )
    examples = read_pairs(path, YESNO_COLUMNS, settings.columns, seen, notes, name_of)
    for example in examples:
        if example.gold not in ("yes", "no", None):
            raise BadFile(f"{example.place}: the label is {example.gold!r}, expected yes or no", "mend the label")
    return examples


def _refuse_divided_questions(splits: Mapping[str, Sequence[TextExample]]) -> None:
    """Refuse a question that is asked of texts of two splits, under ids that only number its texts."""
    seen: dict[tuple[str, str], tuple[str, str]] = {}
    for split, examples in splits.items():
        for example in examples:
            own = (split, example.place)
            before, place = seen.setdefault((example.group, example.first), own) if example.group else own
            if before != split:
                raise BadFile(
                    f"{example.place}: the question {example.group!r} stands at {place} already, in the {before} split",
                    "keep all texts of a question in one split",
                )


def _answers(gold: object) -> list[tuple[str, ...]]:
    return [_texts(synonyms) for synonyms in gold] if isinstance(gold, tuple) else []


def _synonyms(prediction: Prediction) -> list[str]:
    return [text for synonyms in _answers(prediction.gold) for text in synonyms]


def _texts(answers: object) -> tuple[str, ...]:
    return tuple(map(str, answers)) if isinstance(answers, tuple) else ()


tasks.register("answering")(Answering())
