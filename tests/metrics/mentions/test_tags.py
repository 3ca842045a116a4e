"""Word-level scores of tags: held against scikit-learn's classification report, and read off small rows by hand."""

from collections.abc import Mapping
from itertools import chain
from typing import Any

import pytest

from linnet.errors import BadSetting
from linnet.metrics.mentions.scores import score
from linnet.metrics.mentions.tags import TagAverages, TagReport, TagScore, report_tags
from linnet.metrics.mentions.units import Unit
from linnet.scoring import units_from_tags
from tests.metrics.mentions.samples import Rows, random_rows, read_rows, with_noise
from tests.shared_data import SHARED, needs_shared


def report_of(gold: Rows, predicted: Rows) -> TagReport:
    found = score(list(units_from_tags(gold, predicted, tagging="iob2")), names=["strict"], n_resamples=0).tags
    assert found is not None
    return found


def referee(gold: Rows, predicted: Rows, labels: list[str]) -> dict[str, Any]:
    rows = [list(chain.from_iterable(each)) for each in (gold, predicted)]
    referee_metrics = pytest.importorskip("sklearn.metrics")  # here, for its import takes seconds
    found: dict[str, Any] = referee_metrics.classification_report(
        *rows, labels=labels, output_dict=True, zero_division=0
    )
    return found


def assert_same(ours: TagScore, theirs: Mapping[str, float]) -> None:
    assert (ours.precision, ours.recall, ours.f1) == pytest.approx(
        (theirs["precision"], theirs["recall"], theirs["f1-score"])
    )
    assert ours.gold == theirs["support"]


def assert_same_averages(ours: TagAverages, theirs: Mapping[str, Any]) -> None:
    if "micro avg" in theirs:
        assert_same(ours.micro, theirs["micro avg"])
    else:  # over all classes scikit-learn gives the one number that all three are
        assert (ours.micro.precision, ours.micro.recall, ours.micro.f1) == pytest.approx((theirs["accuracy"],) * 3)
    assert_same(ours.macro, theirs["macro avg"])
    assert_same(ours.weighted, theirs["weighted avg"])


def noisy_pair() -> tuple[Rows, Rows]:
    gold = random_rows(300, seed=5)
    return gold, with_noise(gold, 0.3, 6)


def pair_with_tags_of_one_side() -> tuple[Rows, Rows]:
    """Return rows in which one tag is never predicted and another never right."""
    return [["B-X", "I-X", "O", "B-Y", "O"]], [["B-X", "O", "O", "I-Z", "O"]]


def corpus_pair() -> tuple[Rows, Rows]:
    gold = read_rows(SHARED / "data" / "ner" / "jnlpba" / "test.tsv", 500)
    return gold, with_noise(gold, 0.1, 7)


@pytest.mark.parametrize(
    "pair", [noisy_pair, pair_with_tags_of_one_side, pytest.param(corpus_pair, marks=needs_shared)]
)
def test_tags_and_averages_are_those_of_scikit_learn(pair: Any) -> None:
    gold, predicted = pair()
    tags = sorted({*chain.from_iterable(gold), *chain.from_iterable(predicted)})

    report = report_of(gold, predicted)

    everything = referee(gold, predicted, tags)
    assert set(report.tags) == set(tags)
    for tag, found in report.tags.items():
        assert_same(found, everything[tag])
    assert_same_averages(report.with_outside, everything)
    named = [tag for tag in tags if tag != "O"]
    assert_same_averages(report.without_outside, referee(gold, predicted, named))


def test_outside_comes_first_and_begin_before_inside() -> None:
    report = report_of([["I-B", "B-B", "I-A", "O", "B-A", "E-A"]], [["I-B", "B-B", "I-A", "O", "B-A", "E-A"]])

    assert list(report.tags) == ["O", "B-A", "I-A", "E-A", "B-B", "I-B"]


def test_rows_without_mentions_have_averages_of_zero_without_outside() -> None:
    report = report_of([["O", "O"]], [["O", "O"]])

    assert report.with_outside.micro.f1 == 1.0
    assert report.without_outside.micro == report.without_outside.weighted == TagScore(0.0, 0.0, 0.0, 0, 0, 0)


def test_report_does_not_depend_on_the_order_of_sentences() -> None:
    gold, predicted = noisy_pair()

    assert report_of(gold[::-1], predicted[::-1]) == report_of(gold, predicted)


def test_units_without_tags_have_no_report() -> None:
    found = score([Unit((), ())], n_resamples=0)

    assert found.tags is None
    assert "tags" not in found.as_dict()


def test_tags_of_unequal_number_are_refused() -> None:
    with pytest.raises(BadSetting, match="2 true token tags and 1 predicted ones"):
        Unit((), (), gold_tags=["O", "O"], predicted_tags=["O"])


def test_nothing_at_all_has_an_empty_report() -> None:
    report = report_tags({})

    assert (report.words, dict(report.tags)) == (0, {})
    assert report.with_outside.macro == TagScore(0.0, 0.0, 0.0, 0, 0, 0)
