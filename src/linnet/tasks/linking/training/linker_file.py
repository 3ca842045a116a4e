"""Reads `linker.json`, the file of a trained linker, and checks every field."""

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from linnet.errors import BadFile
from linnet.storage.files import read_text
from linnet.storage.json_keys import load_json
from linnet.tasks.linking.training.features import FEATURES
from linnet.tasks.linking.training.meaning import FIRST

__all__ = ["FORM", "LINKER", "read_linker_file"]

LINKER = "linker.json"
FORM = 1
MOST_CANDIDATES = 1000  # of a mention; a training writes ten
MOST_OCCURRENCES = 2**53
TRAIN_AGAIN = "train the linker again"


def read_linker_file(path: Path) -> dict[str, Any]:
    """Return what the file holds.

    Raises:
        BadFile: where a field is missing or has another value than a training writes.
    """
    try:
        values = load_json(read_text(path))
    except ValueError as error:
        raise BadFile(f"{path}: cannot be read ({error})", TRAIN_AGAIN) from None
    if not isinstance(values, dict) or values.get("form") != FORM:
        raise BadFile(f"{path}: is not a linker of this version of Linnet", TRAIN_AGAIN)
    for place, is_right in CHECKS.items():
        found: Any = values
        for name in place.split("."):
            found = found.get(name) if isinstance(found, dict) else None
        if not is_right(found):
            raise BadFile(f"{path}: `{place}` is {_shorten(found)}, which no training writes", TRAIN_AGAIN)
    _refuse_other_identifiers(values["learned"], path)
    return values


def _refuse_other_identifiers(learned: Mapping[str, Any], path: Path) -> None:
    """Refuse a file in which forms, texts and names are not of the same identifiers."""
    forms, texts = ({each for counts in learned[name].values() for each in counts} for name in ("forms", "texts"))
    different = sorted((forms ^ texts) | (forms ^ learned["names"].keys()))
    if different:
        raise BadFile(
            f"{path}: `learned` has the identifier {different[0]!r:.60} not in all of forms, texts and names",
            TRAIN_AGAIN,
        )


def _shorten(value: object) -> str:
    return (
        "missing" if value is None else repr(value)[:60] if not isinstance(value, Mapping) else "not as it was written"
    )


def _is_text(value: Any) -> bool:  # Any: of a JSON file
    return isinstance(value, str)


def _is_number(value: Any) -> bool:
    return isinstance(value, float | int) and not isinstance(value, bool) and abs(value) <= MOST_OCCURRENCES


def _is_share(value: Any) -> bool:
    return _is_number(value) and 0 <= value <= 1


def _is_number_of_candidates(value: Any) -> bool:
    return type(value) is int and 1 <= value <= MOST_CANDIDATES


def _is_meaning(value: Any) -> bool:
    if value is None:
        return True
    wanted = {"encoder", "weights"}
    return _is_map_of(_is_text)(value) and value.keys() - {"vector"} == wanted and value.get("vector", FIRST) == FIRST


def _is_count(value: Any) -> bool:
    return type(value) is int and 0 < value <= MOST_OCCURRENCES


def _is_map_of(is_right: Callable[[Any], bool]) -> Callable[[Any], bool]:
    return lambda value: isinstance(value, dict) and all(map(is_right, value.values()))


def _are_weights(value: Any) -> bool:
    return _is_map_of(_is_number)(value) and value.keys() <= set(FEATURES)


CHECKS: Mapping[str, Callable[[Any], bool]] = {
    "vocabulary.path": _is_text,
    "vocabulary.hash": _is_text,
    "min_score": _is_share,
    "nil": _is_number,
    "n_candidates": _is_number_of_candidates,
    "meaning": _is_meaning,
    "weights": _are_weights,
    "learned.forms": _is_map_of(_is_map_of(_is_count)),
    "learned.texts": _is_map_of(_is_map_of(_is_count)),
    "learned.names": _is_map_of(_is_text),
}
