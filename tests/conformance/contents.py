"""What a document says, whichever way a format writes it.

Ids of mentions and relations are names for other lines to refer to: formats may give new ones, so relations are
compared by what they tie. What a format adds (a passage around the text, tokens) is no loss.
"""

from collections import Counter
from collections.abc import Hashable, Mapping

from linnet.documents.document import Document, Relation, Span

__all__ = ["contents", "differences"]


def contents(document: Document) -> dict[str, object]:
    """Return the parts of a document, each in a form that can be compared."""
    return {
        "id": document.id,
        "text": document.text,
        "infons": dict(document.infons),
        "mentions": Counter(_mention(span, document.text) for span in document.spans),
        "relations": Counter(_relation(relation, document) for relation in document.relations),
        "passages": Counter((p.start, p.end) for p in document.passages),
        "infons of passages": Counter(
            (p.start, p.end, *infon) for p in document.passages for infon in p.infons.items()
        ),
        "sentences": Counter((s.start, s.end, _infons(s.infons)) for s in document.sentences),
        "tokens": {(s.start, s.end): (s.tokens, s.columns) for s in document.sentences if s.tokens},
    }


def differences(before: Document, after: Document) -> dict[str, tuple[object, object]]:
    """Return the parts that did not survive, as they were and as they are."""
    old, new = contents(before), contents(after)
    additions = {"passages", "infons of passages", "sentences", "tokens"}  # formats may add them where there were none
    return {
        part: (old[part], new[part]) for part in old if old[part] != new[part] and (old[part] or part not in additions)
    }


def _infons(infons: Mapping[str, str]) -> Hashable:
    return tuple(sorted(infons.items()))


def _mention(span: Span, text: str) -> Hashable:
    return (span.label, span.stretches, span.text_in(text), span.links, span.score, _infons(span.infons))


def _relation(relation: Relation, document: Document) -> Hashable:
    mentions = {span.id: _mention(span, document.text) for span in document.spans}
    others = {other.id: other.label for other in document.relations}
    arguments = tuple(
        (a.role, a.is_concept, a.target if a.is_concept else mentions.get(a.target, others.get(a.target)))
        for a in relation.arguments
    )
    return (relation.label, arguments, _infons(relation.infons))
