"""Turns the exceptions that libraries raise for broken files into errors that name the file."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np

from linnet.errors import BadFile, LinnetError

__all__ = ["refuse_not_finite", "refuse_unusable"]

MOST_SHOWN = 300  # characters of a library's message
PANIC = "PanicException"  # of libraries in Rust; no subclass of Exception, and no module has its class


@contextmanager
def refuse_unusable(place: Path, problem: str, remedy: str = "train or copy the model again") -> Iterator[None]:
    """Raise BadFile for whatever a library raises meanwhile; errors of ours and interruptions pass.

    Args:
        place: the file or folder that is opened.
        problem: what cannot be done with it; the library's own message is added.
        remedy: what to do about it.
    """
    try:
        yield
    except LinnetError:
        raise
    except BaseException as error:
        if not isinstance(error, Exception) and type(error).__name__ != PANIC:
            raise
        raise BadFile(f"{place}: {problem} ({_describe(error)})", remedy) from None


def refuse_not_finite(scores: Any, folder: Path) -> None:
    """Refuse a model whose scores of a few words (an array) are not finite."""
    if not np.isfinite(scores).all():
        raise BadFile(f"{folder}: the scores of the network are not finite numbers", "train or copy the model again")


def _describe(error: BaseException) -> str:
    """Return the message in one line, with its class where it would say little alone."""
    lines = " ".join(str(error).split())
    shown = lines if len(lines) <= MOST_SHOWN else f"{lines[:MOST_SHOWN]} ..."
    has_words = " " in shown
    return shown if has_words else f"{type(error).__name__}: {shown}"
