"""A model is evaluated by its own task, with the options that the task knows."""

import pytest

from linnet.errors import BadSetting
from linnet.models.evaluation import evaluate
from linnet.tasks.ner.evaluation import Evaluation
from linnet.tasks.texts.evaluation import TextEvaluation
from tests import text_corpora, tiny


def test_a_tagger_is_evaluated_by_mentions() -> None:
    assert isinstance(evaluate(tiny.trained(), tiny.corpus(), split="devel"), Evaluation)


def test_a_classifier_is_evaluated_by_texts() -> None:
    found = evaluate(text_corpora.trained("classification"), text_corpora.corpus("classification"))

    assert isinstance(found, TextEvaluation)
    assert found.task == "classification"


def test_an_option_that_the_task_does_not_know_is_refused() -> None:
    with pytest.raises(BadSetting, match="does not know --decoding"):
        evaluate(text_corpora.trained("classification"), text_corpora.corpus("classification"), decoding="argmax")
