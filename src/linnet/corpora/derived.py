"""Derived corpora: PubTator files of another corpus with some of its labels."""

import re
from collections.abc import Collection
from pathlib import Path

__all__ = ["write_derived"]

TEXT = re.compile(rb"[^|\t]+\|[ta]\|")  # 21645374|t|A title
N_COLUMNS = 6  # of a mention: document, start, end, text, label, id
LABEL = 4


def write_derived(source: Path, target: Path, labels: Collection[str]) -> None:
    """Write a PubTator file with all texts, the mentions of these labels, and no relations."""
    wanted = {label.encode() for label in labels}
    target.write_bytes(b"\n".join(line for line in source.read_bytes().split(b"\n") if _is_kept(line, wanted)))


def _is_kept(line: bytes, labels: Collection[bytes]) -> bool:
    if not line.strip() or TEXT.match(line):
        return True
    columns = line.split(b"\t")
    return len(columns) >= N_COLUMNS and columns[LABEL] in labels
