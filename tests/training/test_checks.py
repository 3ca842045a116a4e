"""Problems with settings and encoder show before anything is loaded."""

from typing import Any

import pytest
import torch

from linnet.errors import BadSetting, LinnetError, MissingExtra
from linnet.models.encoders import find_encoder
from linnet.settings.training import TrainSettings
from linnet.training import checks
from linnet.training.checks import check_encoder, common_problems, devel_problem, unknown_to_task
from tests import tiny


def settings(**given: Any) -> TrainSettings:
    return TrainSettings.model_validate({"data": "demo", "output": "run", **given})


def test_defaults_have_no_problem() -> None:
    assert common_problems(settings()) == []


@pytest.mark.parametrize(
    ("given", "name"),
    [
        ({"selection": {"patience": 2}}, "selection.patience"),
        ({"selection": {"metric": "accuracy"}}, "selection.metric"),
        ({"selection": {"matching": "partial"}}, "selection.matching"),
        ({"devel_sentences": 10}, "devel_sentences"),
    ],
)
def test_a_setting_about_devel_is_refused_where_devel_is_trained_on(given: dict[str, Any], name: str) -> None:
    with_devel = settings(train_on="train_dev", **given)

    assert common_problems(settings(**given)) == []
    [problem] = common_problems(with_devel)
    assert problem.problem == devel_problem(name, with_devel).problem
    assert problem.problem.startswith(f"{name} is about choosing an epoch on devel")


def test_all_problems_are_found_together(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(checks, "find_spec", lambda _: None)
    monkeypatch.setattr(torch.cuda, "is_available", lambda: False)

    found = common_problems(
        settings(tracker="wandb", lora={}, optimiser={"precision": "float16"}, train_on="train_dev", devel_sentences=3)
    )

    assert [type(each) for each in found] == [MissingExtra, MissingExtra, BadSetting, BadSetting]


def test_the_message_about_a_setting_of_other_tasks_names_task_and_setting() -> None:
    problem: LinnetError = unknown_to_task(settings(task="ner"), "texts.labels")

    assert problem.problem == "the task 'ner' does not know the setting texts.labels"


def test_windows_and_frozen_layers_must_suit_the_encoder() -> None:
    encoder = find_encoder(str(tiny.encoder()))
    n_layers, n_positions = encoder.config.num_hidden_layers, encoder.config.max_position_embeddings

    check_encoder(settings(window={"max_length": n_positions}, optimiser={"freeze_layers": n_layers}), encoder)

    too_much = settings(window={"max_length": n_positions + 1}, optimiser={"freeze_layers": n_layers + 1})
    with pytest.raises(LinnetError) as caught:
        check_encoder(too_much, encoder)
    assert f"window.max_length is {n_positions + 1}" in str(caught.value)
    assert f"optimiser.freeze_layers is {n_layers + 1}" in str(caught.value)
