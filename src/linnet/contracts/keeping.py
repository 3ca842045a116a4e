"""Contract of tasks whose runs can be kept without their weights and without the words of a corpus."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any, Protocol, runtime_checkable

__all__ = ["KeepsPredictions"]


@runtime_checkable
class KeepsPredictions(Protocol):
    """A task whose predictions of a split can be kept as plain values, and written again."""

    def keep_predictions(self, folder: Path, split: str, /) -> tuple[dict[str, Any], dict[str, Any]]:
        """Return values for JSON: what all runs on one split share, and what a run predicted."""
        ...

    def restore_predictions(
        self, runs: Sequence[tuple[Path, dict[str, Any]]], shared: dict[str, Any], settings: Any, split: str, /
    ) -> bool:
        """Write the predictions of runs on one split; return whether the corpus was there to take words from.

        Raises:
            ValueError: before anything is written, where these are no such values.
        """
        ...
