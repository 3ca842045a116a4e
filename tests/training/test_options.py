"""Options that would change nothing are refused, those that change something are not."""

from pathlib import Path
from typing import Any

import pytest

from linnet.errors import BadSetting
from linnet.settings.files import to_toml
from linnet.settings.training import TrainSettings
from linnet.training.options import load_training
from linnet.training.train import train_from

BOTH, ALONE = {"corpora": ["a", "b"], "epochs": 8}, {"corpora": ["a"], "epochs": 4, "learning_rate": 1e-4}
OWN_LOSS = {"name": "focal", "gamma": 2.0}


def recipe(folder: Path, *, loss: Any = None, **of_the_target: Any) -> Path:
    """Write a recipe whose stages have their own epochs, and one of them its own learning rate."""
    corpora = [
        {"name": "a", "data": "x/a", "role": "target", "loss": OWN_LOSS, **of_the_target},
        {"name": "b", "data": "x/b", "loss": loss},
    ]
    settings = TrainSettings.model_validate({"output": "runs/x", "corpora": corpora, "stages": [BOTH, ALONE]})
    path = folder / "recipe.toml"
    path.write_text(to_toml(settings), encoding="utf-8")
    return path


def refusal(path: Path, *overrides: str, **given: Any) -> str:
    with pytest.raises(BadSetting) as refused:
        load_training(path, overrides, **given)
    assert "leave the option out" in refused.value.remedy
    return refused.value.problem


@pytest.mark.parametrize(
    ("overrides", "given"),
    [((), {"epochs": 1}), (("optimiser.epochs=1",), {}), (("optimiser={ epochs = 1 }",), {})],
)
def test_epochs_that_every_stage_has_of_its_own_are_refused(
    tmp_path: Path, overrides: tuple[str, ...], given: dict[str, Any]
) -> None:
    found = refusal(recipe(tmp_path), *overrides, **given)

    assert "recipe.toml: what is given would change nothing" in found
    assert "optimiser.epochs: every stage has its own" in found


def test_python_refuses_them_as_the_command_does(tmp_path: Path) -> None:
    with pytest.raises(BadSetting, match="every stage has its own"):
        train_from(recipe(tmp_path), epochs=1)


def test_the_way_out_that_is_named_is_one(tmp_path: Path) -> None:
    assert load_training(recipe(tmp_path), ["stages=[]"], epochs=1).optimiser.epochs == 1


def test_what_some_part_takes_from_the_whole_is_not_refused(tmp_path: Path) -> None:
    path = recipe(tmp_path)

    settings = load_training(path, ["optimiser.warmup=0.2"], learning_rate=1e-3, scheme="welt", label="Disease")

    assert settings.optimiser.learning_rate == 1e-3  # the first stage has none
    assert settings.loss.scheme == "welt"  # nor has the second corpus a loss


def test_a_loss_is_refused_where_every_corpus_has_its_own(tmp_path: Path) -> None:
    found = refusal(recipe(tmp_path, loss=OWN_LOSS), "loss.beta=0.9", scheme="ens")

    assert "loss.scheme, loss.beta: every corpus has a `loss` of its own" in found


def test_what_the_target_has_of_its_own_is_refused(tmp_path: Path) -> None:
    found = refusal(recipe(tmp_path, label="Disease", train_sentences=9), "train_sentences=5", label="Disorder")

    assert "label: the target 'a' has its own" in found
    assert "train_sentences: the target 'a' has its own" in found


def test_wrong_values_and_wrong_names_are_reported_together() -> None:
    overrides = ["lr=abc", "loss.scheme=weltt", "loss.name=focall"]

    with pytest.raises(BadSetting) as refused:
        load_training(None, overrides, data="demo", output="unused")

    message = str(refused.value)
    assert "3 problems with the settings" in message
    assert all(part in message for part in ("optimiser.learning_rate", "'weltt'", "'focall'"))
