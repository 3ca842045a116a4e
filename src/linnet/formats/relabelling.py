"""Filtering and renaming of labels while documents are converted."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from linnet.documents.concepts import concepts_of
from linnet.documents.document import Document, Relation, Span
from linnet.errors import BadSetting, LinnetError, refuse

__all__ = ["LabelChange", "LabelCounts", "check_known", "parse_label_change", "relabelled"]


@dataclass(frozen=True)
class LabelChange:
    """Which labels are kept, and what they are called then; both speak of labels as they are in the source."""

    kept: tuple[str, ...] | None = None  # all of them where not given
    names: Mapping[str, str] = field(default_factory=dict)

    @property
    def named(self) -> list[str]:
        """All labels that the source must have."""
        return list(dict.fromkeys([*(self.kept or ()), *self.names]))

    def keeps(self, label: str) -> bool:
        """Do mentions with this label stay?"""
        return self.kept is None or label in self.kept


@dataclass
class LabelCounts:
    """What was seen, left out and renamed."""

    seen: Counter[str] = field(default_factory=Counter)
    dropped: Counter[str] = field(default_factory=Counter)  # mentions by label
    renamed: Counter[tuple[str, str]] = field(default_factory=Counter)  # mentions by old and new label
    n_relations: int = 0  # left out

    def sentences(self) -> list[str]:
        """Return what was changed, in words."""
        found = [f"mentions of {label} left out: {n:,}" for label, n in sorted(self.dropped.items())]
        found += [f"mentions of {old} renamed to {new}: {n:,}" for (old, new), n in sorted(self.renamed.items())]
        return [*found, *[f"relations left out with their mentions: {self.n_relations:,}"] * bool(self.n_relations)]

    def as_dict(self) -> dict[str, object]:
        """Return plain values for JSON."""
        return {
            "dropped": dict(sorted(self.dropped.items())),
            "renamed": {f"{old}={new}": n for (old, new), n in sorted(self.renamed.items())},
            "dropped_relations": self.n_relations,
        }


def parse_label_change(kept: Sequence[str] | None, names: Sequence[str] | None) -> LabelChange | None:
    """Return what `--keep-labels A,B` and `--map OLD=NEW` ask for, each given any number of times; None for neither.

    >>> parse_label_change(["Disease, Chemical"], ["Disease=Disorder"])
    LabelChange(kept=('Disease', 'Chemical'), names={'Disease': 'Disorder'})

    Raises:
        BadSetting: with all that cannot be understood, or contradicts itself.
    """
    if not kept and not names:
        return None
    problems: list[LinnetError] = []
    labels = tuple(dict.fromkeys(label.strip() for text in kept or () for label in text.split(",") if label.strip()))
    if kept and not labels:
        problems.append(BadSetting("--keep-labels names no label", "e.g. --keep-labels Disease,Chemical"))
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
    return LabelChange(labels if kept else None, found)


def relabelled(documents: Iterable[Document], change: LabelChange, counts: LabelCounts) -> Iterator[Document]:
    """Yield the documents with the kept mentions under their new labels, and the relations that are left whole."""
    for document in documents:
        counts.seen.update(span.label for span in document.spans)
        counts.dropped.update(span.label for span in document.spans if not change.keeps(span.label))
        spans = [span for span in document.spans if change.keeps(span.label)]
        relations = _left_whole(document, spans)
        counts.n_relations += len(document.relations) - len(relations)
        counts.renamed.update((span.label, change.names[span.label]) for span in spans if span.label in change.names)
        named = tuple(replace(span, label=change.names.get(span.label, span.label)) for span in spans)
        yield replace(document, spans=named, relations=tuple(relations))


def check_known(change: LabelChange, counts: LabelCounts, place: str) -> None:
    """Refuse a label that no document had, once all were read.

    Raises:
        BadSetting: with those that are there.
    """
    unknown = [label for label in change.named if label not in counts.seen]
    if unknown:
        raise BadSetting(
            f"{place}: there is no label {', '.join(map(repr, unknown))}",
            f"the labels are {', '.join(sorted(counts.seen))}" if counts.seen else "there are no mentions at all",
        )


def _left_whole(document: Document, spans: Sequence[Span]) -> list[Relation]:
    """Return the relations all of whose arguments are still there.

    A concept is gone when all of its mentions are. A relation may be an argument of another one.
    """
    gone = {span.id for span in document.spans} - {span.id for span in spans} - {""}
    gone_concepts = _concepts(document.spans) - _concepts(spans)
    relations = list(document.relations)
    while True:
        left = [
            relation
            for relation in relations
            if not any(each.target in (gone_concepts if each.is_concept else gone) for each in relation.arguments)
        ]
        if len(left) == len(relations):
            return left
        gone |= {relation.id for relation in relations if relation not in left} - {""}
        relations = left


def _concepts(spans: Iterable[Span]) -> set[str]:
    return {concept for span in spans for concept in concepts_of(span)}
