"""Warnings about a corpus are counted on what a run saw."""

from collections import Counter

import pytest

from linnet.metrics.texts.classification import classification_metrics, per_label
from linnet.metrics.texts.resampled import plain_value
from linnet.reports.corpus_warnings import SeenSplit, warn_of_splits, warning_section


def test_sentences_of_test_that_stand_in_train_are_counted() -> None:
    train = SeenSplit(["a", "b", "c"], Counter(X=40))
    test = SeenSplit(["a", "a", "d", "e"], Counter(X=50))

    assert warn_of_splits({"train": train, "test": test}) == [
        "2 sentences of test (50.0%) are also in train: scores on test are too high"
    ]


def test_a_heading_that_stands_in_train_too_is_no_leak() -> None:
    heading, with_mention, long = "RESULTS .", "Ataxia .", "No change of the gene was found ."
    train = SeenSplit([heading, with_mention, long])
    test = SeenSplit([heading, heading, with_mention, long], with_mentions={with_mention})

    (warning,) = warn_of_splits({"train": train, "test": test})

    assert warning == "2 sentences of test (50.0%) are also in train: scores on test are too high"
    assert warn_of_splits({"train": train, "test": SeenSplit([heading], with_mentions=set())}) == []


def test_a_further_corpus_that_is_learned_from_counts_too() -> None:
    splits = {"train": SeenSplit(["a"]), "train of other": SeenSplit(["a", "d"]), "test": SeenSplit(["d"])}

    assert warn_of_splits(splits, unit="text") == [
        "1 text of test (100.0%) is also in train of other: scores on test are too high"
    ]


def test_labels_that_cannot_be_scored_well_are_named() -> None:
    splits = {"train": SeenSplit([], Counter(X=9, Y=9)), "test": SeenSplit(["d"], Counter(X=3, Z=90))}

    assert warn_of_splits(splits) == [
        "test has labels that train does not have: Z",
        "test has no mentions of Y: a label without gold has no score, but 0 where it is predicted, "
        "and then macro F1 counts it",
        "test has few mentions of X (3): their scores have wide intervals",
    ]


def test_the_warning_says_what_the_table_and_macro_f1_have() -> None:
    splits = {"train": SeenSplit([], Counter(X=30, Y=30)), "test": SeenSplit(["a", "b"], Counter(X=30))}
    gold = ["X", "X"]

    (warning,) = warn_of_splits(splits, gold="texts")

    assert warning.endswith("has no score, but 0 where it is predicted, and then macro F1 counts it")
    assert set(per_label(gold, ["X", "X"])) == {"X"}  # no score
    assert per_label(gold, ["X", "Y"])["Y"]["f1"] == 0
    assert _macro_f1(gold, ["X", "X"]) == 1.0
    assert _macro_f1(gold, ["X", "Y"]) == pytest.approx((2 / 3 + 0) / 2)


def _macro_f1(gold: list[str], predicted: list[str]) -> float:
    (macro,) = [each for each in classification_metrics(gold, predicted) if each.name == "macro_f1"]
    return plain_value(macro)


def test_a_report_without_warnings_has_no_section() -> None:
    assert list(warning_section([])) == []
    assert list(warning_section(["a<b"])) == ["## Warnings about the corpus", "- a\\<b"]
