"""Gold answers without a candidate: scored as missed, never learned from or predicted."""

from collections.abc import Iterable

from linnet.documents.texts import Prediction, TextExample

__all__ = ["UNREACHED", "candidates_in", "is_unreached"]

UNREACHED = "unreached"  # the detail of an example with the reason why it has no candidate


def is_unreached(example: TextExample | Prediction) -> bool:
    """Is this a gold answer without a candidate?"""
    return UNREACHED in example.details


def candidates_in(examples: Iterable[TextExample]) -> list[TextExample]:
    """Return the examples that a model learns from and predicts: all but those without a candidate."""
    return [example for example in examples if not is_unreached(example)]
