"""Reads questions, snippets and answers from BioASQ's golden files.

A file holds `questions` with `id`, `body`, `type`, `snippets` and `exact_answer` (Tsatsaronis et al. 2015). Factoid
and list questions give an example for each snippet, yes/no questions one for all snippets together. A snippet that
stands twice in one question is read once. Blanks around an answer are not a part of it; where a golden file has
nothing but blanks for an answer, as 4B does once, the answer is not known. Both are counted in the notes, and so are
questions whose answer stands in none of their snippets.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from linnet.contracts import Notes
from linnet.documents.texts import TextExample
from linnet.errors import BadFile
from linnet.tasks.texts.kinds.answer_places import find_answers
from linnet.tasks.texts.reading.json_positions import JsonFile, refuse_duplicate

__all__ = ["Answers", "Question", "read_pairs", "read_questions", "read_yesno"]

TYPES = ("factoid", "list", "yesno", "summary")
SHAPES = {
    "factoid": '[["a", "synonym of a"]], ["a"] or "a"',
    "list": '[["a", "synonym of a"], ["b"]] or ["a", "b"]',
    "yesno": "yes or no",
}
LIKE_GOLDEN = "write it as in BioASQ's golden files, or remove the question"

Answers = tuple[tuple[str, ...], ...]  # each with its synonyms


@dataclass(frozen=True)
class Question:
    """A question with its snippets, numbered from 1 as they stand in the file."""

    id: str
    body: str
    answer: Any  # `exact_answer` as it stands in the file, None where there is none
    snippets: Sequence[tuple[int, str]]
    place: str


def read_questions(file: JsonFile, type: str, seen: dict[str, str], notes: Notes) -> Iterator[Question]:
    """Yield the questions of a type.

    Args:
        file: read with `IDS`.
        type: factoid, list or yesno.
        seen: places of the ids that were read before, of this or another file; this file's are added.
        notes: counts the snippets that stand twice.

    Raises:
        BadFile: with file, line and question where something is missing, or no question is of the type.
    """
    entries = file.content.get("questions")
    if not isinstance(entries, list):
        raise BadFile(f"{file.path}: `questions` is no list", "give a golden file of BioASQ's task B")
    n_found = 0
    for number, entry in enumerate(entries, 1):
        id = _text(entry, "id", f"{file.path}: question {number}")
        place = file.place(id, 1 if id in seen and seen[id].startswith(f"{file.path}:") else 0)
        refuse_duplicate(seen, id, place, "question id")
        where = f"{place}: question {id!r}"
        if entry.get("type") not in TYPES:
            raise BadFile(f"{where}: its type is {entry.get('type')!r}, expected {', '.join(TYPES)}", LIKE_GOLDEN)
        if entry["type"] == type:
            n_found += 1
            answer = entry.get("exact_answer")
            yield Question(
                id=id,
                body=_text(entry, "body", where),
                answer=answer,
                snippets=_snippets(entry, where, notes),
                place=place,
            )
    if not n_found:
        raise BadFile(
            f"{file.path}: none of its {len(entries)} questions is of the type {type}",
            "say which are to be answered with `text.questions`",
        )


def read_pairs(question: Question, type: str, notes: Notes) -> list[TextExample]:
    """Return a factoid or list question with each of its snippets, and where answers stand in it.

    Gold are the answers with their synonyms; the one answer of a factoid has all of them, however they are nested.
    """
    gold = _answers(question, type)
    where = f"{question.place}: question {question.id!r}"
    if gold == ():
        notes.add("questions whose answer is blank, taken as not known", where)
    answers = [each for synonyms in gold or () for each in synonyms]
    examples = [
        TextExample(
            id=f"{question.id}_{number}",
            first=question.body,
            second=snippet,
            gold=gold or None,
            group=question.id,
            place=question.place,
            spans=spans,
            details={"snippet": str(number)} | ({"answerable": "yes" if spans else "no"} if gold else {}),
        )
        for number, snippet in question.snippets
        for spans in [find_answers(snippet, answers)]
    ]
    if gold and not any(example.spans for example in examples):
        notes.add("questions whose answer stands in none of their snippets", where)
    return examples


def read_yesno(question: Question) -> TextExample:
    """Return a yes/no question with all its snippets, joined by a space."""
    answer = question.answer
    if isinstance(answer, list) and len(answer) == 1:
        (answer,) = answer
    if answer is not None:
        if not isinstance(answer, str) or answer.strip().lower() not in ("yes", "no"):
            raise _unreadable(question, "yesno")
        answer = answer.strip().lower()
    context = " ".join(snippet for _, snippet in question.snippets)
    return TextExample(id=question.id, first=question.body, second=context, gold=answer, place=question.place)


def _text(entry: Any, key: str, place: str) -> str:  # whatever JSON can hold
    found = entry.get(key) if isinstance(entry, dict) else None
    if not isinstance(found, str) or not found.strip():
        raise BadFile(f"{place}: {key!r} is {found!r}, expected a text", LIKE_GOLDEN)
    return found


def _snippets(entry: dict[str, Any], place: str, notes: Notes) -> list[tuple[int, str]]:
    listed = entry.get("snippets")
    if not isinstance(listed, list) or not listed:
        raise BadFile(f"{place} has no snippets to find an answer in", "give it `snippets`, or remove the question")
    texts = [_text(each, "text", f"{place}, snippet {number}") for number, each in enumerate(listed, 1)]
    first_number = {text: number for number, text in reversed(list(enumerate(texts, 1)))}
    if len(first_number) < len(texts):
        notes.add("snippets that stand twice in a question, read once", place, len(texts) - len(first_number))
    return [(number, text) for number, text in enumerate(texts, 1) if first_number[text] == number]


def _answers(question: Question, type: str) -> Answers | None:
    """Return the answers with their synonyms, None where the file has none, () where they are blank."""
    found = question.answer
    if found is None:
        return None
    if isinstance(found, str) and type == "factoid":
        found = [found]
    if not isinstance(found, list) or not found:
        raise _unreadable(question, type)
    nested = [each if isinstance(each, list) else [each] for each in found]
    if not all(isinstance(each, str) for synonyms in nested for each in synonyms) or not all(nested):
        raise _unreadable(question, type)
    if type == "factoid":
        nested = [[each for synonyms in nested for each in synonyms]]
    stripped = [tuple(dict.fromkeys(each.strip() for each in synonyms if each.strip())) for synonyms in nested]
    return tuple(synonyms for synonyms in stripped if synonyms)


def _unreadable(question: Question, type: str) -> BadFile:
    return BadFile(
        f"{question.place}: the exact_answer of question {question.id!r} is {question.answer!r}, "
        f"expected {SHAPES[type]}",
        LIKE_GOLDEN,
    )
