"""Thresholds on confidence, as a number for all labels or by label: `0.5`, `Gene=0.7`, or both with a comma."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from linnet.errors import BadSetting

__all__ = ["ALL_LABELS", "Thresholds", "check_range", "read_thresholds", "split_thresholds"]

ALL_LABELS = "*"  # in thresholds: every label that has none of its own
Thresholds = float | str | Sequence[str] | Mapping[str, float]  # for all labels, or by label


def read_thresholds(given: Thresholds) -> dict[str, float]:
    """Return the least confidence of mentions by label; a number is that of all labels.

    >>> read_thresholds(0.5), read_thresholds(["0.5", "Gene=0.7"])
    ({'*': 0.5}, {'*': 0.5, 'Gene': 0.7})

    Raises:
        BadSetting: where it is no number from 0 to 1, or a label has two.
    """
    try:
        return check_range({label: float(value) for label, value in dict(split_thresholds(given)).items()})
    except (TypeError, ValueError) as error:
        raise BadSetting(f"--min-score: {error}", "give a number from 0 to 1, or one for a label: Gene=0.7") from None


def split_thresholds(given: Any) -> Any:
    """Return thresholds by label, not checked; what is neither text nor number is left to the check of types."""
    if isinstance(given, bool):
        raise ValueError("give a number from 0 to 1")
    if isinstance(given, int | float | str):
        given = [str(given)]
    return dict(_parse_thresholds(given)) if isinstance(given, list | tuple) else given


def check_range(given: dict[str, float]) -> dict[str, float]:
    """Return the thresholds, or raise a `ValueError` if one is not from 0 to 1."""
    outside = [
        f"{value:g}" if label == ALL_LABELS else f"{label}={value:g}"
        for label, value in given.items()
        if not 0 <= value <= 1
    ]
    if outside:
        raise ValueError(f"confidence is from 0 to 1, found {', '.join(outside)}")
    return given


def _parse_thresholds(given: Sequence[Any]) -> Iterator[tuple[str, float]]:
    """Yield label and threshold of each `Label=0.7`, and of a plain number for all labels."""
    seen: set[str] = set()
    for each in ",".join(map(str, given)).split(","):
        label, equals, value = each.rpartition("=")
        if equals and not label.strip():
            raise ValueError(f"found {each!r}, expected a label before `=`, as in Gene=0.7")
        label = label.strip() or ALL_LABELS
        if label in seen:
            raise ValueError(f"two thresholds for {'all labels' if label == ALL_LABELS else label}")
        seen.add(label)
        try:
            yield label, float(value)
        except ValueError:
            raise ValueError(f"found {each!r}, expected a number such as 0.5, or Gene=0.7") from None
