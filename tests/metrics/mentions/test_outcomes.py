"""Outcomes of several taggers on the same sentences."""

import pytest

from linnet.labels.mention import Mention
from linnet.metrics.mentions.outcomes import mention_outcomes
from linnet.metrics.mentions.units import Unit

A, B = Mention(0, 1, "A"), Mention(1, 2, "B")


def test_scores_labels_and_right_sentences_of_each_tagger() -> None:
    first = [Unit((A, B), (A,)), Unit((A,), (A,))]
    second = [Unit((A, B), (A, B)), Unit((A,), ())]

    found = mention_outcomes([first, second], [("x", "y"), ("x", "y")], metric="strict", n_resamples=6, seed=0)

    # two of three gold mentions are found by both, and nothing is wrong: precision 1, recall 2/3
    assert [run.score for run in found.runs] == pytest.approx([0.8, 0.8])
    assert found.runs[0].beside == pytest.approx({"precision": 1.0, "recall": 2 / 3})
    assert found.runs[0].labels == pytest.approx({"A": 1.0, "B": 0.0})
    assert [run.right.tolist() for run in found.runs] == [[False, True], [True, False]]
    assert found.runs[1].predicted == [(A, B), ()]
    assert (found.gold, found.n_units) == ([(A, B), (A,)], 2)
    assert [len(resampled) for resampled in found.resample()] == [6, 6]
    assert found.units == "sentences"


def test_documents_are_drawn_where_they_are_known() -> None:
    units = [Unit((A,), (A,) if group else (), group=group) for group in (0, 0, 0, 1, 1, 1)]

    found = mention_outcomes([units], [("x",)] * 6, metric="strict", n_resamples=50, seed=0)

    assert (found.units, found.n_units, found.effective_units) == ("documents", 2, 2.0)
    assert {round(score, 6) for score in found.resample()[0]} == {0.0, 0.666667, 1.0}  # none, one or two right


def test_the_sentences_of_a_single_document_are_drawn() -> None:
    units = [Unit((A,), (A,), group=0)] * 3

    found = mention_outcomes([units], [("x",)] * 3, metric="strict", n_resamples=2, seed=0)

    assert (found.units, found.n_units) == ("sentences", 3)


def test_documents_of_unequal_size_count_as_fewer() -> None:
    """Documents with six, one and one gold mentions tell as much as 64 / 38 equal ones."""
    units = [Unit((A,), (A,), group=group) for group in (0,) * 6 + (1, 2)]

    found = mention_outcomes([units], [("x",)] * 8, metric="strict", n_resamples=2, seed=0)

    assert found.n_units == 3
    assert found.effective_units == pytest.approx(64 / 38)
