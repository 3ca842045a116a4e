"""Restored runs: their folders have predictions for test, even where the runs were scored on devel as well."""

from collections.abc import Iterable
from pathlib import Path

from linnet.errors import BadSetting
from linnet.training.publishing import CARD
from linnet.training.run_folder import open_run

__all__ = ["check_not_restored"]


def check_not_restored(folders: Iterable[Path], split: str) -> None:
    """Refuse to judge runs on a split whose predictions stayed where they were made.

    Raises:
        BadSetting: with the first run that was restored from a file of kept runs.
    """
    if split == "test":
        return
    for folder in folders:
        has_predictions = any(folder.glob(f"predictions-{split}.*"))
        if not has_predictions and not (folder / CARD).is_file() and split in open_run(folder).metrics:
            raise BadSetting(
                f"{folder}: this run was restored from a file of kept runs, which has predictions for test only",
                f"give the folders in which the runs were made, `--on {split}` needs them; or judge on test",
            )
