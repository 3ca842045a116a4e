"""Labels of a corpus that a model does not know are refused, with what could be scored instead."""

import pytest

from linnet.errors import BadSetting
from linnet.tasks.ner.corpora.known_labels import check_labels


def test_labels_that_the_model_knows_are_scored() -> None:
    check_labels({"Disease"}, ["Disease", "Gene"], "corpus")


def test_a_label_that_the_model_does_not_know_is_refused_with_both_ways_out() -> None:
    with pytest.raises(BadSetting, match="labels that the model does not know: DISORDER") as error:
        check_labels({"DISORDER", "Gene"}, ["Disease", "Gene"], "corpus")

    assert "`--keep-labels Gene`" in error.value.remedy
    assert "--map" in error.value.remedy
