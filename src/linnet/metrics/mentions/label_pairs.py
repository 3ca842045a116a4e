"""Which labels of predictions and gold annotations probably mean the same, for messages."""

import shlex
from collections.abc import Collection
from difflib import SequenceMatcher

__all__ = ["explain_merging", "likeliest_pair"]


def likeliest_pair(predicted: Collection[str], gold: Collection[str]) -> str:
    """Return the pair of labels whose names are most alike, as `--map` takes it.

    >>> likeliest_pair(["Gene", "Disease"], ["DiseaseClass"])
    'Disease=DiseaseClass'
    """
    pairs = {
        f"{ours}={theirs}": SequenceMatcher(None, ours.casefold(), theirs.casefold()).ratio()
        for ours in sorted(predicted)
        for theirs in sorted(gold)
    }
    return max(pairs, key=lambda pair: pairs[pair], default="Disease=Disorder")


def explain_merging(predicted: Collection[str], gold: Collection[str]) -> str:
    """Return how several labels of gold become one of the prediction; a map of a single one would lose the others.

    The labels of the example are those that are more like this one of the prediction than like its others.

    >>> explain_merging(["Disease", "Gene"], ["DiseaseClass", "Genes"])
    ''
    """
    whole = likeliest_pair(predicted, gold).partition("=")[0]
    alike = [label for label in sorted(set(gold)) if likeliest_pair(predicted, [label]).partition("=")[0] == whole]
    if len(alike) < 2:
        return ""
    maps = " ".join(f"--map {shlex.quote(f'{label}={whole}')}" for label in alike)
    return (
        f"if several labels of gold are one for the model, merge them first, e.g. `linnet convert GOLD NEW {maps}`; or "
    )
