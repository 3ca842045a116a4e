"""Load of this machine: how many processes want a processor, and what that means for an estimate of time."""

import os

__all__ = ["describe_load", "measure_load"]

BUSY = 1.0  # processes that wanted a processor


def measure_load() -> float | None:
    """Return how many processes wanted a processor in the last minute; None where the system does not tell it."""
    return os.getloadavg()[0] if hasattr(os, "getloadavg") else None


def describe_load(load: float | None) -> str:
    """Return a sentence for those who read an estimate of time; empty where the machine was not busy.

    >>> describe_load(3.14), describe_load(0.4), describe_load(None)
    ('the machine was busy (load 3.1 before the estimate): an idle one is faster', '', '')
    """
    if load is None or load < BUSY:
        return ""
    return f"the machine was busy (load {load:.1f} before the estimate): an idle one is faster"
