"""What commands print when a job over documents has ended, and their exit code if documents failed."""

from typing import Protocol

import typer

from linnet.cli.display.printing import print_warnings
from linnet.documents.counted import counted

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


def exit_if_failed(n_failures: int, *, is_recorded: bool) -> None:
    """End the command with exit code 3 if documents failed, and say where the failures are recorded."""
    if n_failures:
        where = ", see errors.jsonl" if is_recorded else ""
        print_warnings([f"{counted(n_failures, 'document')} failed{where}"], what="note")
        raise typer.Exit(SOME_FAILED)
