"""What does a researcher check first in a corpus?"""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass, field
from itertools import combinations
from statistics import mean, median
from typing import Any

from linnet.documents.spans import nested_spans
from linnet.formats.corpus import Corpus, Split
from linnet.labels.alignment import align
from linnet.labels.tagging import OUTSIDE, encode

__all__ = ["CorpusStatistics", "Lengths", "SplitStatistics", "describe"]

FEW_MENTIONS = 30  # below this a label's score says next to nothing
LONG_SENTENCE = 400  # tokens; longer ones are usually a failure to split
RARE = 0.02  # share of tokens inside mentions below which a corpus is called very imbalanced


@dataclass(frozen=True)
class Lengths:
    """Lengths in tokens: how many there are of each, and what that comes to."""

    mean: float
    median: float
    longest: int
    histogram: dict[int, int]

    @classmethod
    def of(cls, lengths: Sequence[int]) -> "Lengths":
        """Sum up a list of lengths."""
        histogram = dict(sorted(Counter(lengths).items()))
        if not lengths:
            return cls(0.0, 0.0, 0, histogram)
        return cls(mean(lengths), median(lengths), max(lengths), histogram)


@dataclass
class SplitStatistics:
    """What one split holds."""

    documents: int = 0
    sentences: int = 0
    tokens: int = 0
    mentions: int = 0
    tags: dict[str, int] = field(default_factory=dict)
    labels: dict[str, int] = field(default_factory=dict)
    relations: int = 0
    linked_mentions: int = 0
    sentences_without_mentions: int = 0
    discontinuous_mentions: int = 0
    nested_mentions: int = 0
    mentions_that_cut_a_token: int = 0
    mentions_that_tags_cannot_hold: int = 0
    repeated_sentences: int = 0
    unseen_mentions: int | None = None  # mentions whose text and label do not occur in training
    unseen_share: float | None = None
    mention_lengths: Lengths = field(default_factory=lambda: Lengths.of([]))
    sentence_lengths: Lengths = field(default_factory=lambda: Lengths.of([]))


@dataclass(frozen=True)
class CorpusStatistics:
    """What a corpus holds, split by split, and what should give pause."""

    name: str
    splits: dict[str, SplitStatistics]
    tagging: str
    format: str
    shared_sentences: dict[str, int]  # "train/test": sentences of the second that stand in the first
    notes: list[str]
    warnings: list[str]

    def as_dict(self) -> dict[str, Any]:
        """Return plain values for JSON."""
        return asdict(self)


@dataclass
class _Contents:
    """What must be compared between splits."""

    sentences: Counter[str] = field(default_factory=Counter)
    mentions: Counter[tuple[str, str]] = field(default_factory=Counter)


def describe(corpus: Corpus) -> CorpusStatistics:
    """Return the statistics of a corpus; documents are streamed, not kept."""
    splits: dict[str, SplitStatistics] = {}
    contents: dict[str, _Contents] = {}
    for name, split in corpus.splits.items():
        splits[name], contents[name] = _describe_split(split, corpus.tagging)
    if "train" in splits:
        for name in splits.keys() - {"train"}:
            _compare_with_training(splits[name], contents[name], contents["train"])
    shared = {
        f"{first}/{second}": sum(
            n for text, n in contents[second].sentences.items() if text in contents[first].sentences
        )
        for first, second in combinations(splits, 2)
        if {first, second} != {"train", "train_dev"} and {first, second} != {"devel", "train_dev"}
    }
    noted = (corpus.notes, *(split.notes for split in corpus.splits.values()))
    notes = [note for each in noted for note in each.sentences()]
    warnings = list(_warnings(splits, shared))
    return CorpusStatistics(corpus.name, splits, corpus.tagging, corpus.format, shared, notes, warnings)


def _describe_split(split: Split, tagging: str) -> tuple[SplitStatistics, _Contents]:
    found, contents = SplitStatistics(), _Contents()
    tags: Counter[str] = Counter()
    labels: Counter[str] = Counter()
    mention_lengths: list[int] = []
    sentence_lengths: list[int] = []
    for document in split:
        found.documents += 1
        found.mentions += len(document.spans)
        found.relations += len(document.relations)
        labels.update(span.label for span in document.spans)
        found.linked_mentions += sum(bool(span.links) for span in document.spans)
        found.discontinuous_mentions += sum(span.is_discontinuous for span in document.spans)
        found.nested_mentions += len(nested_spans(document.spans))
        contents.mentions.update((span.label, text.casefold()) for span, text in document.mentions())
        for row in align(document):
            tags.update(encode(row.mentions, row.n_tokens, tagging))
            sentence_lengths.append(row.n_tokens)
            mention_lengths += [end - first for first, end, _ in row.mentions]
            found.sentences_without_mentions += not row.mentions
            found.mentions_that_cut_a_token += len(row.widened)
            found.mentions_that_tags_cannot_hold += len(row.left_out)
            contents.sentences[" ".join(row.words(document.text))] += 1
    found.sentences, found.tokens = len(sentence_lengths), sum(sentence_lengths)
    found.tags, found.labels = _in_order(tags), _in_order(labels)
    found.repeated_sentences = sum(n - 1 for n in contents.sentences.values())
    found.mention_lengths, found.sentence_lengths = Lengths.of(mention_lengths), Lengths.of(sentence_lengths)
    return found, contents


def _in_order(counts: Counter[str]) -> dict[str, int]:
    """Return the counts by name, `O` first, so that no order of files or sentences shows."""
    return {name: counts[name] for name in sorted(counts, key=lambda name: (name != OUTSIDE, name))}


def _compare_with_training(found: SplitStatistics, contents: _Contents, training: _Contents) -> None:
    unseen = sum(n for mention, n in contents.mentions.items() if mention not in training.mentions)
    found.unseen_mentions = unseen
    found.unseen_share = unseen / found.mentions if found.mentions else 0.0


def _warnings(splits: dict[str, SplitStatistics], shared: dict[str, int]) -> Iterable[str]:
    for pair, number in shared.items():
        first, second = pair.split("/")
        if number:
            share = number / splits[second].sentences
            yield f"{number:,} sentences of {second} ({share:.1%}) stand in {first} too: its scores are flattered"
    known = set(splits["train"].labels) if "train" in splits else set()
    for name, found in splits.items():
        yield from _split_warnings(name, found)
        if known and (new := sorted(set(found.labels) - known)):
            yield f"{name} has labels that train does not have: {', '.join(new)}"
        if known and name != "train" and (gone := sorted(known - set(found.labels))):
            yield f"{name} has no mention of {', '.join(gone)}: no score can be given for it"


def _split_warnings(name: str, found: SplitStatistics) -> Iterable[str]:
    if not found.mentions:
        yield f"{name} has no mention at all"
        return
    inside = sum(n for tag, n in found.tags.items() if tag != OUTSIDE)
    if inside < RARE * found.tokens:
        yield f"{name} is very imbalanced: {inside / found.tokens:.2%} of its tokens are in mentions"
    for label, number in found.labels.items():
        if number < FEW_MENTIONS:
            yield f"{name} has only {number} mentions of {label}: its scores will have wide intervals"
    if found.discontinuous_mentions:
        yield f"{name} has {found.discontinuous_mentions:,} discontinuous mentions: tags cannot hold them"
    if found.nested_mentions:
        yield f"{name} has {found.nested_mentions:,} nested or overlapping mentions: tags hold only the longest"
    if found.mentions_that_cut_a_token:
        yield f"{name} has {found.mentions_that_cut_a_token:,} mentions that cut a token: tags widen them"
    if found.sentence_lengths.longest > LONG_SENTENCE:
        yield f"{name} has a sentence of {found.sentence_lengths.longest:,} tokens: sentences may not be split"
    if found.repeated_sentences > 0.05 * found.sentences:
        yield f"{name} repeats {found.repeated_sentences:,} of its {found.sentences:,} sentences"
