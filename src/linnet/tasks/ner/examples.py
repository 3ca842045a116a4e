"""Examples of named-entity recognition: documents as words with tags.

A document is cut into sentences with words; each word has one tag, from which models learn. What is scored are the
mentions themselves: those that a row of tags cannot hold count as missed, and are counted in `Examples.notes`.
"""

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from linnet.contracts import Notes
from linnet.documents.document import Document, Sentence, Span
from linnet.errors import BadSetting
from linnet.labels.alignment import TaggableSentence, align
from linnet.labels.label_set import LabelSet
from linnet.labels.mention import Mention
from linnet.labels.tagging import decode_conll, encode

__all__ = [
    "Example",
    "Examples",
    "check_labels",
    "label_set_of",
    "labels_of",
    "read_examples",
]

UNHELD = "mentions that tags cannot hold, not learned and counted as missed"


@dataclass(frozen=True, slots=True)
class Example:
    """A sentence to learn from or to score on."""

    document: str
    group: int  # which document it is, by number
    number: int  # which sentence of its document, from 1
    text: str  # of the whole document
    sentence: Sentence
    words: list[str]
    tags: list[str]
    gold: tuple[Mention, ...]  # all mentions by tokens, also those that the tags cannot hold


@dataclass
class Examples:
    """The sentences of a split."""

    rows: list[Example] = field(default_factory=list)
    notes: Notes = field(default_factory=Notes)
    sampled_from: int | None = None  # how many sentences the split has; None where these are all of them

    @property
    def words(self) -> list[list[str]]:
        """The words of each sentence."""
        return [row.words for row in self.rows]

    @property
    def tags(self) -> list[list[str]]:
        """The tags of each sentence."""
        return [row.tags for row in self.rows]

    @property
    def gold(self) -> list[tuple[Mention, ...]]:
        """The mentions of each sentence."""
        return [row.gold for row in self.rows]

    @property
    def n_mentions(self) -> int:
        """How many mentions there are."""
        return sum(len(row.gold) for row in self.rows)

    @property
    def counts(self) -> Counter[str]:
        """How often each tag occurs."""
        return Counter(tag for row in self.rows for tag in row.tags)


def read_examples(documents: Iterable[Document], tagging: str) -> Examples:
    """Return the sentences of the documents with their tags."""
    found = Examples()
    for group, document in enumerate(documents):
        for number, row in enumerate(align(document), 1):
            if not row.n_tokens:
                if row.left_out:
                    found.notes.add("mentions without a word, left out", document.id, len(row.left_out))
                continue
            if row.left_out:
                found.notes.add(UNHELD, document.id, len(row.left_out))
            if row.widened:
                found.notes.add("mentions that cut a word, widened", document.id, len(row.widened))
            tags = encode(row.mentions, row.n_tokens, tagging)
            joined = len(row.mentions) - len(decode_conll(tags)) if tagging == "io" else 0
            if joined:
                found.notes.add("mentions that touch one of their label, learned as one by io", document.id, joined)
            words, gold = row.words(document.text), tuple(sorted(_mentions(row)))
            found.rows.append(
                Example(
                    document=document.id,
                    group=group,
                    number=number,
                    text=document.text,
                    sentence=row.sentence,
                    words=words,
                    tags=tags,
                    gold=gold,
                )
            )
    return found


def label_set_of(training: Sequence[Examples], others: Sequence[Examples], tagging: str) -> LabelSet:
    """Return the tags to learn: those of the training labels, of all corpora that are learned together.

    Raises:
        BadSetting: where there is nothing to learn, or a split to score on has labels that training does not have.
    """
    labels = {label for each in training for label in labels_of(each)}
    check_labels(labels, {label for other in others for label in labels_of(other)})
    return LabelSet.of_tags(labels, tagging)


def check_labels(training: Collection[str], scored: Collection[str]) -> None:
    """Refuse training labels from which nothing can be learned, or not all that is scored."""
    if not training:
        raise BadSetting(
            "the training split has no mention", "give a corpus with annotations; `linnet stats` counts them"
        )
    unseen = sorted(set(scored) - set(training))
    if unseen:
        raise BadSetting(
            f"the devel or test split has labels that training does not have: {', '.join(unseen)}",
            f"training has {', '.join(sorted(training))}; rename or remove the others",
        )


def labels_of(examples: Examples) -> set[str]:
    """Return the labels that occur."""
    return {tag[2:] for tag in examples.counts if len(tag) > 1}


def _mentions(row: TaggableSentence) -> Iterator[Mention]:
    yield from row.mentions
    yield from (_mention_of(span, row) for span in row.left_out)


def _mention_of(span: Span, row: TaggableSentence) -> Mention:
    fragments = tuple(row.tokens_in(start, end) for start, end in span.fragments) if span.is_discontinuous else ()
    return Mention(*row.tokens_in(span.start, span.end), span.label, fragments)
