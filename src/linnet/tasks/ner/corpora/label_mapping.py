"""Mapping between the labels of a model and those of a corpus.

Model and corpus are compared on the labels that both have. Labels of one side only are left out of both, so that no
score depends on them, and their mentions are counted and reported.
"""

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from linnet.contracts import Notes
from linnet.errors import BadSetting, LinnetError, refuse
from linnet.labels.tagging import OUTSIDE, decode_conll, split_tag
from linnet.tasks.ner.decoding import PredictedSentence
from linnet.tasks.ner.examples import Examples

__all__ = ["SharedLabels", "parse_map", "rename_labels", "restrict", "share_labels"]


@dataclass(frozen=True)
class SharedLabels:
    """The labels on which a model and a corpus are compared, and how many mentions of others there were."""

    map: Mapping[str, str]  # of the model to that of the corpus, where their names differ
    labels: tuple[str, ...]  # by the corpus's names
    only_model: Mapping[str, int] = field(default_factory=dict)  # predicted mentions by the model's label
    only_corpus: Mapping[str, int] = field(default_factory=dict)  # true mentions

    def as_dict(self) -> dict[str, object]:
        """Return plain values."""
        return {
            "map": dict(self.map),
            "labels": list(self.labels),
            "only_model": dict(self.only_model),
            "only_corpus": dict(self.only_corpus),
        }

    def sentences(self) -> list[str]:
        """Return what is to be known about the labels that were left out, in words."""
        sides = (
            (self.only_model, "the corpus does not have", "predicted"),
            (self.only_corpus, "the model does not have", "true"),
        )
        return [
            f"labels that {lacking}, not scored: "
            + ", ".join(f"{label} ({number:,} {what} mentions)" for label, number in counts.items())
            for counts, lacking, what in sides
            if counts
        ]


def parse_map(texts: Iterable[str]) -> dict[str, str]:
    """Return the corpus's label by the model's, from `MODEL=CORPUS`.

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
                BadSetting(f"--map {text}: expected MODEL=CORPUS", "e.g. --map Disease=DiseaseOrPhenotypicFeature")
            )
        elif found.setdefault(ours, theirs) != theirs:
            problems.append(
                BadSetting(
                    f"--map gives the model's label {ours!r} two names, {found[ours]!r} and {theirs!r}",
                    "give it one; several labels of the model may have the same",
                )
            )
    refuse(problems)
    return found


def share_labels(given: Mapping[str, str], model: Collection[str], corpus: Collection[str]) -> SharedLabels:
    """Return what a model with these labels and a corpus with those have in common.

    Raises:
        BadSetting: where the map names a label that its side does not have, or nothing is shared.
    """
    unknown = [
        *(f"the model has no label {label!r}, but {', '.join(sorted(model))}" for label in given if label not in model),
        *(
            f"the corpus has no label {label!r}, but {', '.join(sorted(corpus)) or 'no mentions'}"
            for label in dict.fromkeys(given.values())
            if label not in corpus
        ),
    ]
    if unknown:
        raise BadSetting("--map: " + "\n  ".join(unknown), "give `--map MODEL=CORPUS` with labels that both sides have")
    shared = {given.get(label, label) for label in model} & set(corpus)
    if not shared:
        raise BadSetting(
            f"model ({', '.join(sorted(model))}) and corpus ({', '.join(sorted(corpus))}) have no label in common",
            "say which mean the same with `--map MODEL=CORPUS`",
        )
    only_model = {label: 0 for label in sorted(model) if given.get(label, label) not in shared}
    only_corpus = {label: 0 for label in sorted(corpus) if label not in shared}
    return SharedLabels(dict(given), tuple(sorted(shared)), only_model, only_corpus)


def restrict(
    shared: SharedLabels, examples: Examples, predicted: Sequence[PredictedSentence]
) -> tuple[SharedLabels, Examples, list[PredictedSentence]]:
    """Return gold and prediction with the shared labels only, by the corpus's names, and what that leaves out.

    A label that only one side is known to have is counted even where it has no mention here.
    """
    only_model = Counter(dict.fromkeys(shared.only_model, 0))
    only_corpus = Counter(dict.fromkeys(shared.only_corpus, 0))
    rows, kept = [], []
    for row, sentence in zip(examples.rows, predicted, strict=True):
        only_corpus.update(mention.label for mention in row.gold if mention.label not in shared.labels)
        labels = [mention.label for mention in sentence.mentions]
        only_model.update(label for label in labels if shared.map.get(label, label) not in shared.labels)
        gold = tuple(mention for mention in row.gold if mention.label in shared.labels)
        rows.append(replace(row, tags=_kept_tags(row.tags, {}, shared.labels), gold=gold))
        kept.append(_restrict_sentence(sentence, shared))
    found = replace(shared, only_model=_sort_counts(only_model), only_corpus=_sort_counts(only_corpus))
    return found, Examples(rows, examples.notes), kept


def rename_labels(examples: Examples, names: Mapping[str, str]) -> Examples:
    """Return the sentences under other labels; mentions that this joins in the tags are counted in the notes."""
    if not names:
        return examples
    notes = Notes(Counter(examples.notes.counts), dict(examples.notes.first_place))
    rows = []
    for row in examples.rows:
        tags = _renamed_tags(row.tags, names)
        joined = len(decode_conll(row.tags)) - len(decode_conll(tags))
        if joined:
            notes.add("mentions that touch one of the same label after renaming, learned as one", row.document, joined)
        gold = tuple(sorted(mention._replace(label=names.get(mention.label, mention.label)) for mention in row.gold))
        rows.append(replace(row, tags=tags, gold=gold))
    return Examples(rows, notes)


def _restrict_sentence(sentence: PredictedSentence, shared: SharedLabels) -> PredictedSentence:
    pairs = [
        (mention._replace(label=shared.map.get(mention.label, mention.label)), score)
        for mention, score in zip(sentence.mentions, sentence.scores, strict=True)
    ]
    pairs = [(mention, score) for mention, score in pairs if mention.label in shared.labels]
    tags = _kept_tags(sentence.tags, shared.map, shared.labels)
    return PredictedSentence(tags, [mention for mention, _ in pairs], [score for _, score in pairs])


def _kept_tags(tags: Sequence[str], names: Mapping[str, str], labels: Collection[str]) -> list[str]:
    return [tag if split_tag(tag)[1] in labels else OUTSIDE for tag in _renamed_tags(tags, names)]


def _renamed_tags(tags: Sequence[str], names: Mapping[str, str]) -> list[str]:
    return [f"{tag[:2]}{names[tag[2:]]}" if tag[2:] in names else tag for tag in tags]


def _sort_counts(counts: Counter[str]) -> dict[str, int]:
    return {label: counts[label] for label in sorted(counts)}
