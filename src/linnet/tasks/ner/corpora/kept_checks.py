"""Checks of kept predictions: the file that they come from may be damaged, or written by another program."""

from collections.abc import Mapping
from itertools import accumulate
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from linnet.errors import BadFile
from linnet.labels.tagging import split_tag
from linnet.reports.unheld import read_unheld, unheld_file

__all__ = ["check_predicted", "check_shared"]

MOST_WORDS = 100_000_000  # of a test split; more would be far beyond any corpus


def check_shared(shared: Mapping[str, Any]) -> None:
    """Raise ValueError where these are no gold annotations of a test split."""
    sentences: Any = shared.get("sentences")
    documents: Any = shared.get("documents")
    gold: Any = shared.get("gold")
    _require(_are_sizes(sentences) and sum(sentences) <= MOST_WORDS, "sentences", sentences)
    is_whole = documents is None or (_are_sizes(documents) and sum(documents) == len(sentences))
    _require(is_whole, "documents", documents)
    _check_tags(shared.get("tags"))
    n_tags = len(shared["tags"])
    is_right = _are_pairs(gold) and all(at < n_tags and number for at, number in gold)
    _require(is_right and sum(number for _, number in gold) == sum(sentences), "gold", gold)
    _check_unheld(shared.get("unheld"), len(sentences))


def check_predicted(own: Mapping[str, Any], n_words: int) -> None:
    """Raise ValueError where these are no predictions for so many words."""
    _check_tags(own.get("tags"))
    changes: Any = own.get("changes")
    n_tags = len(own["tags"])
    is_right = _are_pairs(changes) and all(tag < n_tags for _, tag in changes)
    _require(is_right and all(distance for distance, _ in changes[1:]), "changes", changes)
    *_, last = (-1, *accumulate(distance for distance, _ in changes))
    _require(last < n_words, "changes", changes)


def _check_tags(tags: Any) -> None:  # Any: of a JSON file
    _require(isinstance(tags, list) and all(map(_is_tag, tags)), "tags", tags)


def _is_tag(tag: Any) -> bool:
    if not isinstance(tag, str) or tag.split() != [tag]:
        return False
    try:
        split_tag(tag)
    except ValueError:
        return False
    return True


def _check_unheld(text: Any, n_sentences: int) -> None:
    """Raise ValueError where this is no text of a file of mentions that tags cannot hold."""
    _require(text is None or isinstance(text, str), "unheld", text)
    if text is None:
        return
    with TemporaryDirectory(prefix="linnet-kept-") as work:
        predictions = Path(work) / "predictions"
        unheld_file(predictions).write_text(text, encoding="utf-8")
        try:
            read_unheld(predictions, n_sentences)
        except BadFile:
            _require(False, "unheld", text)


def _are_sizes(value: Any) -> bool:
    return isinstance(value, list) and all(type(each) is int and each > 0 for each in value)


def _are_pairs(value: Any) -> bool:
    return isinstance(value, list) and all(
        isinstance(pair, list) and len(pair) == 2 and all(type(each) is int and each >= 0 for each in pair)
        for pair in value
    )


def _require(is_right: bool, name: str, value: Any) -> None:
    if not is_right:
        raise ValueError(f"`{name}` is {value!r:.60}")
