"""The record of an encoder family: what differs between families."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

__all__ = ["BERT_SPECIALS", "HIDDEN_DROPOUT", "Family", "Specials"]

EMBEDDINGS = "embeddings"  # in the names of all weights below the layers, in all families
HIDDEN_DROPOUT = "hidden_dropout_prob"


class Specials(NamedTuple):
    """The special sub-words of a family, and the templates of one and two texts."""

    pad: str
    unknown: str
    first: str
    last: str
    mask: str

    @property
    def in_order(self) -> list[str]:
        """The special sub-words in the order of their ids."""
        return [self.first, self.pad, self.last, self.unknown, self.mask] if self.first == "<s>" else list(self)

    @property
    def pair(self) -> str:
        """Template of a pair of texts."""
        first, last = self.first, self.last
        return f"{first} $A {last} {last} $B {last}" if first == "<s>" else f"{first} $A {last} $B:1 {last}:1"


BERT_SPECIALS = Specials(pad="[PAD]", unknown="[UNK]", first="[CLS]", last="[SEP]", mask="[MASK]")


@dataclass(frozen=True, kw_only=True)
class Family:
    """What differs between families; a default is what BERT has."""

    name: str  # its `model_type` in transformers
    kin: tuple[str, ...] = ()  # other model types of which all of this is true
    fresh_settings: Mapping[str, Any] = field(
        default_factory=dict, hash=False
    )  # of fresh networks, whatever their size
    specials: Specials = BERT_SPECIALS  # of a vocabulary that is learned for it
    dropouts: tuple[str, ...] = (HIDDEN_DROPOUT, "classifier_dropout")  # settings, without those of attention
    hidden_dropout: str | None = HIDDEN_DROPOUT  # the setting of the hidden layers; None where it has none for all
    attention_dropouts: tuple[str, ...] = ("attention_probs_dropout_prob",)
    layers: tuple[str, ...] = ("layer",)  # modules that hold the numbered layers, or the groups that share weights
    has_token_types: bool = True  # whether the network has an input for them
    counts_from_padding: bool = False  # whether the first position is the id of padding plus one
    fixed_padding: int | None = None  # id of padding that the network counts from, whatever its configuration says
    can_unpad: bool = False  # whether `unpadded.py` can compute its batches without padding
    word_heads: tuple[str, ...] = ()  # modules that guess a masked word, one after the other
    usual_head_flag: str | None = None  # setting that is false where the head for masked words is of another kind
    order_head: str | None = None  # module that guesses the order of two texts
    other_heads: tuple[str, ...] = ()  # further modules of pretraining in published files
    signs: tuple[str, ...] = ()  # pieces of weights' names that no other family has
    prefix: str = ""  # what weights' names begin with in a network with a head, where that tells the family

    def layer_of(self, weight: str) -> int | None:
        """Return the number of the layer that the weight of this name belongs to; None where it is in no layer."""
        found = re.search(rf"\.(?:{'|'.join(self.layers)})\.(\d+)\.", f".{weight}")
        return int(found[1]) if found else None

    def is_below_layers(self, weight: str) -> bool:
        """Return whether the weight of this name belongs to the embeddings."""
        return EMBEDDINGS in weight
