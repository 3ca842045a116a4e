"""Hostile model folders: adapter to `hostile_models`, which makes and checks them."""

import importlib
import itertools
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from tests.campaign.forks import call
from tests.campaign.results import Campaign, Defect, Tally

__all__ = ["repeat", "run"]

PART = "models"
MODULE = "tests.campaign.hostile_models"
SECONDS = 60.0


def run(campaign: Campaign) -> Tally:
    """Check the folders until the time is over; each check is a forked child with a time limit.

    `cases(seed)` yields `(name, make)`, where `make(folder)` writes a model folder. `check(folder)` returns what is
    wrong, or nothing; a refusal is right.
    """
    started, tally = time.monotonic(), Tally()
    try:
        hostile: Any = importlib.import_module(MODULE)
    except ModuleNotFoundError:
        tally.notes.append(f"{MODULE} is missing: no hostile model was tried")
        return tally
    for number, (name, make) in _numbered(campaign, hostile):
        folder = campaign.work / f"model-{number}"

        def check(make: Any = make, folder: Path = folder) -> None:
            make(folder)
            problem = hostile.check(folder)
            if problem:
                raise AssertionError(problem)

        outcome = call(check, campaign.work / "model.log").wait(SECONDS)
        tally.tried += 1
        if outcome.code:
            kind = outcome.text.rstrip().rpartition("\n")[2][:90]
            case = {"number": number, "name": name}
            campaign.record(tally, PART, Defect(f"{kind}", outcome.text, case, (folder,)))
        else:
            tally.passed += outcome.code == 0
            if outcome.code is None:
                case = {"number": number, "name": name}
                campaign.record(tally, PART, Defect("hangs", name, case, (folder,)))
    tally.seconds = time.monotonic() - started
    return tally


def repeat(case: dict[str, Any], folder: Path, work: Path) -> str:
    """Check a kept folder again."""
    hostile: Any = importlib.import_module(MODULE)
    kept = folder / case["files"][0]
    outcome = call(lambda: hostile.check(kept), work / "model.log").wait(SECONDS)
    return f"exit code {outcome.code}: {outcome.text[-3000:]}"


def _numbered(campaign: Campaign, hostile: Any) -> Iterator[tuple[int, Any]]:
    for number, case in zip(itertools.count(), hostile.cases(campaign.seed), strict=False):
        if not campaign.is_wanted(PART, number):
            return
        yield number, case
