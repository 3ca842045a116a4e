"""Chooses the number format of a network's computations: float32, or mixed bfloat16 where the processor gains by it.

Mixed bfloat16 keeps weights and sums in float32 and multiplies matrices in bfloat16. Processors with instructions for
it (AVX-512 BF16, AMX) are up to twice as fast; others compute it in many steps and are far slower.

Torch multiplies float32 matrices with MKL, which does not use AVX-512 on processors of AMD. oneDNN, which torch brings
as well, does: there a whole network is nearly twice as fast, and its scores differ in the last digit of a float32.
"""

import platform
import time
from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from functools import cache
from pathlib import Path
from statistics import median
from typing import Any, Literal

import torch
from torch import nn
from torch.nn import functional
from torch.overrides import TorchFunctionMode

__all__ = ["Precision", "choose_precision", "computing_in", "measure_speed_up", "operations_per_second"]

Precision = Literal["float32", "bfloat16", "float16"]

FEWEST_PARAMETERS = 5_000_000  # a smaller network spends its time elsewhere
LEAST_SPEED_UP = 1.3  # of the largest product; below it, casting eats the gain
ROUNDS = 7
N_TOKENS = 768  # rows of the product, as a batch of 8 sentences has


def choose_precision(wanted: Literal["auto"] | Precision, network: nn.Module) -> Precision:
    """Return the number format that is wanted; for `auto`, the one that is faster here.

    On a GPU it is bfloat16 if the GPU has it. On a CPU it is bfloat16 if the processor has instructions for it and a
    measurement of some milliseconds shows that the network's largest product gains by them.
    """
    if wanted != "auto":
        return wanted
    if torch.cuda.is_available():
        return "bfloat16" if torch.cuda.is_bf16_supported() else "float32"
    if sum(each.numel() for each in network.parameters()) < FEWEST_PARAMETERS or not _has_instructions():
        return "float32"
    largest = max((each for each in network.modules() if isinstance(each, nn.Linear)), key=_size, default=None)
    if largest is None:
        return "float32"
    return "bfloat16" if _gains(largest.in_features, largest.out_features) else "float32"


def operations_per_second(precision: Literal["auto"] | Precision, width: int, *, learns: bool) -> float:
    """Return how many arithmetic operations a second a layer of this width makes here, by a short measurement.

    Args:
        precision: number format; `auto` as for a network that is large enough for bfloat16.
        width: of the vectors between the layers of a network; the layer is four times as wide.
        learns: forwards and backwards, or forwards alone.
    """
    device = "cuda" if torch.cuda.is_available() else "cpu"
    chosen = "bfloat16" if precision == "auto" and _has_instructions() and _gains(width, 4 * width) else precision
    layer = nn.Linear(width, 4 * width).to(device)
    inputs = torch.ones(N_TOKENS, width, device=device, requires_grad=learns)
    best = min(_seconds(layer, inputs, chosen, learns=learns) for _ in range(ROUNDS))
    return (6 if learns else 2) * N_TOKENS * 4 * width**2 / max(best, 1e-9)


def computing_in(precision: str | None, device: str) -> AbstractContextManager[None]:
    """Let networks compute in mixed bfloat16, if that is the number format, until the context is left.

    In float32, the faster of torch's two libraries multiplies their matrices, where no gradients are wanted.
    """
    if precision == "bfloat16":
        mixed: AbstractContextManager[None] = torch.autocast(device, dtype=torch.bfloat16)
        return mixed
    return _OneDnnLinear() if device == "cpu" and _is_faster_with_onednn() else nullcontext()


class _OneDnnLinear(TorchFunctionMode):
    """Computes linear layers with oneDNN, which has no gradients for them."""

    def __torch_function__(
        self, function: Callable[..., Any], types: Any, args: tuple[Any, ...] = (), kwargs: dict[str, Any] | None = None
    ) -> Any:
        if function is functional.linear and not kwargs and not torch.is_grad_enabled():
            inputs, weights, bias = (*args, None)[:3]
            if inputs.dtype is weights.dtype is torch.float32 and inputs.numel():
                return torch.ops.mkldnn._linear_pointwise(inputs, weights, bias, "none", [], "")
        return function(*args, **(kwargs or {}))


@cache
def _is_faster_with_onednn() -> bool:
    """Is this a processor of AMD with AVX-512? Decided by what it is, so that every run there has the same scores."""
    has_operation = hasattr(torch.ops.mkldnn, "_linear_pointwise")  # of torch's own, so it may go
    return has_operation and torch.cpu._is_avx512_supported() and "AuthenticAMD" in _processor_name()


def _processor_name() -> str:
    """Return what the system says about the maker of the processor."""
    said = Path("/proc/cpuinfo")
    return said.read_text(errors="replace")[:2000] if said.exists() else platform.processor()


@cache
def measure_speed_up(n_inputs: int, n_outputs: int, n_threads: int) -> float:
    """Return how many times as fast a linear layer is in bfloat16, forwards and backwards, with this number of threads.

    The two formats take turns, and the median of the ratios counts, so that a busy machine slows down both alike.
    """
    layer = nn.Linear(n_inputs, n_outputs)
    inputs = torch.ones(N_TOKENS, n_inputs, requires_grad=True)
    ratios = []
    for _ in range(ROUNDS + 1):
        plain, mixed = (_seconds(layer, inputs, precision, learns=True) for precision in ("float32", "bfloat16"))
        ratios.append(plain / mixed)
    return median(ratios[1:])  # the first round prepares the kernels


def _seconds(layer: nn.Linear, inputs: torch.Tensor, precision: str, *, learns: bool) -> float:
    start = time.perf_counter()
    with computing_in(precision, inputs.device.type), torch.set_grad_enabled(learns):
        found = layer(inputs)
    if learns:
        found.float().sum().backward()
    if inputs.is_cuda:
        torch.cuda.synchronize()
    return time.perf_counter() - start


def _gains(n_inputs: int, n_outputs: int) -> bool:
    return measure_speed_up(n_inputs, n_outputs, torch.get_num_threads()) >= LEAST_SPEED_UP


def _has_instructions() -> bool:
    """Has the processor instructions for bfloat16? Torch names them on x86 alone."""
    names = ("_is_avx512_bf16_supported", "_is_amx_tile_supported")
    return any(getattr(torch.cpu, name, lambda: False)() for name in names)


def _size(layer: nn.Linear) -> int:
    return layer.in_features * layer.out_features
