"""Warnings about a corpus are counted on what a run saw."""

from collections import Counter

from linnet.reports.corpus_warnings import SeenSplit, warn_of_splits, warning_section


def test_sentences_of_test_that_stand_in_train_are_counted() -> None:
    train = SeenSplit(["a", "b", "c"], Counter(X=40))
    test = SeenSplit(["a", "a", "d", "e"], Counter(X=50))

    assert warn_of_splits({"train": train, "test": test}) == [
        "2 sentences of test (50.0%) are also in train: scores on test are too high"
    ]


def test_a_further_corpus_that_is_learned_from_counts_too() -> None:
    splits = {"train": SeenSplit(["a"]), "train of other": SeenSplit(["a", "d"]), "test": SeenSplit(["d"])}

    assert warn_of_splits(splits, unit="texts") == [
        "1 texts of test (100.0%) are also in train of other: scores on test are too high"
    ]


def test_labels_that_cannot_be_scored_well_are_named() -> None:
    splits = {"train": SeenSplit([], Counter(X=9, Y=9)), "test": SeenSplit(["d"], Counter(X=3, Z=90))}

    assert warn_of_splits(splits) == [
        "test has labels that train does not have: Z",
        "test has no mentions of Y: no score can be given for it",
        "test has few mentions of X (3): their scores have wide intervals",
    ]


def test_a_report_without_warnings_has_no_section() -> None:
    assert list(warning_section([])) == []
    assert list(warning_section(["a<b"])) == ["## Warnings about the corpus", "- a\\<b"]
