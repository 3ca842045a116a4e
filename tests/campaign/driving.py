"""Drives cases that run commands: some at a time, each killed at its moment or at its time limit."""

import time
from collections.abc import Callable, Generator, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from tests.campaign.forks import Child, Outcome, start_command

__all__ = ["Case", "Step", "drive", "list_names", "tree"]


@dataclass(frozen=True)
class Step:
    """A command to run in a folder."""

    argv: tuple[str, ...]
    folder: Path
    log: Path
    seconds: float = 60.0  # after which it is killed, and its code is None
    kill_after: float | None = None  # seconds; its code is then -9
    prepare: Callable[[], None] | None = None
    limits: Mapping[int, int] = field(default_factory=dict)
    stdin: Path | None = None


Case = Generator[list[Step], list[Outcome], None]  # yields commands to run at the same time, gets how they ended


class _Running:
    """A case whose commands are running."""

    def __init__(self, case: Case) -> None:
        self.case = case
        self._begin(next(case))

    def _begin(self, steps: list[Step]) -> None:
        self.steps = steps
        self.children: list[Child] = [_start(step) for step in steps]
        self.outcomes: list[Outcome | None] = [None] * len(steps)

    def poll(self) -> bool:
        """Look at the commands, kill those whose time has come, go on with the case; has it ended?"""
        for at, (step, child) in enumerate(zip(self.steps, self.children, strict=True)):
            if self.outcomes[at] is None:
                self.outcomes[at] = _look(step, child)
        if None in self.outcomes:
            return False
        try:
            self._begin(self.case.send([each for each in self.outcomes if each is not None]))
        except StopIteration:
            return True
        return False


def drive(cases: Iterator[Case], workers: int) -> None:
    """Run all cases, `workers` at a time."""
    running: list[_Running] = []
    more = True
    while more or running:
        while more and len(running) < workers:
            case = next(cases, None)
            more = case is not None
            if case is not None:
                running.append(_Running(case))
        running = [each for each in running if not each.poll()]
        time.sleep(0.002)


def tree(folder: Path) -> dict[str, bytes]:
    """Return the content of all files below a folder by name; a folder's name ends in a slash."""
    return {name: path.read_bytes() if path.is_file() else b"" for name, path in list_names(folder).items()}


def list_names(folder: Path) -> dict[str, Path]:
    """Return the files and folders below a folder by name; a folder's name ends in a slash."""
    paths = sorted(folder.rglob("*"))
    is_file = [path.is_symlink() or path.is_file() for path in paths]
    return {f"{path.relative_to(folder)}{'' if a else '/'}": path for path, a in zip(paths, is_file, strict=True)}


def _start(step: Step) -> Child:
    return start_command(step.argv, step.folder, step.log, prepare=step.prepare, limits=step.limits, stdin=step.stdin)


def _look(step: Step, child: Child) -> Outcome | None:
    age = time.monotonic() - child.started
    if child.has_ended():
        return child.wait(0)
    if step.kill_after is not None and age >= step.kill_after:
        child.kill()
        return child.wait(10)
    return child.wait(0) if age > step.seconds else None
