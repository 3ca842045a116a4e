"""Hostile model folders: runs the cases of `hostile_models` in a child, and counts how they end."""

import importlib
import itertools
import json
import os
import re
import shutil
import tempfile
import time
from pathlib import Path
from typing import Any

from tests.campaign.forks import Child, call
from tests.campaign.results import Campaign, Defect, Tally

__all__ = ["repeat", "run"]

PART = "models"
MODULE = "tests.campaign.hostile_models"
STUCK = 120.0  # seconds without an end of a case, after which the child is killed
START = 600.0  # seconds until the first case: the whole models are trained before it


def run(campaign: Campaign) -> Tally:
    """Check damaged folders until the time is over.

    `cases(seed)` yields names and functions that write a damaged folder; `check(folder)` returns whether it is refused,
    answers as the whole model does, or is a defect (`kind`, with `detail`).
    """
    started, tally = time.monotonic(), Tally()
    try:
        importlib.import_module(MODULE)
    except ModuleNotFoundError:
        tally.notes.append(f"{MODULE} is missing: no hostile model was tried")
        return tally
    first = 0
    while campaign.is_wanted(PART, first):
        log = campaign.work / f"models-{first}.jsonl"
        child = call(lambda first=first, log=log: _work(campaign, first, log), campaign.work / "models.log")  # type: ignore[misc]
        _watch(child, log)
        rows = _rows(log)
        for row in rows:
            _count(campaign, tally, row)
        if child.status == 0 or not rows:
            break
        first = rows[-1]["number"] + 1
        if rows[-1]["outcome"] == "begun":
            case = {"number": rows[-1]["number"], "name": rows[-1]["name"]}
            campaign.record(tally, PART, Defect("hangs, or ends the process", rows[-1]["name"], case))
    if not tally.tried:
        tally.notes.append("no case was tried: " + (campaign.work / "models.log").read_text("utf-8", "replace")[-500:])
    tally.seconds = time.monotonic() - started
    return tally


def repeat(case: dict[str, Any], folder: Path, work: Path) -> str:
    """Check a kept folder again."""
    hostile: Any = importlib.import_module(MODULE)
    return str(hostile.check(folder / case["files"][0]))


def _work(campaign: Campaign, first: int, log: Path) -> None:
    """Check the cases from `first` on, and write how each ends."""
    tempfile.tempdir = str(campaign.work)
    hostile: Any = importlib.import_module(MODULE)
    with log.open("w", encoding="utf-8", buffering=1) as file:
        for number, (name, make) in enumerate(itertools.islice(hostile.cases(campaign.seed), first, None), first):
            if not campaign.is_wanted(PART, number):
                return
            folder = campaign.work / f"model-{number}"
            file.write(json.dumps({"number": number, "name": name, "outcome": "begun"}) + "\n")
            make(folder)
            found = hostile.check(folder)
            row = {"number": number, "name": name, "outcome": found.kind, "message": found.detail[:2000]}
            file.write(json.dumps(row) + "\n")
            if found.kind != hostile.DEFECT:
                shutil.rmtree(folder, ignore_errors=True)


def _watch(child: Child, log: Path) -> None:
    """Wait for the child; kill it where nothing ends for too long."""
    size, since = -1, time.monotonic()
    while not child.has_ended():
        time.sleep(0.1)
        now = log.stat().st_size if log.is_file() else 0
        if now != size:
            size, since = now, time.monotonic()
        elif time.monotonic() - since > (STUCK if size else START):
            child.kill()
            child.status = os.waitpid(child.pid, 0)[1]


def _rows(log: Path) -> list[dict[str, Any]]:
    """Return the last row of each case."""
    lines = log.read_text(encoding="utf-8").split("\n")[:-1] if log.is_file() else []
    found = [json.loads(line) for line in lines]
    return list({row["number"]: row for row in found}.values())


def _count(campaign: Campaign, tally: Tally, row: dict[str, Any]) -> None:
    hostile: Any = importlib.import_module(MODULE)
    tally.tried += 1
    tally.passed += row["outcome"] == hostile.SAME
    tally.refused += row["outcome"] == hostile.REFUSED
    if row["outcome"] == hostile.DEFECT:
        folder = campaign.work / f"model-{row['number']}"
        kind = re.sub(r"[0-9]+", "#", re.sub(r"/\S+", "PATH", row["message"]))[:80]
        case = {"number": row["number"], "name": row["name"]}
        campaign.record(tally, PART, Defect(kind, f"{row['name']}: {row['message']}", case, (folder,)))
        shutil.rmtree(folder, ignore_errors=True)
