"""Gold and predicted values of texts as plain text, and as numbers for a page."""

import math

from linnet.documents.texts import Plain

__all__ = ["gold_answers", "plain_text", "round_score", "texts_of"]

DIGITS = 6  # of numbers: more than a page shows


def plain_text(value: Plain | None) -> str:
    """Return an answer in one line: labels by commas, answers by semicolons and their synonyms by bars.

    >>> plain_text((("NGF", "nerve growth factor"), ("BDNF",)))
    'NGF | nerve growth factor; BDNF'
    """
    if value is None:
        return ""
    if isinstance(value, tuple):
        if any(isinstance(each, tuple) for each in value):
            return "; ".join(" | ".join(each) for each in value)
        return ", ".join(str(each) for each in value)
    return value if isinstance(value, str) else f"{value:.4g}"


def texts_of(value: Plain | None) -> tuple[str, ...]:
    """Return labels or answers as a tuple, also where it is one or none."""
    if value is None:
        return ()
    return tuple(map(str, value)) if isinstance(value, tuple) else (str(value),)


def gold_answers(gold: Plain | None) -> list[tuple[str, ...]]:
    """Return the gold answers, each with its synonyms; plain texts are synonyms of one answer."""
    if isinstance(gold, tuple) and any(isinstance(each, tuple) for each in gold):
        return [texts_of(each) for each in gold]
    synonyms = tuple(text for text in texts_of(gold) if text)
    return [synonyms] if synonyms else []


def round_score(value: float | None) -> float | None:
    """Return what JSON can hold: infinities and what is no number become nothing."""
    return None if value is None or not math.isfinite(value) else round(value, DIGITS)
