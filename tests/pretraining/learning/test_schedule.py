"""Schedules: updates of a budget, intervals between evaluations, and the file that a resumed run reads."""

import json
from pathlib import Path
from typing import Any

import pytest

from linnet.errors import BadFile, BadSetting
from linnet.pretraining.learning.schedule import (
    Schedule,
    Scores,
    check_warmup,
    count_steps_for_hours,
    count_steps_for_tokens,
    read_schedule,
    write_schedule,
)
from linnet.settings.pretraining import PretrainSettings

UNKNOWN_NAME = '{"steps": 7, "stretch": 3, "before": {"perplexity": 1}, "pages": 2}'
BEFORE: Scores = {"perplexity": 9.5, "accuracy": 0.1}


@pytest.mark.parametrize(
    ("steps", "evaluations", "interval", "n_intervals"),
    [(7, 3, 3, 3), (60, 3, 20, 3), (2, 20, 1, 2), (10, 1, 10, 1), (9, 5, 2, 5)],
)
def test_evaluations_are_at_equal_intervals(steps: int, evaluations: int, interval: int, n_intervals: int) -> None:
    schedule = Schedule.with_evaluations(steps, evaluations, BEFORE)

    assert (schedule.interval, schedule.n_intervals) == (interval, n_intervals)
    assert (schedule.n_intervals - 1) * interval < steps <= schedule.n_intervals * interval


def test_tokens_are_divided_by_those_of_an_update() -> None:
    assert count_steps_for_tokens(1000, 99.0) == 10
    with pytest.raises(BadSetting, match=r"budget\.tokens is 50, but one update reads about 99 sub-words"):
        count_steps_for_tokens(50, 99.0)


def test_hours_are_divided_by_the_time_of_an_update_and_its_overhead() -> None:
    assert count_steps_for_hours(1, 1.0) == 3428  # 3,600 / 1.05
    with pytest.raises(BadSetting, match=r"budget\.hours is 0\.001, but one update takes about 5 s here"):
        count_steps_for_hours(0.001, 5.0)


@pytest.mark.parametrize(("steps", "is_refused"), [(2, True), (3, False)])
def test_a_budget_must_be_longer_than_its_warm_up(steps: int, is_refused: bool) -> None:
    values: dict[str, Any] = {"texts": ["x"], "output": "unused", "budget": {"steps": steps}}
    settings = PretrainSettings.model_validate({**values, "optimiser": {"warmup": 0.8}})

    if is_refused:  # 0.8 of two updates are rounded to two
        with pytest.raises(BadSetting, match="2 updates cannot finish its warm-up of 2"):
            check_warmup(steps, settings)
    else:
        check_warmup(steps, settings)


def test_a_schedule_is_read_as_it_was_written(tmp_path: Path) -> None:
    schedule = Schedule.with_evaluations(7, 3, BEFORE, seconds=0.5, text="abc")
    assert read_schedule(tmp_path, "abc") is None

    write_schedule(tmp_path, schedule)

    assert read_schedule(tmp_path, "abc") == schedule


def test_the_file_has_the_names_that_earlier_versions_wrote(tmp_path: Path) -> None:
    write_schedule(tmp_path, Schedule.with_evaluations(7, 3, BEFORE, seconds=0.5, text="abc"))

    assert json.loads((tmp_path / "schedule.json").read_text(encoding="utf-8")) == {
        "steps": 7, "stretch": 3, "before": BEFORE, "seconds_per_update": 0.5, "text": "abc",
    }  # fmt: skip


@pytest.mark.parametrize(
    "content",
    ["{", "[]", "[1]", "5", '"x"', "{}", UNKNOWN_NAME],
)
def test_a_file_that_is_no_schedule_is_refused(tmp_path: Path, content: str) -> None:
    (tmp_path / "schedule.json").write_text(content, encoding="utf-8")

    with pytest.raises(BadFile, match=r"schedule\.json: cannot be read"):
        read_schedule(tmp_path, "abc")


def test_a_schedule_for_another_text_is_refused_unless_it_names_none(tmp_path: Path) -> None:
    write_schedule(tmp_path, Schedule.with_evaluations(7, 3, BEFORE, text="abc"))
    with pytest.raises(BadFile, match="the text has changed since the run began: it was abc, now it is def"):
        read_schedule(tmp_path, "def")

    write_schedule(tmp_path, Schedule.with_evaluations(7, 3, BEFORE))  # as earlier versions did
    assert read_schedule(tmp_path, "def") == Schedule(7, 3, BEFORE)
