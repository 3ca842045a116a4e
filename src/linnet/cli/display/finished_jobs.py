"""What commands print when a job over documents has ended, and their exit code if documents failed."""

from pathlib import Path
from typing import Protocol

import typer

from linnet.cli.display.printing import print_warnings
from linnet.documents.counted import counted
from linnet.formats.inputs.failures import ERRORS

__all__ = ["count_documents", "exit_if_failed"]

SOME_FAILED = 3  # exit code: the rest is done


class FinishedJob(Protocol):
    """The counts of a job."""

    documents: int
    kept_documents: int  # from before it was resumed


def count_documents(done: FinishedJob) -> str:
    """Return how many documents are done, and how many of them before the job was resumed."""
    kept = f" ({done.kept_documents:,} of them kept from before)" if done.kept_documents else ""
    return f"{counted(done.documents, 'document')}{kept}"


def exit_if_failed(n_failures: int, output: Path | None) -> None:
    """End the command with exit code 3 if documents failed, and say where the failures are recorded.

    Args:
        n_failures: how many documents failed.
        output: of the job; None where it is standard output, and nothing is recorded.
    """
    if n_failures:
        errors = output and (output / ERRORS if output.is_dir() else output.with_name(ERRORS))
        where = f", see {errors}" if errors else ""
        print_warnings([f"{counted(n_failures, 'document')} failed{where}"], what="note")
        raise typer.Exit(SOME_FAILED)
