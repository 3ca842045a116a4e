"""Labels that predictions and gold annotations share, where each side may have labels of its own.

Both sides are compared on the labels that both have. With a map, labels of one side only are left out of both, so that
no score depends on them, and their mentions are counted and reported. Without one they count as wrong, which is noted;
sides without any common label are refused. Labels may also be chosen; then these are compared, and no others.
"""

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field, replace
from itertools import chain
from typing import NamedTuple

from linnet.contracts import Notes
from linnet.documents.counted import counted
from linnet.errors import BadSetting, LinnetError, refuse
from linnet.labels.mention import Mention
from linnet.labels.tagging import OUTSIDE, split_tag
from linnet.metrics.mentions.label_pairs import explain_merging, likeliest_pair
from linnet.metrics.mentions.units import Unit

__all__ = ["FILES", "MODEL_AND_CORPUS", "SharedLabels", "Sides", "check_common_label", "choose_labels", "keep_tags",
           "note_other_labels", "parse_map", "rename_tags", "restrict_mentions", "restrict_units",
           "share_labels", "share_labels_of_files"]  # fmt: skip


class Sides(NamedTuple):
    """What the two sides are called in messages, and in the option that maps labels."""

    predicted: str
    gold: str
    option: str


MODEL_AND_CORPUS = Sides("model", "corpus", "MODEL=CORPUS")
FILES = Sides("prediction", "gold file", "PREDICTED=GOLD")
MERGE = "Gold labels that are one for the model are merged first: `linnet convert GOLD NEW --map A=X --map B=X`"


@dataclass(frozen=True)
class SharedLabels:
    """The labels on which both sides are compared, and how many mentions of others there were."""

    map: Mapping[str, str]  # of the prediction to that of gold, where their names differ
    labels: tuple[str, ...]  # by the names of gold
    only_model: Mapping[str, int] = field(default_factory=dict)  # predicted mentions by the prediction's label
    only_corpus: Mapping[str, int] = field(default_factory=dict)  # true mentions
    sides: Sides = MODEL_AND_CORPUS
    are_chosen: bool = False  # all others are left out, also those that both sides have
    only_model_by_file: Mapping[str, Mapping[str, int]] = field(default_factory=dict)  # of several prediction files

    def as_dict(self) -> dict[str, object]:
        """Return plain values."""
        return {
            "map": dict(self.map),
            "labels": list(self.labels),
            "only_model": dict(self.only_model),
            "only_corpus": dict(self.only_corpus),
        }

    def sentences(self) -> list[str]:
        """Return what is to be known about the labels whose mentions were left out, in words."""
        reasons = [f"the {lacking} does not have" for lacking in (self.sides.gold, self.sides.predicted)]
        if self.are_chosen:
            reasons = ["`--keep-labels` leaves out"] * 2
        sides = ((self.only_model, reasons[0], "predicted"), (self.only_corpus, reasons[1], "true"))
        return [
            f"labels that {reason}, not scored: "
            + ", ".join(f"{label} ({self._count(label, number, what)})" for label, number in counts.items() if number)
            for counts, reason, what in sides
            if any(counts.values())
        ]

    def _count(self, label: str, number: int, what: str) -> str:
        """Return how many mentions of a label were left out; of several prediction files, in each that has some."""
        each = [f"{found[label]:,} in {file}" for file, found in self.only_model_by_file.items() if found.get(label)]
        return counted(number, f"{what} mention") if what == "true" or not each else f"predicted: {', '.join(each)}"

    def name(self, label: str) -> str:
        """Return what gold calls this label of the prediction."""
        return self.map.get(label, label)


def parse_map(texts: Iterable[str], sides: Sides = MODEL_AND_CORPUS) -> dict[str, str]:
    """Return the label of gold by that of the prediction, from `MODEL=CORPUS`.

    >>> parse_map(["Disease=DiseaseOrPhenotypicFeature", "Sign=DiseaseOrPhenotypicFeature"])["Sign"]
    'DiseaseOrPhenotypicFeature'

    Raises:
        BadSetting: with all parts that cannot be understood, or that map one label twice.
    """
    found: dict[str, str] = {}
    problems: list[LinnetError] = []
    for text in texts:
        ours, equals, theirs = text.partition("=")
        if not (ours and equals and theirs):
            problems.append(
                BadSetting(f"--map {text}: expected {sides.option}", "e.g. --map Disease=DiseaseOrPhenotypicFeature")
            )
        elif found.setdefault(ours, theirs) != theirs:
            problems.append(
                BadSetting(
                    f"--map gives the {sides.predicted}'s label {ours!r} two names, {found[ours]!r} and {theirs!r}",
                    f"give it one; several labels of the {sides.predicted} may have the same. {MERGE}",
                )
            )
    refuse(problems)
    return found


def share_labels(
    given: Mapping[str, str], predicted: Collection[str], gold: Collection[str], sides: Sides = MODEL_AND_CORPUS
) -> SharedLabels:
    """Return what predictions with these labels and gold annotations with those have in common.

    Raises:
        BadSetting: where the map names a label that its side does not have, or nothing is shared.
    """
    _check_map(given, predicted, gold, sides)
    named = {given.get(label, label) for label in predicted}
    shared = named & set(gold)
    if not shared:
        raise _no_common_label(named, gold, sides)
    return _split_labels(given, shared, predicted, gold, sides)


def choose_labels(
    chosen: Sequence[str],
    given: Mapping[str, str],
    predicted: Collection[str],
    gold: Collection[str],
    sides: Sides = MODEL_AND_CORPUS,
) -> SharedLabels:
    """Return these labels, by the names of gold, as the only ones on which both sides are compared.

    Raises:
        BadSetting: where none is chosen, neither side has one of them, or the map names one that does not exist.
    """
    _check_map(given, predicted, gold, sides)
    named = {given.get(label, label) for label in predicted}
    if not chosen:
        raise BadSetting("--keep-labels names no label", "e.g. --keep-labels Disease,Chemical")
    if unknown := [label for label in chosen if label not in named | set(gold)]:
        raise BadSetting(
            f"--keep-labels: neither the {sides.predicted} ({', '.join(sorted(named)) or 'no mentions'}) nor the "
            f"{sides.gold} ({', '.join(sorted(gold)) or 'no mentions'}) has {', '.join(map(repr, unknown))}",
            f"name labels as the {sides.gold} has them",
        )
    return replace(_split_labels(given, set(chosen), predicted, gold, sides), are_chosen=True)


def check_common_label(predicted: Collection[str], gold: Collection[str], sides: Sides) -> None:
    """Refuse two sides of which each has labels, and none in common."""
    if predicted and gold and not set(predicted) & set(gold):
        raise _no_common_label(predicted, gold, sides)


def share_labels_of_files(
    units_by_file: Mapping[str, Sequence[Unit]],
    given: Mapping[str, str] | None,
    notes: Notes,
    *,
    chosen: Sequence[str] | None = None,
) -> SharedLabels | None:
    """Return the labels on which prediction files are scored against gold; None for all, without map and choice.

    Args:
        units_by_file: units of each prediction file, all with the same gold mentions.
        given: label of gold by that of the predictions, where only common labels are to be scored.
        notes: receives the labels that count as wrong where no map is given.
        chosen: labels of gold that are to be scored, and no others.

    Raises:
        BadSetting: where a file has no label in common with gold, or map or choice name one that does not exist.
    """
    labels_by_file = {file: _labels(unit.predicted for unit in units) for file, units in units_by_file.items()}
    gold = _labels(unit.gold for unit in next(iter(units_by_file.values())))
    predicted = Counter(chain(*labels_by_file.values()))
    found, names = None, given or {}
    if chosen is not None:
        found = choose_labels(chosen, names, predicted.keys(), set(gold), FILES)
    elif given is not None:
        found = share_labels(given, predicted.keys(), set(gold), FILES)
    for file, labels in labels_by_file.items():
        check_common_label({names.get(label, label) for label in labels}, set(gold), FILES._replace(predicted=file))
    if found is None:
        note_other_labels([(file, label) for file, own in labels_by_file.items() for label in own], set(gold), notes)
        return None
    return replace(
        found,
        only_model={label: predicted[label] for label in found.only_model},
        only_corpus={label: gold.count(label) for label in found.only_corpus},
        only_model_by_file={file: Counter(own) for file, own in labels_by_file.items() if len(labels_by_file) > 1},
    )


def note_other_labels(predicted: Sequence[tuple[str, str]], gold: AbstractSet[str], notes: Notes) -> None:
    """Note once the labels that gold does not have, which count as wrong; a prediction is its place and its label."""
    others = [(place, label) for place, label in predicted if label not in gold]
    if not others:
        return
    labels = ", ".join(sorted({label for _, label in others}))
    common = ",".join(sorted(gold & {label for _, label in predicted}))
    remedy = f"; `--keep-labels {common}` scores only labels that both have" if common else ""
    what = f"mentions predicted as {labels}, which gold does not have, counted as wrong{remedy}"
    notes.add(what, others[0][0], len(others))


def restrict_units(units: Iterable[Unit], shared: SharedLabels) -> list[Unit]:
    """Return the units with the shared labels only, by the names of gold."""
    return [_restrict_unit(unit, shared) for unit in units]


def restrict_mentions(mentions: Iterable[Mention], shared: SharedLabels, *, are_gold: bool) -> tuple[Mention, ...]:
    """Return the mentions with shared labels, by the names of gold."""
    if are_gold:
        return tuple(mention for mention in mentions if mention.label in shared.labels)
    named = (mention._replace(label=shared.name(mention.label)) for mention in mentions)
    return tuple(mention for mention in named if mention.label in shared.labels)


def keep_tags(tags: Sequence[str], names: Mapping[str, str], labels: Collection[str]) -> list[str]:
    """Return the tags with other labels, and `O` where the label is none of these."""
    return [tag if split_tag(tag)[1] in labels else OUTSIDE for tag in rename_tags(tags, names)]


def rename_tags(tags: Sequence[str], names: Mapping[str, str]) -> list[str]:
    """Return the tags with other labels."""
    return [f"{tag[:2]}{names[tag[2:]]}" if tag[2:] in names else tag for tag in tags]


def _restrict_unit(unit: Unit, shared: SharedLabels) -> Unit:
    strict = unit.strictly_predicted
    gold_labels = [label if label in shared.labels else "" for label in unit.gold_labels]
    named = [label and shared.name(label) for label in unit.predicted_labels]
    return replace(
        unit,
        gold=restrict_mentions(unit.gold, shared, are_gold=True),
        predicted=restrict_mentions(unit.predicted, shared, are_gold=False),
        strictly_predicted=None if strict is None else restrict_mentions(strict, shared, are_gold=False),
        gold_labels=gold_labels,
        predicted_labels=[label if label in shared.labels else "" for label in named],
        gold_tags=keep_tags(unit.gold_tags, {}, shared.labels),
        predicted_tags=keep_tags(unit.predicted_tags, shared.map, shared.labels),
    )


def _check_map(given: Mapping[str, str], predicted: Collection[str], gold: Collection[str], sides: Sides) -> None:
    unknown = [
        *(
            f"the {sides.predicted} has no label {label!r}, but {', '.join(sorted(predicted)) or 'no mentions'}"
            for label in given
            if label not in predicted
        ),
        *(
            f"the {sides.gold} has no label {label!r}, but {', '.join(sorted(gold)) or 'no mentions'}"
            for label in dict.fromkeys(given.values())
            if label not in gold
        ),
    ]
    if unknown:
        remedy = f"give `--map {sides.option}` with labels that both sides have"
        raise BadSetting("--map: " + "\n  ".join(unknown), remedy)


def _split_labels(
    given: Mapping[str, str], shared: AbstractSet[str], predicted: Collection[str], gold: Collection[str], sides: Sides
) -> SharedLabels:
    """Return the labels that are compared, and all others of both sides, of which no mention has been counted yet."""
    only_predicted = {label: 0 for label in sorted(predicted) if given.get(label, label) not in shared}
    only_gold = {label: 0 for label in sorted(gold) if label not in shared}
    return SharedLabels(
        map=dict(given), labels=tuple(sorted(shared)), only_model=only_predicted, only_corpus=only_gold, sides=sides
    )


def _no_common_label(predicted: Collection[str], gold: Collection[str], sides: Sides) -> BadSetting:
    return BadSetting(
        f"{sides.predicted} ({', '.join(sorted(predicted))}) and {sides.gold} ({', '.join(sorted(gold))}) "
        "have no label in common",
        f"{explain_merging(predicted, gold)}say which mean the same with `--map {sides.option}`, e.g. `--map "
        f"{likeliest_pair(predicted, gold)}`",
    )


def _labels(rows: Iterable[Sequence[Mention]]) -> list[str]:
    return [mention.label for mentions in rows for mention in mentions]
