"""Scores by each matching, with their confidence intervals."""

import json

import pytest

from linnet.errors import BadSetting, UnknownName
from linnet.labels.mention import Mention
from linnet.metrics.mentions.matching import SPANS, Matching, count_conll, matchings
from linnet.metrics.mentions.scores import matching_names, score
from linnet.metrics.mentions.units import Unit
from tests.metrics.mentions.samples import random_units

BLOCK = {"precision", "recall", "f1", "gold", "predicted", "correct", "f1_low", "f1_high"}
FAIR = {"tp", "fp", "fn", "le", "be", "lbe"}
EXTRA = {"fair": FAIR, "weighted_fair": FAIR | {"bes", "bel", "beo"}}


def test_the_dictionary_has_the_shape_of_the_contract() -> None:
    scores = score(random_units(30, seed=1), n_resamples=20).as_dict()

    names = ["strict", "conll", "exact", "partial", "type", "fair", "weighted_fair", "tokens"]
    assert list(scores) == [*names, "sentences", "mentions"]
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


def test_nothing_to_score_gives_zeros_and_no_error() -> None:
    micro = score([]).matching("fair").micro

    assert (micro.f1, micro.f1_low, micro.f1_high, micro.gold) == (0.0, 0.0, 0.0, 0)


def test_counts_of_every_unit_stay_at_hand() -> None:
    units = [Unit((Mention(0, 1, "X"),), (Mention(0, 1, "X"),)), Unit((Mention(0, 1, "Y"),), (), group=4)]

    scores = score(units, names=["conll"], n_resamples=0)

    counts = scores.counts["conll"]
    assert counts.labels == ("X", "Y")
    assert counts.column("gold").tolist() == [[1, 0], [0, 1]]
    assert counts.column("correct").tolist() == [[1, 0], [0, 0]]
    assert scores.groups.tolist() == [0, 4]


def test_a_matching_of_another_package_comes_after_our_own(monkeypatch: pytest.MonkeyPatch) -> None:
    matchings.names()  # so that what is patched is already filled
    monkeypatch.setitem(matchings._entries, "apart", Matching(count_conll, SPANS))

    assert matching_names()[-1] == "apart"
    assert score([], n_resamples=0).matching("apart").micro.f1 == 0.0


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
