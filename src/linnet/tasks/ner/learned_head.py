"""Takes over the head of a tagger that a training begins with, by the names of its tags, whatever their order."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import torch
from torch import nn

from linnet.labels.label_set import LabelSet
from linnet.labels.tagging import OUTSIDE
from linnet.models.encoders import Encoder, label_names
from linnet.models.heads import has_two_layers, is_tagger
from linnet.models.named_heads import heads_of
from linnet.models.published.relabelling import has_bare_tags
from linnet.tasks.ner.heads import kept_heads

__all__ = ["has_learned", "order_by_name", "unused_head"]


def has_learned(encoder: Encoder, label_set: LabelSet) -> bool:
    """Is the network's classifier worth beginning with? A fresh one is, and one that learned the target's tags."""
    return not is_tagger(encoder.config) or set(_learned_tags(encoder, label_set)) == set(label_set.names)


def order_by_name(network: Any, encoder: Encoder, label_set: LabelSet) -> None:
    """Put the outputs of a head that was taken over into the order of the training's tags."""
    learned = _learned_tags(encoder, label_set)
    if not is_tagger(encoder.config) or set(learned) != set(label_set.names) or learned == label_set.names:
        return
    heads = heads_of(network)
    head: Any = heads[heads.target]
    last: Any = head[-1] if isinstance(head, nn.Sequential) else head
    order = [learned.index(name) for name in label_set.names]
    with torch.no_grad():
        last.weight.copy_(last.weight[order].clone())
        last.bias.copy_(last.bias[order].clone())


def unused_head(encoder: Encoder, label_set: LabelSet, kind: str) -> Iterator[str]:
    """Yield a sentence where the encoder has a head of its own that this training does not begin with.

    Args:
        encoder: what the training begins with.
        label_set: of the target.
        kind: of the training's heads, `linear` or `two-layer`.
    """
    if not is_tagger(encoder.config) or kept_heads(encoder.source):  # kept heads are reported by `untaken_heads`
        return
    own_kind = "two-layer" if has_two_layers(Path(encoder.source)) else "linear"
    learned = _learned_tags(encoder, label_set)
    if set(learned) != set(label_set.names):
        yield (
            f"the head began anew: that of {encoder.name} has the tags {', '.join(learned)}, "
            f"this training has {', '.join(label_set.names)}"
        )
    elif own_kind != kind:
        yield f"the head began anew: that of {encoder.name} is {own_kind}, not {kind}; `--set head={own_kind}` takes it"


def _learned_tags(encoder: Encoder, label_set: LabelSet) -> tuple[str, ...]:
    """Return the tags of the encoder's own outputs in their order; bare ones mean the only label there is."""
    names = label_names(encoder)
    if has_bare_tags(names) and len(label_set.labels) == 1:
        return tuple(name if name == OUTSIDE else f"{name}-{label_set.labels[0]}" for name in names)
    return names
