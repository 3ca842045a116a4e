"""Settings come from TOML, options and overrides, and are written as TOML that reads back the same."""

from pathlib import Path
from typing import Literal

import pytest
from pydantic import Field

from linnet.errors import BadSetting
from linnet.settings.base import Settings
from linnet.settings.files import (
    describe_settings,
    load_settings,
    put_setting,
    put_settings,
    short_name,
    to_toml,
    with_overrides,
)


class Inner(Settings):
    """A section."""

    epochs: int = Field(6, description="Passes.")
    name: Literal["a", "b"] = Field("a", description="A letter.")


class Outer(Settings):
    """Settings with a section, and with one that stands several times."""

    task: str = Field("mine", description="A task.")
    data: str = Field(description="A folder.")
    optimiser: Inner = Inner()
    stages: tuple[Inner, ...] = Field((), description="Stages.")


class Other(Settings):
    """Settings of another task."""

    threshold: float = Field(0.5, description="A threshold.")


def test_overrides_win_over_options_and_options_over_the_file(tmp_path: Path) -> None:
    recipe = tmp_path / "recipe.toml"
    recipe.write_text('data = "file"\n[optimiser]\nepochs = 1\nname = "b"\n', encoding="utf-8")

    found = load_settings(Outer, recipe, ["optimiser.epochs=3"], data="option", epochs=2)

    assert (found.data, found.optimiser) == ("option", Inner(epochs=3, name="b"))


def test_none_counts_as_not_given() -> None:
    values: dict[str, object] = {"data": "a"}

    put_settings(values, (), {"data": None, "epochs": 2})

    assert values == {"data": "a", "optimiser": {"epochs": 2}}


def test_a_setting_has_a_dotted_and_a_short_name() -> None:
    values: dict[str, object] = {}

    put_setting(values, "epochs", 2)
    put_setting(values, "optimiser.name", "b")

    assert values == {"optimiser": {"epochs": 2, "name": "b"}}
    assert (short_name("optimiser.epochs"), short_name("optimiser.name")) == ("epochs", "optimiser.name")


def test_settings_are_read_back_from_the_toml_that_they_are_written_as(tmp_path: Path) -> None:
    settings = Outer(data="a", stages=(Inner(epochs=1), Inner(name="b")))
    (tmp_path / "recipe.toml").write_text(to_toml(settings), encoding="utf-8")

    assert load_settings(Outer, tmp_path / "recipe.toml") == settings


def test_descriptions_have_dotted_names_choices_and_defaults() -> None:
    assert dict(describe_settings(Outer)) == {
        "task": 'A task. [default "mine"]',
        "data": "A folder. [required]",
        "optimiser.epochs": "Passes. [default 6]",
        "optimiser.name": 'A letter. One of a, b. [default "a"]',
        "stages": "Stages. [default []]",
        "stages[].epochs": "Passes. [default 6]",
        "stages[].name": 'A letter. One of a, b. [default "a"]',
    }


def test_a_list_of_sections_has_no_dotted_names() -> None:
    with pytest.raises(BadSetting, match="'stages' is a list of sections"):
        with_overrides(Outer, {"data": "a", "stages": [{"epochs": 1}]}, ["stages.epochs=2"], where="here")


def test_a_default_of_another_task_is_left_out_and_any_other_value_refused() -> None:
    by_task: dict[str, type[Settings]] = {"mine": Outer, "other": Other}

    found = with_overrides(Outer, {"data": "a", "threshold": 0.5}, (), where="here", by_task=by_task)

    assert found == Outer(data="a")
    with pytest.raises(BadSetting, match="the task 'mine' does not know the setting threshold"):
        with_overrides(Outer, {"task": "mine", "data": "a", "threshold": 0.9}, (), where="here", by_task=by_task)


@pytest.mark.parametrize("value", ["9" * 5000, "[" * 5000])
def test_an_override_that_no_number_can_hold_is_refused(value: str) -> None:
    with pytest.raises(BadSetting, match="epochs"):
        load_settings(Outer, None, [f"optimiser.epochs={value}"], data="x")


def test_issue_27_thousands_of_problems_are_counted_and_some_described(monkeypatch: pytest.MonkeyPatch) -> None:
    sought: list[str] = []

    def find_nearest(key: str, kind: type[Settings]) -> str:
        sought.append(key)
        return ""

    monkeypatch.setattr("linnet.settings.files._nearest", find_nearest)

    with pytest.raises(BadSetting) as refused:
        with_overrides(Outer, {"data": "x", "stages": [{"epoch": 1}] * 4000}, (), where="r")

    first, *lines = refused.value.problem.split("\n")
    assert first == "r: 4,000 problems with the settings"
    assert lines[0] == "  stages.0.epoch: there is no such setting"
    assert lines[-1] == "  and 3,950 more"
    assert len(sought) == len(lines) - 1 == 50
