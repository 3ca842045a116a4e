"""Label sets of the heads, and checks that corpora which share a head agree about its labels.

Corpora that share a head must annotate the same labels, unless the recipe allows partial ones: then the head learns all
labels, and the O of a corpus says nothing about those that it does not annotate.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from difflib import get_close_matches
from functools import partial

from linnet.errors import BadSetting, LinnetError, problems_of
from linnet.labels.label_set import LabelSet
from linnet.labels.tagging import OUTSIDE, split_tag
from linnet.tasks.ner.checks import name_corpora
from linnet.tasks.ner.corpora.sources import Source
from linnet.tasks.ner.examples import check_labels, label_set_of, labels_of
from linnet.tasks.ner.settings import NerSettings

__all__ = ["bare_name", "label_sets_of", "unannotated_tags"]

MISSPELT = 0.85  # names that are alike to this degree (1: the same) differ by a slip in a letter or two


def label_sets_of(sources: Sequence[Source], settings: NerSettings) -> tuple[dict[str, LabelSet], list[LinnetError]]:
    """Return the tags of each head that can be made, and what is wrong with the others."""
    heads: dict[str, list[Source]] = {}
    for source in sources:
        heads.setdefault(source.head, []).append(source)
    n_wanted = Counter(corpus.head_name for corpus in settings.corpora)
    found: dict[str, LabelSet] = {}
    problems: list[LinnetError] = []
    for head, members in heads.items():
        speaking = [source for source in members if source.labels]
        is_whole = len(speaking) >= n_wanted[head]  # the labels of corpora that cannot be read are not known
        wrong = list(_lacks(members, settings))
        wrong += _disagreements(head, speaking, is_partial=settings.partial_labels, is_whole=is_whole)
        problems += wrong
        if is_whole and not wrong:
            scored = [each for source in members for each in source.scored.values()]
            found[head] = label_set_of([source.training for source in members], scored, settings.tagging)
    return found, problems


def unannotated_tags(source: Source, label_set: LabelSet) -> tuple[str, ...]:
    """Return the tags of the head that the corpus says nothing about: its O may be any of them."""
    return tuple(tag for tag in label_set.names if tag != OUTSIDE and split_tag(tag)[1] not in source.labels)


def bare_name(label: str) -> str:
    """Return what is left of a label without case and punctuation: names that differ in no more are the same name."""
    return "".join(filter(str.isalnum, label)).casefold() or label


def _lacks(members: Sequence[Source], settings: NerSettings) -> Iterator[LinnetError]:
    """Yield what each corpus lacks by itself: its own labels are learned from it, whatever others have."""
    learned = {label for source in members for label in labels_of(source.training)}
    for source in members:
        scored = {label for each in source.scored.values() for label in labels_of(each)}
        for error in problems_of(partial(check_labels, learned & source.labels, scored)):
            yield name_corpora(error, settings, source.name)


def _disagreements(head: str, members: Sequence[Source], *, is_partial: bool, is_whole: bool) -> Iterator[LinnetError]:
    if len({source.labels for source in members}) <= 1:
        return
    if not is_partial:
        yield BadSetting(
            f"corpora with different labels cannot share the head {head!r}: {_describe_labels(members)}",
            "give each its own head, rename labels that mean the same with `map`, or set partial_labels = true",
        )
        return
    if is_whole:
        yield from _unknown_names(head, members)
    names: dict[str, str] = {}
    for label in sorted({label for source in members for label in source.labels}):
        twin = names.setdefault(bare_name(label), label)
        if twin != label:
            yield BadSetting(
                f"the head {head!r} would learn {twin!r} and {label!r} as two labels: {_describe_labels(members)}",
                "rename one of them with `map`: to the other where they mean the same, else to a name that differs",
            )


def _unknown_names(head: str, members: Sequence[Source]) -> Iterator[LinnetError]:
    """Yield names that a map leads to without need, or by a slip: no other corpus of the head has them.

    There is need where a label is called as one of another corpus but means something else, and where several become
    one.
    """
    for source in members:
        others = [other for other in members if other is not source]
        known = {bare_name(label): label for other in others for label in other.labels}
        taken = {bare_name(label) for other in others for label in other.annotated | other.labels}
        for name in sorted(set(source.map.values())):
            if bare_name(name) in known:  # or known but for case or punctuation, which is another problem
                continue
            problem = f"corpus {source.name!r}: `map` leads to {name}, which no other corpus of the head {head!r} has"
            before = {old for old in source.annotated.union(source.map) if source.map.get(old, old) == name}
            near = [known[plain] for plain in get_close_matches(bare_name(name), known, n=1, cutoff=MISSPELT)]
            if near:
                yield BadSetting(problem, f"did you mean {near[0]}? If not, map to a name that is less like it")
            elif len(before) == 1 and not taken.intersection(map(bare_name, before)):
                names = ", ".join(sorted(known.values()))
                yield BadSetting(problem, f"map to one of {names}; a label that only this corpus has needs no map")


def _describe_labels(members: Sequence[Source]) -> str:
    return "; ".join(f"{source.name} has {', '.join(sorted(source.labels))}" for source in members)
