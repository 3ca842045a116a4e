"""Reads SQuAD-style files of questions, paragraphs and answers.

`data` holds articles with `paragraphs`, those a `context` and `qas` with `id`, `question` and, where they are known,
`answers` with `text` and `answer_start` (Rajpurkar et al. 2016). Files with `is_impossible` (SQuAD 2, 2018) have
questions without an answer. In BioASQ's question files of this style a question stands with several paragraphs, and
`<question>_<number>` or `<question>:<number>` is the id of each: they are one question where all of them, in whichever
file of a split, ask the same. Blanks around an answer are no part of it.
"""

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from linnet.documents.texts import TextExample
from linnet.errors import BadFile
from linnet.tasks.texts.kinds.answer_places import strip_blanks
from linnet.tasks.texts.reading.json_positions import JsonFile, refuse_duplicate

__all__ = ["MAY_BE_EMPTY", "SquadQuestion", "group_questions", "read_squad"]

MAY_BE_EMPTY = "may_be_empty"  # a detail of the examples whose file says of some questions that they have no answer
NUMBERED = re.compile(r"(.+)[_:]\d+")
LIKE_SQUAD = "write it as SQuAD does, or remove the question"


@dataclass(frozen=True)
class SquadQuestion:
    """A question about one paragraph, which may be one of several of the same question."""

    example: TextExample
    answers: tuple[str, ...] | None  # None where they are not known


def read_squad(file: JsonFile, seen: dict[str, str]) -> list[SquadQuestion]:
    """Return the questions of a file, each with one paragraph.

    Args:
        file: read with `IDS`.
        seen: places of the ids that were read before, of this or another file; this file's are added.

    Raises:
        BadFile: with file, line and question where something is missing or an answer does not stand at its start.
    """
    questions: list[SquadQuestion] = []
    entries = list(_entries(file))
    may_be_empty = any(isinstance(entry, dict) and "is_impossible" in entry for _, entry, _ in entries)
    for context, entry, where in entries:
        id = _text(entry, "id", where)
        place = file.place(id, 1 if id in seen and seen[id].startswith(f"{file.path}:") else 0)
        refuse_duplicate(seen, id, place, "question id")
        questions.append(_question(entry, id, context, place, {MAY_BE_EMPTY: "yes"} if may_be_empty else {}))
    if not questions:
        raise BadFile(f"{file.path}: there is no question in the file", LIKE_SQUAD)
    return questions


def group_questions(questions: Sequence[SquadQuestion], type: str, taken: Collection[str] = ()) -> list[TextExample]:
    """Return the questions of a split with the group that each belongs to; gold are the answers of the whole group.

    The spellings of a factoid's answer are synonyms; each answer of a list question is one of its own. `()` says that
    there is no answer.

    Args:
        questions: of all files of the split.
        type: factoid or list.
        taken: groups of questions that come from elsewhere.
    """
    asked: dict[str, set[str]] = {}
    for each in questions:
        for name in (_stem(each.example.id), each.example.id):
            asked.setdefault(name, set()).add(each.example.first)
    own = [replace(each, example=replace(each.example, group=_group(each, asked, taken))) for each in questions]
    return [_complete_question(each, type) for each in _with_all_answers(own)]


def _entries(file: JsonFile) -> Iterator[tuple[str, Any, str]]:
    """Yield each paragraph's text with each of its questions, and where they stand."""
    for number, article in enumerate(_list(file.content, "data", str(file.path)), 1):
        for at, paragraph in enumerate(_list(article, "paragraphs", f"{file.path}: article {number}"), 1):
            where = f"{file.path}: article {number}, paragraph {at}"
            context = _text(paragraph, "context", where)
            for which, entry in enumerate(_list(paragraph, "qas", where), 1):
                yield context, entry, f"{where}, question {which}"


def _list(entry: Any, key: str, place: str) -> list[Any]:  # whatever JSON can hold
    found = entry.get(key) if isinstance(entry, dict) else None
    if not isinstance(found, list):
        raise BadFile(f"{place}: {key!r} is no list", "give a file as SQuAD's: data, paragraphs, qas, answers")
    return found


def _text(entry: Any, key: str, place: str) -> str:
    found = entry.get(key) if isinstance(entry, dict) else None
    if not isinstance(found, str) or not found.strip():
        raise BadFile(f"{place}: {key!r} is {found!r}, expected a text", LIKE_SQUAD)
    return found


def _question(entry: dict[str, Any], id: str, context: str, place: str, details: Mapping[str, str]) -> SquadQuestion:
    where = f"{place}: question {id!r}"
    is_impossible = entry.get("is_impossible", False)
    answers = entry.get("answers")
    if not isinstance(is_impossible, bool):
        raise BadFile(f"{where}: is_impossible is {is_impossible!r}, expected true or false", LIKE_SQUAD)
    if answers is not None and not isinstance(answers, list):
        raise BadFile(f"{where}: answers is {answers!r}, expected a list", LIKE_SQUAD)
    if is_impossible and answers:
        raise BadFile(f"{where}: is_impossible is true, but it has {len(answers)} answers", LIKE_SQUAD)
    spans = tuple(dict.fromkeys(_span(answer, context, where) for answer in answers or []))
    texts = tuple(dict.fromkeys(context[start:end] for start, end in spans))
    asked = _text(entry, "question", where)
    example = TextExample(id, asked, context, place=place, spans=tuple(sorted(spans)), details=details)
    return SquadQuestion(example, texts if is_impossible or answers else None)


def _span(answer: Any, context: str, where: str) -> tuple[int, int]:
    text, start = _text(answer, "text", f"{where}, answer"), answer.get("answer_start")
    if isinstance(start, bool) or not isinstance(start, int):
        raise BadFile(f"{where}: answer_start is {start!r}, expected a number of characters", LIKE_SQUAD)
    found = context[start : start + len(text)] if start >= 0 else ""
    if found != text:
        raise BadFile(
            f"{where}: the answer {text!r} does not stand at {start} of its context, where {found!r} stands",
            _remedy(text, context),
        )
    return strip_blanks(context, start, start + len(text))  # no token stands at a blank


def _remedy(text: str, context: str) -> str:
    at = context.find(text)
    return f"it stands at {at}: mend answer_start" if at >= 0 else "its context does not hold it: mend the answer"


def _group(question: SquadQuestion, asked: Mapping[str, Collection[str]], taken: Collection[str]) -> str:
    """Return the common part of numbered ids where all that are called so ask the same, else the id."""
    stem = _stem(question.example.id)
    return stem if len(asked[stem]) == 1 and stem not in taken else question.example.id


def _stem(id: str) -> str:
    numbered = NUMBERED.fullmatch(id)
    return numbered[1] if numbered else id


def _with_all_answers(questions: Sequence[SquadQuestion]) -> list[SquadQuestion]:
    """Return the questions with the answers of all paragraphs of their group."""
    known: dict[str, dict[str, None]] = {}
    for each in questions:
        if each.answers is not None:
            known.setdefault(each.example.group, {}).update(dict.fromkeys(each.answers))
    return [
        replace(each, answers=tuple(known[each.example.group]) if each.example.group in known else None)
        for each in questions
    ]


def _complete_question(question: SquadQuestion, type: str) -> TextExample:
    example, answers = question.example, question.answers
    if answers is None:
        return example
    gold = () if not answers else (answers,) if type == "factoid" else tuple((answer,) for answer in answers)
    return replace(example, gold=gold, details={"answerable": "yes" if example.spans else "no", **example.details})
