"""Learning-rate finder: the range test raises the rate step by step and watches the loss.

Source: Smith, 2017. The rate rises exponentially over a hundred updates or so, and the loss is smoothed. The suggestion
is a third of the rate at which the smoothed loss is lowest before it first rises again. Where the loss falls fastest
would depend on the number of updates: the more there are, the more is learned at low rates, and the earlier it falls.
Where it turns depends on them much less, as the losses are smoothed over a range of rates and not over some updates.
"""

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import torch

from linnet.batches.bucketing import BucketedBatches
from linnet.contracts import Plan, tasks
from linnet.errors import BadSetting, LinnetError
from linnet.settings.files import with_overrides
from linnet.settings.training import OptimiserSettings, TrainSettings
from linnet.training.job import SilentWatcher, to_tensors
from linnet.training.network import NetworkWithLosses, parameter_groups

__all__ = ["Curve", "find_learning_rate", "smooth", "suggest", "turning_point"]

EXPLODED = 4.0  # times the lowest loss: further up nothing is to be learned
SMOOTHING = 0.9  # of the loss that tells an explosion
WIDTH = 0.3  # of the bell curve that smooths the losses, in powers of ten of the rate
FALLEN = 0.2  # of the first loss: before it has fallen so far, a rise is chance
RISEN = 0.1  # of the fall: so much above its lowest point, the loss has turned
PART = 1 / 3  # of the rate at which it is lowest


@dataclass(frozen=True)
class Curve:
    """Smoothed losses at rising learning rates."""

    name: str
    points: tuple[tuple[float, float], ...]  # (learning rate, smoothed loss)
    suggestion: float

    @property
    def lowest(self) -> tuple[float, float]:
        """The point with the lowest loss before it rises."""
        return turning_point(self.points)


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
        losses = list(_sweep(model, _batches(plan, model), changed, rates, _told(watcher, name, n_steps)))
        if not losses:
            raise LinnetError(
                "the loss is not a number at the first update", "try another encoder; its weights are likely broken"
            )
        points = smooth(losses)
        curves.append(Curve(name, points, suggest(points)))
    return curves


def suggest(points: Sequence[tuple[float, float]]) -> float:
    """Return a third of the rate at which the loss is lowest before it rises, and no less than the lowest rate.

    >>> suggest([(1e-5, 1.0), (1e-4, 0.9), (3e-3, 0.2), (1e-2, 0.9), (1e-1, 0.1)])
    0.001
    """
    return max(points[0][0], PART * turning_point(points)[0])


def turning_point(points: Sequence[tuple[float, float]]) -> tuple[float, float]:
    """Return the point with the lowest loss before it rises by a tenth of what it fell; losses must be smooth."""
    lowest = first = points[0]
    for point in points:
        fall = first[1] - lowest[1]
        if point[1] < lowest[1]:
            lowest = point
        elif fall > FALLEN * first[1] and point[1] - lowest[1] > RISEN * fall:
            break
    return lowest


def smooth(points: Sequence[tuple[float, float]]) -> tuple[tuple[float, float], ...]:
    """Return each loss as the mean of those around it, weighted by how near their rates are."""
    exponents = np.log10([rate for rate, _ in points])
    losses = np.array([loss for _, loss in points])
    weights = np.exp(-(((exponents[:, None] - exponents[None, :]) / WIDTH) ** 2) / 2)
    means = weights @ losses / weights.sum(axis=1)
    return tuple((rate, float(mean)) for (rate, _), mean in zip(points, means, strict=True))


def _variants(
    settings: TrainSettings, weight_decays: Sequence[float], dropouts: Sequence[float]
) -> Iterator[tuple[str, TrainSettings]]:
    own = settings.optimiser
    for decay in weight_decays or (own.weight_decay,):
        for dropout in dropouts or (own.dropout,):
            shown = "as in the encoder" if dropout is None else f"{dropout:g}"
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
    """Make one update at each rate and yield its loss, until the smoothed loss explodes."""
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
        yield rate, loss.item()
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
