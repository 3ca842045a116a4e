"""Statistics of a corpus: sizes, labels, lengths, overlap of splits, and warnings."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from itertools import combinations
from statistics import mean, median
from typing import Any

from linnet.documents.counted import counted
from linnet.documents.document import Document
from linnet.documents.spans import nested_spans
from linnet.formats.corpus import Corpus, Split
from linnet.formats.sentence_documents import find_documents
from linnet.labels.alignment import align
from linnet.labels.tagging import OUTSIDE, encode
from linnet.reports.overlaps import overlap_warning, rising_sentences

__all__ = [
    "FEW_MENTIONS",
    "UNSCORED",
    "ConceptCount",
    "CorpusStatistics",
    "Lengths",
    "SplitStatistics",
    "describe",
]

FEW_MENTIONS = 30  # with fewer mentions the score of a label means little
UNSCORED = "a label without gold has no score, but 0 where it is predicted, and then macro F1 counts it"
LONG_SENTENCE = 400  # tokens; longer ones are usually not split correctly
RARE = 0.02  # share of tokens in mentions below which a split is very imbalanced


@dataclass(frozen=True)
class Lengths:
    """Lengths in tokens: mean, median, longest and histogram."""

    mean: float
    median: float
    longest: int
    histogram: dict[int, int]

    @classmethod
    def of(cls, lengths: Sequence[int]) -> "Lengths":
        """Return the statistics of a list of lengths."""
        histogram = dict(sorted(Counter(lengths).items()))
        if not lengths:
            return cls(0.0, 0.0, 0, histogram)
        return cls(mean(lengths), median(lengths), max(lengths), histogram)


@dataclass(frozen=True)
class ConceptCount:
    """How often a concept is linked to."""

    identifier: str
    name: str  # the preferred one, or else the commonest text of its mentions
    mentions: int
    documents: int


@dataclass
class SplitStatistics:
    """Counts of one split."""

    documents: int = 0  # as the file has them; each sentence counts where the file has sentences only
    sentences: int = 0
    tokens: int = 0
    mentions: int = 0
    tags: dict[str, int] = field(default_factory=dict)
    labels: dict[str, int] = field(default_factory=dict)
    relations: int = 0
    linked_mentions: int = 0
    concepts: list[ConceptCount] = field(default_factory=list)  # the most frequent ones
    sentences_without_mentions: int = 0
    discontinuous_mentions: int = 0
    nested_mentions: int = 0
    mentions_that_cut_a_token: int = 0
    mentions_that_tags_cannot_hold: int = 0
    repeated_sentences: int = 0
    unseen_mentions: int | None = None  # mentions whose text and label do not occur in training
    unseen_share: float | None = None
    from_documents: int | None = None  # that the sentences come from; None where nothing says so
    mention_lengths: Lengths = field(default_factory=lambda: Lengths.of([]))
    sentence_lengths: Lengths = field(default_factory=lambda: Lengths.of([]))


@dataclass(frozen=True)
class CorpusStatistics:
    """Statistics of a corpus by split, with notes of the reader and warnings."""

    name: str
    splits: dict[str, SplitStatistics]
    tagging: str
    format: str
    shared_sentences: dict[str, int]  # "train/test": sentences of the second that are in the first
    notes: list[str]
    warnings: list[str]

    def as_dict(self) -> dict[str, Any]:
        """Return plain values for JSON."""
        return asdict(self)


@dataclass
class _Contents:
    """Sentences and mentions of a split, to compare splits."""

    sentences: Counter[str] = field(default_factory=Counter)
    with_mentions: set[str] = field(default_factory=set)  # of the sentences
    mentions: Counter[tuple[str, str]] = field(default_factory=Counter)
    in_order: list[tuple[str, str]] = field(default_factory=list)  # each sentence, after the id of its document


@dataclass
class _Concepts:
    """Counts of the identifiers of a split."""

    mentions: Counter[str] = field(default_factory=Counter)
    documents: Counter[str] = field(default_factory=Counter)
    names: dict[str, Counter[str]] = field(default_factory=dict)

    def count(self, document: Document) -> None:
        """Count the links of a document."""
        found: set[str] = set()
        for span in document.spans:
            for link in span.links:
                found.add(link.identifier)
                self.mentions[link.identifier] += 1
                name = link.name or span.text_in(document.text)
                self.names.setdefault(link.identifier, Counter())[name] += 1
        self.documents.update(found)

    def most_frequent(self, number: int) -> list[ConceptCount]:
        """Return the concepts with the most mentions; of equal ones, those in more documents, then in order."""
        ids = sorted(self.mentions, key=lambda each: (-self.mentions[each], -self.documents[each], each))[:number]
        return [
            ConceptCount(each, self.names[each].most_common(1)[0][0], self.mentions[each], self.documents[each])
            for each in ids
        ]


def describe(corpus: Corpus, *, n_concepts: int = 0) -> CorpusStatistics:
    """Return the statistics of a corpus, with so many of its most frequent concepts; documents are streamed."""
    splits: dict[str, SplitStatistics] = {}
    contents: dict[str, _Contents] = {}
    for name, split in corpus.splits.items():
        splits[name], contents[name] = _describe_split(split, corpus.tagging, n_concepts)
    if "train" in splits:
        for name in splits.keys() - {"train"}:
            _compare_with_training(splits[name], contents[name], contents["train"])
    shared = {
        f"{first}/{second}": sum(
            n for text, n in contents[second].sentences.items() if text in contents[first].sentences
        )
        for first, second in _compared(splits)
    }
    all_notes = (corpus.notes, *(split.notes for split in corpus.splits.values()))
    return CorpusStatistics(
        name=corpus.name,
        splits=splits,
        tagging=corpus.tagging,
        format=corpus.format,
        shared_sentences=shared,
        notes=[
            *(sentence for notes in all_notes for sentence in notes.sentences()),
            *_note_unknown_documents(splits),
        ],
        warnings=[*_overlaps(contents), *_warnings(splits)],
    )


def _describe_split(split: Split, tagging: str, n_concepts: int) -> tuple[SplitStatistics, _Contents]:
    statistics, contents, concepts = SplitStatistics(), _Contents(), _Concepts()
    tags: Counter[str] = Counter()
    labels: Counter[str] = Counter()
    mention_lengths: list[int] = []
    sentence_lengths: list[int] = []
    for document in split:
        statistics.documents += 1
        statistics.mentions += len(document.spans)
        statistics.relations += len(document.relations)
        labels.update(span.label for span in document.spans)
        if n_concepts:
            concepts.count(document)
        statistics.linked_mentions += sum(bool(span.links) for span in document.spans)
        statistics.discontinuous_mentions += sum(span.is_discontinuous for span in document.spans)
        statistics.nested_mentions += len(nested_spans(document.spans))
        contents.mentions.update((span.label, text.casefold()) for span, text in document.mentions())
        for row in align(document):
            tags.update(encode(row.mentions, row.n_tokens, tagging))
            sentence_lengths.append(row.n_tokens)
            mention_lengths += [mention.end - mention.start for mention in row.mentions]
            statistics.sentences_without_mentions += not row.mentions
            statistics.mentions_that_cut_a_token += len(row.widened)
            statistics.mentions_that_tags_cannot_hold += len(row.left_out)
            sentence = " ".join(row.words(document.text))
            contents.sentences[sentence] += 1
            if row.mentions:
                contents.with_mentions.add(sentence)
            contents.in_order.append((document.id, sentence))
    statistics.sentences, statistics.tokens = len(sentence_lengths), sum(sentence_lengths)
    statistics.from_documents = _count_documents(statistics.documents, contents.in_order)
    statistics.concepts = concepts.most_frequent(n_concepts)
    statistics.tags, statistics.labels = _in_order(tags), _in_order(labels)
    statistics.repeated_sentences = sum(n - 1 for n in contents.sentences.values())
    statistics.mention_lengths, statistics.sentence_lengths = Lengths.of(mention_lengths), Lengths.of(sentence_lengths)
    return statistics, contents


def _count_documents(n_read: int, sentences: Sequence[tuple[str, str]]) -> int | None:
    """Return how many documents the sentences come from, None if it is not known."""
    if not sentences:
        return n_read
    ids = [id for id, _ in sentences]
    numbers = find_documents(ids, [[sentence] for _, sentence in sentences])
    if numbers is None:
        return None
    n_documents = len(set(numbers))
    return n_documents if n_documents < len(set(ids)) else n_read  # which may have documents without a sentence


def _note_unknown_documents(splits: dict[str, SplitStatistics]) -> list[str]:
    unknown = [name for name, split in splits.items() if split.from_documents is None]
    if not unknown:
        return []
    return [
        f"{', '.join(unknown)}: the files have sentences only, so the number of documents is not known; "
        "intervals of scores will be over sentences"
    ]


def _in_order(counts: Counter[str]) -> dict[str, int]:
    """Return the counts by name, `O` first, independent of the order of files and sentences."""
    return {name: counts[name] for name in sorted(counts, key=lambda name: (name != OUTSIDE, name))}


def _compare_with_training(statistics: SplitStatistics, contents: _Contents, training: _Contents) -> None:
    unseen = sum(n for mention, n in contents.mentions.items() if mention not in training.mentions)
    statistics.unseen_mentions = unseen
    statistics.unseen_share = unseen / statistics.mentions if statistics.mentions else 0.0


def _compared(names: Iterable[str]) -> Iterator[tuple[str, str]]:
    """Yield the pairs of splits that should share nothing: training and development joined share by design."""
    for pair in combinations(names, 2):
        if set(pair) not in ({"train", "train_dev"}, {"devel", "train_dev"}):
            yield pair


def _overlaps(contents: Mapping[str, _Contents]) -> Iterator[str]:
    for first, second in _compared(contents):
        scored = contents[second]
        found = rising_sentences(scored.sentences, scored.with_mentions, contents[first].sentences)
        if found:
            number = sum(found.values())
            share = number / scored.sentences.total()
            yield overlap_warning(number, share, unit="sentence", names=(first, second), first=next(iter(found)))


def _warnings(splits: dict[str, SplitStatistics]) -> Iterable[str]:
    known = set(splits["train"].labels) if "train" in splits else set()
    for name, statistics in splits.items():
        yield from _split_warnings(name, statistics)
        if known and (new := sorted(set(statistics.labels) - known)):
            yield f"{name} has labels that train does not have: {', '.join(new)}"
        if known and name != "train" and (gone := sorted(known - set(statistics.labels))):
            yield f"{name} has no mention of {', '.join(gone)}: {UNSCORED}"


def _split_warnings(name: str, statistics: SplitStatistics) -> Iterable[str]:
    if not statistics.mentions:
        yield f"{name} has no mention at all"
        return
    inside = sum(n for tag, n in statistics.tags.items() if tag != OUTSIDE)
    if inside < RARE * statistics.tokens:
        yield f"{name} is very imbalanced: {inside / statistics.tokens:.2%} of its tokens are in mentions"
    for label, number in statistics.labels.items():
        if number < FEW_MENTIONS:
            yield f"{name} has only {counted(number, 'mention')} of {label}: its scores will have wide intervals"
    if statistics.discontinuous_mentions:
        yield f"{name} has {counted(statistics.discontinuous_mentions, 'discontinuous mention')}: tags cannot hold them"
    if statistics.nested_mentions:
        nested = counted(statistics.nested_mentions, "nested or overlapping mention")
        yield f"{name} has {nested}: tags hold only the longest"
    if statistics.mentions_that_cut_a_token:
        cut = counted(statistics.mentions_that_cut_a_token, "mention that cuts a token", "mentions that cut a token")
        yield f"{name} has {cut}: tags widen such mentions"
    if statistics.sentence_lengths.longest > LONG_SENTENCE:
        yield f"{name} has a sentence of {statistics.sentence_lengths.longest:,} tokens: sentences may not be split"
    if statistics.repeated_sentences > 0.05 * statistics.sentences:
        yield f"{name} repeats {statistics.repeated_sentences:,} of its {counted(statistics.sentences, 'sentence')}"
