"""Lists of labels on the command line: `--keep-labels Disease,Chemical`."""

from collections.abc import Iterable
from typing import Any

__all__ = ["parse_labels", "split_labels"]


def parse_labels(texts: Iterable[str]) -> tuple[str, ...]:
    """Return the labels in the order in which they are named, each once.

    >>> parse_labels(["Disease, Chemical", "Gene,Disease"])
    ('Disease', 'Chemical', 'Gene')
    """
    return tuple(dict.fromkeys(label.strip() for text in texts for label in text.split(",") if label.strip()))


def split_labels(given: Any) -> Any:
    """Return the labels of one text or several; what is neither is left to the check of types.

    Raises:
        ValueError: if texts are given that name no label.
    """
    texts = [given] if isinstance(given, str) else given
    if not isinstance(texts, list | tuple) or not all(isinstance(each, str) for each in texts):
        return given
    labels = parse_labels(texts)
    if texts and not labels:
        raise ValueError("names no label; give some, e.g. Disease,Chemical")
    return labels
