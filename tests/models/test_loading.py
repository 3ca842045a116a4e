"""A model folder is opened by the task that it names."""

import pytest

from linnet.errors import BadSetting
from linnet.models.loading import load
from linnet.tasks.ner.predictor import Predictor
from linnet.tasks.texts.predictor import TextPredictor
from tests import text_corpora, tiny


def test_the_task_of_the_folder_says_what_is_opened() -> None:
    assert isinstance(load(tiny.trained()), Predictor)
    assert isinstance(load(text_corpora.trained("similarity")), TextPredictor)


def test_an_option_that_the_task_does_not_know_is_refused() -> None:
    with pytest.raises(BadSetting, match="does not know --decoding"):
        load(text_corpora.trained("similarity"), decoding="argmax")


def test_a_number_is_the_least_confidence_of_all_labels() -> None:
    found = load(tiny.trained(), min_score=0.9)

    assert isinstance(found, Predictor)
    assert found.min_score == {"*": 0.9}
    with pytest.raises(BadSetting, match="from 0 to 1, found 90"):
        load(tiny.trained(), min_score=90)
