"""The number format: what is wanted is taken, and `auto` follows instructions, size and a measurement."""

from typing import Any

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


def on_a_processor_of_amd(monkeypatch: pytest.MonkeyPatch) -> list[torch.Size]:
    """Say that oneDNN is faster here; returns the shapes of what it computes."""
    computed: list[torch.Size] = []
    layer = torch.ops.mkldnn._linear_pointwise

    def count(inputs: torch.Tensor, *others: Any) -> torch.Tensor:
        computed.append(inputs.shape)
        found: torch.Tensor = layer(inputs, *others)
        return found

    monkeypatch.setattr(precision, "_is_faster_with_onednn", lambda: True)
    monkeypatch.setattr(torch.ops.mkldnn, "_linear_pointwise", count)
    return computed


@pytest.mark.parametrize("has_bias", [True, False])
def test_onednn_computes_the_same_layers(monkeypatch: pytest.MonkeyPatch, *, has_bias: bool) -> None:
    computed = on_a_processor_of_amd(monkeypatch)
    layer = nn.Linear(30, 20, bias=has_bias)
    inputs = torch.randn(3, 30, 7).transpose(1, 2)  # not contiguous

    with torch.no_grad(), computing_in("float32", "cpu"):
        found, nothing = layer(inputs), layer(inputs[:0])

    assert computed == [inputs.shape]
    assert nothing.shape == (0, 7, 20)
    assert torch.allclose(found, layer(inputs), atol=1e-5)


def test_layers_that_learn_or_compute_in_another_format_are_left_to_torch(monkeypatch: pytest.MonkeyPatch) -> None:
    computed = on_a_processor_of_amd(monkeypatch)
    layer = nn.Linear(30, 20)

    with computing_in("float32", "cpu"):
        layer(torch.ones(2, 30)).sum().backward()
        with torch.no_grad():
            layer.double()(torch.ones(2, 30).double())
    with torch.no_grad(), computing_in("bfloat16", "cpu"):
        layer.float()(torch.ones(2, 30))

    assert layer.weight.grad is not None
    assert computed == []


@pytest.mark.parametrize(
    ("name", "has_avx512", "expected"),
    [
        ("vendor_id : AuthenticAMD", True, True),
        ("vendor_id : AuthenticAMD", False, False),
        ("GenuineIntel", True, False),
    ],
)
def test_the_library_depends_on_the_processor(
    monkeypatch: pytest.MonkeyPatch, *, name: str, has_avx512: bool, expected: bool
) -> None:
    monkeypatch.setattr(precision, "_processor_name", lambda: name)
    monkeypatch.setattr(torch.cpu, "_is_avx512_supported", lambda: has_avx512)

    assert precision._is_faster_with_onednn.__wrapped__() is expected
