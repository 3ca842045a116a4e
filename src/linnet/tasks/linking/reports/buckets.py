"""Mistakes of a linker in buckets: why the first answer to a mention is wrong."""

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from linnet.storage.cells import write_rows
from linnet.tasks.linking.evaluation.judged import TOP, JudgedDocument, JudgedMention
from linnet.tasks.linking.evaluation.protocols import is_right
from linnet.tasks.linking.vocabularies.normalisation import normalise

__all__ = ["MEANING", "LinkingMistake", "bucket_of", "count_buckets", "find_mistakes", "write_mistakes"]

MEANING = {
    "not in the vocabulary": "the vocabulary has none of the gold identifiers",
    "composite": "gold or answer has several identifiers, and not the same",
    "homonym": "the answer has the mention as a name, and gold is another concept",
    "abbreviation": "a short form in capitals that the document does not define",
    "among the first five": "gold is one of the first five candidates",
    "not found": "gold is not among the first five candidates",
}
COLUMNS = (
    "kind", "document", "start", "end", "text", "expanded", "gold", "predicted", "name", "matched", "score", "seen",
)  # fmt: skip
LONGEST_SHORT = 10  # characters of an abbreviation


@dataclass(frozen=True, slots=True)
class LinkingMistake:
    """A wrong answer with its bucket."""

    kind: str
    document: str
    mention: JudgedMention


def bucket_of(mention: JudgedMention) -> str | None:
    """Return the bucket of a mention whose first answer is wrong; None if it is right or gold has no identifier."""
    if not mention.gold or is_right(mention):
        return None
    if not mention.is_known and not set(mention.ranked) & set(mention.gold):
        return "not in the vocabulary"
    if len(mention.gold) > 1 or len(mention.answers) > 1:
        return "composite"
    if mention.matched and normalise(mention.matched[0]) == normalise(mention.expanded):
        return "homonym"
    if _is_short_form(mention):
        return "abbreviation"
    return "among the first five" if set(mention.ranked[:TOP]) & set(mention.gold) else "not found"


def find_mistakes(documents: Iterable[JudgedDocument]) -> Iterator[LinkingMistake]:
    """Yield the mistakes in reading order."""
    for document in documents:
        for mention in document.mentions:
            kind = bucket_of(mention)
            if kind is not None:
                yield LinkingMistake(kind, document.id, mention)


def count_buckets(documents: Iterable[JudgedDocument]) -> dict[str, int]:
    """Return the number of mistakes of each kind, all kinds named."""
    counts = Counter(mistake.kind for mistake in find_mistakes(documents))
    return {kind: counts[kind] for kind in MEANING}


def write_mistakes(path: Path, documents: Iterable[JudgedDocument]) -> None:
    """Write the mistakes as a table with tabs."""
    write_rows(path, COLUMNS, (_row(mistake) for mistake in find_mistakes(documents)))


def _row(mistake: LinkingMistake) -> list[str]:
    mention = mistake.mention
    seen = "" if mention.is_seen is None else "seen" if mention.is_seen else "unseen"
    score = f"{mention.scores[0]:.4f}" if mention.scores else ""
    joined = ("|".join(each) for each in (mention.gold, mention.answers, mention.names, mention.matched))
    gold, predicted, name, matched = joined
    place = (mistake.kind, mistake.document, str(mention.start), str(mention.end), mention.text, mention.expanded)
    return [*place, gold, predicted, name, matched, score, seen]


def _is_short_form(mention: JudgedMention) -> bool:
    text = mention.text
    return mention.expanded == text and len(text) <= LONGEST_SHORT and " " not in text and text[:-1].isupper()
