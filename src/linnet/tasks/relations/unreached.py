"""Gold relations without a candidate pair, which are scored as missed.

Each is an example beside the candidates of its split. No model predicts it: its prediction is always that there is no
relation. So scores, intervals, saved predictions and lists of mistakes all hold it, and agree. Nothing is learned from
such examples, and `linnet predict` leaves them out.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from linnet.documents.document import Argument, Document, Relation
from linnet.documents.spans import in_reading_order
from linnet.documents.texts import TextExample
from linnet.errors import BadFile
from linnet.tasks.relations.pairs import (
    Entity,
    Level,
    Pair,
    TypePair,
    Unit,
    concepts_of,
    entities_of,
    labelled_relations,
    pairs_of,
    tied_types,
)
from linnet.tasks.texts.reading.unreached import UNREACHED

__all__ = [
    "REASONS",
    "REMEDIES",
    "Reach",
    "Unreached",
    "missed_example",
    "reach_of",
    "reason_of",
    "unreached_relations",
]

ARGUMENTS = "other than two arguments"
OTHER_UNIT = "between mentions where concepts are paired, or the other way round"
NO_MENTION = "an argument that is no mention and no single concept of the document"
ITSELF = "a concept or mention with itself"
TYPES = "types that are not paired"
SENTENCES = "arguments in no sentence together"
SECOND = "a pair that has another relation already"
REMEDIES = {
    ARGUMENTS: "relations of two arguments are paired only",
    OTHER_UNIT: "`text.unit` says which are paired",
    NO_MENTION: "annotate a mention of it, or mend or remove the relation",
    ITSELF: "these are never paired; remove the relation if it is wrong",
    TYPES: "name them in `text.pairs`",
    SENTENCES: '`text.level = "document"` pairs them',
    SECOND: "a pair has one label; `text.several_labels = true` learns them all",
}
REASONS = tuple(REMEDIES)  # the first that holds is given
N_ARGUMENTS = 2
BETWEEN = " ... "  # the words of two arguments


@dataclass(frozen=True)
class Unreached:
    """A relation without a candidate pair."""

    document: str
    relation: Relation
    reason: str
    types: TypePair | None = None  # of its arguments, where such are paired


@dataclass
class Reach:
    """The relations of a document that have a candidate pair, and the others."""

    label_by_pair: dict[frozenset[str], str] = field(default_factory=dict)  # the first of several
    labels_by_pair: dict[frozenset[str], tuple[str, ...]] = field(default_factory=dict)  # all of them
    reversed: list[Relation] = field(default_factory=list)  # whose first argument is the object of its pair
    unreached: list[Unreached] = field(default_factory=list)


def reach_of(
    document: Document, pairs: Sequence[Pair], unit: Unit, types: Sequence[TypePair], *, several: bool = False
) -> Reach:
    """Return the label of each pair that has a relation, and the relations that are not reached, in their order.

    A relation with the label of an earlier relation of its pair, in either direction, is reached with it. One with
    another label is reached only where a pair may have `several` labels. One without a label says nothing, and is
    neither.

    Raises:
        BadFile: where a relation ties a mention that the document does not have.
    """
    entities = entities_of(document, unit) if document.relations else {}
    subject_by_pair = {pair.keys: pair.subject.key for pair in pairs}
    paired = {frozenset(pair): pair for pair in types}
    _check_targets(document)
    found = Reach()
    for relation in labelled_relations(document):
        keys = frozenset(each.target for each in relation.arguments)
        reason = _obstacle(relation, unit, entities, paired) or (SENTENCES if keys not in subject_by_pair else "")
        if not (reason or several) and found.label_by_pair.get(keys, relation.label) != relation.label:
            reason = SECOND
        if reason:
            types_of_relation = frozenset(tied_types(relation, entities) or ())
            found.unreached.append(Unreached(document.id, relation, reason, paired.get(types_of_relation)))
            continue
        found.label_by_pair.setdefault(keys, relation.label)
        labels = (*found.labels_by_pair.get(keys, ()), relation.label)
        found.labels_by_pair[keys] = tuple(sorted(set(labels)))
        if relation.arguments[0].target != subject_by_pair[keys]:
            found.reversed.append(relation)
    return found


def unreached_relations(
    documents: Iterable[Document], *, unit: Unit, types: Sequence[TypePair], level: Level
) -> list[Unreached]:
    """Return the relations that candidate pairs of these types do not reach, each with the reason."""
    return [
        each
        for document in documents
        for each in reach_of(document, pairs_of(document, unit, types, level), unit, types).unreached
    ]


def missed_example(document: Document, unreached: Unreached, unit: Unit, *, name: str, place: str) -> TextExample:
    """Return the example of a relation without a candidate pair; its text is the words of its arguments.

    Args:
        document: that the relation is of.
        unreached: the relation and the reason.
        unit: what is paired in this corpus.
        name: of the example.
        place: of the relation, for messages.
    """
    relation = unreached.relation
    words = [_words(document, each) for each in relation.arguments] or [relation.label]
    starts = [len(BETWEEN.join([*words[:at], ""])) for at in range(len(words))]
    spans = [(start, start + len(each)) for start, each in zip(starts, words, strict=True)]
    details = {"document": document.id, "unit": unit, UNREACHED: unreached.reason}
    if unreached.types is not None:
        details["types"] = "-".join(unreached.types)
    return TextExample(
        name,
        BETWEEN.join(words),
        gold=relation.label,
        group=document.id,
        place=place,
        spans=(*spans, spans[-1])[:N_ARGUMENTS],  # two, as every pair has
        details=details,
    )


def reason_of(missed: TextExample) -> str:
    """Return why the relation has no candidate pair."""
    return missed.details[UNREACHED]


def _check_targets(document: Document) -> None:
    known = ({span.id for span in document.spans} | {relation.id for relation in document.relations}) - {""}
    for relation in document.relations:
        missing = [each.target for each in relation.arguments if not each.is_concept and each.target not in known]
        if missing:
            raise BadFile(
                f"document {document.id!r}, relation {relation.id or relation.label!r}: "
                f"there is no mention {missing[0]!r}",
                "add the mention, or remove the relation; arguments of relations are ids of mentions",
            )


def _obstacle(
    relation: Relation, unit: Unit, entities: Mapping[str, Entity], paired: Collection[frozenset[str]]
) -> str | None:
    """Return why the relation cannot have a candidate pair, in one sentence or not."""
    if len(relation.arguments) != N_ARGUMENTS:
        return ARGUMENTS
    if any(each.is_concept != (unit == "concept") for each in relation.arguments):
        return OTHER_UNIT
    tied = [entities[each.target] for each in relation.arguments if each.target in entities]
    if len(tied) < N_ARGUMENTS:
        return NO_MENTION
    if tied[0].key == tied[1].key:
        return ITSELF
    return None if frozenset(each.label for each in tied) in paired else TYPES


def _words(document: Document, argument: Argument) -> str:
    """Return the first mention of an argument, or else its identifier."""
    for span in in_reading_order(document.spans):
        if argument.target in (concepts_of(span) if argument.is_concept else (span.id,)):
            return document.text[span.start : span.end]
    return argument.target
