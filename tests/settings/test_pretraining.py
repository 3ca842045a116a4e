"""Settings of pretraining: defaults that work, and values that contradict each other."""

from typing import Any

import pytest

from linnet.errors import BadSetting
from linnet.settings.files import describe_settings, load_settings
from linnet.settings.pretraining import PretrainSettings


def settings(**given: Any) -> PretrainSettings:
    values: dict[str, Any] = {"texts": ["a.txt"], "output": "run", "budget": {"steps": 1}}
    return load_settings(PretrainSettings, None, **(values | given))


def test_texts_output_and_budget_are_enough() -> None:
    chosen = settings()

    assert (chosen.encoder, chosen.fresh, chosen.length) == ("minilm", False, 128)
    assert chosen.masking.unit == "word"
    assert chosen.cleaning.languages == ("en",)


@pytest.mark.parametrize(
    ("given", "problem"),
    [
        ({"budget": {}}, "give one of `steps`, `tokens` and `hours`"),
        ({"budget": {"steps": 1, "hours": 2.0}}, "give one of `steps`, `tokens` and `hours`"),
        ({"vocabulary": {"train": 500, "extend": 5}}, "learned or extended, not both"),
        ({"vocabulary": {"train": 500, "source": "minilm"}}, "learned or taken from an encoder, not both"),
        ({"masking": {"keep": 0.5, "replace": 0.5}}, "`keep` and `replace` together must be below 1"),
        ({"optimiser": {"head_first": 0.5, "warmup": 0.5}}, "`head_first` and `warmup` together must be below 1"),
        ({"masking": {"rate": 0}}, r"masking\.rate"),
        ({"held_out": 0.5}, "held_out"),
        ({"texts": []}, "texts"),
    ],
)
def test_values_that_cannot_work_are_refused(given: dict[str, Any], problem: str) -> None:
    with pytest.raises(BadSetting, match=problem):
        settings(**given)


def test_an_unknown_setting_is_refused_with_the_nearest_one() -> None:
    with pytest.raises(BadSetting, match=r"masking\.rat") as refused:
        settings(masking={"rat": 0.2})

    assert "masking.rate" in f"{refused.value.problem} {refused.value.remedy}"


def test_every_setting_is_described() -> None:
    assert all(description for _, description in describe_settings(PretrainSettings))
