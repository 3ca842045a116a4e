"""Runs Linnet's commands in forked children, so that a command costs no imports and can be killed at any moment."""

import ctypes
import gc
import importlib
import os
import pkgutil
import resource
import signal
import sys
import time
import traceback
import warnings
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

__all__ = ["Child", "Outcome", "call", "preload", "run_command", "start_command"]

NOT_LOADED = (
    "linnet.annotation.ray_job",
    "linnet.comparison.ray_runner",
    "linnet.serving",
    "linnet.pretraining.tensorflow",
)
CODES = (0, 1, 2, 3)  # that commands may end with


@dataclass(frozen=True)
class Outcome:
    """How a command has ended."""

    code: int | None  # negative: by a signal; None: it took too long
    text: str  # standard output and error
    seconds: float

    @property
    def problem(self) -> str:
        """What breaks the promise about commands, nothing where it is kept."""
        if "Traceback (most recent call last)" in self.text:
            return f"traceback: {self.text.rstrip().rpartition(chr(10))[2][:80]}"
        if self.code is None:
            return "takes too long"
        if self.code not in CODES:
            return f"exit code {self.code}"
        return "" if self.code != 2 or self.text.strip() else "exit code 2 without a message"


@dataclass
class Child:
    """A command that is running in a process group of its own."""

    pid: int
    log: Path
    started: float = field(default_factory=time.monotonic)
    status: int | None = None

    def kill(self) -> None:
        """Kill the command and all that it has started."""
        for process in (-self.pid, self.pid):
            try:
                os.kill(process, signal.SIGKILL)
            except ProcessLookupError:
                continue

    def has_ended(self) -> bool:
        """Has it ended?"""
        if self.status is None:
            pid, status = os.waitpid(self.pid, os.WNOHANG)
            self.status = status if pid else None
        return self.status is not None

    def wait(self, seconds: float) -> Outcome:
        """Wait until it ends; a command that takes too long is killed."""
        ends, nap = time.monotonic() + seconds, 0.001
        while not self.has_ended() and time.monotonic() < ends:
            time.sleep(nap)
            nap = min(0.02, nap * 1.5)
        is_late = self.status is None
        if is_late:
            self.kill()
            os.waitpid(self.pid, 0)
        code = None if self.status is None else os.waitstatus_to_exitcode(self.status)
        self.kill_rest()
        text = self.log.read_text(encoding="utf-8", errors="replace") if self.log.is_file() else ""
        return Outcome(code, text, time.monotonic() - self.started)

    def kill_rest(self) -> None:
        """Kill what the command has started and left behind."""
        try:
            os.killpg(self.pid, signal.SIGKILL)
        except ProcessLookupError:
            return


def preload() -> None:
    """Import all of Linnet and what it computes with, once; nothing is computed, so that forks are safe."""
    os.environ.update(OMP_NUM_THREADS="1", TOKENIZERS_PARALLELISM="false", HF_HUB_OFFLINE="1", NO_COLOR="1")
    os.environ.update(MPLBACKEND="agg", COLUMNS="120")
    import linnet

    for found in pkgutil.walk_packages(linnet.__path__, "linnet."):
        if not found.name.startswith(NOT_LOADED):
            importlib.import_module(found.name)
    for name in ("torch", "transformers.trainer", "matplotlib.pyplot", "tests.tiny"):
        importlib.import_module(name)
    for name in ("bert.modeling_bert", "auto.modeling_auto", "auto.tokenization_auto"):
        importlib.import_module(f"transformers.models.{name}")
    gc.collect()
    gc.freeze()  # so that the children copy no pages of it


def start_command(
    argv: Sequence[str], folder: Path, log: Path, *, prepare: Callable[[], None] | None = None,
    limits: Mapping[int, int] | None = None, stdin: Path | None = None,
) -> Child:  # fmt: skip
    """Start `linnet ARGV` in a folder.

    Args:
        argv: without the program's name.
        folder: the working folder.
        log: takes standard output and error.
        prepare: is called in the child before the command.
        limits: of resources, by the number of `resource.RLIMIT_*`.
        stdin: a file; nothing if not given.
    """

    def work() -> None:
        os.chdir(folder)
        if prepare is not None:
            prepare()
        for what, most in (limits or {}).items():
            resource.setrlimit(what, (most, most))
        from linnet.cli.main import main

        sys.argv = ["linnet", *argv]
        main()

    return call(work, log, stdin)


def call(work: Callable[[], None], log: Path, stdin: Path | None = None) -> Child:
    """Call a function in a forked child; an exception becomes a traceback and exit code 1, as in a process."""
    sys.stdout.flush()
    sys.stderr.flush()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)  # newer Pythons warn of threads, of which ours do not run
        pid = os.fork()
    if pid:
        return Child(pid, log)
    code = 1
    try:
        os.setpgid(0, 0)
        ctypes.CDLL(None).prctl(1, signal.SIGKILL)  # die with the campaign
        _redirect(log, stdin)
        work()
        code = 0
    except SystemExit as end:
        code = end.code if isinstance(end.code, int) else int(end.code is not None)
    except BaseException:
        traceback.print_exc()
    finally:
        try:
            sys.stdout.flush()
            sys.stderr.flush()
        finally:
            os._exit(code)


def run_command(argv: Sequence[str], folder: Path, log: Path, *, seconds: float = 60, **options: object) -> Outcome:
    """Run `linnet ARGV` and wait for it; options are those of `start_command`."""
    return start_command(argv, folder, log, **options).wait(seconds)  # type: ignore[arg-type]


def _redirect(log: Path, stdin: Path | None) -> None:
    """Put files in the place of the standard streams."""
    taken = os.open(stdin or os.devnull, os.O_RDONLY)
    given = os.open(log, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o644)
    os.dup2(taken, 0)
    os.dup2(given, 1)
    os.dup2(given, 2)
    sys.stdin = os.fdopen(0, encoding="utf-8", closefd=False)
    sys.stdout = os.fdopen(1, "w", encoding="utf-8", closefd=False)
    sys.stderr = os.fdopen(2, "w", buffering=1, encoding="utf-8", closefd=False)
    sys.__stdout__, sys.__stderr__ = sys.stdout, sys.stderr  # type: ignore[misc]
