"""Gold relations without a candidate pair, which are scored as missed.

Each is an example beside the candidates of its split. No model predicts it: its prediction is always that there is no
relation. So scores, intervals, saved predictions and lists of mistakes all hold it, and agree. Nothing is learned from
such examples, and `linnet predict` leaves them out.
"""

from linnet.documents.document import Argument, Document
from linnet.documents.spans import in_reading_order
from linnet.documents.texts import TextExample
from linnet.tasks.relations.pairs import Unit, concepts_of
from linnet.tasks.relations.reach import Unreached
from linnet.tasks.texts.unreached import UNREACHED

__all__ = ["missed_example", "reason_of"]

BETWEEN = " ... "  # the words of two arguments
N_PAIR = 2


def missed_example(document: Document, unreached: Unreached, unit: Unit, *, name: str, place: str) -> TextExample:
    """Return the example of a relation that no pair stands for; its text is the words of its arguments.

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
        spans=(*spans, spans[-1])[:N_PAIR],  # two, as every pair has
        details=details,
    )


def reason_of(missed: TextExample) -> str:
    """Return why no pair stands for the relation."""
    return missed.details[UNREACHED]


def _words(document: Document, argument: Argument) -> str:
    """Return the first mention of an argument, or else its identifier."""
    for span in in_reading_order(document.spans):
        if argument.target in (concepts_of(span) if argument.is_concept else (span.id,)):
            return document.text[span.start : span.end]
    return argument.target
