"""Gold identifiers of mentions, compared through the equivalences and retired identifiers of a vocabulary."""

from collections import Counter
from collections.abc import Collection, Iterable, Iterator
from dataclasses import replace

from linnet.documents.abbreviations import long_forms
from linnet.documents.concepts import concepts_of
from linnet.documents.document import Document, Span
from linnet.errors import BadSetting
from linnet.tasks.linking.mentions import expand_abbreviations
from linnet.tasks.linking.vocabularies.curies import normalise_identifier
from linnet.tasks.linking.vocabularies.normalisation import normalise
from linnet.tasks.linking.vocabularies.vocabulary import Vocabulary

__all__ = ["GoldIdentifiers", "keep_label", "known_share", "mention_form", "seen_in", "walk_mentions"]

LEAST_KNOWN = 0.5  # share of gold identifiers that the vocabulary must have
N_EXAMPLES = 3


class GoldIdentifiers:
    """Identifiers in one spelling: equivalent, retired and bare ones become the identifier of their concept."""

    def __init__(self, vocabulary: Vocabulary) -> None:
        self.vocabulary = vocabulary
        self._known: dict[str, tuple[str, int | None]] = {}

    def canonical(self, identifier: str) -> str:
        """Return the identifier of the concept; one that the vocabulary lacks in its usual spelling."""
        return self._find(identifier)[0]

    def concept(self, identifier: str) -> int | None:
        """Return the place of the concept, None if the vocabulary lacks it."""
        return self._find(identifier)[1]

    def of_span(self, span: Span) -> tuple[str, ...]:
        """Return the identifiers of a mention, each once; a composite mention has several, NIL none."""
        return tuple(dict.fromkeys(map(self.canonical, concepts_of(span))))

    def relatives(self, identifier: str) -> frozenset[str]:
        """Return the identifiers of the concept's parents."""
        concept = self.concept(identifier)
        if concept is None:
            return frozenset()
        return frozenset(map(self.vocabulary.identifier, self.vocabulary.parents(concept)))

    def _find(self, identifier: str) -> tuple[str, int | None]:
        if identifier not in self._known:
            concept = self.vocabulary.find(identifier)
            written = normalise_identifier(identifier) if concept is None else self.vocabulary.identifier(concept)
            self._known[identifier] = (written, concept)
        return self._known[identifier]


def keep_label(documents: Iterable[Document], label: str | None) -> Iterator[Document]:
    """Yield the documents with the mentions of one entity type only; all if none is given."""
    for document in documents:
        spans = tuple(span for span in document.spans if label in (None, span.label))
        yield replace(document, spans=spans, relations=())


def walk_mentions(document: Document) -> Iterator[tuple[Span, str, str]]:
    """Yield each span with its text, and with the text in which abbreviations are resolved."""
    long_form_by_short = long_forms(document.text)
    for span, text in document.mentions():
        yield span, text, expand_abbreviations(text, long_form_by_short)


def mention_form(text: str) -> str:
    """Return a mention in the form in which it is learned: normalised words in alphabetical order."""
    return " ".join(sorted(normalise(text).split()))


def seen_in(documents: Iterable[Document], gold: GoldIdentifiers) -> tuple[set[str], set[str]]:
    """Return the forms and the identifiers of the mentions of a training corpus."""
    forms: set[str] = set()
    identifiers: set[str] = set()
    for document in documents:
        for span, _, expanded in walk_mentions(document):
            if found := gold.of_span(span):
                forms.add(mention_form(expanded))
                identifiers.update(found)
    return forms, identifiers


def known_share(documents: Collection[Document], gold: GoldIdentifiers, *, where: str) -> float:
    """Return the share of gold identifiers that the vocabulary has.

    Raises:
        BadSetting: if there are none, or the vocabulary lacks most of them, with examples.
    """
    counts = Counter(each for document in documents for span in document.spans for each in concepts_of(span))
    total = counts.total()
    if not total:
        labels = sorted({span.label for document in documents for span in document.spans})
        raise BadSetting(
            f"{where}: no mention has an identifier (mentions of {', '.join(labels) or 'no entity type'})",
            "give a corpus whose mentions have identifiers, e.g. in PubTator form, and the right `--label`",
        )
    unknown = {each: n for each, n in counts.items() if not gold.vocabulary.is_known(each)}
    share = 1 - sum(unknown.values()) / total
    if share < LEAST_KNOWN:
        examples = ", ".join(sorted(unknown, key=lambda each: (-unknown[each], each))[:N_EXAMPLES])
        raise BadSetting(
            f"{where}: the vocabulary {gold.vocabulary.folder} knows {share:.1%} of the {total:,} gold identifiers, "
            f"at least {LEAST_KNOWN:.0%} are expected; it lacks {examples}",
            "give the vocabulary that the corpus was annotated with, or the entity type that it is for (`--label`)",
        )
    return share
