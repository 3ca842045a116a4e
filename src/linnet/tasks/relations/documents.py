"""Turns documents with mentions into examples of relations, and predictions into relations of documents.

Each candidate pair is one example. Its text is the sentence of its two closest mentions, or the whole document; all
mentions of the pair in that text are marked, and the closest two are the example's spans. Its label is that of the
relation, or `none`; it is unknown where no document of a split has a relation. The direction of a relation is not
learned: see `pairs`. Relations without a candidate pair are examples too, and count as missed: see `unreached`.

Negatives are sampled for training only, after devel was set aside (`sample_negatives`). Of the pairs without a relation
those with the lowest digest of document and pair stay, a given number for each pair with a relation. The order of files
and documents does not matter.
"""

import hashlib
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from linnet.contracts import Notes
from linnet.documents.document import Argument, Document, Relation
from linnet.documents.texts import Plain, Prediction, TextExample
from linnet.errors import BadFile, BadSetting, UnknownName
from linnet.tasks.relations.markers import Marker, mark
from linnet.tasks.relations.pairs import (
    Pair,
    TypePair,
    Unit,
    concepts_of,
    labelled_relations,
    pairs_of,
    parse_type_pairs,
    type_pairs,
    unit_of,
    with_span_ids,
)
from linnet.tasks.relations.settings import RelationSettings
from linnet.tasks.relations.several_labels import labels_in
from linnet.tasks.relations.unreached import REMEDIES, Unreached, missed_example, reach_of

__all__ = [
    "NONE",
    "Candidates",
    "Placed",
    "describe_unreached",
    "examples_of_documents",
    "sample_negatives",
    "with_relations",
]

NONE = "none"  # the label of a pair without a relation
LEARNED = ("train", "train_dev")
SEED = "linnet relations"
ROLES: Mapping[str, tuple[str, str]] = {"concept": ("entity1", "entity2"), "mention": ("Arg1", "Arg2")}

Placed = tuple[Document, Path]  # and the file that it comes from


@dataclass
class Candidates:
    """The examples of each split, the notes about them, and the relations without a candidate pair."""

    splits: dict[str, list[TextExample]] = field(default_factory=dict)
    notes: Notes = field(default_factory=Notes)
    unreached: dict[str, list[Unreached]] = field(default_factory=dict)


def examples_of_documents(
    splits: Mapping[str, Sequence[Placed]], settings: RelationSettings, notes: Notes | None = None
) -> Candidates:
    """Return the candidate pairs of each split's documents, and after them the relations without a candidate pair.

    The unit and the types that are paired come from the settings, or else from the training split, or from all splits
    where there is none.

    Args:
        splits: documents, each with its file.
        settings: of a recipe, or of a model.
        notes: what was noted when the documents were read; more is added.

    Raises:
        BadFile: where a document is wrong in itself, or concepts are to be paired and there are none.
        BadSetting: where neither relations nor settings give the types to pair, or a recipe names an unknown type.
    """
    found = Candidates(notes=Notes() if notes is None else notes)
    _note_unlabelled(splits, found.notes)
    learned = next((splits[name] for name in LEARNED if splits.get(name)), ())
    known = [document for document, _ in learned or [each for placed in splits.values() for each in placed]]
    unit = settings.unit or unit_of(known)
    types = _types(known, unit, found.notes) if settings.pairs is None else parse_type_pairs(settings.pairs)
    if learned and settings.labels is None:  # those of a model need not all have mentions in a file to be answered
        _check_named_types(known, settings)
    for name, placed in splits.items():
        _check_concepts(placed, unit)
        pairs, missed = _examples(name, placed, unit, types, settings, found)
        found.splits[name] = [*pairs, *missed]
    return found


def sample_negatives(examples: Sequence[TextExample], share: float, negative: str = NONE) -> list[TextExample]:
    """Return all pairs with a relation and, for each of them, `share` pairs without, in the order they had."""
    without = [at for at, example in enumerate(examples) if example.gold in (negative, ())]
    n_kept = round(share * (len(examples) - len(without)))
    kept = set(sorted(without, key=lambda at: _digest(examples[at]))[:n_kept])
    return [example for at, example in enumerate(examples) if example.gold not in (negative, ()) or at in kept]


def with_relations(
    documents: Iterable[Document], predictions: Iterable[Prediction], *, negatives: Collection[str] = (NONE,)
) -> list[Document]:
    """Return the documents with the relations that were predicted, and no others.

    Args:
        documents: those whose pairs were predicted; mentions that have no id and are tied by a relation get one.
        predictions: of pairs of these documents, in any order.
        negatives: the labels of pairs without a relation.

    Raises:
        UnknownName: where a pair is not from one of the documents.
    """
    listed = list(documents)
    found: dict[str, list[Prediction]] = {document.id: [] for document in listed}
    for each in predictions:
        name = each.details.get("document", "")
        if name not in found or "unit" not in each.details:
            raise UnknownName(
                f"the pair {each.id!r} is of no document that was given", "give the documents that it was predicted for"
            )
        found[name] += [replace(each, predicted=label) for label in labels_in(each.predicted) if label not in negatives]
    return [_with_relations(document, found[document.id]) for document in listed]


def describe_unreached(split: str, reason: str) -> str:
    """Return the note about relations of a split without a candidate pair, for this reason."""
    counted = "not learned" if split in LEARNED else "missed in every score"
    return f"relations of {split} that no pair stands for, {counted} ({reason}: {REMEDIES[reason]})"


def _note_unlabelled(splits: Mapping[str, Sequence[Placed]], notes: Notes) -> None:
    for document, path in (each for placed in splits.values() for each in placed):
        number = len(document.relations) - len(labelled_relations(document))
        if number:
            what = "relations without a type, left out: what they tie counts as having no relation"
            notes.add(what, f"{path}: document {document.id!r}", number)


def _types(known: Sequence[Document], unit: Unit, notes: Notes) -> list[TypePair]:
    types = type_pairs(known, unit)
    if not types:
        why = f" ({'; '.join(notes.sentences())})" if notes.counts else ""
        raise BadSetting(
            f"no relation between two mentions or concepts says which types to pair{why}",
            f'set `text.pairs`, e.g. ["Chemical-Disease"]; there are {_list_labels(_mention_types(known))}',
        )
    return types


def _check_named_types(known: Sequence[Document], settings: RelationSettings) -> None:
    labels = _mention_types(known)
    for name in settings.pairs or ():
        if not any(set(pair) <= labels for pair in parse_type_pairs([name])):
            raise BadSetting(
                f"`text.pairs` has {name!r}, but there are no mentions of two such types",
                f"write two types with a hyphen between them; there are {_list_labels(labels)}",
            )


def _mention_types(documents: Sequence[Document]) -> set[str]:
    return {span.label for document in documents for span in document.spans}


def _list_labels(labels: Collection[str]) -> str:
    return ", ".join(sorted(labels)) or "no mentions"


def _check_concepts(placed: Sequence[Placed], unit: Unit) -> None:
    """Refuse mentions without a single concept where concepts are paired: there would be no pairs at all."""
    spans = [span for document, _ in placed for span in document.spans]
    if unit == "concept" and spans and not any(map(concepts_of, spans)):
        raise BadFile(
            f"{placed[0][1]}: concepts are to be paired, but none of the {len(spans):,} mentions has one",
            "give mentions with concept ids, or a model that has learned from relations between mentions",
        )


def _examples(
    split: str,
    placed: Sequence[Placed],
    unit: Unit,
    types: Sequence[TypePair],
    settings: RelationSettings,
    found: Candidates,
) -> tuple[list[TextExample], list[TextExample]]:
    """Return the candidate pairs, and the relations without one."""
    examples: list[TextExample] = []
    missed: list[TextExample] = []
    negative = (settings.negative or NONE) if any(labelled_relations(each) for each, _ in placed) else None
    unreached = found.unreached.setdefault(split, [])
    for document, path in placed:
        place, taken = f"{path}: document {document.id!r}", set[str]()
        try:
            pairs = pairs_of(document, unit, types, settings.level)
            reach = reach_of(document, pairs, unit, types, several=bool(settings.several_labels))
        except BadFile as error:
            raise BadFile(f"{path}: {error.problem}", error.remedy) from None
        unreached += reach.unreached
        if unit == "mention" and reach.reversed:
            found.notes.add("relations whose direction is not learned", document.id, len(reach.reversed))
        for pair in pairs:
            gold: Plain | None = reach.label_by_pair.get(pair.keys, negative)
            if settings.several_labels and negative is not None:
                gold = reach.labels_by_pair.get(pair.keys, ())
            examples.append(replace(_example(document, pair, unit, taken), gold=gold, place=place))
        for each in reach.unreached:
            example = _missed_example(document, each, unit, place, taken)
            missed.append(replace(example, gold=(each.relation.label,)) if settings.several_labels else example)
            found.notes.add(describe_unreached(split, each.reason), missed[-1].place)
    return examples, missed


def _missed_example(document: Document, unreached: Unreached, unit: Unit, place: str, taken: set[str]) -> TextExample:
    targets = [each.target for each in unreached.relation.arguments]
    name = _free_name(f"{document.id}:{'-'.join(targets)}", taken)
    place = f"{place}, relation {unreached.relation.label!r} of {' and '.join(targets)}"
    return missed_example(document, unreached, unit, name=name, place=place)


def _example(document: Document, pair: Pair, unit: Unit, taken: set[str]) -> TextExample:
    text, spans = _mark_pair(document.text, pair)
    details = {
        "document": document.id,
        "unit": unit,
        "subject": pair.subject.key,
        "object": pair.object.key,
        "types": f"{pair.subject.label}-{pair.object.label}",
    }
    name = _free_name(f"{document.id}:{pair.subject.key}-{pair.object.key}", taken)
    return TextExample(name, text, group=document.id, spans=spans, details=details)


def _mark_pair(text: str, pair: Pair) -> tuple[str, tuple[tuple[int, int], ...]]:
    start, end = pair.stretch
    marks: dict[Marker, None] = {}  # the two closest mentions first
    for span, entity in zip(pair.mentions, (pair.subject, pair.object), strict=True):
        marks[Marker(span.start - start, span.end - start, entity.label, entity is pair.subject)] = None
    for entity in (pair.subject, pair.object):
        for span in entity.mentions:
            if start <= span.start and span.end <= end:
                marks[Marker(span.start - start, span.end - start, entity.label, entity is pair.subject)] = None
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


def _with_relations(document: Document, predictions: Sequence[Prediction]) -> Document:
    if any(each.details["unit"] == "mention" for each in predictions):
        document = with_span_ids(document)
    return replace(document, relations=tuple(_relations(predictions)))


def _relations(predictions: Sequence[Prediction]) -> Iterator[Relation]:
    for number, each in enumerate(predictions, 1):
        unit = each.details["unit"]
        keys = (each.details["subject"], each.details["object"])
        arguments = tuple(Argument(role, key, unit == "concept") for role, key in zip(ROLES[unit], keys, strict=True))
        infons = {} if each.score is None else {"score": f"{each.score:.4f}"}
        yield Relation(str(each.predicted), arguments, f"R{number}", infons)
