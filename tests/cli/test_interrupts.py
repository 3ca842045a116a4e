"""Interruptions of commands: their messages and exit codes."""

import os
import signal
from collections.abc import Iterator

import pytest

from linnet.cli.interrupts import Terminated, describe_interrupt, find_interrupt, heeding_termination


@pytest.fixture(autouse=True)
def _as_a_process_begins() -> Iterator[None]:
    """Ray, which other tests start in this process, decides about the signal."""
    before = signal.signal(signal.SIGTERM, signal.SIG_DFL)
    yield
    signal.signal(signal.SIGTERM, before)


def test_an_interruption_says_what_its_job_keeps_or_how_its_command_goes_on() -> None:
    with_note = KeyboardInterrupt()
    with_note.add_note("5 documents are kept")

    assert describe_interrupt(with_note, ["annotate", "in"]) == ("linnet: interrupted; 5 documents are kept", 130)
    assert describe_interrupt(Terminated(), ["stats", "demo"]) == ("linnet: terminated", 143)
    assert describe_interrupt(Terminated(), ["train"])[0].endswith("with `--resume` to go on")
    assert describe_interrupt(KeyboardInterrupt(), [])[0] == "linnet: interrupted"


def test_an_interruption_is_found_behind_the_exit_that_was_made_of_it() -> None:
    found = Terminated()
    end = SystemExit(130)
    end.__context__ = RuntimeError()
    end.__context__.__cause__ = found
    other = SystemExit(2)
    other.__context__ = found

    assert find_interrupt(end) is found
    assert type(find_interrupt(SystemExit(130))) is KeyboardInterrupt
    assert find_interrupt(other) is None


def test_a_request_to_end_interrupts_and_is_heeded_no_longer_than_the_command() -> None:
    with pytest.raises(Terminated), heeding_termination():
        os.kill(os.getpid(), signal.SIGTERM)

    assert signal.getsignal(signal.SIGTERM) == signal.SIG_DFL


def test_what_somebody_else_decided_about_the_signal_stays() -> None:
    signal.signal(signal.SIGTERM, signal.SIG_IGN)

    with heeding_termination():
        os.kill(os.getpid(), signal.SIGTERM)
        assert signal.getsignal(signal.SIGTERM) == signal.SIG_IGN
