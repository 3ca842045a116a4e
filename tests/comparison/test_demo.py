"""The demonstration, with runs that nobody trained."""

from pathlib import Path
from typing import Any

import pytest

from linnet.comparison import demo
from linnet.comparison.demo import Demonstration, demonstrate
from linnet.metrics.statistics.significance import Difference
from linnet.settings.training import TrainSettings
from linnet.training.job import SilentWatcher
from linnet.training.run_folder import Run, open_run
from tests.comparison.fake_runs import finish, planned


def verdict(p_value: float) -> str:
    difference = Difference(difference=0.05, low=-0.01, high=0.11, p_value=p_value, n_units=20)
    return Demonstration({}, difference).verdict


def test_a_verdict_has_difference_interval_and_p_value() -> None:
    assert verdict(0.2).startswith("welt minus none: +5.00 F1 (95 % interval -1.00 to +11.00, p = 0.20; paired ")


def test_a_significant_difference_is_not_extended_to_other_seeds() -> None:
    assert "one seed cannot say" in verdict(0.01)
    assert "no evidence of a difference" in verdict(0.05)


def test_both_schemes_are_trained_and_compared_sentence_by_sentence(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    trained: list[TrainSettings] = []

    def train(settings: TrainSettings, *, watcher: Any, resume: bool) -> Run:
        assert resume
        trained.append(settings)
        run = planned(Path(settings.output), loss={"scheme": settings.loss.scheme})
        finish(run, wrong=range(8) if settings.loss.scheme == "none" else range(2))
        return open_run(run.folder)

    monkeypatch.setattr(demo, "train", train)

    found = demonstrate(tmp_path, lambda scheme: SilentWatcher())

    assert list(found.runs) == ["none", "welt"]
    assert [(settings.data, settings.optimiser.epochs) for settings in trained] == [("demo", 4), ("demo", 4)]
    # 18 of 20 sentences right instead of 12, each with one mention
    assert found.difference.difference == pytest.approx(18 / 20 - 12 / 20)
    assert found.difference.n_units == 20
