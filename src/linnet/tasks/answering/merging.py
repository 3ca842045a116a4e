"""Merges the answers of several snippets into the answers to one question.

As in BioBERT (Lee et al. 2020): answers of the same normalised text are one answer, whose score is the sum of their
probabilities; too long ones are dropped. The spelling, and the place in its text, is that of the most probable one.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from linnet.documents.texts import Answer, Output, Prediction, TextExample
from linnet.metrics.texts.question_answering import normalise_answer
from linnet.tasks.answering.settings import AnsweringSettings
from linnet.tasks.answering.squad import MAY_BE_EMPTY
from linnet.tasks.texts.kinds.spans import QUESTIONS

__all__ = ["LIST_SHARE", "MOST_ANSWERS", "MOST_LISTED", "MergedAnswer", "decide_questions", "merge_answers"]

# Of a list question, answers with at least this share of the best one's score are given. A share and not a
# probability (BioBERT's was 0.42), since sums grow with the number of snippets.
LIST_SHARE = 0.5
MOST_ANSWERS, MOST_LISTED = 5, 100  # BioASQ's limits: answers to a factoid, and entries of a list


@dataclass(frozen=True)
class MergedAnswer:
    """An answer to a question: its most probable spelling, where that stands, and the sum of the scores."""

    best: Answer
    source: int  # which of the texts, from 0
    score: float


def merge_answers(outputs: Sequence[Sequence[Answer]], *, longest: int) -> list[MergedAnswer]:
    """Return the answers of several texts as those of one question, the best first.

    No answer (the empty text) is merged like the others.

    Args:
        outputs: the answers that were found in each text.
        longest: characters of an answer; longer ones are dropped.

    >>> outputs = [[Answer("the NGF", 3, 10, 0.4), Answer("p53", 0, 3, 0.5)], [Answer("NGF", 7, 10, 0.3)]]
    >>> [(each.best.text, each.source, round(each.score, 2)) for each in merge_answers(outputs, longest=100)]
    [('the NGF', 0, 0.7), ('p53', 0, 0.5)]
    """
    by_text: dict[str, MergedAnswer] = {}
    for source, answers in enumerate(outputs):
        for answer in answers:
            if len(answer.text) > longest:
                continue
            key = normalise_answer(answer.text) or answer.text  # `the` and `+/-` would become nothing
            old = by_text.get(key)
            if old is None:
                by_text[key] = MergedAnswer(answer, source, answer.score)
            elif answer.score > old.best.score:
                by_text[key] = MergedAnswer(answer, source, old.score + answer.score)
            else:
                by_text[key] = MergedAnswer(old.best, old.source, old.score + answer.score)
    return sorted(by_text.values(), key=lambda each: -each.score)  # stable: of equals, the first found


def decide_questions(
    examples: Sequence[TextExample], outputs: Sequence[Output], settings: AnsweringSettings
) -> list[Prediction]:
    """Return each question with its answers, the best first; `()` means no answer.

    A question is answered wherever something was found, even where no answer is more probable, unless
    `settings.no_answer` says that the model has learned to tell questions without one. A model that was saved before it
    kept this gives none where the file of the question has such questions.
    """
    by_question: dict[str, list[tuple[TextExample, tuple[Answer, ...]]]] = {}
    for example, output in zip(examples, outputs, strict=True):
        answers = output if isinstance(output, tuple) else ()
        by_question.setdefault(example.group or example.id, []).append((example, answers))
    return [_decide_question(question, pairs, settings) for question, pairs in by_question.items()]


def _decide_question(
    question: str, pairs: Sequence[tuple[TextExample, tuple[Answer, ...]]], settings: AnsweringSettings
) -> Prediction:
    ranked = merge_answers([answers for _, answers in pairs], longest=settings.longest_answer)
    no_answer = settings.no_answer
    kept = _keep_best(
        ranked, settings, may_be_empty=MAY_BE_EMPTY in pairs[0][0].details if no_answer is None else no_answer
    )
    example = pairs[kept[0].source if kept else 0][0]
    return Prediction(
        id=question,
        text=example.whole,
        gold=example.gold,
        predicted=tuple(answer.best.text for answer in kept),
        group=question,
        score=kept[0].score if kept else next((answer.score for answer in ranked if not answer.best.text), None),
        details={"example": example.id} | _question_details(settings) | dict(example.details) | _place(kept),
    )


def _keep_best(ranked: list[MergedAnswer], settings: AnsweringSettings, *, may_be_empty: bool) -> list[MergedAnswer]:
    if may_be_empty and ranked and not ranked[0].best.text:
        return []
    is_list = settings.questions == "list"
    most = settings.most_answers or (MOST_LISTED if is_list else MOST_ANSWERS)
    answers = [answer for answer in ranked if answer.best.text][:most]
    if is_list:
        return [answer for answer in answers if answer.score >= LIST_SHARE * answers[0].score]
    return answers


def _question_details(settings: AnsweringSettings) -> dict[str, str]:
    """Return the detail that marks a list question, to tell it from a factoid in saved predictions."""
    return {QUESTIONS: "list"} if settings.questions == "list" else {}


def _place(kept: Sequence[MergedAnswer]) -> dict[str, str]:
    """Return where the first answer stands, in the text of its example."""
    return {"start": str(kept[0].best.start), "end": str(kept[0].best.end)} if kept else {}
