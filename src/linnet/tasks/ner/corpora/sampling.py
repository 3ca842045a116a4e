"""Samples sentences of a training split, with the share of sentences with mentions kept.

The sample keeps the split's share of sentences with mentions, and depends on its own seed alone: runs that differ in
their training's seed learn from the same sentences. A smaller sample is part of every larger one, so that the points
of a learning curve differ in what was added, not in what was drawn.
"""

import numpy as np

from linnet.errors import BadSetting
from linnet.labels.tagging import OUTSIDE
from linnet.tasks.ner.examples import Examples

__all__ = ["sample"]


def sample(examples: Examples, number: int, *, seed: int, setting: str) -> Examples:
    """Return so many of the sentences, in their own order.

    Raises:
        BadSetting: where there are not so many, naming the setting that asked for them.
    """
    total = len(examples.rows)
    if number > total:
        raise BadSetting(f"{setting} is {number:,}, the split has {total:,}", f"give at most {total}")
    order = np.random.default_rng(seed).permutation(total)
    has_mentions = np.array([any(tag != OUTSIDE for tag in examples.rows[index].tags) for index in order])
    n_with = round(number * has_mentions.mean())
    chosen = [*order[has_mentions][:n_with], *order[~has_mentions][: number - n_with]]
    return Examples([examples.rows[index] for index in sorted(chosen)], examples.notes)
