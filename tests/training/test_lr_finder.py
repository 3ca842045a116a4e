"""The range test: a rate below the one at which the loss begins to rise."""

import math
import random
from itertools import pairwise
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
import torch

from linnet.errors import BadSetting, LinnetError
from linnet.training import lr_finder
from linnet.training.lr_finder import find_learning_rate, smooth, suggest, turning_point
from tests import tiny

RATES = [10.0**exponent for exponent in range(-6, 1)]


def curve(*losses: float) -> list[tuple[float, float]]:
    return list(zip(RATES, losses, strict=False))


def test_a_third_of_the_rate_with_the_lowest_loss_is_suggested() -> None:
    assert suggest(curve(1.0, 1.0, 0.9, 0.4, 0.3, 5.0)) == pytest.approx(1e-2 / 3)


def test_what_comes_after_the_loss_has_risen_does_not_count() -> None:
    points = curve(1.0, 0.9, 0.4, 0.9, 0.2, 0.1)  # a network that has broken can say `O` to everything

    assert turning_point(points) == pytest.approx((1e-4, 0.4))


def test_a_small_rise_and_one_before_the_loss_has_fallen_are_chance() -> None:
    assert turning_point(curve(1.0, 0.5, 0.54, 0.3, 2.0)) == pytest.approx((1e-3, 0.3))
    assert turning_point(curve(1.0, 0.95, 1.1, 0.3, 2.0)) == pytest.approx((1e-3, 0.3))


def test_a_loss_that_only_rises_suggests_the_lowest_rate() -> None:
    assert suggest(curve(1.0, 2.0, 3.0)) == pytest.approx(1e-6)
    assert suggest(curve(1.0)) == pytest.approx(1e-6)


def test_losses_are_smoothed_over_rates_and_not_over_updates() -> None:
    """The suggestion was 5.2e-5 with a hundred updates and 2.6e-4 with thirty."""
    noise = random.Random(1)
    suggestions = []
    for n_steps in (20, 30, 60, 100, 200):
        rates = [1e-6 * 1e5 ** (step / (n_steps - 1)) for step in range(n_steps)]
        points = [(rate, falling_then_rising(rate) + noise.uniform(-0.1, 0.1)) for rate in rates]
        suggestions.append(suggest(smooth(points)))

    assert max(suggestions) < 2 * min(suggestions)
    assert 2e-4 < min(suggestions) < max(suggestions) < 1e-3


def falling_then_rising(rate: float) -> float:
    """Return a loss that is lowest at a rate of 1e-3."""
    return 0.3 + min(1.0, (math.log10(rate) + 3) ** 2)


def test_smooth_losses_keep_their_rates_and_are_means_of_their_neighbours() -> None:
    far = smooth([(1e-6, 1.0), (1e-4, 3.0)])

    assert [rate for rate, _ in far] == [1e-6, 1e-4]
    assert [loss for _, loss in far] == pytest.approx([1.0, 3.0], rel=1e-4)
    assert [loss for _, loss in smooth([(1e-4, 1.0), (1.01e-4, 3.0)])] == pytest.approx([2.0, 2.0], abs=0.01)


def test_a_rate_is_found_for_a_tiny_model(tmp_path: Path) -> None:
    told: list[int] = []

    [found] = find_learning_rate(
        tiny.settings(tmp_path), n_steps=30, watcher=lambda name, step, n_steps, loss: told.append(step)
    )

    rates = [rate for rate, _ in found.points]
    assert 1e-6 < found.suggestion < 1e-1
    assert rates[0] == pytest.approx(1e-6)
    assert all(b / a == pytest.approx(1e5 ** (1 / 29)) for a, b in pairwise(rates))
    assert told == list(range(1, len(told) + 1))
    assert all(math.isfinite(loss) for _, loss in found.points)


def test_every_combination_has_its_curve_and_the_same_starting_point(tmp_path: Path) -> None:
    found = find_learning_rate(tiny.settings(tmp_path), n_steps=3, weight_decays=[0.0, 0.1], dropouts=[0.0, 0.4])

    assert [each.name for each in found] == [
        "weight decay 0, dropout 0",
        "weight decay 0, dropout 0.4",
        "weight decay 0.1, dropout 0",
        "weight decay 0.1, dropout 0.4",
    ]
    starts = [each.points[0][1] for each in found]
    assert starts[0] == starts[2] != starts[1] == starts[3]


def test_the_rates_of_head_and_layers_keep_their_ratio(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    rates: set[tuple[float, ...]] = set()
    step = torch.optim.AdamW.step

    def recording(self: torch.optim.AdamW, *args: Any) -> Any:
        rates.add(tuple(sorted({group["lr"] for group in self.param_groups})))
        return step(self, *args)

    monkeypatch.setattr(torch.optim.AdamW, "step", recording)
    find_learning_rate(tiny.settings(tmp_path, optimiser={"head_factor": 10.0, "batch_size": 8}), n_steps=3)

    assert len(rates) == 3
    assert all(head / body == pytest.approx(10) for body, head in rates)


def sweep(losses: list[float]) -> list[tuple[float, float]]:
    """Return the points of a sweep in which the losses are given."""
    given = iter(losses)
    parameter = torch.nn.Parameter(torch.zeros(1))

    class Given(torch.nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.parameter = parameter
            self.network = SimpleNamespace(config=SimpleNamespace(), base_model=self)

        def forward(self, share: torch.Tensor, labels: torch.Tensor) -> torch.Tensor:
            return parameter.sum() * 0 + next(given)

        def mass(self, labels: torch.Tensor) -> torch.Tensor:
            return torch.ones(())

    settings = tiny.settings(Path("unused"))
    rates = [1e-6 * 2**n for n in range(len(losses))]
    batches = iter([{"labels": torch.zeros(1)}] * len(losses))
    return list(lr_finder._sweep(Given(), batches, settings, rates, lambda *_: None))  # type: ignore[arg-type]


def test_one_hard_batch_is_no_explosion() -> None:
    losses = [1.0] * 10 + [0.1, 3.0] + [0.5] * 8

    assert len(sweep(losses)) == len(losses)


def test_a_loss_that_explodes_ends_the_sweep() -> None:
    found = sweep([1.0] * 5 + [100.0] * 5)

    assert len(found) == 5
    assert len(sweep([1.0, 1.0, math.nan, 1.0])) == 2


def test_a_network_that_is_broken_from_the_start_is_said_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lr_finder, "_sweep", lambda *_: iter(()))

    with pytest.raises(LinnetError, match="not a number at the first update"):
        find_learning_rate(tiny.settings(tmp_path), n_steps=3)


@pytest.mark.parametrize(("lowest", "highest"), [(0.0, 1.0), (-1.0, 1.0), (1e-2, 1e-3)])
def test_rates_that_do_not_rise_are_refused(tmp_path: Path, lowest: float, highest: float) -> None:
    with pytest.raises(BadSetting, match="cannot sweep"):
        find_learning_rate(tiny.settings(tmp_path), lowest=lowest, highest=highest)


def test_values_to_try_that_cannot_be_are_refused_before_anything_is_read(tmp_path: Path) -> None:
    with pytest.raises(BadSetting, match="dropout"):
        find_learning_rate(tiny.settings(tmp_path, data="nowhere"), dropouts=[1.5])
