"""Samples sentences of a training split one by one, or as whole documents.

A sample of single sentences keeps the split's share of sentences with mentions. A sample of whole documents does not,
because a document stays as it is. Both depend on their own seed alone: runs that differ in their training's seed learn
from the same sentences. A smaller sample is part of every larger one, so that the points of a learning curve differ in
what was added, not in what was drawn.
"""

import numpy as np

from linnet.errors import BadSetting
from linnet.formats.sentence_documents import find_documents
from linnet.labels.tagging import OUTSIDE
from linnet.tasks.ner.corpora.documents import group_rows
from linnet.tasks.ner.examples import Examples

__all__ = ["no_documents_error", "sample", "sample_documents"]


def sample(examples: Examples, number: int, *, seed: int, setting: str) -> Examples:
    """Return so many of the sentences, in their own order.

    Raises:
        BadSetting: where there are not so many, naming the setting that asked for them.
    """
    total = _check_number(examples, number, setting)
    order = np.random.default_rng(seed).permutation(total)
    has_mentions = np.array([any(tag != OUTSIDE for tag in examples.rows[index].tags) for index in order])
    n_with = round(number * has_mentions.mean())
    chosen = [*order[has_mentions][:n_with], *order[~has_mentions][: number - n_with]]
    return Examples([examples.rows[index] for index in sorted(chosen)], examples.notes)


def no_documents_error(setting: str) -> BadSetting:
    """Return the error for a sample of whole documents of which nobody knows where they begin."""
    return BadSetting(
        f"{setting} is to be whole documents, but the file does not say which sentences are one document",
        "leave out `sample_documents`, name a file that says it in `documents`, or give a corpus in a format with "
        "documents or `-DOCSTART-` lines",
    )


def sample_documents(examples: Examples, number: int, *, seed: int, setting: str) -> Examples:
    """Return the sentences of whole documents, in their own order.

    Documents are drawn one after the other. The draw ends where the number of sentences is nearest to the one that is
    wanted; there is one document at least.

    Raises:
        BadSetting: where there are not so many sentences, or the documents of the sentences are not known.
    """
    _check_number(examples, number, setting)
    groups = find_documents([row.document for row in examples.rows], examples.words)
    if groups is None:
        raise no_documents_error(setting)
    sizes = np.bincount(groups)
    order = np.random.default_rng(seed).permutation(len(sizes))
    distances = np.abs(np.cumsum(sizes[order]) - number)
    chosen = set(order[: int(np.argmin(distances)) + 1].tolist())
    rows = [(row, group) for row, group in zip(examples.rows, groups, strict=True) if group in chosen]
    if all(row.group == group for row, group in rows):
        return Examples([row for row, _ in rows], examples.notes)
    # a part of a known corpus would not be recognised later, so its documents are named here
    return Examples(group_rows(*map(list, zip(*rows, strict=True)), name="document"), examples.notes)


def _check_number(examples: Examples, number: int, setting: str) -> int:
    """Return how many sentences there are; refuse a sample of more."""
    total = len(examples.rows)
    if number > total:
        raise BadSetting(f"{setting} is {number:,}, the split has {total:,}", f"give at most {total}")
    return total
