"""Thresholds on the confidence of mentions: one for all entity types, or one for each."""

from collections.abc import Mapping, Sequence

from linnet.documents.document import Span
from linnet.errors import BadSetting
from linnet.settings.thresholds import ALL_LABELS

__all__ = ["check_thresholds", "is_confident"]


def check_thresholds(min_score: Mapping[str, float], labels: Sequence[str]) -> None:
    """Refuse a threshold for an entity type that the model does not have."""
    unknown = sorted(set(min_score) - {*labels, ALL_LABELS})
    if unknown:
        raise BadSetting(
            f"min_score names {', '.join(unknown)}, which the model does not find",
            f"it finds {', '.join(labels)}",
        )


def is_confident(span: Span, min_score: Mapping[str, float]) -> bool:
    """Return whether the score of a mention reaches the threshold of its entity type."""
    least = min_score.get(span.label, min_score.get(ALL_LABELS, 0.0))
    return span.score is None or span.score >= least
