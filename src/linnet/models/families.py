"""Families of encoders (BERT, RoBERTa, ELECTRA, ...): told from their weights, and how they count positions.

Many published encoders come with a configuration that does not name its family (`model_type`). The names of the
weights do, with or without the prefix that a network with a head puts before them.
"""

from collections.abc import Collection, Mapping
from dataclasses import dataclass

__all__ = ["AFTER_PADDING", "counts_from_padding", "family_from_weights", "usable_positions"]

# families whose first position is the id of padding plus one
AFTER_PADDING = frozenset({
    "camembert", "data2vec-text", "ibert", "longformer", "luke", "mpnet", "roberta", "roberta-prelayernorm",
    "xlm-roberta", "xlm-roberta-xl", "xmod",
})  # fmt: skip
PADDING = 1  # id of padding in these families, where the configuration does not name one
FIXED_PADDING = {"mpnet": 1}  # families whose networks ignore the id of padding in the configuration


@dataclass(frozen=True)
class _Sign:
    """A piece of a weight's name that only one family has."""

    piece: str
    family: str


SIGNS = (
    _Sign("albert_layer_groups", "albert"),
    _Sign("attn.Wqkv", "modernbert"),
    _Sign("relative_attention_bias", "mpnet"),
    _Sign("attention.attn.q.", "mpnet"),
    _Sign("attention.q_lin", "distilbert"),
    _Sign("attention.self.in_proj", "deberta"),
    _Sign("attention.self.query_proj", "deberta-v2"),
    _Sign("embeddings_project", "electra"),
    _Sign("discriminator_predictions", "electra"),
)
BY_PREFIX = {"electra.": "electra", "albert.": "albert", "mpnet.": "mpnet", "distilbert.": "distilbert"}


def family_from_weights(names: Collection[str], config: Mapping[str, object]) -> str | None:
    """Return the `model_type` of the family whose weights have these names; None where no family has.

    Args:
        names: of the weights.
        config: what `config.json` says; BERT and RoBERTa name their weights alike, and its sizes tell them apart.

    >>> family_from_weights(["encoder.layer.0.attention.self.query.weight"], {"type_vocab_size": 2})
    'bert'
    """
    for sign in SIGNS:
        if any(sign.piece in name for name in names):
            return sign.family
    for prefix, family in BY_PREFIX.items():
        if any(name.startswith(prefix) for name in names):
            return family
    if not any("attention.self.query" in name for name in names):
        return None
    if any(name.startswith("roberta.") for name in names):
        return "roberta"
    if any(name.startswith("bert.") for name in names):
        return "bert"
    return "roberta" if config.get("type_vocab_size") == 1 else "bert"


def counts_from_padding(family: str) -> bool:
    """Return whether the first position is the id of padding plus one, as in RoBERTa, CamemBERT and MPNet."""
    return family in AFTER_PADDING


def usable_positions(family: str, *, positions: object, padding: object) -> int | None:
    """Return how many sub-words an encoder reads at once; None where its configuration does not say so.

    Args:
        family: its `model_type`.
        positions: `max_position_embeddings` of its configuration.
        padding: `pad_token_id` of its configuration.

    >>> usable_positions("camembert", positions=514, padding=1)
    512
    """
    if not isinstance(positions, int) or positions <= 0:
        return None
    if not counts_from_padding(family):
        return positions
    padding = FIXED_PADDING.get(family, padding)
    return positions - (padding if isinstance(padding, int) else PADDING) - 1
