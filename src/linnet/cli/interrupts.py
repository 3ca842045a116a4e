"""Interruptions of a command by Ctrl+C or SIGTERM: both end it in the same way, with a message and a code."""

import signal
from collections.abc import Iterator
from contextlib import contextmanager
from threading import current_thread, main_thread
from types import FrameType

__all__ = ["INTERRUPTED", "TERMINATED", "Terminated", "describe_interrupt", "find_interrupt", "heeding_termination"]

INTERRUPTED = 130  # exit code after Ctrl+C: 128 and the number of the signal, as shells have it
TERMINATED = 143  # after SIGTERM
AGAIN = "give the same command again"
GOING_ON = {  # by command, where the interruption does not say what is kept
    "annotate": AGAIN,
    "link": AGAIN,
    "predict": AGAIN,
    "compare": f"{AGAIN}: finished runs are kept, and the others go on from their checkpoints",
    "pretrain": f"{AGAIN} with `--resume` to go on",
    "train": f"{AGAIN} with `--resume` to go on",
}


class Terminated(KeyboardInterrupt):
    """SIGTERM: an interruption that comes from a scheduler or an administrator instead of the keyboard."""


@contextmanager
def heeding_termination() -> Iterator[None]:
    """Let SIGTERM end the command like Ctrl+C; what somebody else has decided about the signal stays."""
    if current_thread() is not main_thread() or signal.getsignal(signal.SIGTERM) != signal.SIG_DFL:
        yield
        return
    signal.signal(signal.SIGTERM, _terminate)
    try:
        yield
    finally:
        if signal.getsignal(signal.SIGTERM) is _terminate:
            signal.signal(signal.SIGTERM, signal.SIG_DFL)


def _terminate(_: int, __: FrameType | None) -> None:
    raise Terminated


def find_interrupt(end: SystemExit) -> KeyboardInterrupt | None:
    """Return the interruption that typer has made an exit of; None for every other exit."""
    if end.code != INTERRUPTED:
        return None
    error: BaseException | None = end
    while error is not None and not isinstance(error, KeyboardInterrupt):
        error = error.__cause__ or error.__context__
    return error or KeyboardInterrupt()


def describe_interrupt(interrupt: KeyboardInterrupt, words: list[str]) -> tuple[str, int]:
    """Return the message about an interruption, and the exit code.

    Args:
        interrupt: with notes that say what is kept, where a job has added some.
        words: of the command line.
    """
    what, code = ("terminated", TERMINATED) if isinstance(interrupt, Terminated) else ("interrupted", INTERRUPTED)
    command = next((word for word in words if not word.startswith("-")), "")
    advice = "; ".join(getattr(interrupt, "__notes__", [])) or GOING_ON.get(command, "")
    return f"linnet: {what}{f'; {advice}' if advice else ''}", code
