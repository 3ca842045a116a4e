"""Restored runs: their folders have predictions for one split, even where the runs were scored on others as well."""

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
    for folder in folders:
        kept = {path.name.removeprefix("predictions-").partition(".")[0] for path in folder.glob("predictions-*")}
        if not kept or split in kept or (folder / CARD).is_file():
            continue
        metrics = open_run(folder).metrics
        if split in metrics or split == metrics.get("split"):
            only = min(kept)
            raise BadSetting(
                f"{folder}: this run was restored from a file of kept runs, which has predictions for {only} only",
                f"give the folders in which the runs were made, `--on {split}` needs them; or judge on {only}",
            )
