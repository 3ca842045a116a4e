"""Kills resumable commands at random moments, resumes them, and compares what they write with undisturbed runs."""

import re
import shutil
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tests.campaign.driving import Case, Step, drive, tree
from tests.campaign.results import Campaign, Defect, Tally, rng_of
from tests.campaign.scenarios import Scenario, scenarios
from tests.campaign.workshop import Workshop

__all__ = ["differences", "make_case", "make_references", "repeat", "run", "without_clock"]

PART = "kills"
SECONDS = 240.0  # for an undisturbed run, on a busy machine
MOST_KILLS = 4  # of one job
QUICK = 2.0  # seconds; commands that are quicker are killed three times as often
CLOCK = re.compile(rb'"(?:seconds|\w*per_second|minutes|hours|date|started|peak_\w+|\w*_seconds|memory\w*)": [^,}\n]*')
CLOCKED = ("history.jsonl", "metrics.json", "log.jsonl")  # the files that hold such values
SPOKEN = re.compile(rb"^cd .*$|[\d,.]+ ?(?:s|seconds?|min|minutes?|hours?|h|tokens/s|GB|MB)\b", re.MULTILINE)
TELLING = ("README.md", "report.md", "index.html")  # reports that tell durations in words, and the working directory
LEFT_OVER = re.compile(r"(?:^|/)\.[^/]*\.part(?:/|$)|\.work(?:/|$)")


@dataclass(frozen=True)
class Reference:
    """What an undisturbed run leaves, and how long it takes."""

    files: dict[str, bytes]
    seconds: float


def run(campaign: Campaign, shop: Workshop) -> Tally:
    """Kill and resume until the time is over; `tried` counts kills."""
    started, tally = time.monotonic(), Tally()
    known = {each.name: each for each in scenarios(shop)}
    references = make_references(campaign, list(known.values()), tally)
    usable = [known[name] for name, each in references.items() for _ in range(3 if each.seconds < QUICK else 1)]

    def cases() -> Iterator[Case]:
        number = 0
        while usable and campaign.is_wanted(PART, tally.tried):
            scenario = usable[number % len(usable)]
            yield make_case(campaign, scenario, references[scenario.name], number, tally)
            number += 1

    drive(cases(), campaign.workers)
    tally.notes.append(", ".join(f"{name} {each.seconds:.1f} s" for name, each in references.items()))
    tally.seconds = time.monotonic() - started
    return tally


def repeat(case: dict[str, Any], campaign: Campaign, shop: Workshop) -> str:
    """Kill the same job at the same moments again; it may end otherwise, since moments depend on the machine."""
    tally = Tally()
    scenario = next(each for each in scenarios(shop) if each.name == case["scenario"])
    references = make_references(campaign, [scenario], tally)
    drive(iter([make_case(campaign, scenario, references[scenario.name], case["number"], tally)]), 1)
    return f"{tally.tried} kills, defects: {dict(tally.kinds) or 'none'}"


def make_references(campaign: Campaign, chosen: list[Scenario], tally: Tally) -> dict[str, Reference]:
    """Run each command twice without a disturbance; both times it must write the same."""
    found: dict[str, Reference] = {}

    def case(scenario: Scenario) -> Case:
        trees, seconds = [], 0.0
        for turn in (1, 2):
            folder = _fresh(campaign.work / f"{scenario.name}-reference-{turn}")
            (outcome,) = yield [_step(scenario, folder, is_first=True)]
            if outcome.code != 0:
                return _record(campaign, tally, scenario, f"fails undisturbed: {outcome.text[-1500:]}")
            trees.append(without_clock(tree(folder)))
            seconds = outcome.seconds
        differing = differences(*trees)
        if differing:
            _record(campaign, tally, scenario, f"two undisturbed runs differ: {differing[0]}")
        found[scenario.name] = Reference(trees[0], seconds)
        return None

    drive((case(scenario) for scenario in chosen), 1)
    return found


def make_case(campaign: Campaign, scenario: Scenario, reference: Reference, number: int, tally: Tally) -> Case:
    """Kill a command some times, let it finish, and compare."""
    draw = rng_of(campaign.seed, PART, number)
    folder = _fresh(campaign.work / f"{scenario.name}-{number}")
    moments = [draw.uniform(0.0, 1.05) * reference.seconds for _ in range(draw.randint(1, MOST_KILLS))]
    was_killed: list[float] = []
    for moment in moments:
        (outcome,) = yield [_step(scenario, folder, is_first=not was_killed, kill_after=moment)]
        if outcome.code != -9:
            break
        tally.tried += 1
        was_killed.append(outcome.seconds)
    if outcome.code in (-9, 0, 2):  # else it has failed, and is judged as it is
        (outcome,) = yield [_step(scenario, folder, is_first=False)]
    problem = _judge(outcome.code, outcome.text, reference, folder)
    if problem:
        message = f"{problem}\n{outcome.text[-3000:]}"
        more = {"number": number, "killed_after": was_killed, "folder": folder}
        _record(campaign, tally, scenario, message, **more)
    else:
        tally.passed += len(was_killed)
    shutil.rmtree(folder, ignore_errors=True)


def _judge(code: int | None, text: str, reference: Reference, folder: Path) -> str:
    """Return what is wrong, nothing where all is as without kills. A job that was done already may be refused."""
    if "Traceback (most recent call last)" in text:
        return f"traceback after a kill: {text.rstrip().rpartition(chr(10))[2][:80]}"
    if code not in (0, 2):
        return f"exit code {code} after a kill"
    found = tree(folder)
    left = sorted(name for name in found if LEFT_OVER.search(name))
    differing = differences(reference.files, without_clock({n: c for n, c in found.items() if not LEFT_OVER.search(n)}))
    if differing:
        return f"differs from an undisturbed run: {differing[0]}" + (" (refused)" if code else "")
    return f"leaves {re.sub('[0-9]+', '#', left[0])} behind" if left else ""


def _record(campaign: Campaign, tally: Tally, scenario: Scenario, message: str, **more: Any) -> None:
    kind = f"{scenario.name}: {message.partition(chr(10))[0][:90]}"
    folder = more.pop("folder", None)
    case = {"number": -1, **more, "scenario": scenario.name, "argv": scenario.argv}
    campaign.record(tally, PART, Defect(kind, message, case, (folder,) if folder else ()))


def _step(scenario: Scenario, folder: Path, *, is_first: bool, kill_after: float | None = None) -> Step:
    scenario.furnish(folder)
    return Step(
        argv=(*scenario.argv, *(() if is_first else scenario.resume)),
        folder=folder,
        log=folder.with_name(f"{folder.name}.log"),
        seconds=SECONDS,
        kill_after=kill_after,
        prepare=scenario.prepare,
    )


def _fresh(folder: Path) -> Path:
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    return folder


def without_clock(files: dict[str, bytes]) -> dict[str, bytes]:
    """Return the files without what a clock has written; files that hold no durations stay as they are."""
    return {name: _without_clock(name.rpartition("/")[2], content) for name, content in files.items()}


def _without_clock(name: str, content: bytes) -> bytes:
    if name in CLOCKED:
        return CLOCK.sub(b"", content)
    return SPOKEN.sub(b"", content) if name in TELLING else content


def differences(expected: dict[str, bytes], found: dict[str, bytes]) -> list[str]:
    names = [name for name in {**expected, **found} if expected.get(name) != found.get(name)]
    return [
        f"{name} {'is missing' if name not in found else 'is new' if name not in expected else 'is other'}"
        for name in names
    ]
