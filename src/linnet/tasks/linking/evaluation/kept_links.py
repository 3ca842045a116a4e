"""Keeps how the links of finished runs were judged, without words of a corpus, and restores it.

What is kept are the counts of each document, from which every score of links and its interval are computed.
"""

import json
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from linnet.errors import BadFile
from linnet.storage.files import new_file
from linnet.tasks.linking.evaluation.predictions_file import are_counts, read_predictions

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
        if not NAME.fullmatch(name) or not _are_documents(documents):
            raise BadFile(f"{name!r}: these are no judged links of a run", "fetch the file of kept runs again")
        path = folder / f"{name}.jsonl"
        if path.exists():
            continue
        with new_file(path) as file:
            for id, counts in documents:
                row = {"id": id, "text": "", "mentions": [], "found": [], "counts": counts}
                file.write(json.dumps(row, ensure_ascii=False) + "\n")


def _are_documents(value: Any) -> bool:  # Any: of a JSON file
    """Are these pairs of an id and counts?"""
    pairs = value if isinstance(value, list) else [None]
    return all(
        isinstance(pair, list) and len(pair) == 2 and isinstance(pair[0], str) and are_counts(pair[1]) for pair in pairs
    )
