"""Thresholds on confidence, for all labels or for one."""

import pytest

from linnet.documents.document import Span
from linnet.errors import BadSetting
from linnet.tasks.ner.confidence.thresholds import check_thresholds, keep_confident_spans


@pytest.mark.parametrize(
    ("label", "score", "expected"),
    [("Gene", 0.69, False), ("Gene", 0.7, True), ("Disease", 0.5, True), ("Disease", 0.49, False)],
)
def test_a_label_has_its_own_threshold_or_that_of_all(label: str, score: float, expected: bool) -> None:
    span = Span(0, 1, label, score=score)

    assert (keep_confident_spans([span], {"*": 0.5, "Gene": 0.7}) == [span]) is expected


def test_without_thresholds_everything_is_kept() -> None:
    unsure, unscored = Span(0, 1, "Gene", score=1e-6), Span(0, 1, "Gene")

    assert keep_confident_spans([unsure], {}) == [unsure]
    assert keep_confident_spans([unscored], {"*": 0.5}) == [unscored]


def test_a_label_that_the_model_does_not_find_is_refused() -> None:
    with pytest.raises(BadSetting, match=r"names Genes, which the model does not find\n.*it finds Gene"):
        check_thresholds({"Genes": 0.5}, ["Gene"])
