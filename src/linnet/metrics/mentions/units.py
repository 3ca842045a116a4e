"""Units of evaluation: sentences with gold and predicted mentions."""

from collections.abc import Callable, Hashable, Iterable, Sequence
from dataclasses import dataclass, replace

from linnet.documents.document import Interval
from linnet.errors import BadSetting
from linnet.labels.mention import Mention

__all__ = ["Unit", "get_boundaries", "groups_of", "overlap", "pair_off", "with_groups"]


@dataclass(frozen=True, slots=True)
class Unit:
    """A sentence (or a document without sentences) with its gold and its predicted mentions.

    The mentions are sorted in reading order, and a single fragment is dropped, so that no score depends on either.

    Args:
        gold: the gold mentions.
        predicted: the conlleval reading of a model's tags, or its mentions.
        strictly_predicted: the strict reading of the same tags; None if it is the same as `predicted`.
        gold_labels: the label of each token, "" outside mentions.
        predicted_labels: the same for the prediction, of equal length.
        group: the number of the document that the unit belongs to; None if it is not known.
        gold_tags: the tag of each word, for the word-level report; empty if words have no tags.
        predicted_tags: the same for the prediction in the same tagging, of equal length.
    """

    gold: tuple[Mention, ...]
    predicted: tuple[Mention, ...]
    strictly_predicted: tuple[Mention, ...] | None = None
    gold_labels: Sequence[str] = ()
    predicted_labels: Sequence[str] = ()
    group: int | None = None
    gold_tags: Sequence[str] = ()
    predicted_tags: Sequence[str] = ()

    def __post_init__(self) -> None:
        object.__setattr__(self, "gold", _sort_mentions(self.gold))
        object.__setattr__(self, "predicted", _sort_mentions(self.predicted))
        if self.strictly_predicted is not None:
            object.__setattr__(self, "strictly_predicted", _sort_mentions(self.strictly_predicted))
        for what, gold, predicted in (
            ("label", self.gold_labels, self.predicted_labels),
            ("tag", self.gold_tags, self.predicted_tags),
        ):
            if len(gold) != len(predicted):
                where = "" if self.group is None else f" of document number {self.group}"
                raise BadSetting(
                    f"a sentence{where} has {len(gold)} true token {what}s and {len(predicted)} predicted ones",
                    f"predict on the same tokens, one {what} for each",
                )


def groups_of(units: Iterable[Unit]) -> list[int] | None:
    """Return the number of each unit's document, or None if that of any unit is not known."""
    groups: list[int] = []
    for unit in units:
        if unit.group is None:
            return None
        groups.append(unit.group)
    return groups


def with_groups(units: Sequence[Unit], groups: Sequence[int] | None) -> list[Unit]:
    """Return the units with other numbers of documents; None if the documents are not known."""
    numbers = groups if groups is not None else [None] * len(units)
    pairs = zip(units, numbers, strict=True)
    return [unit if unit.group == number else replace(unit, group=number) for unit, number in pairs]


def get_boundaries(mention: Mention) -> tuple[int, int, tuple[Interval, ...]]:
    """Return start, end and fragments of a mention, without its label."""
    return mention.start, mention.end, mention.fragments


def overlap(a: Mention, b: Mention) -> bool:
    """Do the mentions share a position? Mentions of several fragments count from start to end."""
    return a.start < b.end and b.start < a.end


def pair_off(
    gold: Iterable[Mention], predicted: Iterable[Mention], key: Callable[[Mention], Hashable] | None = None
) -> tuple[list[tuple[Mention, Mention]], list[Mention], list[Mention]]:
    """Return pairs of gold and predicted mentions with equal keys, one to one, then the rest of each side.

    Without a key, mentions are paired if boundaries and label are the same.
    """
    waiting: dict[Hashable, list[Mention]] = {}
    for mention in gold:
        waiting.setdefault(key(mention) if key else mention, []).append(mention)
    pairs: list[tuple[Mention, Mention]] = []
    spurious: list[Mention] = []
    for mention in predicted:
        candidates = waiting.get(key(mention) if key else mention)
        if candidates:
            pairs.append((candidates.pop(0), mention))
        else:
            spurious.append(mention)
    missed = [mention for candidates in waiting.values() for mention in candidates]
    if key is not None:  # mentions that share a key were grouped, which changed their order
        missed.sort()
    return pairs, missed, spurious


def _sort_mentions(mentions: Iterable[Mention]) -> tuple[Mention, ...]:
    return tuple(sorted([_normalise(mention) if mention.fragments else mention for mention in mentions]))


def _normalise(mention: Mention) -> Mention:
    fragments = tuple(sorted(mention.fragments))
    return mention._replace(fragments=fragments if len(fragments) > 1 else ())
