"""Resource faults: full disks, read-only folders, limits on memory, files and descriptors."""

import os
import random
import re
import resource
import shutil
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from tests.campaign.driving import Case, Step, drive, tree
from tests.campaign.forks import Outcome
from tests.campaign.kills import differences, without_clock
from tests.campaign.results import Campaign, Defect, Tally, rng_of
from tests.campaign.workshop import QUICK, Workshop

__all__ = ["repeat", "run"]

PART = "faults"
SECONDS = 240.0
KINDS = ("file size", "descriptors", "memory", "full disk", "read-only")
ALLOWED_LEFT = re.compile(
    r"[^/]+\.work/.*|errors\.jsonl|run/|run/checkpoints/.*|run/history\.jsonl"
)  # what a refused job that can be resumed may leave: its working folder, its failures, its checkpoints


def run(campaign: Campaign, shop: Workshop) -> Tally:
    """Run commands short of something until the time is over."""
    started, tally = time.monotonic(), Tally()
    references: dict[str, dict[str, bytes]] = {}
    can_mount = _can_mount(campaign.work)
    if not can_mount:
        tally.notes.append("no tmpfs can be mounted here: full disks and read-only folders were left out")

    def cases() -> Iterator[Case]:
        number = 0
        while campaign.is_wanted(PART, number):
            yield _case(campaign, shop, number, tally, references, can_mount)
            number += 1

    drive(cases(), 1)
    tally.seconds = time.monotonic() - started
    return tally


def repeat(case: dict[str, Any], campaign: Campaign, shop: Workshop) -> str:
    """Run the command with the same fault again."""
    tally = Tally()
    drive(iter([_case(campaign, shop, case["number"], tally, {}, _can_mount(campaign.work))]), 1)
    return f"defects: {dict(tally.kinds) or 'none'}"


def _case(
    campaign: Campaign, shop: Workshop, number: int, tally: Tally, references: dict[str, dict[str, bytes]],
    can_mount: bool,
) -> Case:  # fmt: skip
    draw = rng_of(campaign.seed, PART, number)
    name, argv = draw.choice(list(_lines(shop).items()))
    if name not in references:
        folder = _fresh(campaign.work / f"{name}-whole")
        (whole,) = yield [_step(argv, folder)]
        references[name] = without_clock(tree(folder / "out")) if whole.code == 0 else {}
    kind = draw.choice(KINDS if can_mount else KINDS[:3])
    folder = _fresh(campaign.work / f"fault-{number}")
    limits, amount = _spoil(kind, folder / "out", draw)
    try:
        (outcome,) = yield [_step(argv, folder, limits)]
        is_silenced = kind == "file size" and len(outcome.text.encode()) >= amount  # the log is a file, too
        problem = "" if is_silenced else _judge(outcome, references[name], folder / "out")
    finally:
        if kind in ("full disk", "read-only"):
            subprocess.run(["umount", str(folder / "out")], check=False, capture_output=True)
    tally.tried += 1
    if problem:
        case = {"number": number, "argv": argv, "fault": kind, "amount": amount}
        text = f"{problem}\n{outcome.text}"
        campaign.record(tally, PART, Defect(f"{name} with {kind}: {problem}", text, case))
    else:
        tally.passed += outcome.code == 0
        tally.refused += outcome.code != 0
    shutil.rmtree(folder, ignore_errors=True)


def _lines(shop: Workshop) -> dict[str, list[str]]:
    documents, model = str(shop.documents), str(shop.model)
    train = ["train", "--data", str(shop.corpus), "--encoder", str(shop.encoder), "--output", "out/run", *QUICK]
    return {
        "convert": ["convert", documents, "out/new.jsonl"],
        "convert-brat": ["convert", documents, "out/brat", "--to", "brat"],
        "annotate": ["annotate", documents, "--model", model, "--output", "out/new.jsonl"],
        "annotate-shards": ["annotate", documents, "--model", model, "--output", "out/new", "--shard", "20"],
        "predict": ["predict", str(shop.texts / "train.tsv"), "--model", str(shop.classifier), "--output", "out/p.tsv"],
        "evaluate": ["evaluate", model, str(shop.corpus), "--predictions", "out/p.tsv", "--report", "out/report"],
        "train": train,
    }


def _spoil(kind: str, out: Path, draw: random.Random) -> tuple[dict[int, int], int]:
    """Return the limits of the command, after the output's folder was made scarce."""
    if kind == "file size":
        amount = draw.choice((3000, 5000, 8000, 20000, 60000))
        return {resource.RLIMIT_FSIZE: amount}, amount
    if kind == "descriptors":
        amount = draw.randint(4, 24)
        return {resource.RLIMIT_NOFILE: amount}, amount
    if kind == "memory":
        size = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[0]) * resource.getpagesize()
        amount = draw.choice((0, 1, 4, 16, 64)) << 20
        return {resource.RLIMIT_AS: size + amount}, amount
    amount = draw.choice((4, 16, 64, 128)) if kind == "full disk" else 0
    options = f"size={amount}k" if amount else "ro"
    subprocess.run(["mount", "-t", "tmpfs", "-o", options, "none", str(out)], check=True, capture_output=True)
    return {}, amount


def _judge(outcome: Outcome, whole: dict[str, bytes], out: Path) -> str:
    """Return what is wrong: a traceback, an exit code, or a file under a final name that is not whole."""
    if outcome.problem:
        return re.sub(r": *(?:PosixPath\()?['\"].*", "", outcome.problem)[:90]
    if outcome.code == 1 and not outcome.text.strip():
        return "exit code 1 without a message"
    found = without_clock(tree(out))
    broken = [name for name in differences(whole, found) if not name.endswith("is missing")]
    if outcome.code == 0:
        left = differences(whole, found)
        return f"exit code 0, and {left[0]}" if left else ""
    broken = [name for name in broken if not ALLOWED_LEFT.fullmatch(name.rpartition(" is ")[0])]
    return f"a partial file: {broken[0]}" if broken else ""


def _step(argv: list[str], folder: Path, limits: dict[int, int] | None = None) -> Step:
    log = folder.with_name(f"{folder.name}.log")
    return Step(argv=tuple(argv), folder=folder, log=log, seconds=SECONDS, limits=limits or {})


def _fresh(folder: Path) -> Path:
    shutil.rmtree(folder, ignore_errors=True)
    (folder / "out").mkdir(parents=True)
    return folder


def _can_mount(work: Path) -> bool:
    """May this process mount a tmpfs?"""
    if os.geteuid() != 0 or shutil.which("mount") is None:
        return False
    place = work / "mounted"
    place.mkdir(exist_ok=True)
    line = ["mount", "-t", "tmpfs", "-o", "size=4k", "none", str(place)]
    if subprocess.run(line, check=False, capture_output=True).returncode:
        return False
    subprocess.run(["umount", str(place)], check=True, capture_output=True)
    return True
