"""Which texts did a model answer wrongly?"""

from collections.abc import Iterator, Sequence
from pathlib import Path

from linnet.documents.texts import Judged, Plain
from linnet.metrics.texts.question_answering import same_answer
from linnet.reports.cells import write_rows
from linnet.tasks.texts.reports.facts import plain_text

__all__ = ["COLUMNS", "QUESTIONS", "error_of", "gold_answers", "is_right", "texts_of", "write_text_mistakes", "wrong"]

COLUMNS = ("id", "group", "gold", "predicted", "score", "text")
QUESTIONS = "questions"  # the detail of a question that says `list` where it asks for one
CLOSE = 0.5  # how far a number may be from the right one


def wrong(judged: Sequence[Judged], kind: str) -> list[Judged]:
    """Return the examples with a wrong answer, in their order; those whose right answer is not known are left out.

    Numbers are never quite right: all of them are returned, the largest absolute error first.
    """
    known = [each for each in judged if each.gold is not None]
    if kind == "number":
        return sorted(known, key=lambda each: -abs(error_of(each)))
    return [each for each in known if not is_right(each, kind)]


def is_right(judged: Judged, kind: str) -> bool:
    """Return whether the answer is right; where that is not known, it is not.

    Several labels are right where they are the same, in any order, and a number within half a point. A factoid question
    is right where its first answer is a synonym of the gold one, equal but for case and spaces; a list question where
    all of its gold answers are found and nothing else; a question without a gold answer where none is given.
    """
    if judged.gold is None:
        return False
    if kind == "number":
        return abs(error_of(judged)) <= CLOSE
    if kind == "labels":
        return set(texts_of(judged.gold)) == set(texts_of(judged.predicted))
    if kind != "spans":
        return judged.gold == judged.predicted
    return _is_answered(judged)


def error_of(judged: Judged) -> float:
    """Return predicted minus gold of a number."""
    assert isinstance(judged.gold, int | float)
    assert isinstance(judged.predicted, int | float)
    return judged.predicted - judged.gold


def write_text_mistakes(path: Path, judged: Sequence[Judged], kind: str) -> None:
    """Write one row of tab-separated cells per wrong example; tabs and line ends in cells become spaces."""
    write_rows(path, COLUMNS, (_cells(each) for each in wrong(judged, kind)))


def texts_of(value: Plain | None) -> tuple[str, ...]:
    """Return labels or answers as a tuple, also where it is one or none."""
    if value is None:
        return ()
    return tuple(map(str, value)) if isinstance(value, tuple) else (str(value),)


def gold_answers(gold: Plain | None) -> list[tuple[str, ...]]:
    """Return the gold answers, each with its synonyms; plain texts are synonyms of one answer."""
    if isinstance(gold, tuple) and any(isinstance(each, tuple) for each in gold):
        return [texts_of(each) for each in gold]
    synonyms = tuple(text for text in texts_of(gold) if text)
    return [synonyms] if synonyms else []


def _is_answered(judged: Judged) -> bool:
    items, answers = gold_answers(judged.gold), [text for text in texts_of(judged.predicted) if text]
    if not items:
        return not answers
    # answers that were saved before they said what was asked: several gold ones are a list's
    is_list = judged.details.get(QUESTIONS) == "list" or len(items) > 1
    if not is_list:
        return bool(answers) and _names(answers[0], items[0])
    return all(any(_names(answer, item) for answer in answers) for item in items) and all(
        any(_names(answer, item) for item in items) for answer in answers
    )


def _names(answer: str, synonyms: Sequence[str]) -> bool:
    return any(same_answer(answer, synonym) for synonym in synonyms)


def _cells(judged: Judged) -> Iterator[str]:
    yield from (judged.id, judged.group, plain_text(judged.gold), plain_text(judged.predicted))
    yield "" if judged.score is None else f"{judged.score:.4f}"
    yield judged.text
