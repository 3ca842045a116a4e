"""How many updates does a budget give, and when is perplexity measured?"""

import json
import math
from dataclasses import asdict, dataclass
from pathlib import Path

from linnet.errors import BadFile, BadSetting
from linnet.settings.pretraining import PretrainSettings
from linnet.training.run_folder import write_json

__all__ = ["SCHEDULE", "Schedule", "Scores", "check_warmup", "read_schedule", "steps_of_hours", "steps_of_tokens",
           "write_schedule"]  # fmt: skip

SCHEDULE = "schedule.json"
Scores = dict[str, float | None]  # by name; None where nothing could be measured
BESIDE_UPDATES = 1.05  # what measuring perplexity and writing checkpoints adds to the time of the updates


@dataclass(frozen=True)
class Schedule:
    """The updates of a training, fixed once, so that a resumed run has the same."""

    steps: int
    stretch: int  # updates from one measurement of perplexity to the next
    before: Scores  # what the network guesses in held-out text before it learns
    seconds_per_update: float | None = None  # where it was measured to find the number of updates
    text: str | None = None  # fingerprint of what is learned from; runs of earlier versions have none

    @property
    def n_stretches(self) -> int:
        """How often perplexity is measured; the last stretch may be shorter."""
        return math.ceil(self.steps / self.stretch)

    @classmethod
    def of(
        cls, steps: int, evaluations: int, before: Scores, seconds: float | None = None, text: str | None = None
    ) -> "Schedule":
        """Return the schedule of so many updates, with about so many measurements."""
        return cls(steps, math.ceil(steps / min(steps, evaluations)), before, seconds, text)


def steps_of_tokens(tokens: int, tokens_per_update: float) -> int:
    """Return how many updates read so many sub-words.

    Raises:
        BadSetting: where they are fewer than one update reads.
    """
    if tokens < tokens_per_update:
        raise BadSetting(
            f"budget.tokens is {tokens:,}, but one update reads about {tokens_per_update:,.0f} sub-words",
            "give a larger budget, or smaller batches",
        )
    return round(tokens / tokens_per_update)


def steps_of_hours(hours: float, seconds_per_update: float) -> int:
    """Return how many updates fit into so many hours.

    Raises:
        BadSetting: where not one does.
    """
    steps = int(3600 * hours / (BESIDE_UPDATES * seconds_per_update))
    if steps < 1:
        raise BadSetting(
            f"budget.hours is {hours:g}, but one update takes about {seconds_per_update:.3g} s here",
            "give more time, or smaller batches",
        )
    return steps


def check_warmup(steps: int, settings: PretrainSettings) -> None:
    """Refuse a budget that ends before the learning rate has reached its peak.

    Raises:
        BadSetting: in that case.
    """
    own = settings.optimiser
    n_warmup, n_alone = (round(steps * share) for share in (own.warmup, own.head_first))
    if n_warmup + n_alone >= steps:
        head = f" after {n_alone:,} for the head alone (optimiser.head_first is {own.head_first:g})" if n_alone else ""
        raise BadSetting(
            f"the budget of {steps:,} updates cannot finish its warm-up of {n_warmup:,} "
            f"(optimiser.warmup is {own.warmup:g}){head}",
            f"give a larger budget, or a shorter warm-up{', or less for the head alone' * bool(n_alone)}",
        )


def read_schedule(output: Path, text: str) -> Schedule | None:
    """Return the schedule of the run in a folder, None where there is none yet.

    Args:
        output: the run folder.
        text: fingerprint of what is to be learned from, which must be what the run began with.

    Raises:
        BadFile: where the schedule cannot be read, or the text is another one.
    """
    path = output / SCHEDULE
    if not path.is_file():
        return None
    try:
        schedule = Schedule(**json.loads(path.read_text(encoding="utf-8")))
        is_known = all(isinstance(n, int) and n >= 1 for n in (schedule.steps, schedule.stretch))
        if not is_known or "perplexity" not in schedule.before:
            raise ValueError("it names no updates, or no perplexity")
    except (OSError, ValueError, TypeError) as error:
        raise BadFile(f"{path}: cannot be read ({error})", "begin the run anew with `--overwrite`") from None
    if schedule.text not in (None, text):
        raise BadFile(
            f"{output}: the text has changed since the run began: it was {schedule.text}, now it is {text}",
            "begin anew with `--overwrite`, or put the text back as it was",
        )
    return schedule


def write_schedule(output: Path, schedule: Schedule) -> None:
    """Keep the schedule in the run folder."""
    write_json(output / SCHEDULE, asdict(schedule))
