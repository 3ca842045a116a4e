"""Gold answers without a candidate are told from examples that a model predicts."""

from linnet.documents.texts import Prediction, TextExample
from linnet.tasks.texts.reading.unreached import UNREACHED, candidates_in, is_unreached

CANDIDATE = TextExample("1", "text", gold="a")
MISSED = TextExample("2", "text", gold="a", details={UNREACHED: "types that are not paired"})


def test_only_candidates_are_learned_from_and_predicted() -> None:
    assert candidates_in([MISSED, CANDIDATE, MISSED]) == [CANDIDATE]


def test_a_prediction_keeps_that_it_had_no_candidate() -> None:
    assert is_unreached(Prediction("2", "text", "a", "none", details=MISSED.details))
    assert not is_unreached(Prediction("1", "text", "a", "a"))
