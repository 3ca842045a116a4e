"""Recall@1 of an encoder alone: candidates ordered by nothing but the cosine of their names with the mention."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from linnet.tasks.linking.training.meaning import Meaning
from linnet.tasks.linking.training.searched import Searched
from linnet.training.history import History

__all__ = ["TrainedEncoder", "measure_meaning"]


@dataclass(frozen=True)
class TrainedEncoder:
    """How contrastive training of an encoder went: recall@1 by meaning alone on devel, before and after."""

    history: History
    before: float
    after: float

    @property
    def hints(self) -> list[str]:
        """What the user should know about it."""
        if self.after > self.before:
            return []
        return [
            f"contrastive training did not help: by meaning alone recall@1 on devel was {100 * self.before:.1f} before "
            f"and is {100 * self.after:.1f} after it; leave out `contrastive`, or try another rate or more pairs"
        ]

    def as_dict(self) -> dict[str, float]:
        """Return plain values for JSON."""
        return {"before": self.before, "after": self.after}


def measure_meaning(meaning: Meaning, searched: Sequence[Searched]) -> float:
    """Return the share of mentions with gold identifiers for which the nearest candidate has one of them.

    Of a composite mention the first part counts; a mention without candidates is wrong.
    """
    mentions = [
        (parts[0].mention.searched, parts[0].candidates, identifiers)
        for _, parts_of_spans, gold in searched
        for parts, identifiers in zip(parts_of_spans, gold, strict=True)
        if identifiers
    ]
    names = (name for _, listed, _ in mentions for each in listed for name in (each.matched, each.name))
    meaning.learn([*(text for text, _, _ in mentions), *names])
    n_right = 0
    for text, candidates, identifiers in mentions:
        if candidates:
            cosines = meaning.compare(text, [name for each in candidates for name in (each.matched, each.name)])
            nearest = int(np.argmax([max(pair) for pair in zip(cosines[::2], cosines[1::2], strict=True)]))
            n_right += candidates[nearest].id in identifiers
    return n_right / len(mentions) if mentions else 0.0
