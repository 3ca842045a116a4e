"""Concurrent jobs: jobs that end together lose nothing, and of two jobs with one output one is refused."""

import json
import os
import shutil
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Any

from tests.campaign.driving import Case, Step, drive
from tests.campaign.forks import Outcome
from tests.campaign.results import Campaign, Defect, Tally, rng_of
from tests.campaign.workshop import QUICK, Workshop

__all__ = ["repeat", "run"]

PART = "jobs"
SECONDS = 300.0
N_BROKEN = 20  # lines of each input that cannot be read
N_CROWD = 30  # jobs in one folder
N_PIPED = 150  # documents, of 150 kB

Plan = tuple[list[list[str]], Callable[[list[Outcome], Path], str]]  # command lines, and what is wrong after them


def run(campaign: Campaign, shop: Workshop) -> Tally:
    """Run pairs and crowds of jobs until the time is over."""
    started, tally = time.monotonic(), Tally()

    def cases() -> Iterator[Case]:
        number = 0
        while campaign.is_wanted(PART, number):
            yield _case(campaign, shop, number, tally)
            number += 1

    drive(cases(), 1)  # the jobs of a case are several processes already
    tally.seconds = time.monotonic() - started
    return tally


def repeat(case: dict[str, Any], campaign: Campaign, shop: Workshop) -> str:
    """Run the same jobs again."""
    tally = Tally()
    drive(iter([_case(campaign, shop, case["number"], tally)]), 1)
    return f"defects: {dict(tally.kinds) or 'none'}"


def _case(campaign: Campaign, shop: Workshop, number: int, tally: Tally) -> Case:
    name, make = list(PLANS.items())[number % len(PLANS)]
    folder = campaign.work / f"job-{number}"
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    draw = rng_of(campaign.seed, PART, number)
    lines, judge = make(shop, folder)
    if draw.random() < 0.5:
        lines.reverse()
    prepare = _feed_pipe if "pipe" in name else None
    outcomes = yield [
        Step(
            argv=tuple(line),
            folder=folder,
            log=folder.with_name(f"{folder.name}-{at}.log"),
            seconds=SECONDS,
            prepare=prepare,
        )
        for at, line in enumerate(lines)
    ]
    tally.tried += 1
    problem = next((each.problem for each in outcomes if each.problem), "") or judge(outcomes, folder)
    if problem:
        texts = "\n".join(f"exit code {each.code}: {each.text[-1000:]}" for each in outcomes)
        case = {"number": number, "argv": lines}
        campaign.record(tally, PART, Defect(f"{name}: {problem}", f"{problem}\n{texts}", case, (folder,)))
    else:
        tally.passed += 1
        tally.refused += any(each.code == 2 for each in outcomes)
    shutil.rmtree(folder, ignore_errors=True)


def _same_output(shop: Workshop, folder: Path) -> Plan:
    line = ["annotate", str(shop.documents), "--model", str(shop.model), "--output", "out.jsonl"]
    return [line, list(line)], lambda outcomes, place: _one_wins(outcomes) or _complete(place / "out.jsonl", 96)


def _same_predictions(shop: Workshop, folder: Path) -> Plan:
    line = ["predict", str(shop.texts / "train.tsv"), "--model", str(shop.classifier), "--output", "out.jsonl"]
    return [line, list(line)], lambda outcomes, place: _one_wins(outcomes) or _complete(place / "out.jsonl", 24)


def _same_run(shop: Workshop, folder: Path) -> Plan:
    line = ["train", "--data", str(shop.corpus), "--encoder", str(shop.encoder), "--output", "run", *QUICK]
    return [line, list(line)], lambda outcomes, place: _one_wins(outcomes) or _has(place / "run/model.safetensors")


def _same_pretraining(shop: Workshop, folder: Path) -> Plan:
    line = ["pretrain", "--texts", str(shop.lines), "--encoder", str(shop.encoder), "--output", "run", "--steps", "8"]
    line += ["--batch-size", "4", "--length", "32", "--threads", "1"]
    return [line, list(line)], lambda outcomes, place: _one_wins(outcomes) or _has(place / "run/model.safetensors")


def _end_together(shop: Workshop, folder: Path, n_jobs: int) -> Plan:
    """Jobs in one folder, each with inputs that fail: `errors.jsonl` has all of them."""
    lines = []
    for at in range(n_jobs):
        source = folder / f"in-{at}.jsonl"
        good = [f'{{"id": "g{at}-{row}", "text": "we gave aspirin ."}}\n' for row in range(5)]
        source.write_text("".join([*good, *(f'{{"id": "b{at}-{row}"\n' for row in range(N_BROKEN))]), encoding="utf-8")
        lines.append(["annotate", source.name, "--model", str(shop.model), "--output", f"out-{at}.jsonl"])

    def judge(outcomes: list[Outcome], place: Path) -> str:
        if any(each.code != 3 for each in outcomes):
            return "a job with failures does not end with 3"
        written = (place / "errors.jsonl").read_text(encoding="utf-8").splitlines()
        n_found = len({line for line in written if json.loads(line)})
        wrong = [problem for at in range(n_jobs) if (problem := _complete(place / f"out-{at}.jsonl", 5))]
        return wrong[0] if wrong else "" if n_found == n_jobs * N_BROKEN else "errors.jsonl loses records"

    return lines, judge


def _shards_together(shop: Workshop, folder: Path) -> Plan:
    common = ["annotate", str(shop.documents), "--model", str(shop.model), "--shard", "10", "--output"]

    def judge(outcomes: list[Outcome], place: Path) -> str:
        if any(each.code for each in outcomes):
            return "a job with its own output fails"
        counts = [sum(len(part.read_bytes().splitlines()) for part in (place / name).glob("part-*")) for name in "abc"]
        return "" if counts == [96] * 3 else f"shards hold {counts} documents"

    return [[*common, name] for name in "abc"], judge


def _conversions(shop: Workshop, folder: Path) -> Plan:
    """Several conversions to one name: whatever stands there at the end is whole."""
    line = ["convert", str(shop.documents), "out.jsonl"]
    return [list(line) for _ in range(3)], lambda outcomes, place: _complete(place / "out.jsonl", 96)


def _from_pipe(command: str) -> Callable[[Workshop, Path], Plan]:
    """Documents of more than a pipe holds at once, from standard input: all are read, or the pipe is refused."""

    def make(shop: Workshop, folder: Path) -> Plan:
        line = [command, "/dev/stdin", *(["out.jsonl"] if command == "convert" else [])]
        if command == "annotate":
            line += ["--model", str(shop.model), "--output", "out.jsonl"]

        def judge(outcomes: list[Outcome], place: Path) -> str:
            is_refused = outcomes[0].code == 2
            return "" if is_refused or command == "stats" else _complete(place / "out.jsonl", N_PIPED)

        return [line], judge

    return make


def _feed_pipe() -> None:
    """Put a pipe in the place of standard input, which another process fills."""
    reading, writing = os.pipe()
    if os.fork():
        os.close(writing)
        os.dup2(reading, 0)
        return
    os.close(reading)
    with suppress(BrokenPipeError), os.fdopen(writing, "w", encoding="utf-8") as file:
        for number in range(N_PIPED):
            file.write(json.dumps({"id": f"p{number}", "text": "we gave aspirin ." * 60}) + "\n")
    os._exit(0)


def _one_wins(outcomes: list[Outcome]) -> str:
    codes = sorted(each.code if each.code is not None else -1 for each in outcomes)
    return "" if codes == [0, 2] else f"two jobs on one output end with {codes}"


def _complete(path: Path, n_lines: int) -> str:
    if not path.is_file():
        return f"{path.name} is missing"
    found = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    ids = {each["id"] for each in found}
    return "" if len(found) == len(ids) == n_lines else f"{path.name} has {len(found)} of {n_lines} documents"


def _has(path: Path) -> str:
    return "" if path.is_file() else f"{path.name} is missing"


PLANS: dict[str, Callable[[Workshop, Path], Plan]] = {
    "two annotations of one output": _same_output,
    "annotations that end together": partial(_end_together, n_jobs=4),
    "a crowd of annotations that end together": partial(_end_together, n_jobs=N_CROWD),
    "two trainings of one run": _same_run,
    "shards that end together": _shards_together,
    "two predictions of one output": _same_predictions,
    "two pretrainings of one run": _same_pretraining,
    "conversions of one output": _conversions,
    **{f"{command} of a pipe": _from_pipe(command) for command in ("convert", "stats", "annotate")},
}
