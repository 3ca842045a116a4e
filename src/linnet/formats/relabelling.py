"""Filtering of mentions by label and confidence, and renaming of labels, in a conversion."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from linnet.documents.document import Document, Span
from linnet.documents.left_out import BY_CONFIDENCE, BY_LABEL, describe_left_out
from linnet.documents.whole_relations import keep_whole_relations
from linnet.errors import BadSetting, LinnetError, refuse
from linnet.settings.label_lists import split_labels
from linnet.settings.thresholds import ALL_LABELS, Thresholds, read_thresholds

__all__ = ["LabelChange", "LabelCounts", "check_labels", "parse_label_change", "relabel"]


@dataclass(frozen=True)
class LabelChange:
    """The labels to keep and the new names of labels, both by the labels of the source."""

    kept: tuple[str, ...] | None = None  # None for all
    names: Mapping[str, str] = field(default_factory=dict)
    min_score: Mapping[str, float] = field(default_factory=dict)  # least confidence by label; `*` for all others

    @property
    def named(self) -> list[str]:
        """All labels that the source must have."""
        labels = [*(self.kept or ()), *self.names, *self.min_score]
        return [label for label in dict.fromkeys(labels) if label != ALL_LABELS]

    def keeps(self, label: str) -> bool:
        """Are mentions with this label kept?"""
        return self.kept is None or label in self.kept

    def least(self, label: str) -> float | None:
        """Return the least confidence of mentions with this label that are kept; None where all are."""
        return self.min_score.get(label, self.min_score.get(ALL_LABELS))


@dataclass
class LabelCounts:
    """Counts of the labels that were read, dropped and renamed."""

    seen: Counter[str] = field(default_factory=Counter)
    dropped: Counter[str] = field(default_factory=Counter)  # mentions by label
    renamed: Counter[tuple[str, str]] = field(default_factory=Counter)  # mentions by old and new label
    unsure: Counter[str] = field(default_factory=Counter)  # mentions below the least confidence, by label
    n_without_score: int = 0  # mentions that are kept because they have no confidence
    n_relations: int = 0  # dropped
    absent: list[str] = field(default_factory=list)  # labels to keep that a part of the source does not have

    def sentences(self) -> list[str]:
        """Return one sentence for each change."""
        found = [describe_left_out(BY_LABEL, label, n) for label, n in sorted(self.dropped.items())]
        found += [describe_left_out(BY_CONFIDENCE, label, n) for label, n in sorted(self.unsure.items())]
        found += [f"mentions without a confidence, kept: {self.n_without_score:,}"] * bool(self.n_without_score)
        found += [f"mentions of {label} in these documents: 0" for label in self.absent]
        found += [f"mentions of {old} renamed to {new}: {n:,}" for (old, new), n in sorted(self.renamed.items())]
        return [*found, *[f"relations left out with their mentions: {self.n_relations:,}"] * bool(self.n_relations)]

    def as_dict(self) -> dict[str, object]:
        """Return plain values for JSON."""
        return {
            "dropped": dict(sorted(self.dropped.items())),
            "renamed": {f"{old}={new}": n for (old, new), n in sorted(self.renamed.items())},
            "dropped_relations": self.n_relations,
            "below_confidence": dict(sorted(self.unsure.items())),
            "without_confidence": self.n_without_score,
        }


def parse_label_change(
    kept: Sequence[str] | None, names: Sequence[str] | None, min_score: Thresholds | None = None
) -> LabelChange | None:
    """Return the change that `--keep-labels A,B`, `--map OLD=NEW` and `--min-score` describe, or None without any.

    >>> parse_label_change(["Disease, Chemical"], ["Disease=Disorder"], 0.9)
    LabelChange(kept=('Disease', 'Chemical'), names={'Disease': 'Disorder'}, min_score={'*': 0.9})

    Raises:
        BadSetting: with all values that cannot be parsed or contradict each other.
    """
    if not kept and not names and min_score in (None, []):
        return None
    problems: list[LinnetError] = []
    try:
        labels = split_labels(list(kept or ()))
    except ValueError as error:
        labels = ()
        problems.append(BadSetting(f"--keep-labels {error}", "e.g. --keep-labels Disease,Chemical"))
    found: dict[str, str] = {}
    for text in names or ():
        old, _, new = (part.strip() for part in text.partition("="))
        if not (old and new):
            problems.append(BadSetting(f"--map {text}: expected OLD=NEW", "e.g. --map DiseaseClass=Disease"))
        elif found.setdefault(old, new) != new:
            problems.append(
                BadSetting(f"--map gives {old!r} two names, {found[old]!r} and {new!r}", "give each label one name")
            )
        elif kept and old not in labels:
            problems.append(
                BadSetting(
                    f"--map {text}: --keep-labels leaves {old!r} out",
                    "both name labels as they are in the source; add it there, or leave this one out",
                )
            )
    refuse(problems)
    return LabelChange(labels if kept else None, found, {} if min_score is None else read_thresholds(min_score))


def relabel(documents: Iterable[Document], change: LabelChange, counts: LabelCounts) -> Iterator[Document]:
    """Yield the documents with the kept mentions under their new labels, and relations whose arguments are kept."""
    for document in documents:
        counts.seen.update(span.label for span in document.spans)
        counts.dropped.update(span.label for span in document.spans if not change.keeps(span.label))
        spans = [span for span in document.spans if change.keeps(span.label)]
        spans = list(_keep_sure(spans, change, counts)) if change.min_score else spans
        relations = keep_whole_relations(document, spans)
        counts.n_relations += len(document.relations) - len(relations)
        counts.renamed.update((span.label, change.names[span.label]) for span in spans if span.label in change.names)
        named = tuple(replace(span, label=change.names.get(span.label, span.label)) for span in spans)
        yield replace(document, spans=named, relations=tuple(relations))


def check_labels(change: LabelChange, counts: LabelCounts, place: str, *, is_part: bool = False) -> None:
    """Refuse a label that no document has, after all were read; if only a part was read, count it as 0.

    Raises:
        BadSetting: with the labels of the documents.
    """
    unknown = [label for label in change.named if label not in counts.seen]
    if is_part:
        counts.renamed.update({(label, change.names[label]): 0 for label in unknown if label in change.names})
        counts.absent += [label for label in unknown if label not in change.names]
    elif unknown:
        raise BadSetting(
            f"{place}: there is no label {', '.join(map(repr, unknown))}",
            f"the labels are {', '.join(sorted(counts.seen))}" if counts.seen else "there are no mentions at all",
        )


def _keep_sure(spans: Iterable[Span], change: LabelChange, counts: LabelCounts) -> Iterator[Span]:
    """Yield the mentions that reach the confidence of their label, and those without any."""
    for span in spans:
        least = change.least(span.label)
        counts.n_without_score += least is not None and span.score is None
        if least is not None and span.score is not None and span.score < least:
            counts.unsure[span.label] += 1
        else:
            yield span
