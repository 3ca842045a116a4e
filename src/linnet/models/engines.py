"""Choice of the engine that computes: PyTorch, or ONNX Runtime for exported models."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from contextvars import ContextVar
from pathlib import Path
from typing import Protocol, TypeVar, get_args

import numpy as np

from linnet.batches.encoding import Batch
from linnet.errors import BadSetting
from linnet.extras import require
from linnet.models.model_folder import NETWORK, ModelFacts
from linnet.settings.annotation import EnginePrecision
from linnet.storage.processors import count_processors

__all__ = [
    "Engine",
    "choose_engine",
    "compute_batches",
    "interruptible",
    "open_chosen_engine",
    "precision_of_engine",
    "watching_batches",
]

FloatArray = np.ndarray[tuple[int, ...], np.dtype[np.float32]]

B = TypeVar("B")
R = TypeVar("R")

ENGINES = ("torch", "onnx")
PRECISIONS: tuple[EnginePrecision, ...] = get_args(EnginePrecision)
BatchWatcher = Callable[[int, int], None]  # gets the number of batches that are computed, and that of all
STEPS_BETWEEN = 1000  # after so many steps, the watcher is told that no batch is computed yet
BATCH_WATCHER: ContextVar[BatchWatcher | None] = ContextVar("batch_watcher", default=None)


class Engine(Protocol):
    """Whatever computes the scores of a batch."""

    def logits(self, batch: Batch) -> FloatArray:
        """Return scores (windows, tokens, tags)."""
        ...


def choose_engine(folder: Path, engine: str | None, device: str | None) -> str:
    """Return the engine that is wanted, or else the one for what the folder holds."""
    has_network = (folder / NETWORK).is_file()
    has_weights = any(folder.glob("model*.safetensors"))
    chosen = engine or ("onnx" if has_network and not has_weights else "torch")
    if chosen not in ENGINES:
        raise BadSetting(f"there is no engine called {engine!r}", f"choose {' or '.join(ENGINES)}")
    if chosen == "onnx" and not has_network:
        raise BadSetting(
            f"{folder}: the engine onnx needs an exported model, and there is no {NETWORK} here",
            f"write one with `linnet export {folder} OUT`, then give OUT",
        )
    if chosen == "torch" and has_network and not has_weights:
        raise BadSetting(
            f"{folder}: this is an exported model, which the engine torch cannot run",
            "leave the engine out, or give the folder that was given to `linnet export`",
        )
    if chosen == "onnx" and device not in (None, "cpu"):
        raise BadSetting(f"the engine onnx runs on CPUs, not on {device!r}", "leave the device out")
    return chosen


def precision_of_engine(precision: str | None, engine: str, folder: Path) -> EnginePrecision:
    """Return the number format that is wanted, `auto` if none is; refuse one that an exported model cannot have."""
    found = next((each for each in PRECISIONS if each == (precision or "auto")), None)
    if found is None:
        raise BadSetting(f"there is no number format called {precision!r}", f"choose {', '.join(PRECISIONS)}")
    if precision == "bfloat16" and engine != "torch":
        raise BadSetting(
            f"{folder}: this is an exported model, whose number format was chosen when it was exported",
            "leave the number format out, or give the folder that was given to `linnet export`",
        )
    return found


def open_chosen_engine(
    name: str, place: Path, facts: ModelFacts, *, device: str | None, threads: int | None, precision: EnginePrecision
) -> tuple[Engine, int, int | None]:
    """Return the engine, how many batches it computes at once, and what a batch costs it."""
    if name == "onnx":
        from linnet.models.onnx_engine import BATCH_COST, open_onnx_engine

        # threads that each compute a batch need not wait for one another, as those that share one would
        return open_onnx_engine(place, facts), threads or count_processors(), BATCH_COST
    need = f"{place}: running a model in PyTorch's format needs"
    require(
        "torch", "transformers", problem=need, otherwise="or give what `linnet export` made of it, which runs without"
    )
    from linnet.models.torch_engine import open_engine

    return open_engine(place, device=device, threads=threads, precision=precision), 1, None


def compute_batches(compute: Callable[[B], R], batches: Sequence[B], *, n_parallel: int) -> Iterator[R]:
    """Yield what is computed of each batch, in order, so many batches at once; tell each to `watching_batches`."""
    watcher = BATCH_WATCHER.get()
    for n_computed, found in enumerate(_compute(compute, batches, n_parallel), 1):
        if watcher is not None:
            watcher(n_computed, len(batches))
        yield found


def interruptible(steps: Iterable[R]) -> Iterator[R]:
    """Yield the steps that prepare batches; now and then the watcher of `watching_batches` may end them by an error."""
    watcher = BATCH_WATCHER.get()
    for number, found in enumerate(steps):
        if watcher is not None and number % STEPS_BETWEEN == 0:
            watcher(0, 1)
        yield found


@contextmanager
def watching_batches(watcher: BatchWatcher | None) -> Iterator[None]:
    """Report each batch that this thread computes meanwhile: `watcher` gets how many are done, and of how many."""
    token = BATCH_WATCHER.set(watcher)
    try:
        yield
    finally:
        BATCH_WATCHER.reset(token)


def _compute(compute: Callable[[B], R], batches: Sequence[B], n_parallel: int) -> Iterator[R]:
    n_threads = min(n_parallel, len(batches))
    if n_threads < 2:
        yield from map(compute, batches)
        return
    with ThreadPoolExecutor(n_threads) as pool:
        yield from pool.map(compute, batches)
