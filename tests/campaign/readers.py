"""Fuzzes every reader: a file is read whole, or refused with a message; anything else is a defect."""

import importlib
import mmap
import os
import pickle
import resource
import signal
import time
import traceback
from pathlib import Path
from types import FrameType
from typing import Any

from linnet.errors import LinnetError
from tests.campaign.mutations import mutate
from tests.campaign.results import Campaign, Defect, Tally, rng_of
from tests.campaign.target import Contradiction, Target
from tests.campaign.targets import targets

__all__ = ["judge", "make_input", "repeat", "run"]

PART = "readers"
SECONDS = 10.0  # for one input; all are small
MEMORY = 3 << 30  # bytes of address space beyond those of the start
STUCK = 3 * SECONDS  # after which a worker that does not answer to its alarm is killed
REFUSED, PASSED = "refused", "passed"


class TooSlow(BaseException):
    """The alarm of one input."""


def make_input(seed: int, number: int) -> tuple[Target, bytes]:
    """Return the reader and the content of an input."""
    known = targets()
    target = known[number % len(known)]
    draw = rng_of(seed, PART, number)
    content = draw.choice(target.files)
    others = known[draw.randrange(len(known))].files
    return target, content if draw.random() < 0.02 else mutate(content, draw, others)


def judge(target: Target, path: Path, content: bytes) -> str | tuple[str, str]:
    """Return `passed`, `refused`, or kind and message of a defect."""
    try:
        held = target.read(path)
    except LinnetError:
        return REFUSED
    except Contradiction as error:
        return f"{target.name}: contradiction", str(error)
    except TooSlow:
        return f"{target.name}: takes more than {SECONDS:.0f} s", traceback.format_exc()
    except Exception as error:
        return f"{target.name}: {type(error).__name__} in {_place(error)}", traceback.format_exc()
    expected = target.count(content) if target.count and held is not None else None
    wrong = [key for key in expected or () if held and key in held and held[key] != (expected or {})[key]]
    if wrong:
        shown = ", ".join(f"{key}: read {(held or {})[key]}, the file has {(expected or {})[key]}" for key in wrong)
        return f"{target.name}: silent difference of {'+'.join(wrong)}", shown
    return PASSED


def run(campaign: Campaign) -> Tally:
    """Fuzz with several processes, each with its own numbers; a process that hangs is replaced."""
    targets()  # before the fork
    importlib.import_module("linnet.training.checkpoint")
    started, tally = time.monotonic(), Tally()
    crew = [_Worker(campaign, at, at) for at in range(campaign.workers)]
    while crew:
        time.sleep(0.05)
        for worker in list(crew):
            ended, code = worker.has_ended(), worker.code
            if not ended and not worker.is_stuck():
                continue
            crew.remove(worker)
            number = worker.stop()
            if worker.results.is_file():
                tally.add(pickle.loads(worker.results.read_bytes()))  # written by our own process
            if code != 0:
                campaign.record(tally, PART, _death(campaign, number, code))
                crew.append(_Worker(campaign, number % campaign.workers, number + campaign.workers))
    tally.seconds = time.monotonic() - started
    return tally


def repeat(case: dict[str, Any], folder: Path, work: Path) -> str:
    """Read a kept file again and return what happens."""
    target = next(each for each in targets() if each.name == case["target"])
    content = (folder / case["files"][0]).read_bytes()
    path = work / f"input{target.suffix}"
    path.write_bytes(content)
    found = judge(target, path, content)
    return found if isinstance(found, str) else "\n".join(found)


class _Worker:
    """A process that fuzzes; its current number stands in shared memory."""

    def __init__(self, campaign: Campaign, at: int, first: int) -> None:
        self.folder = campaign.work / f"reader-{at}"
        self.folder.mkdir(exist_ok=True)
        self.results = campaign.work / f"reader-{at}-{first}.pickle"
        self.shared = mmap.mmap(-1, 16)
        self.code: int | None = None
        self.seen, self.since = -1, time.monotonic()
        self.pid = os.fork()
        if not self.pid:
            _work(campaign, first, self.folder, self.results, self.shared)

    @property
    def number(self) -> int:
        return int.from_bytes(self.shared[:8])

    def has_ended(self) -> bool:
        if self.code is None:
            pid, status = os.waitpid(self.pid, os.WNOHANG)
            self.code = os.waitstatus_to_exitcode(status) if pid else None
        return self.code is not None

    def is_stuck(self) -> bool:
        if self.number != self.seen:
            self.seen, self.since = self.number, time.monotonic()
        return time.monotonic() - self.since > STUCK

    def stop(self) -> int:
        if self.code is None:
            os.kill(self.pid, signal.SIGKILL)
            os.waitpid(self.pid, 0)
        return self.number


def _death(campaign: Campaign, number: int, code: int | None) -> Defect:
    target, content = make_input(campaign.seed, number)
    path = campaign.work / f"input{target.suffix}"
    path.write_bytes(content)
    what = "hangs beyond its alarm" if code is None else f"ends the process with {code}"
    return Defect(f"{target.name}: {what}", what, {"number": number, "target": target.name}, (path,))


def _work(campaign: Campaign, first: int, folder: Path, results: Path, shared: mmap.mmap) -> None:
    """Fuzz until the time is over, then write the counts and end this process."""
    code = 1
    try:
        size = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[0]) * resource.getpagesize()
        resource.setrlimit(resource.RLIMIT_AS, (size + MEMORY, size + MEMORY))
        signal.signal(signal.SIGALRM, _ring)
        tally, number, n_defects = Tally(), first, 0
        while campaign.is_wanted(PART, number):
            shared[:8] = number.to_bytes(8)
            _try(campaign, number, folder, tally)
            number += campaign.workers
            if tally.defects > n_defects or tally.tried % 500 == 0:  # this process may die of the next input
                n_defects = tally.defects
                results.write_bytes(pickle.dumps(tally))
        results.write_bytes(pickle.dumps(tally))
        code = 0
    except BaseException:
        traceback.print_exc()
    finally:
        os._exit(code)


def _try(campaign: Campaign, number: int, folder: Path, tally: Tally) -> None:
    target, content = make_input(campaign.seed, number)
    path = folder / f"input{target.suffix}"
    path.write_bytes(content)
    signal.setitimer(signal.ITIMER_REAL, SECONDS)
    try:
        found = judge(target, path, content)
    except TooSlow:  # between the reader and the alarm's end
        found = REFUSED
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
    tally.tried += 1
    if isinstance(found, str):
        tally.passed += found == PASSED
        tally.refused += found == REFUSED
        return
    path.write_bytes(content)
    kind, message = found
    case = {"number": number, "target": target.name}
    campaign.record(tally, PART, Defect(kind, message, case, (path,)))


def _ring(_signal: int, _frame: FrameType | None) -> None:
    raise TooSlow


def _place(error: BaseException) -> str:
    """Return the innermost function of Linnet that the error passed."""
    frames = [frame for frame in traceback.extract_tb(error.__traceback__) if "/linnet/" in frame.filename]
    if not frames:
        return "the campaign"
    return f"{frames[-1].filename.partition('/linnet/')[2]} {frames[-1].name}"
