"""Scores by each matching, with their confidence intervals."""

import json

import pytest

from linnet.errors import BadSetting, UnknownName
from linnet.labels.mention import Mention
from linnet.metrics.mentions.matching import SPANS, Matching, count_conll, matchings
from linnet.metrics.mentions.scores import matching_names, score
from linnet.metrics.mentions.units import Unit
from tests.metrics.mentions.samples import random_units

BLOCK = {"precision", "recall", "f1", "gold", "predicted", "correct", "f1_low", "f1_high", "units", "n_units"}
FAIR = {"tp", "fp", "fn", "le", "be", "lbe"}
EXTRA = {"fair": FAIR, "weighted_fair": FAIR | {"bes", "bel", "beo"}}


def test_the_dictionary_has_the_shape_of_the_contract() -> None:
    scores = score(random_units(30, seed=1), n_resamples=20).as_dict()

    names = ["strict", "conll", "exact", "partial", "type", "fair", "weighted_fair", "tokens"]
    assert list(scores) == [*names, "sentences", "mentions", "documents", "resamples"]
    for name in names:
        block = scores[name]
        assert isinstance(block, dict)
        assert block.keys() == {"micro", "macro", "labels"}
        assert block["labels"].keys() == {"X", "Y"}
        assert block["macro"].keys() == BLOCK
        for part in (block["micro"], *block["labels"].values()):
            assert part.keys() == BLOCK | EXTRA.get(name, set())


def test_the_dictionary_holds_plain_numbers_only() -> None:
    scores = score(random_units(30, seed=1), n_resamples=20).as_dict()

    assert json.loads(json.dumps(scores)) == scores


def test_sentences_and_mentions_are_counted() -> None:
    units = [Unit((Mention(0, 1, "X"), Mention(2, 3, "X")), ()), Unit((), (Mention(0, 1, "X"),))]

    scores = score(units, n_resamples=0)

    assert (scores.sentences, scores.mentions) == (2, 2)


def test_macro_is_the_mean_over_labels_that_occur_in_gold_or_predicted() -> None:
    unit = Unit((Mention(0, 1, "X"), Mention(2, 3, "Y")), (Mention(0, 1, "X"), Mention(5, 6, "Z")))

    scores = score([unit], names=["conll"], n_resamples=0).matching("conll")

    assert set(scores.labels) == {"X", "Y", "Z"}
    assert scores.macro.f1 == pytest.approx((1 + 0 + 0) / 3)
    assert scores.micro.f1 == pytest.approx(0.5)
    assert (scores.macro.gold, scores.macro.predicted, scores.macro.correct) == (2, 2, 1)


def test_no_resamples_give_no_intervals() -> None:
    micro = score(random_units(5, seed=1), n_resamples=0).matching("strict").micro

    assert micro.f1_low is None
    assert micro.f1_high is None


def test_intervals_hold_the_point_and_repeat_with_the_seed() -> None:
    units = random_units(100, seed=2)

    scores, again, other = (score(units, n_resamples=300, seed=seed) for seed in (0, 0, 1))

    for name in matching_names():
        for block in (scores.matching(name).micro, scores.matching(name).macro, *scores.matching(name).labels.values()):
            assert block.f1_low is not None
            assert block.f1_high is not None
            assert block.f1_low < block.f1 < block.f1_high
    assert again.as_dict() == scores.as_dict()
    assert other.as_dict() != scores.as_dict()


def test_intervals_do_not_depend_on_the_order_of_units() -> None:
    units = random_units(60, seed=3)

    assert score(units[::-1], n_resamples=50).as_dict() == score(units, n_resamples=50).as_dict()


def test_more_confidence_makes_a_wider_interval() -> None:
    units = random_units(60, seed=3)

    narrow, wide = (score(units, confidence=share).matching("strict").micro for share in (0.5, 0.99))

    assert narrow.f1_low is not None
    assert narrow.f1_high is not None
    assert wide.f1_low is not None
    assert wide.f1_high is not None
    assert wide.f1_low < narrow.f1_low < narrow.f1_high < wide.f1_high


def test_documents_of_equal_sentences_make_a_wider_interval_than_sentences() -> None:
    mention = (Mention(0, 1, "X"),)
    units = [Unit(mention, mention if group % 2 else (), group=group) for group in range(20) for _ in range(10)]

    by_sentence, by_document = (
        score(units, names=["conll"], resample=what).matching("conll").micro for what in ("sentences", "documents")
    )

    assert by_document.f1 == by_sentence.f1
    assert by_document.f1_low is not None
    assert by_sentence.f1_low is not None
    assert by_document.f1_low < by_sentence.f1_low


def test_documents_are_resampled_wherever_they_are_known() -> None:
    mention = (Mention(0, 1, "X"),)
    units = [Unit(mention, mention if group % 2 else (), group=group) for group in range(20) for _ in range(10)]

    usual, asked = score(units, names=["conll"]), score(units, names=["conll"], resample="documents")

    assert usual.as_dict() == asked.as_dict()
    micro = usual.matching("conll").micro
    assert (micro.units, micro.n_units, usual.units, usual.n_units) == ("documents", 20, "documents", 20)
    assert usual.as_dict()["documents"] == 20


def test_sentences_are_resampled_only_where_no_documents_are_known() -> None:
    mention = (Mention(0, 1, "X"),)
    units = [Unit(mention, mention, group=1), *[Unit(mention, ())] * 9]

    micro = score(units, names=["conll"]).matching("conll").micro

    assert (micro.units, micro.n_units) == ("sentences", 10)
    assert score(units, n_resamples=0).as_dict()["documents"] is None
    with pytest.raises(BadSetting, match="not known which sentences belong to one document"):
        score(units, resample="documents")


def test_the_sentences_of_a_single_document_are_resampled_unless_documents_are_asked_for() -> None:
    mention = (Mention(0, 1, "X"),)
    units = [Unit(mention, mention if number else (), group=3) for number in range(9)]

    usual, asked = score(units, names=["strict"]), score(units, names=["strict"], resample="documents")

    assert (usual.units, usual.n_units, usual.as_dict()["documents"]) == ("sentences", 9, 1)
    assert usual.matching("strict").micro.f1_low is not None
    assert (asked.units, asked.n_units, asked.matching("strict").micro.f1_low) == ("documents", 1, None)


@pytest.mark.parametrize(("predicted", "low", "high"), [(1, 0.82, 1.0), (0, 0.0, 0.18)])
def test_an_interval_is_never_of_zero_width(predicted: int, low: float, high: float) -> None:
    """Issue 23: F1 100 on 20 units could well be 82 on others (20 / (20 + t^2), t of 19 degrees of freedom)."""
    units = [Unit((Mention(0, 1, "X"),), (Mention(0, 1, "X"),) * predicted)] * 20

    scores = score(units, names=["strict"]).matching("strict")

    for block in (scores.micro, scores.macro, scores.labels["X"]):
        assert block.f1_low == pytest.approx(low, abs=0.01)
        assert block.f1_high == pytest.approx(high, abs=0.01)


def test_too_few_units_with_a_mention_give_no_interval() -> None:
    empty, mention = Unit((), ()), (Mention(0, 1, "X"),)

    few, enough = (
        score([*[Unit(mention, mention)] * number, *[empty] * 40], names=["strict"]).matching("strict").micro
        for number in (4, 5)
    )

    assert (few.f1_low, few.f1_high, few.n_units) == (None, None, 44)
    assert enough.f1_low is not None


@pytest.mark.parametrize("matching", ["strict", "exact", "fair"])
def test_a_label_without_gold_mentions_has_no_interval(matching: str) -> None:
    units = [Unit(gold=(Mention(0, 1, "A"),), predicted=(Mention(0, 1, "A"), Mention(2, 3, "B")))] * 20
    nothing = [Unit((), (Mention(2, 3, "B"),))] * 20

    found = score(units).matching(matching)
    empty = score(nothing).matching(matching)

    assert (found.labels["B"].f1, found.labels["B"].f1_low, found.labels["B"].f1_high) == (0.0, None, None)
    assert found.labels["A"].f1_low is not None
    assert found.micro.f1_low is not None
    assert (empty.micro.f1_low, empty.macro.f1_low, empty.labels["B"].f1_low) == (None, None, None)


def test_a_macro_interval_contains_its_own_mean() -> None:
    """Issue 23: a label in one unit of many was absent from resamples, whose macro means were then all higher."""
    common, rare = Mention(0, 1, "X"), Mention(2, 3, "Y")
    units = [*[Unit((common,), (common,))] * 60, Unit((common, rare), (common,))]

    macro = score(units, names=["strict"]).matching("strict").macro

    assert macro.f1 == 0.5
    assert macro.f1_low is not None
    assert macro.f1_high is not None
    assert macro.f1_low < macro.f1 < macro.f1_high


def test_nothing_to_score_gives_zeros_and_no_error() -> None:
    micro = score([]).matching("fair").micro

    assert (micro.f1, micro.f1_low, micro.f1_high, micro.gold) == (0.0, None, None, 0)


def test_counts_of_every_unit_stay_at_hand() -> None:
    units = [Unit((Mention(0, 1, "X"),), (Mention(0, 1, "X"),), group=0), Unit((Mention(0, 1, "Y"),), (), group=4)]

    scores = score(units, names=["conll"], n_resamples=0)

    counts = scores.counts["conll"]
    assert counts.labels == ("X", "Y")
    assert counts.column("gold").tolist() == [[1, 0], [0, 1]]
    assert counts.column("correct").tolist() == [[1, 0], [0, 0]]
    assert scores.groups is not None
    assert scores.groups.tolist() == [0, 4]


def test_a_matching_of_another_package_comes_after_our_own(monkeypatch: pytest.MonkeyPatch) -> None:
    matchings.names()  # so that what is patched is already filled
    monkeypatch.setitem(matchings._entries, "apart", Matching(count_conll, SPANS))

    assert matching_names()[-1] == "apart"
    assert score([], n_resamples=0).matching("apart").micro.f1 == 0.0


def test_scores_are_shown_in_one_line() -> None:
    unit = Unit(gold=(Mention(0, 2, "X"),), predicted=(Mention(0, 2, "X"), Mention(4, 5, "X")))

    shown = repr(score([unit], names=["strict", "partial"], n_resamples=0))

    assert shown == "<Scores: strict F1 66.67, partial F1 66.67; 1 mention in 1 sentence>"


@pytest.mark.parametrize(
    ("options", "problem"),
    [
        ({"resample": "tokens"}, "resample is 'tokens'"),
        ({"n_resamples": -1}, "n_resamples is -1"),
        ({"confidence": 95}, "confidence is 95"),
    ],
)
def test_settings_that_cannot_work_are_refused(options: dict[str, object], problem: str) -> None:
    with pytest.raises(BadSetting, match=problem):
        score(random_units(3, seed=1), **options)  # type: ignore[arg-type]  # wrong on purpose


def test_unknown_matchings_are_refused_with_the_nearest_name() -> None:
    with pytest.raises(UnknownName, match="did you mean 'partial'"):
        score([], names=["partail"])
    with pytest.raises(UnknownName, match="no scores by 'fair'"):
        score([], names=["strict"]).matching("fair")
