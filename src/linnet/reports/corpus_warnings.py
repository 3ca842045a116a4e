"""Warnings about the corpus of a run, counted on the sentences or texts that it learned from and was scored on."""

from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations

from linnet.reports.markdown import escape
from linnet.reports.overlaps import overlap_warning, rising_sentences
from linnet.reports.statistics import FEW_MENTIONS, UNSCORED

__all__ = ["SeenSplit", "warn_of_splits", "warning_section"]

TRAIN = "train"


@dataclass(frozen=True)
class SeenSplit:
    """What a run saw of a split."""

    texts: Sequence[str]
    labels: Counter[str] = field(default_factory=Counter)  # gold by label
    with_mentions: Collection[str] | None = None  # of the texts; None where knowing any of them raises the score


def warn_of_splits(splits: Mapping[str, SeenSplit], *, unit: str = "sentence", gold: str = "mentions") -> list[str]:
    """Return what makes the scores of a run too high, or uncertain.

    Args:
        splits: by name; `train` holds all that was learned from, other names that begin with it are further corpora.
        unit: what a text is.
        gold: what has a label, in the plural.
    """
    known = set(splits[TRAIN].labels) if TRAIN in splits else set()
    found = list(_overlaps(splits, unit))
    for name, split in splits.items():
        if not name.startswith(TRAIN):
            found += _label_warnings(name, split, known, gold)
    return found


def warning_section(warnings: Sequence[str], *, heading: str = "## Warnings about the corpus") -> Iterator[str]:
    """Yield the warnings as a section of a report or card; nothing where there are none."""
    if warnings:
        yield heading
        yield "\n".join(f"- {escape(warning)}" for warning in warnings)


def _overlaps(splits: Mapping[str, SeenSplit], unit: str) -> Iterator[str]:
    counts = {name: Counter(split.texts) for name, split in splits.items()}
    for first, second in combinations(splits, 2):
        scored = splits[second]
        if second.startswith(TRAIN) or not scored.texts:
            continue
        with_mentions = counts[second] if scored.with_mentions is None else scored.with_mentions
        number = sum(rising_sentences(counts[second], with_mentions, counts[first]).values())
        if number:
            yield overlap_warning(number, number / len(scored.texts), unit=unit, names=(first, second))


def _label_warnings(name: str, split: SeenSplit, known: set[str], gold: str) -> Iterator[str]:
    new = sorted(set(split.labels) - known)
    if known and new:
        yield f"{name} has labels that train does not have: {', '.join(new)}"
    missing = sorted(known - set(split.labels))
    if missing:
        yield f"{name} has no {gold} of {', '.join(missing)}: {UNSCORED}"
    few = [f"{label} ({number:,})" for label, number in sorted(split.labels.items()) if number < FEW_MENTIONS]
    if few:
        yield f"{name} has few {gold} of {', '.join(few)}: their scores have wide intervals"
