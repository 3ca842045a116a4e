"""The number format: what is wanted is taken, and `auto` follows instructions, size and a measurement."""

import pytest
import torch
from torch import nn

from linnet.models import precision
from linnet.models.precision import choose_precision, computing_in, measure_speed_up

LARGE = nn.Sequential(nn.Embedding(20_000, 300), nn.Linear(300, 600), nn.Linear(600, 2))


@pytest.fixture(autouse=True)
def on_a_cpu(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(torch.cuda, "is_available", lambda: False)


def set_up(monkeypatch: pytest.MonkeyPatch, *, has_instructions: bool, speed_up: float) -> list[tuple[int, ...]]:
    measured: list[tuple[int, ...]] = []

    def measure(*sizes: int) -> float:
        measured.append(sizes)
        return speed_up

    monkeypatch.setattr(precision, "_has_instructions", lambda: has_instructions)
    monkeypatch.setattr(precision, "measure_speed_up", measure)
    return measured


def test_bfloat16_is_chosen_where_the_largest_layer_gains_by_it(monkeypatch: pytest.MonkeyPatch) -> None:
    measured = set_up(monkeypatch, has_instructions=True, speed_up=1.8)

    assert choose_precision("auto", LARGE) == "bfloat16"
    assert [sizes[:2] for sizes in measured] == [(300, 600)]


def test_float32_is_chosen_where_nothing_is_gained(monkeypatch: pytest.MonkeyPatch) -> None:
    set_up(monkeypatch, has_instructions=True, speed_up=1.1)

    assert choose_precision("auto", LARGE) == "float32"


def test_nothing_is_measured_without_instructions_or_for_a_small_network(monkeypatch: pytest.MonkeyPatch) -> None:
    measured = set_up(monkeypatch, has_instructions=False, speed_up=1.8)
    assert choose_precision("auto", LARGE) == "float32"

    monkeypatch.setattr(precision, "_has_instructions", lambda: True)
    assert choose_precision("auto", nn.Linear(3, 3)) == "float32"
    assert choose_precision("auto", nn.Embedding(20_000, 300)) == "float32"  # no product in it
    assert measured == []


def test_what_is_wanted_is_taken(monkeypatch: pytest.MonkeyPatch) -> None:
    set_up(monkeypatch, has_instructions=False, speed_up=0.1)

    assert choose_precision("bfloat16", LARGE) == "bfloat16"
    assert choose_precision("float32", LARGE) == "float32"


def test_a_gpu_decides_by_what_it_has(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(torch.cuda, "is_available", lambda: True)
    for has, chosen in ((True, "bfloat16"), (False, "float32")):
        monkeypatch.setattr(torch.cuda, "is_bf16_supported", lambda has=has: has)
        assert choose_precision("auto", nn.Linear(3, 3)) == chosen


def test_the_measured_ratio_is_a_positive_number_and_measured_once() -> None:
    measure_speed_up.cache_clear()

    found = measure_speed_up(16, 32, 1)

    assert found > 0
    assert measure_speed_up(16, 32, 1) == found
    assert measure_speed_up.cache_info().hits == 1


@pytest.mark.parametrize(
    ("given", "computed"), [("bfloat16", torch.bfloat16), ("float32", torch.float32), (None, torch.float32)]
)
def test_networks_compute_in_the_number_format(given: str | None, computed: torch.dtype) -> None:
    layer = nn.Linear(4, 2)

    with computing_in(given, "cpu"):
        found = layer(torch.ones(1, 4))

    assert found.dtype == computed
    assert layer(torch.ones(1, 4)).dtype == layer.weight.dtype == torch.float32
