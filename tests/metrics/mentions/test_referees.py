"""Other people's programs find the same: seqeval for strict and conll, nervaluate for the SemEval matchings.

seqeval's answers are a record, see `recorded_seqeval`.
"""

import random
from collections.abc import Callable
from itertools import product

import pytest
from nervaluate.entities import Entity, EvaluationResult
from nervaluate.evaluator import Evaluator
from nervaluate.strategies import EntityTypeEvaluation, EvaluationStrategy, ExactEvaluation, PartialEvaluation

from linnet.labels.mention import Mention
from linnet.metrics.mentions.matching import matchings
from linnet.metrics.mentions.scores import MatchingScores, Score, score
from linnet.metrics.mentions.tally import Tally
from linnet.metrics.mentions.units import Unit, overlap
from tests.metrics.mentions.recorded_seqeval import (
    Recorded,
    Report,
    disease_pair,
    five_label_pair,
    recorded_pairs,
    recorded_shared_pair,
)
from tests.metrics.mentions.samples import Rows, overlapping_mentions, random_rows, units_of, with_noise
from tests.shared_data import needs_shared

STRATEGIES: dict[str, EvaluationStrategy] = {
    "exact": ExactEvaluation(),
    "partial": PartialEvaluation(),
    "type": EntityTypeEvaluation(),
}
NAMES_THERE = {"exact": "exact", "partial": "partial", "type": "ent_type"}


def random_pair() -> tuple[Rows, Rows]:
    gold = random_rows(400, seed=0)
    return gold, with_noise(gold, 0.3, seed=1)


def unrelated_pair() -> tuple[Rows, Rows]:
    """Return rows of equal lengths that have nothing else in common; one label is only predicted."""
    gold = random_rows(300, seed=2)
    generator = random.Random(3)
    return gold, [generator.choices(["O", "B-X", "I-X", "I-Z", "B-Z"], k=len(row)) for row in gold]


PAIRS = [
    random_pair,
    unrelated_pair,
    pytest.param(disease_pair, marks=needs_shared),
    pytest.param(five_label_pair, marks=needs_shared),
]


def test_the_record_of_seqeval_has_invalid_rows_labels_of_one_side_and_both_readings() -> None:
    pairs = recorded_pairs()

    assert len(pairs) == 160
    assert sum(pair.conll != pair.strict for pair in pairs) > 100  # or no invalid row would be among them
    assert sum(labels_of(pair.gold) != labels_of(pair.predicted) for pair in pairs) > 50


def test_conll_and_strict_are_what_seqeval_finds_by_default_and_in_strict_mode() -> None:
    for pair in recorded_pairs():
        assert_same_as_seqeval(pair)


@needs_shared
@pytest.mark.parametrize("name", ["disease", "five labels"])
def test_real_corpora_score_as_in_seqeval(name: str) -> None:
    assert_same_as_seqeval(recorded_shared_pair(name))


@pytest.mark.parametrize("name", STRATEGIES)
@pytest.mark.parametrize("pair", PAIRS)
def test_rows_of_tags_score_as_in_nervaluate(pair: Callable[[], tuple[Rows, Rows]], name: str) -> None:
    units = units_of(*pair())

    ours = score(units, names=[name], n_resamples=0).matching(name).micro

    assert units_that_differ(name, units) == []
    theirs = nervaluate_overall(units)[NAMES_THERE[name]]
    assert (ours.predicted, ours.gold) == (theirs.actual, theirs.possible)
    assert ours.correct == theirs.correct + 0.5 * theirs.partial
    assert (ours.precision, ours.recall, ours.f1) == pytest.approx((theirs.precision, theirs.recall, theirs.f1))


@pytest.mark.parametrize("name", STRATEGIES)
def test_overlapping_mentions_score_as_in_nervaluate_where_none_overlaps_two_others(name: str) -> None:
    generator = random.Random(8)
    units = [Unit(overlapping_mentions(generator), overlapping_mentions(generator)) for _ in range(3000)]
    plain = [unit for unit in units if not is_entangled(unit)]

    differing = units_that_differ(name, units)

    assert len(plain) > 1000
    assert units_that_differ(name, plain) == []
    assert 0 < len(differing) < 150  # or the test would not show that equal mentions go first here


@pytest.mark.parametrize("name", STRATEGIES)
def test_nervaluate_lets_an_overlap_take_what_equals_a_later_mark(name: str) -> None:
    """Where we deviate: the first predicted mention overlaps both gold mentions, the second equals one of them."""
    unit = Unit((Mention(2, 4, "X"), Mention(4, 9, "X")), (Mention(0, 5, "X"), Mention(2, 4, "X")))

    assert ours_and_theirs(name, unit) == {"exact": (1, 0), "partial": (1.5, 0.5), "type": (2, 1)}[name]


def test_half_credit_survives_a_second_document() -> None:
    """nervaluate before 1.2 lost it when it merged documents, and gave 1 / 2 instead of 1.5 / 2."""
    units = [
        Unit((Mention(0, 2, "X"),), (Mention(0, 1, "X"),), group=0),
        Unit((Mention(0, 2, "X"),), (Mention(0, 2, "X"),), group=1),
    ]

    micro = score(units, names=["partial"], n_resamples=0).matching("partial").micro

    assert (micro.precision, micro.recall, micro.f1, micro.correct) == (0.75, 0.75, 0.75, 1.5)
    assert nervaluate_overall(units)["partial"].f1 == 0.75


def assert_same_as_seqeval(pair: Recorded) -> None:
    conll = score(units_of(pair.gold, pair.predicted), names=["conll"], n_resamples=0)
    strict = score(units_of(pair.gold, pair.predicted, strict_gold=True), names=["strict"], n_resamples=0)

    assert_same_report(conll.matching("conll"), pair.conll)
    assert_same_report(strict.matching("strict"), pair.strict)


def labels_of(rows: Rows) -> set[str]:
    return {tag[2:] for row in rows for tag in row if tag != "O"}


def assert_same_report(ours: MatchingScores, report: Report) -> None:
    averages = {"micro avg": ours.micro, "macro avg": ours.macro}
    assert {*ours.labels, *averages, "weighted avg"} == report.keys()
    for name, block in {**ours.labels, **averages}.items():
        assert figures(block) == pytest.approx(tuple(report[name].values())), name


def figures(block: Score) -> tuple[float, ...]:
    return block.precision, block.recall, block.f1, block.gold


def units_that_differ(name: str, units: list[Unit]) -> list[Unit]:
    return [unit for unit in units if len(set(ours_and_theirs(name, unit))) > 1]


def ours_and_theirs(name: str, unit: Unit) -> tuple[float, float]:
    """Return the credit that a unit gets here and in nervaluate."""
    ours = sum(matchings.get(name)(unit).values(), start=Tally())
    theirs, _ = STRATEGIES[name].evaluate(entities(unit.gold), entities(unit.predicted), [])
    assert (ours.predicted, ours.gold) == (theirs.actual, theirs.possible)
    return ours.correct, theirs.correct + 0.5 * theirs.partial


def is_entangled(unit: Unit) -> bool:
    """Does any mention overlap two mentions of the other side?"""
    pairs = [(gold, predicted) for gold, predicted in product(unit.gold, unit.predicted) if overlap(gold, predicted)]
    n_gold, n_predicted = len({gold for gold, _ in pairs}), len({predicted for _, predicted in pairs})
    return len(pairs) > min(n_gold, n_predicted)


def entities(mentions: tuple[Mention, ...]) -> list[Entity]:
    return [Entity(label=mention.label, start=mention.start, end=mention.end - 1) for mention in mentions]


def nervaluate_overall(units: list[Unit]) -> dict[str, EvaluationResult]:
    labels = sorted({mention.label for unit in units for mention in (*unit.gold, *unit.predicted)})
    gold, predicted = (
        [
            [{"label": mention.label, "start": mention.start, "end": mention.end - 1} for mention in mentions]
            for mentions in side
        ]
        for side in ([unit.gold for unit in units], [unit.predicted for unit in units])
    )
    overall: dict[str, EvaluationResult] = Evaluator(gold, predicted, labels, loader="dict").evaluate()["overall"]
    return overall
