"""A shortage of memory, open files or disk space is recognised in the errors of all libraries."""

import os
from errno import EACCES, EMFILE, ENOMEM, ENOSPC

import pytest

from linnet.storage.shortages import explain_shortage


def caused(error: Exception) -> Exception:
    """Return an error that was raised because of another."""
    try:
        try:
            raise error
        except Exception as inner:
            raise ValueError("while something else was done") from inner
    except ValueError as outer:
        return outer


@pytest.mark.parametrize(
    ("error", "problem"),
    [
        (MemoryError(), "there is not enough memory"),
        (OSError(ENOMEM, "text", "a.bin"), "a.bin: there is not enough memory"),
        (OSError(EMFILE, "text", "a.txt"), "a.txt: too many files are open"),
        (OSError(ENOSPC, "text"), "there is no space left"),
        (ImportError(f"libx.so: {os.strerror(EMFILE)}"), "too many files are open"),
        (
            RuntimeError("DefaultCPUAllocator: can't allocate memory: you tried to allocate 8 bytes"),
            "not enough memory",
        ),
        (RuntimeError("can't start new thread"), "not enough memory"),
        (caused(MemoryError()), "not enough memory"),
    ],
)
def test_a_shortage_is_named_with_a_remedy(error: Exception, problem: str) -> None:
    found = explain_shortage(error)

    assert found is not None
    assert problem in found.problem
    assert found.remedy


@pytest.mark.parametrize("error", [OSError(EACCES, "text", "a.txt"), ValueError("no number"), KeyError(12)])
def test_other_errors_are_no_shortage(error: Exception) -> None:
    assert explain_shortage(error) is None
