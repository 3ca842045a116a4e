"""Learning-rate finder: the range test raises the rate step by step and watches the loss.

Source: Smith, 2017; smoothing and the choice of the steepest fall follow common practice (fastai). The rate rises
exponentially over a hundred updates or so; the loss is smoothed; the suggestion is where it falls fastest, well
below the rate at which it explodes.
"""

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import torch

from linnet.batches.bucketing import BucketedBatches
from linnet.contracts import Plan, tasks
from linnet.errors import BadSetting, LinnetError
from linnet.settings.files import with_overrides
from linnet.settings.training import OptimiserSettings, TrainSettings
from linnet.training.job import SilentWatcher, to_tensors
from linnet.training.network import NetworkWithLosses, parameter_groups

__all__ = ["Curve", "find_learning_rate", "suggest"]

EXPLODED = 4.0  # times the lowest loss: further up nothing is to be learned
SMOOTHING = 0.9


@dataclass(frozen=True)
class Curve:
    """Smoothed losses at rising learning rates."""

    name: str
    points: tuple[tuple[float, float], ...]  # (learning rate, smoothed loss)
    suggestion: float


def find_learning_rate(
    settings: TrainSettings,
    *,
    lowest: float = 1e-6,
    highest: float = 1e-1,
    n_steps: int = 100,
    weight_decays: Sequence[float] = (),
    dropouts: Sequence[float] = (),
    watcher: Callable[[str, int, int, float], None] | None = None,
) -> list[Curve]:
    """Return one curve for each combination of weight decay and dropout (the recipe's own where none is given)."""
    if not 0 < lowest < highest:
        raise BadSetting(f"cannot sweep from {lowest:g} to {highest:g}", "give a lowest rate above 0 and a higher one")
    variants = list(_variants(settings, weight_decays, dropouts))
    if settings.threads:
        torch.set_num_threads(settings.threads)
    plan = tasks.get(settings.task).plan(settings)
    curves = []
    for name, changed in variants:
        torch.manual_seed(settings.seed)
        model = plan.changed(changed).build()
        rates = [lowest * (highest / lowest) ** (step / max(1, n_steps - 1)) for step in range(n_steps)]
        points = tuple(_sweep(model, _batches(plan, model), changed, rates, _told(watcher, name, n_steps)))
        if not points:
            raise LinnetError(
                "the loss is not a number at the first update", "try another encoder; its weights are likely broken"
            )
        curves.append(Curve(name, points, suggest(points)))
    return curves


def suggest(points: Sequence[tuple[float, float]]) -> float:
    """Return the rate at which the loss falls fastest before its lowest point (per factor of the rate).

    >>> suggest([(1e-4, 1.0), (1e-3, 0.9), (1e-2, 0.3), (1e-1, 0.2), (1.0, 5.0)])
    0.001
    """
    lowest = min(range(len(points)), key=lambda index: points[index][1])
    falls = [
        (points[index][1] - points[index + 1][1]) / math.log(points[index + 1][0] / points[index][0])
        for index in range(lowest)
    ]
    return points[max(range(len(falls)), key=falls.__getitem__)][0] if falls else points[0][0]


def _variants(
    settings: TrainSettings, weight_decays: Sequence[float], dropouts: Sequence[float]
) -> Iterator[tuple[str, TrainSettings]]:
    own = settings.optimiser
    for decay in weight_decays or (own.weight_decay,):
        for dropout in dropouts or (own.dropout,):
            shown = "of the encoder" if dropout is None else f"{dropout:g}"
            values = own.model_dump() | {"weight_decay": decay, "dropout": dropout}
            optimiser = with_overrides(OptimiserSettings, values, (), where="the options")
            yield f"weight decay {decay:g}, dropout {shown}", settings.model_copy(update={"optimiser": optimiser})


def _sweep(
    model: NetworkWithLosses,
    batches: Iterator[dict[str, Any]],
    settings: TrainSettings,
    rates: Sequence[float],
    tell: Callable[[int, float], None],
) -> Iterator[tuple[float, float]]:
    """Make one update at each rate and yield its smoothed loss, until that explodes."""
    optimiser = torch.optim.AdamW(parameter_groups(model, settings.optimiser), lr=rates[0], fused=True)
    factors = [group["lr"] / settings.optimiser.learning_rate for group in optimiser.param_groups]
    model.train()
    lowest, mean = math.inf, 0.0
    for step, (rate, batch) in enumerate(zip(rates, batches, strict=False), 1):
        for group, factor in zip(optimiser.param_groups, factors, strict=True):
            group["lr"] = rate * factor
        loss = model(**batch, share=1 / model.mass(batch["labels"]).clamp_min(1e-12))
        mean = SMOOTHING * mean + (1 - SMOOTHING) * loss.item()
        smoothed = mean / (1 - SMOOTHING**step)  # single batches differ too much to tell an explosion by
        tell(step, smoothed)
        if not math.isfinite(smoothed) or smoothed > EXPLODED * lowest:
            return
        yield rate, smoothed
        lowest = min(lowest, smoothed)
        optimiser.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), settings.optimiser.clip or math.inf)
        optimiser.step()


def _batches(plan: Plan, model: NetworkWithLosses) -> Iterator[dict[str, Any]]:
    """Yield batches of the target, epoch after epoch."""
    job = next(iter(plan.jobs(model, Path(), SilentWatcher())))
    examples: Sequence[Any] = job.corpora[0]
    collate = job.collate or to_tensors
    settings = plan.settings
    order = BucketedBatches(
        [len(example) for example in examples], batch_size=settings.optimiser.batch_size, seed=settings.seed
    )
    epoch = 0
    while True:
        order.set_epoch(epoch)
        for indices in order:
            yield collate([examples[index] for index in indices], job.pad_id)
        epoch += 1


def _told(
    watcher: Callable[[str, int, int, float], None] | None, name: str, n_steps: int
) -> Callable[[int, float], None]:
    def tell(step: int, loss: float) -> None:
        if watcher is not None:
            watcher(name, step, n_steps, loss)

    return tell
