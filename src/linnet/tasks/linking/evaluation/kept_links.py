"""Keeps how the links of finished runs were judged, without words of a corpus, and restores it.

What is kept are the counts of each document, from which every score of links and its interval are computed.
"""

import json
import re
from collections.abc import Mapping
from math import isfinite
from pathlib import Path
from typing import Any

from linnet.errors import BadFile
from linnet.storage.files import new_file
from linnet.tasks.linking.evaluation.evaluating import read_predictions

__all__ = ["find_judged", "judged_file", "keep_judged", "restore_judged"]

NAME = re.compile(r"linked-test-[0-9a-f]{8}")


def judged_file(folder: Path, split: str, digest: str) -> Path:
    """Return the file of a run with its judged links; the digest is that of the linker and its label."""
    return folder / f"linked-{split}-{digest}.jsonl"


def find_judged(folder: Path, split: str) -> list[Path]:
    """Return the files of a run with judged links, one for each linker and label."""
    return sorted(folder.glob(f"linked-{split}-*.jsonl"))


def keep_judged(folder: Path) -> dict[str, Any]:
    """Return the counts of each document of the test split, by the name of their file."""
    return {
        path.stem: [[document.id, counts] for document, counts in zip(*read_predictions(path), strict=True)]
        for path in find_judged(folder, "test")
    }


def restore_judged(folder: Path, kept: Mapping[str, Any]) -> None:
    """Write what was kept into the folder of a run, where it is not there: documents without text and mentions.

    Raises:
        BadFile: if it is something else.
    """
    for name, documents in kept.items():
        if not NAME.fullmatch(name) or not _are_counts(documents):
            raise BadFile(f"{name!r}: these are no judged links of a run", "fetch the file of kept runs again")
        path = folder / f"{name}.jsonl"
        if path.exists():
            continue
        with new_file(path) as file:
            for id, counts in documents:
                row = {"id": id, "text": "", "mentions": [], "found": [], "counts": counts}
                file.write(json.dumps(row, ensure_ascii=False) + "\n")


def _are_counts(documents: Any) -> bool:  # Any: a value of JSON
    """Are these pairs of an id and lists of numbers by protocol?"""
    try:
        return all(
            isinstance(id, str) and all(map(isfinite, numbers))
            for id, counts in documents
            for numbers in counts.values()
        )
    except (AttributeError, TypeError, ValueError):
        return False
