"""Metrics of question answering, as in BioASQ and SQuAD.

BioASQ (Tsatsaronis et al. 2015) has factoid questions with ranked answers, list questions and yes/no questions. Its
program compares lower-cased strings; `same_answer` also folds case and collapses spaces. SQuAD (Rajpurkar et al. 2016,
2018) asks for a span of text, compared after `normalise_answer`. All units are questions, and every score is 0.0 if
there are none.
"""

import re
import string
from collections import Counter
from collections.abc import Sequence
from math import inf

import numpy as np

from linnet.errors import BadSetting
from linnet.metrics.mentions.tally import Array
from linnet.metrics.texts.resampled import Metric, SumMetric, check_lengths, mean_metric, ratio

__all__ = [
    "MOST_ANSWERS",
    "factoid_metrics",
    "list_metrics",
    "normalise_answer",
    "same_answer",
    "span_metrics",
    "yesno_metrics",
]

MOST_ANSWERS = 5  # that BioASQ counts for a factoid question
UNIT = "questions"
ARTICLES = re.compile(r"\b(a|an|the)\b")
WITHOUT_PUNCTUATION = str.maketrans("", "", string.punctuation)


def factoid_metrics(gold: Sequence[Sequence[str]], predicted: Sequence[Sequence[str]]) -> list[Metric]:
    """Return BioASQ's metrics of factoid questions: mrr, strict_accuracy and lenient_accuracy.

    The mean reciprocal rank is BioASQ's main score. Strict accuracy needs the right answer first, lenient accuracy
    among the first five; later answers do not count. A question without answers scores 0.

    Args:
        gold: the synonyms of each question's right answer.
        predicted: each question's answers, best first.
    """
    check_lengths(gold=gold, predicted=predicted)
    ranks = [_reciprocal_rank(*pair) for pair in zip(gold, predicted, strict=True)]
    return [
        mean_metric("mrr", "MRR", UNIT, ranks),
        mean_metric("strict_accuracy", "strict accuracy", UNIT, [float(rank == 1) for rank in ranks]),
        mean_metric("lenient_accuracy", "lenient accuracy", UNIT, [float(rank > 0) for rank in ranks]),
    ]


def list_metrics(gold: Sequence[Sequence[Sequence[str]]], predicted: Sequence[Sequence[str]]) -> list[Metric]:
    """Return BioASQ's metrics of list questions: list_f1, list_precision and list_recall, means over questions.

    Each answer is matched with the first free item that has it as a synonym: an item counts once, and an answer that
    repeats it is wrong. A question without answers scores 0, and so does one without items.

    Args:
        gold: each question's items, each with its synonyms.
        predicted: each question's answers, in any order.
    """
    check_lengths(gold=gold, predicted=predicted)
    matched = [_count_found(*pair) for pair in zip(gold, predicted, strict=True)]
    counts = np.array([matched, [*map(len, predicted)], [*map(len, gold)]], dtype=np.float64)
    n_found, n_predicted, n_gold = counts
    return [
        mean_metric("list_f1", "list F1", UNIT, ratio(2 * n_found, n_predicted + n_gold)),
        mean_metric("list_precision", "list precision", UNIT, ratio(n_found, n_predicted)),
        mean_metric("list_recall", "list recall", UNIT, ratio(n_found, n_gold)),
    ]


def yesno_metrics(gold: Sequence[str], predicted: Sequence[str]) -> list[Metric]:
    """Return BioASQ's metrics of yes/no questions: accuracy, macro_f1, f1_yes and f1_no.

    As in BioASQ, an answer that is neither yes nor no counts as the wrong one of the two, and macro F1 is the mean of
    both F1 even if only one of the two occurs. F1 is 0.0 for an answer that is neither gold nor predicted.
    """
    check_lengths(gold=gold, predicted=predicted)
    gold_answers = [_fold(answer) for answer in gold]
    for index, answer in enumerate(gold_answers):
        if answer not in ("yes", "no"):
            found = f"the gold answer of question {index} (counted from 0) is {gold[index]!r}"
            raise BadSetting(found, "give yes or no; `classification_metrics` scores questions with other answers")
    is_right = np.array([same_answer(*pair) for pair in zip(gold_answers, predicted, strict=True)], dtype=np.bool_)
    is_yes = np.array(gold_answers, dtype=object) == "yes"
    parts = np.stack([is_right & is_yes, is_right & ~is_yes, ~is_right], axis=1).astype(np.float64)
    return [
        mean_metric("accuracy", "accuracy", UNIT, is_right.astype(np.float64)),
        SumMetric(name="macro_f1", title="macro F1", unit=UNIT, parts=parts, value=_yesno_macro_f1_of),
        SumMetric(name="f1_yes", title="F1 of yes", unit=UNIT, parts=parts, value=_f1_yes_of),
        SumMetric(name="f1_no", title="F1 of no", unit=UNIT, parts=parts, value=_f1_no_of),
    ]


def span_metrics(gold: Sequence[Sequence[str]], predicted: Sequence[str]) -> list[Metric]:
    """Return SQuAD's metrics: exact_match and token_f1, each against the gold answer that matches best.

    As in SQuAD 2.0, no answer ("") is right exactly for questions without an answer, in both metrics.

    Args:
        gold: the acceptable answers of each question, empty if it has no answer.
        predicted: the answer to each question, "" for no answer.

    >>> from linnet.metrics.texts.resampled import plain_value
    >>> [plain_value(metric) for metric in span_metrics([["the BRCA1 gene"]], ["BRCA1"])]
    [0.0, 0.6666666666666666]
    """
    check_lengths(gold=gold, predicted=predicted)
    acceptable = [[text for text in map(normalise_answer, answers) if text] or [""] for answers in gold]
    pairs = list(zip(acceptable, map(normalise_answer, predicted), strict=True))
    exact = [float(answer in answers) for answers, answer in pairs]
    overlap = [max(_token_f1(text.split(), answer.split()) for text in answers) for answers, answer in pairs]
    return [
        mean_metric("exact_match", "exact match", UNIT, exact),
        mean_metric("token_f1", "token F1", UNIT, overlap),
    ]


def normalise_answer(text: str) -> str:
    """Return the text as SQuAD compares it: lower case, no ASCII punctuation, no articles, single spaces.

    >>> normalise_answer("The  p53-dependent pathway.")
    'p53dependent pathway'
    """
    return " ".join(ARTICLES.sub(" ", text.lower().translate(WITHOUT_PUNCTUATION)).split())


def same_answer(a: str, b: str) -> bool:
    """Are the answers equal for BioASQ, apart from case and spaces?"""
    return _fold(a) == _fold(b)


def _fold(text: str) -> str:
    return " ".join(text.split()).casefold()


def _reciprocal_rank(synonyms: Sequence[str], answers: Sequence[str]) -> float:
    """Return 1 / rank of the first right answer, 0 if none of the counted answers is right."""
    right = {_fold(synonym) for synonym in synonyms}
    ranks = (rank for rank, answer in enumerate(answers[:MOST_ANSWERS], start=1) if _fold(answer) in right)
    return 1 / next(ranks, inf)


def _count_found(items: Sequence[Sequence[str]], answers: Sequence[str]) -> int:
    """Return how many of the items are among the answers."""
    remaining = [{_fold(synonym) for synonym in item} for item in items]
    for answer in map(_fold, answers):
        position = next((index for index, synonyms in enumerate(remaining) if answer in synonyms), None)
        if position is not None:
            del remaining[position]
    return len(items) - len(remaining)


def _token_f1(gold: Sequence[str], predicted: Sequence[str]) -> float:
    if not gold or not predicted:
        return float(gold == predicted)
    n_shared = (Counter(gold) & Counter(predicted)).total()
    return 2 * n_shared / (len(gold) + len(predicted))


def _f1_yes_of(sums: Array) -> Array:
    """Return F1 of yes from right yes, right no and wrong answers; a wrong answer is a false yes or a false no."""
    return ratio(2 * sums[..., 0], 2 * sums[..., 0] + sums[..., 2])


def _f1_no_of(sums: Array) -> Array:
    return ratio(2 * sums[..., 1], 2 * sums[..., 1] + sums[..., 2])


def _yesno_macro_f1_of(sums: Array) -> Array:
    return (_f1_yes_of(sums) + _f1_no_of(sums)) / 2
