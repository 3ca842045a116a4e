"""Which labels does each head learn, and do the corpora that share one agree about them?

Corpora that share a head must annotate the same labels, unless the recipe allows partial ones: then the head learns all
labels, and the O of a corpus says nothing about those that it does not annotate.
"""

from collections.abc import Iterator, Sequence

from linnet.errors import BadSetting, LinnetError
from linnet.labels.label_set import LabelSet
from linnet.labels.tagging import OUTSIDE, split_tag
from linnet.settings import TrainSettings
from linnet.tasks.ner import label_set_of
from linnet.training.sources import Source

__all__ = ["label_sets_of", "unannotated_tags"]


def label_sets_of(sources: Sequence[Source], settings: TrainSettings) -> tuple[dict[str, LabelSet], list[LinnetError]]:
    """Return the tags of each head that can be made, and what is wrong with the others."""
    heads: dict[str, list[Source]] = {}
    for source in sources:
        heads.setdefault(source.head, []).append(source)
    found: dict[str, LabelSet] = {}
    problems: list[LinnetError] = []
    for head, members in heads.items():
        disagreements = list(_disagreements(head, members, is_partial=settings.partial_labels))
        problems += disagreements
        if disagreements:
            continue
        scored = [each for source in members for each in source.scored.values()]
        try:
            found[head] = label_set_of([source.training for source in members], scored, settings.tagging)
        except LinnetError as error:
            problems.append(error)
    return found, problems


def unannotated_tags(source: Source, label_set: LabelSet) -> tuple[str, ...]:
    """Return the tags of the head that the corpus says nothing about: its O may be any of them."""
    return tuple(tag for tag in label_set.names if tag != OUTSIDE and split_tag(tag)[1] not in source.labels)


def _disagreements(head: str, members: Sequence[Source], *, is_partial: bool) -> Iterator[LinnetError]:
    if len({source.labels for source in members}) == 1:
        return
    if not is_partial:
        yield BadSetting(
            f"corpora with different labels cannot share the head {head!r}: {_told(members)}",
            "give each its own head, rename labels that mean the same with `map`, or set partial_labels = true",
        )
        return
    for source in members:
        others = {label for other in members if other is not source for label in other.labels}
        unknown = sorted(source.mapped - others)
        if unknown:
            yield BadSetting(
                f"corpus {source.name!r}: `map` leads to {', '.join(unknown)}, which no other corpus of the head "
                f"{head!r} has",
                f"map to one of {', '.join(sorted(others))}; a label that only this corpus has needs no map",
            )
    names: dict[str, str] = {}
    for label in sorted({label for source in members for label in source.labels}):
        twin = names.setdefault(_plain(label), label)
        if twin != label:
            yield BadSetting(
                f"the head {head!r} would learn {twin!r} and {label!r} as two labels: {_told(members)}",
                "rename one of them with `map`: to the other where they mean the same, else to a name that differs",
            )


def _told(members: Sequence[Source]) -> str:
    return "; ".join(f"{source.name} has {', '.join(sorted(source.labels)) or 'none'}" for source in members)


def _plain(label: str) -> str:
    """Return what is left of a label without case and punctuation: names that differ in no more are the same name."""
    return "".join(filter(str.isalnum, label)).casefold() or label
