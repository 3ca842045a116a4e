"""Gold answers that no candidate stands for: scored as missed, never learned from or predicted."""

from collections.abc import Iterable

from linnet.documents.texts import Prediction, TextExample

__all__ = ["UNREACHED", "candidates_in", "is_unreached"]

UNREACHED = "unreached"  # the detail of an example that says why no candidate stands for it


def is_unreached(example: TextExample | Prediction) -> bool:
    """Is this a gold answer that no candidate stands for, and no prediction?"""
    return UNREACHED in example.details


def candidates_in(examples: Iterable[TextExample]) -> list[TextExample]:
    """Return the examples that a model learns from and predicts: all but those that no candidate stands for."""
    return [example for example in examples if not is_unreached(example)]
