"""Properties of every matching, and the counts of each on small examples."""

import random

import pytest

from linnet.labels.mention import Mention
from linnet.metrics.mentions.matching import matchings
from linnet.metrics.mentions.scores import MatchingScores, score
from linnet.metrics.mentions.units import Unit
from tests.metrics.mentions.samples import overlapping_mentions, random_units

ALL = matchings.names()
SYMMETRIC = ("strict", "conll", "exact", "partial", "tokens")  # under `type` a wrong label takes a gold mention


def scores_of(name: str, units: list[Unit]) -> MatchingScores:
    return score(units, names=[name], n_resamples=0).matching(name)


def correct(name: str, gold: list[Mention], predicted: list[Mention]) -> float:
    return scores_of(name, [Unit(tuple(gold), tuple(predicted))]).micro.correct


def perfect(unit: Unit) -> Unit:
    return Unit(unit.gold, unit.gold, unit.gold, unit.gold_labels, unit.gold_labels)


def swapped(unit: Unit) -> Unit:
    return Unit(unit.predicted, unit.gold, None, unit.predicted_labels, unit.gold_labels)


def renamed(unit: Unit, names: dict[str, str]) -> Unit:
    gold, predicted, strictly = (
        tuple(mention._replace(label=names[mention.label]) for mention in mentions)
        for mentions in (unit.gold, unit.predicted, unit.strictly_predicted or ())
    )
    gold_labels, predicted_labels = (
        [names[label] if label else "" for label in row] for row in (unit.gold_labels, unit.predicted_labels)
    )
    return Unit(gold, predicted, strictly, gold_labels, predicted_labels, unit.group)


def test_the_matchings_of_the_contract_are_registered() -> None:
    assert {"strict", "conll", "exact", "partial", "type", "fair", "weighted_fair", "tokens"} <= set(ALL)


@pytest.mark.parametrize("name", ALL)
def test_a_perfect_prediction_scores_one(name: str) -> None:
    units = [perfect(unit) for unit in random_units(40, seed=1)]

    scores = scores_of(name, units)

    assert scores.micro.precision == scores.micro.recall == scores.micro.f1 == 1.0
    assert scores.macro.f1 == 1.0
    assert scores.micro.correct == scores.micro.gold == scores.micro.predicted > 0


@pytest.mark.parametrize("name", ALL)
def test_an_empty_prediction_scores_zero(name: str) -> None:
    units = [Unit(unit.gold, (), None, unit.gold_labels, [""] * len(unit.gold_labels)) for unit in random_units(9, 1)]

    micro = scores_of(name, units).micro

    assert (micro.precision, micro.recall, micro.f1, micro.predicted) == (0.0, 0.0, 0.0, 0)
    assert micro.gold > 0


@pytest.mark.parametrize("name", ALL)
def test_nothing_at_all_scores_zero(name: str) -> None:
    assert scores_of(name, []).micro.f1 == 0.0
    assert scores_of(name, [Unit((), ())]).macro.f1 == 0.0


@pytest.mark.parametrize("name", ALL)
def test_the_order_of_mentions_and_units_does_not_matter(name: str) -> None:
    generator = random.Random(5)
    units = [Unit(overlapping_mentions(generator), overlapping_mentions(generator)) for _ in range(200)]
    turned = [Unit(unit.gold[::-1], unit.predicted[::-1]) for unit in reversed(units)]

    assert scores_of(name, turned) == scores_of(name, units)


@pytest.mark.parametrize("name", ALL)
def test_counts_add_up_over_units(name: str) -> None:
    one, other = random_units(30, seed=2), random_units(20, seed=3)

    apart = [score(units, names=[name], n_resamples=0).counts[name] for units in (one, other)]
    together = score(one + other, names=[name], n_resamples=0).counts[name]

    assert together.total == apart[0].total + apart[1].total
    assert together.by_label == {label: apart[0].by_label[label] + apart[1].by_label[label] for label in ("X", "Y")}


@pytest.mark.parametrize("name", ALL)
def test_the_total_is_the_sum_over_labels(name: str) -> None:
    counts = score(random_units(50, seed=4), names=[name], n_resamples=0).counts[name]

    assert counts.total == counts.by_label["X"] + counts.by_label["Y"]
    assert counts.total.correct == counts.total.confirmed


@pytest.mark.parametrize("name", ALL)
def test_a_single_unit_gives_the_same_tallies_as_the_scores(name: str) -> None:
    unit = random_units(1, seed=8)[0]

    assert matchings.get(name)(unit) == score([unit], names=[name], n_resamples=0).counts[name].by_label


@pytest.mark.parametrize("name", ALL)
def test_renaming_labels_only_renames_the_results(name: str) -> None:
    units = random_units(60, seed=6)
    names = {"X": "Zebra", "Y": "Ape"}  # sorted the other way round

    before, after = scores_of(name, units), scores_of(name, [renamed(unit, names) for unit in units])

    assert after.micro == before.micro
    assert after.labels == {names[label]: scores for label, scores in before.labels.items()}


@pytest.mark.parametrize("name", ALL)
def test_no_score_of_any_label_leaves_the_range_from_zero_to_one(name: str) -> None:
    generator = random.Random(7)

    for _ in range(200):
        unit = Unit(overlapping_mentions(generator, "XYZ"), overlapping_mentions(generator, "XYZ"))
        scores = scores_of(name, [unit])
        for one in (scores.micro, scores.macro, *scores.labels.values()):
            assert all(0 <= value <= 1 for value in (one.precision, one.recall, one.f1)), unit


@pytest.mark.parametrize("name", SYMMETRIC)
def test_swapping_gold_and_predicted_swaps_precision_and_recall(name: str) -> None:
    units = [
        Unit(unit.gold, unit.predicted, None, unit.gold_labels, unit.predicted_labels) for unit in random_units(80, 9)
    ]

    there, back = scores_of(name, units), scores_of(name, [swapped(unit) for unit in units])

    assert (back.micro.precision, back.micro.recall) == (there.micro.recall, there.micro.precision)
    assert back.micro.f1 == there.micro.f1


@pytest.mark.parametrize(
    ("name", "expected"),
    [("strict", 1), ("conll", 1), ("exact", 2), ("partial", 3), ("type", 2)],
)
def test_the_semeval_scenarios_are_credited_as_their_guide_says(name: str, expected: float) -> None:
    """By hand: right; right place, wrong label; right label, wrong boundary; overlap with wrong label; spurious."""
    gold = [Mention(0, 2, "X"), Mention(3, 5, "X"), Mention(6, 9, "X"), Mention(10, 12, "X")]
    predicted = [Mention(0, 2, "X"), Mention(3, 5, "Y"), Mention(6, 8, "X"), Mention(11, 12, "Y"), Mention(20, 21, "X")]

    assert correct(name, gold, predicted) == expected


def test_strict_uses_the_strict_reading_and_the_others_the_conlleval_reading() -> None:
    mention = Mention(0, 1, "X")
    unit = Unit(gold=(mention,), predicted=(mention,), strictly_predicted=())

    by_name = {name: scores_of(name, [unit]).micro.correct for name in ALL if name != "tokens"}

    assert by_name.pop("strict") == 0
    assert set(by_name.values()) == {1}


@pytest.mark.parametrize("name", ["exact", "partial", "type"])
def test_an_overlap_does_not_take_a_gold_mention_from_its_equal(name: str) -> None:
    gold = [Mention(2, 4, "X"), Mention(4, 9, "X")]
    predicted = [Mention(0, 5, "X"), Mention(2, 4, "X")]  # the first overlaps both, and comes before the equal one

    assert correct(name, gold, predicted) == {"exact": 1, "partial": 1.5, "type": 2}[name]


def test_of_several_gold_mentions_of_its_label_a_mention_takes_the_nearest() -> None:
    gold = [Mention(0, 4, "X"), Mention(4, 9, "X")]
    predicted = [Mention(2, 9, "X"), Mention(3, 4, "X")]  # had the first taken (0, 4), nothing were left for the second

    assert correct("type", gold, predicted) == 2


def test_a_mention_of_a_wrong_label_takes_the_gold_mention_all_the_same() -> None:
    """As in nervaluate, which the referee test compares with."""
    assert correct("type", [Mention(0, 6, "X")], [Mention(0, 2, "Y"), Mention(3, 5, "X")]) == 0
    assert correct("type", [Mention(0, 6, "X")], [Mention(0, 2, "X"), Mention(3, 5, "Y")]) == 1


def test_one_gold_mention_is_found_only_once() -> None:
    gold = [Mention(0, 6, "X")]
    predicted = [Mention(0, 2, "X"), Mention(3, 5, "X")]

    assert correct("type", gold, predicted) == 1
    assert correct("partial", gold, predicted) == 0.5


def test_where_labels_are_ignored_a_pair_helps_recall_of_the_one_and_precision_of_the_other() -> None:
    unit = Unit(gold=(Mention(0, 1, "X"), Mention(2, 3, "X")), predicted=(Mention(0, 1, "Y"), Mention(2, 3, "X")))

    scores = scores_of("exact", [unit])

    assert (scores.labels["X"].precision, scores.labels["X"].recall) == (1.0, 1.0)
    assert (scores.labels["Y"].precision, scores.labels["Y"].recall) == (1.0, 0.0)
    assert scores.micro.correct == 2
    assert scores.micro.f1 == 1.0


@pytest.mark.parametrize("name", ["exact", "partial"])
def test_of_two_gold_mentions_in_one_place_that_of_the_same_label_is_found(name: str) -> None:
    unit = Unit(gold=(Mention(0, 1, "X"), Mention(0, 1, "Y")), predicted=(Mention(0, 1, "Y"),))

    labels = scores_of(name, [unit]).labels

    assert (labels["X"].recall, labels["Y"].recall) == (0.0, 1.0)


@pytest.mark.parametrize(
    ("name", "expected"), [("strict", 0), ("conll", 0), ("exact", 0), ("partial", 0.5), ("type", 1)]
)
def test_mentions_of_several_fragments_are_equal_only_if_all_fragments_are(name: str, expected: float) -> None:
    gold = [Mention(0, 9, "X", ((0, 2), (7, 9)))]

    assert correct(name, gold, [Mention(0, 9, "X", ((0, 3), (7, 9)))]) == expected
    assert correct(name, gold, gold) == 1


def test_tokens_are_compared_by_label_and_the_outside_does_not_count() -> None:
    unit = Unit((), (), gold_labels=["X", "X", "", "Y", ""], predicted_labels=["X", "Y", "X", "Y", ""])

    scores = scores_of("tokens", [unit])

    assert (scores.micro.gold, scores.micro.predicted, scores.micro.correct) == (3, 4, 2)
    assert (scores.labels["X"].gold, scores.labels["X"].predicted, scores.labels["X"].correct) == (2, 2, 1)
