"""How do documents with mentions become examples of relations, and predictions relations of documents?

Each candidate pair is one example. Its text is the sentence of its two closest mentions, or the whole document; all
mentions of the pair in that text are marked, and the closest two are the example's spans. Its label is that of the
relation, or `none`; it is unknown where no document of a split has a relation. A relation's direction is not learned:
see `pairs`.

Negatives are drawn for training only. Of the pairs without a relation those stay whose digest of document and pair is
lowest, so many for each pair with one; neither the order of files nor that of documents matters.
"""

import hashlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from linnet.contracts import Notes
from linnet.documents.document import Argument, Document, Relation
from linnet.documents.texts import Judged, TextExample
from linnet.errors import BadFile, BadSetting, UnknownName
from linnet.settings import TextSettings
from linnet.tasks.markers import Mark, mark
from linnet.tasks.pairs import Pair, TypePair, Unit, pairs_of, type_pairs, type_pairs_named, unit_of, with_span_ids
from linnet.tasks.reach import Unreached, reach_of

__all__ = ["NONE", "Candidates", "Placed", "examples_of_documents", "sampled", "with_relations"]

NONE = "none"  # the label of a pair without a relation
LEARNED = ("train", "train_dev")  # the splits that negatives are drawn in
SEED = "linnet relations"
ROLES: Mapping[str, tuple[str, str]] = {"concept": ("entity1", "entity2"), "mention": ("Arg1", "Arg2")}

Placed = tuple[Document, Path]  # and the file that it comes from


@dataclass
class Candidates:
    """The examples of each split, what is to be said of them, and the relations that none of them stands for."""

    splits: dict[str, list[TextExample]] = field(default_factory=dict)
    notes: Notes = field(default_factory=Notes)
    unreached: dict[str, list[Unreached]] = field(default_factory=dict)


def examples_of_documents(splits: Mapping[str, Sequence[Placed]], settings: TextSettings) -> Candidates:
    """Return the candidate pairs of each split's documents.

    What is paired and which types are is learned from the training split, from all where there is none.

    Raises:
        BadFile: where a document is wrong in itself, or no pair to learn from has a relation.
        BadSetting: where no relation says which types to pair, and no setting does, or one names an unknown type.
    """
    learned = [document for name in LEARNED for document, _ in splits.get(name, ())]
    known = learned or [document for placed in splits.values() for document, _ in placed]
    unit = unit_of(known)
    types = _types(known, unit, settings, is_training=bool(learned))
    found = Candidates()
    for name, placed in splits.items():
        examples = _examples(name, placed, unit, types, settings, found)
        found.splits[name] = _drawn(name, examples, settings, found.notes) if name in LEARNED else examples
    return found


def sampled(examples: Sequence[TextExample], share: float, negative: str = NONE) -> list[TextExample]:
    """Return all pairs with a relation and, for each of them, `share` pairs without, in the order they had."""
    without = [example for example in examples if example.gold == negative]
    n_kept = round(share * (len(examples) - len(without)))
    kept = {example.id for example in sorted(without, key=_digest)[:n_kept]}
    return [example for example in examples if example.gold != negative or example.id in kept]


def with_relations(documents: Iterable[Document], judged: Iterable[Judged], *, negative: str = NONE) -> list[Document]:
    """Return the documents with the relations that were predicted, and no others.

    Args:
        documents: those whose pairs were judged; mentions that have no id and are tied by a relation get one.
        judged: pairs of these documents, in any order.
        negative: the label of pairs without a relation.

    Raises:
        UnknownName: where a pair is not from one of the documents.
    """
    listed = list(documents)
    found: dict[str, list[Judged]] = {document.id: [] for document in listed}
    for each in judged:
        name = each.details.get("document", "")
        if name not in found or "unit" not in each.details:
            raise UnknownName(
                f"the pair {each.id!r} is of no document that was given", "give the documents that it was predicted for"
            )
        if each.predicted != negative:
            found[name].append(each)
    return [_with_relations(document, found[document.id]) for document in listed]


def _types(known: Sequence[Document], unit: Unit, settings: TextSettings, *, is_training: bool) -> list[TypePair]:
    labels = {span.label for document in known for span in document.spans}
    if settings.pairs is None:
        types = type_pairs(known, unit)
        if not types:
            raise BadSetting(
                "no relation between two mentions or concepts says which types to pair",
                f'set `text.pairs`, e.g. ["Chemical-Disease"]; there are {", ".join(sorted(labels)) or "no mentions"}',
            )
        return types
    for name in settings.pairs:
        if is_training and not any(set(pair) <= labels for pair in type_pairs_named([name])):
            raise BadSetting(
                f"`text.pairs` has {name!r}, but there are no mentions of two such types",
                f"write two types with a hyphen between them; there are {', '.join(sorted(labels)) or 'no mentions'}",
            )
    return type_pairs_named(settings.pairs)


def _examples(
    split: str,
    placed: Sequence[Placed],
    unit: Unit,
    types: Sequence[TypePair],
    settings: TextSettings,
    found: Candidates,
) -> list[TextExample]:
    examples: list[TextExample] = []
    negative = (settings.negative or NONE) if any(document.relations for document, _ in placed) else None
    unreached = found.unreached.setdefault(split, [])
    for document, path in placed:
        try:
            pairs = pairs_of(document, unit, types, settings.level)
            reach = reach_of(document, pairs, unit, types)
        except BadFile as error:
            raise BadFile(f"{path}: {error.problem}", error.remedy) from None
        unreached += reach.unreached
        for each in reach.unreached:
            found.notes.add(f"relations of {split} that no pair stands for ({each.reason})", document.id)
        if unit == "mention" and reach.reversed:
            found.notes.add("relations whose direction is not learned", document.id, len(reach.reversed))
        taken: set[str] = set()
        for pair in pairs:
            example = _example(document, pair, unit, taken)
            gold = reach.label_by_pair.get(pair.keys, negative)
            examples.append(replace(example, gold=gold, place=f"{path}: document {document.id!r}"))
    return examples


def _drawn(split: str, examples: Sequence[TextExample], settings: TextSettings, notes: Notes) -> list[TextExample]:
    """Return what is learned from: all, or with as many negatives as the settings say."""
    negative = settings.negative or NONE
    if all(example.gold in (negative, None) for example in examples):
        raise BadFile(
            f"no pair of the {len(examples):,} in the split {split!r} has a relation",
            "; ".join(notes.sentences()) or "give documents with relations to learn from",
        )
    if settings.negatives is None:
        return list(examples)
    kept = sampled(examples, settings.negatives, negative)
    if len(kept) < len(examples):
        notes.add(f"pairs without a relation, not drawn from {split}", split, len(examples) - len(kept))
    return kept


def _example(document: Document, pair: Pair, unit: Unit, taken: set[str]) -> TextExample:
    text, spans = _marked(document.text, pair)
    details = {
        "document": document.id,
        "unit": unit,
        "subject": pair.subject.key,
        "object": pair.object.key,
        "types": f"{pair.subject.label}-{pair.object.label}",
    }
    name = _free_name(f"{document.id}:{pair.subject.key}-{pair.object.key}", taken)
    return TextExample(name, text, group=document.id, spans=spans, details=details)


def _marked(text: str, pair: Pair) -> tuple[str, tuple[tuple[int, int], ...]]:
    start, end = pair.stretch
    marks: dict[Mark, None] = {}  # the two closest mentions first
    for span, entity in zip(pair.mentions, (pair.subject, pair.object), strict=True):
        marks[Mark(span.start - start, span.end - start, entity.label, entity is pair.subject)] = None
    for entity in (pair.subject, pair.object):
        for span in entity.mentions:
            if start <= span.start and span.end <= end:
                marks[Mark(span.start - start, span.end - start, entity.label, entity is pair.subject)] = None
    marked, places = mark(text[start:end], list(marks))
    return marked, (places[0], places[1])


def _free_name(name: str, taken: set[str]) -> str:
    """Return a name that no other pair of the document has; keys with hyphens could make two alike."""
    free, number = name, 1
    while free in taken:
        number += 1
        free = f"{name}~{number}"
    taken.add(free)
    return free


def _digest(example: TextExample) -> str:
    parts = (SEED, *(example.details[key] for key in ("document", "subject", "object")))
    return hashlib.blake2b("\0".join(parts).encode("utf-8", "surrogatepass"), digest_size=16).hexdigest()


def _with_relations(document: Document, judged: Sequence[Judged]) -> Document:
    if any(each.details["unit"] == "mention" for each in judged):
        document = with_span_ids(document)
    return replace(document, relations=tuple(_relations(judged)))


def _relations(judged: Sequence[Judged]) -> Iterator[Relation]:
    for number, each in enumerate(judged, 1):
        unit = each.details["unit"]
        keys = (each.details["subject"], each.details["object"])
        arguments = tuple(Argument(role, key, unit == "concept") for role, key in zip(ROLES[unit], keys, strict=True))
        infons = {} if each.score is None else {"score": f"{each.score:.4f}"}
        yield Relation(str(each.predicted), arguments, f"R{number}", infons)
