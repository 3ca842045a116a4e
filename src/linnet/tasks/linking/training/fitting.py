"""Fits a linker: learned mentions, weights of the features, and the threshold for NIL, chosen on devel."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from linnet.metrics.mentions.tally import Array
from linnet.tasks.linking.evaluation.gold import mention_form
from linnet.tasks.linking.linker import Linker
from linnet.tasks.linking.settings import Part
from linnet.tasks.linking.training.features import FEATURES, GROUPS, Featured, FeatureMaker
from linnet.tasks.linking.training.learned import LearnedMention, LearnedMentions
from linnet.tasks.linking.training.meaning import Meaning
from linnet.tasks.linking.training.ranker import TrainedRanker
from linnet.tasks.linking.training.searched import Searched
from linnet.tasks.linking.training.weights import Example, fit_weights, probabilities

__all__ = ["PENALTIES", "Choice", "MentionExample", "fit_ranker"]

PENALTIES = (0.1, 0.3, 1.0, 3.0)
THRESHOLDS = tuple(round(step / 50, 2) for step in range(50))


class MentionExample(NamedTuple):
    """One part of a gold mention with the features of its candidates."""

    features: Featured
    gold: tuple[str, ...]
    is_first: bool  # is it the first part of its mention?


class Choice(NamedTuple):
    """A penalty that was tried, and the recall at 1 on devel."""

    penalty: float
    recall: float


@dataclass(frozen=True)
class _Fitted:
    weights: Array
    nil: float


def fit_ranker(
    linker: Linker, train: Sequence[Searched], devel: Sequence[Searched], *, penalty: float | None = None,
    without: Sequence[Part] = (), with_devel: bool = False, meaning: Meaning | None = None,
) -> tuple[TrainedRanker, list[Choice]]:  # fmt: skip
    """Return a ranker that was trained on train, and the penalties that were tried.

    Args:
        linker: an untrained one, with the vocabulary.
        train: to learn mentions and weights from.
        devel: to choose the penalty and the threshold on.
        penalty: of the weights; chosen if not given.
        without: groups of features to leave out.
        with_devel: learn from devel too, after penalty and threshold were chosen.
        meaning: compares mentions and names by meaning, too.
    """
    maker = FeatureMaker(linker.vocabulary, _learn(train), meaning)
    kept = _kept_features(without)
    examples, held_out = list(_examples(maker, train, is_own=True)), list(_examples(maker, devel))
    tried = {each: _fit(examples, each, kept) for each in ([penalty] if penalty else PENALTIES)}
    choices = [Choice(each, _recall(held_out, fitted)) for each, fitted in tried.items()]
    best = max(choices, key=lambda choice: (choice.recall, choice.penalty)).penalty
    fitted, threshold = tried[best], _choose_threshold(held_out, tried[best])
    if with_devel:
        both = [*train, *devel]
        maker = FeatureMaker(linker.vocabulary, _learn(both), meaning)
        fitted = _fit(list(_examples(maker, both, is_own=True)), best, kept)
    named = dict(zip(FEATURES, fitted.weights.tolist(), strict=True))
    weights = {name: weight for name, weight in named.items() if name in kept}
    ranker = TrainedRanker(
        vocabulary=linker.vocabulary,
        learned=maker.learned,
        weights=weights,
        nil=fitted.nil,
        min_score=threshold,
        meaning=meaning,
    )
    return ranker, choices


def _learn(searched: Sequence[Searched]) -> LearnedMentions:
    return LearnedMentions.learn(
        LearnedMention(parts[0].mention.text, mention_form(parts[0].mention.expanded), identifiers, number)
        for number, each in enumerate(searched)
        for parts, identifiers in zip(each.parts, each.gold, strict=True)
        if identifiers
    )


def _examples(maker: FeatureMaker, searched: Sequence[Searched], *, is_own: bool = False) -> Iterator[MentionExample]:
    """Yield the examples of documents; `is_own` leaves out what a document has taught itself."""
    for number, (_, parts, gold) in enumerate(searched):
        flat = [part for each in parts for part in each]
        of_part = [(identifiers, place == 0) for each, identifiers in zip(parts, gold, strict=True)
                   for place in range(len(each))]  # fmt: skip
        features = maker.of_document(
            [part.mention for part in flat], [part.candidates for part in flat], without=number if is_own else -1
        )
        for found, (identifiers, is_first) in zip(features, of_part, strict=True):
            yield MentionExample(found, identifiers, is_first)


def _kept_features(without: Sequence[str]) -> set[str]:
    return {name for group, names in GROUPS.items() if group not in without for name in names}


def _fit(examples: Sequence[MentionExample], penalty: float, kept: set[str]) -> _Fitted:
    """Return the weights; features that are left out have 0."""
    mask = np.array([name in kept for name in FEATURES], dtype=np.float64)
    rows = [
        Example(each.features.values * mask, np.array([float(one.id in each.gold) for one in each.features.candidates]))
        for each in examples
    ]
    weights, nil = fit_weights(rows, penalty=penalty)
    return _Fitted(weights * mask, nil)


def _recall(examples: Sequence[MentionExample], fitted: _Fitted) -> float:
    """Return recall at 1, any identifier, of the first part of each mention."""
    judged = [_is_right(each, fitted)[0] for each in examples if each.is_first and each.gold]
    return float(np.mean(judged)) if judged else 0.0


def _choose_threshold(examples: Sequence[MentionExample], fitted: _Fitted) -> float:
    """Return the lowest score of a link with the best F1 of links on devel; the lower one if several are equal."""
    judged = [(*_is_right(each, fitted), bool(each.gold)) for each in examples if each.is_first]
    n_gold = sum(has_gold for _, _, has_gold in judged)

    def f1(threshold: float) -> float:
        linked = [is_right for is_right, score, _ in judged if score >= threshold]
        return 2 * sum(linked) / (len(linked) + n_gold) if linked else 0.0

    return max(THRESHOLDS, key=lambda threshold: (f1(threshold), -threshold))


def _is_right(example: MentionExample, fitted: _Fitted) -> tuple[bool, float]:
    """Return whether the best candidate is right, and its score."""
    if not example.features.candidates:
        return False, 0.0
    shares = probabilities(example.features.values, fitted.weights, fitted.nil)
    best = int(np.argmax(shares))
    return example.features.candidates[best].id in example.gold, float(shares[best])
