"""Kinds of prediction about a text: classification, multi-label classification, regression and span extraction.

A kind is an object with all that depends on what the network predicts: targets, loss, decoding, and the words of
reports. Other modules call its methods, so that none of them compares names of kinds.
"""

from linnet.tasks.texts.kinds.base import Kind, Scale
from linnet.tasks.texts.kinds.classification import CLASSIFICATION
from linnet.tasks.texts.kinds.multi_label import MULTI_LABEL
from linnet.tasks.texts.kinds.regression import REGRESSION
from linnet.tasks.texts.kinds.spans import SPANS

__all__ = ["CLASSIFICATION", "MULTI_LABEL", "REGRESSION", "SPANS", "Kind", "Scale", "find_kind"]

KINDS = {kind.name: kind for kind in (CLASSIFICATION, MULTI_LABEL, REGRESSION, SPANS)}


def find_kind(name: str) -> Kind:
    """Return the kind that a model folder names."""
    return KINDS[name]
