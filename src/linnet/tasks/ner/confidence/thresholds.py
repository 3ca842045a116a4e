"""Thresholds on the confidence of mentions: one for all entity types, or one for each."""

from collections.abc import Mapping, Sequence

from linnet.documents.document import Span
from linnet.documents.left_out import BY_CONFIDENCE, count_left_out
from linnet.errors import BadSetting
from linnet.labels.tagging import encode
from linnet.settings.thresholds import ALL_LABELS
from linnet.tasks.ner.decoding import PredictedSentence

__all__ = ["check_thresholds", "confident_only", "count_unsure", "keep_confident_spans"]


def check_thresholds(min_score: Mapping[str, float], labels: Sequence[str]) -> None:
    """Refuse a threshold for an entity type that the model does not have."""
    unknown = sorted(set(min_score) - {*labels, ALL_LABELS})
    if unknown:
        raise BadSetting(
            f"min_score names {', '.join(unknown)}, which the model does not find",
            f"it finds {', '.join(labels)}",
        )


def keep_confident_spans(spans: Sequence[Span], min_score: Mapping[str, float]) -> list[Span]:
    """Return the mentions that are confident enough or have no score."""
    return [span for span in spans if span.score is None or _reaches(span.label, span.score, min_score)]


def count_unsure(found: Sequence[Span], kept: Sequence[Span]) -> None:
    """Count as left out the mentions that were found and are not kept; others may have come in their place."""
    places = {span.stretches for span in kept}
    for span in found:
        if span.stretches not in places:
            count_left_out(BY_CONFIDENCE, span.label)


def confident_only(
    predicted: Sequence[PredictedSentence], min_score: Mapping[str, float], *, tagging: str
) -> list[PredictedSentence]:
    """Return the sentences with only the mentions that reach the threshold of their entity type."""
    return [_keep_confident(sentence, min_score, tagging) for sentence in predicted] if min_score else list(predicted)


def _keep_confident(sentence: PredictedSentence, min_score: Mapping[str, float], tagging: str) -> PredictedSentence:
    pairs = list(zip(sentence.mentions, sentence.scores, strict=True))
    kept = [(mention, score) for mention, score in pairs if _reaches(mention.label, round(score, 6), min_score)]
    if len(kept) == len(pairs):
        return sentence
    mentions = [mention for mention, _ in kept]
    return PredictedSentence(encode(mentions, len(sentence.tags), tagging), mentions, [score for _, score in kept])


def _reaches(label: str, score: float, min_score: Mapping[str, float]) -> bool:
    return score >= min_score.get(label, min_score.get(ALL_LABELS, 0.0))
