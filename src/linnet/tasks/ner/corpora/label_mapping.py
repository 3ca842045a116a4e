"""Restriction of sentences and their predictions to shared labels, and other names for labels of a corpus."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace

from linnet.contracts import Notes
from linnet.labels.tagging import decode_conll
from linnet.metrics.mentions.shared_labels import SharedLabels, keep_tags, rename_tags
from linnet.tasks.ner.decoding import PredictedSentence
from linnet.tasks.ner.examples import Examples

__all__ = ["rename_labels", "restrict"]


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
        only_model.update(label for label in labels if shared.name(label) not in shared.labels)
        gold = tuple(mention for mention in row.gold if mention.label in shared.labels)
        rows.append(replace(row, tags=keep_tags(row.tags, {}, shared.labels), gold=gold))
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
        tags = rename_tags(row.tags, names)
        joined = len(decode_conll(row.tags)) - len(decode_conll(tags))
        if joined:
            notes.add("mentions that touch one of the same label after renaming, learned as one", row.document, joined)
        gold = tuple(sorted(mention._replace(label=names.get(mention.label, mention.label)) for mention in row.gold))
        rows.append(replace(row, tags=tags, gold=gold))
    return Examples(rows, notes)


def _restrict_sentence(sentence: PredictedSentence, shared: SharedLabels) -> PredictedSentence:
    pairs = [
        (mention._replace(label=shared.name(mention.label)), score)
        for mention, score in zip(sentence.mentions, sentence.scores, strict=True)
    ]
    pairs = [(mention, score) for mention, score in pairs if mention.label in shared.labels]
    tags = keep_tags(sentence.tags, shared.map, shared.labels)
    return PredictedSentence(tags, [mention for mention, _ in pairs], [score for _, score in pairs])


def _sort_counts(counts: Counter[str]) -> dict[str, int]:
    return {label: counts[label] for label in sorted(counts)}
