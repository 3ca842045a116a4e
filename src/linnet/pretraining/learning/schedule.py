"""The schedule of a pretraining: number of updates from the budget, and the interval between evaluations."""

import math
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from linnet.documents.counted import counted
from linnet.errors import BadFile, BadSetting
from linnet.settings.pretraining import PretrainSettings
from linnet.storage.json_keys import load_json
from linnet.training.run_folder import write_json

__all__ = [
    "SCHEDULE",
    "Schedule",
    "Scores",
    "check_warmup",
    "count_steps_for_hours",
    "count_steps_for_tokens",
    "read_schedule",
    "write_schedule",
]  # fmt: skip

SCHEDULE = "schedule.json"
Scores = dict[str, float | None]  # by name; None if it could not be measured
OVERHEAD = 1.05  # factor on the time of the updates for evaluations and checkpoints


@dataclass(frozen=True)
class Schedule:
    """The updates of a training, which are fixed once and kept for resumed runs."""

    steps: int
    interval: int  # updates between two evaluations
    before: Scores  # on held-out text, before the first update
    seconds_per_update: float | None = None  # if it was measured, for a budget in hours
    text: str | None = None  # fingerprint of the training text; runs of earlier versions have none

    @property
    def n_intervals(self) -> int:
        """Number of evaluations; the last interval may be shorter."""
        return math.ceil(self.steps / self.interval)

    @classmethod
    def with_evaluations(
        cls, steps: int, evaluations: int, before: Scores, *, seconds: float | None = None, text: str | None = None
    ) -> "Schedule":
        """Return a schedule with about so many evaluations, at equal intervals."""
        interval = math.ceil(steps / min(steps, evaluations))
        return cls(steps=steps, interval=interval, before=before, seconds_per_update=seconds, text=text)

    def as_dict(self) -> dict[str, Any]:
        """Return plain values for JSON, where the interval is called `stretch`."""
        return {("stretch" if name == "interval" else name): value for name, value in asdict(self).items()}

    @classmethod
    def from_dict(cls, values: dict[str, Any]) -> "Schedule":
        """Return the schedule of `as_dict`; a TypeError or ValueError where it is none."""
        return cls(**{("interval" if name == "stretch" else name): value for name, value in dict(values).items()})


def count_steps_for_tokens(tokens: int, tokens_per_update: float) -> int:
    """Return the number of updates that read about so many sub-words.

    Raises:
        BadSetting: if one update reads more.
    """
    if tokens < tokens_per_update:
        raise BadSetting(
            f"budget.tokens is {tokens:,}, but one update reads about {tokens_per_update:,.0f} sub-words",
            "give a larger budget, or smaller batches",
        )
    return round(tokens / tokens_per_update)


def count_steps_for_hours(hours: float, seconds_per_update: float) -> int:
    """Return the number of updates that fit into so many hours.

    Raises:
        BadSetting: if not even one does.
    """
    steps = int(3600 * hours / (OVERHEAD * seconds_per_update))
    if steps < 1:
        raise BadSetting(
            f"budget.hours is {hours:g}, but one update takes about {seconds_per_update:.3g} s here",
            "give more time, or smaller batches",
        )
    return steps


def check_warmup(steps: int, settings: PretrainSettings) -> None:
    """Refuse a budget that ends before the learning rate reaches its peak.

    Raises:
        BadSetting: in that case.
    """
    own = settings.optimiser
    n_warmup, n_alone = (round(steps * share) for share in (own.warmup, own.head_first))
    if n_warmup + n_alone >= steps:
        head = f" after {n_alone:,} for the head alone (optimiser.head_first is {own.head_first:g})" if n_alone else ""
        raise BadSetting(
            f"the budget of {counted(steps, 'update')} cannot finish its warm-up of {n_warmup:,} "
            f"(optimiser.warmup is {own.warmup:g}){head}",
            f"give a larger budget, or a shorter warm-up{', or less for the head alone' * bool(n_alone)}",
        )


def read_schedule(output: Path, text: str) -> Schedule | None:
    """Return the schedule of the run in a folder; None if there is none yet.

    Args:
        output: the run folder.
        text: fingerprint of the training text, which must not have changed since the run began.

    Raises:
        BadFile: if the schedule cannot be read, or the text has changed.
    """
    path = output / SCHEDULE
    if not path.is_file():
        return None
    try:
        schedule = Schedule.from_dict(load_json(path.read_text(encoding="utf-8")))
        is_valid = all(isinstance(n, int) and n >= 1 for n in (schedule.steps, schedule.interval))
        if not is_valid or "perplexity" not in schedule.before:
            raise ValueError("it names no updates, or no perplexity")
    except (OSError, ValueError, TypeError) as error:
        raise BadFile(f"{path}: cannot be read ({error})", "start the run again with `--overwrite`") from None
    if schedule.text not in (None, text):
        raise BadFile(
            f"{output}: the text has changed since the run began: it was {schedule.text}, now it is {text}",
            "start again with `--overwrite`, or restore the text",
        )
    return schedule


def write_schedule(output: Path, schedule: Schedule) -> None:
    """Write the schedule to the run folder."""
    write_json(output / SCHEDULE, schedule.as_dict())
