"""Settings of trainings about texts: a task's own section, and how they travel to worker processes."""

import pickle

import pytest

from linnet.contracts import tasks
from linnet.errors import BadSetting
from linnet.settings.training import OptimiserSettings
from linnet.tasks.similarity import SimilaritySettings
from linnet.tasks.texts.settings import TextSettings, TextTrainSettings, with_section
from linnet.training.options import read_recipe
from tests import text_corpora

RECIPE = {"data": "corpus", "output": "run"}


def test_a_section_of_its_own_makes_the_settings_of_a_task_and_only_once() -> None:
    kind = with_section(SimilaritySettings)

    assert isinstance(kind(**RECIPE).text, SimilaritySettings)
    assert issubclass(kind, TextTrainSettings)
    assert with_section(SimilaritySettings) is kind


def test_without_a_section_of_its_own_the_settings_are_the_shared_ones() -> None:
    assert with_section(TextSettings) is TextTrainSettings


def test_a_setting_of_one_task_is_refused_by_another() -> None:
    assert read_recipe(None, **RECIPE, task="similarity", text={"method": "bi"})
    with pytest.raises(BadSetting, match=r"the task 'inference' does not know the setting text\.method"):
        read_recipe(None, **RECIPE, task="inference", text={"method": "bi"})


@pytest.mark.parametrize("name", text_corpora.TASKS)
def test_settings_can_be_sent_to_another_process(name: str) -> None:
    given = tasks.get(name).settings(**RECIPE, task=name, seed=7, optimiser=OptimiserSettings(epochs=3))

    received = pickle.loads(pickle.dumps(given))

    assert received == given
    assert type(received) is type(given)
    assert received.model_fields_set == given.model_fields_set


def test_corpora_that_are_read_in_another_way_are_others() -> None:
    plain, named = (
        TextTrainSettings(**RECIPE, text=TextSettings(columns=columns)) for columns in (None, {"text": "abstract"})
    )

    assert plain.corpus_key == "corpus"
    assert named.corpus_key.startswith("corpus ")
    assert "abstract" in named.corpus_key
