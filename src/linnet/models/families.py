"""Encoder families (BERT, RoBERTa, ELECTRA, ...): one record for each, with what Linnet has to know about it.

Other modules ask `family_of` and compare no names of families. An encoder of a family without a record opens as well:
`OTHER` has what is usual. Many published encoders come with a configuration that does not name its family
(`model_type`); `family_from_weights` finds it by the names of the weights.
"""

import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace

__all__ = [
    "ENCODER_TYPE",
    "FAMILIES",
    "OTHER",
    "PRETRAINING_HEADS",
    "TAG_HEAD",
    "Family",
    "counts_from_padding",
    "encoder_type",
    "family_from_weights",
    "family_of",
    "family_of_config",
    "head_dropout",
    "reads_token_types",
    "usable_positions",
]

TAG_HEAD = "classifier"  # the module that scores tags, in the token-classification networks of all families
ENCODER_TYPE = "encoder_model_type"  # key in `config.json` of a model with a two-layer head, whose own type is Linnet's
EMBEDDINGS = "embeddings"  # in the names of all weights below the layers, in all families
HIDDEN_DROPOUT = "hidden_dropout_prob"
USUAL_DROPOUT = 0.1  # before a head of ours, where the family has no setting for it
PADDING = 1  # id of padding in families that count positions from it, where the configuration does not name one


@dataclass(frozen=True, kw_only=True)
class Family:
    """What differs between families; a default is what BERT has."""

    name: str  # its `model_type` in transformers
    kin: tuple[str, ...] = ()  # other model types of which all of this is true
    dropouts: tuple[str, ...] = (HIDDEN_DROPOUT, "classifier_dropout")  # settings, without those of attention
    attention_dropouts: tuple[str, ...] = ("attention_probs_dropout_prob",)
    layers: tuple[str, ...] = ("layer",)  # modules that hold the numbered layers, or the groups that share weights
    has_token_types: bool = True  # whether the network has an input for them
    counts_from_padding: bool = False  # whether the first position is the id of padding plus one
    fixed_padding: int | None = None  # id of padding that the network counts from, whatever its configuration says
    can_unpad: bool = False  # whether `unpadded.py` can compute its batches without padding
    word_heads: tuple[str, ...] = ()  # modules that guess a masked word, one after the other
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


BERT = Family(
    name="bert",
    can_unpad=True,
    word_heads=("cls.predictions",),
    order_head="cls.seq_relationship",
    prefix="bert.",
)
ROBERTA = Family(
    name="roberta",
    kin=("camembert", "xlm-roberta"),
    counts_from_padding=True,
    can_unpad=True,
    word_heads=("lm_head",),
    prefix="roberta.",
)
ROBERTA_VARIANT = Family(
    name="xlm-roberta-xl", kin=("data2vec-text", "luke", "roberta-prelayernorm", "xmod"), counts_from_padding=True
)
LONGFORMER = replace(ROBERTA_VARIANT, name="longformer", kin=("ibert",), dropouts=(HIDDEN_DROPOUT,))
ELECTRA = Family(
    name="electra",
    can_unpad=True,
    word_heads=("generator_predictions", "generator_lm_head"),
    other_heads=("discriminator_predictions",),
    signs=("embeddings_project", "discriminator_predictions"),
    prefix="electra.",
)
ALBERT = Family(
    name="albert",
    dropouts=(HIDDEN_DROPOUT, "classifier_dropout_prob"),
    layers=("albert_layer_groups",),
    can_unpad=True,
    word_heads=("predictions",),
    order_head="sop_classifier",
    signs=("albert_layer_groups",),
    prefix="albert.",
)
DEBERTA = Family(
    name="deberta",
    dropouts=(HIDDEN_DROPOUT,),
    signs=("attention.self.in_proj",),
)
DEBERTA_V2 = Family(
    name="deberta-v2",
    dropouts=(HIDDEN_DROPOUT,),
    word_heads=("cls.predictions",),
    other_heads=("lm_predictions", "mask_predictions"),
    signs=("attention.self.query_proj",),
)
MODERNBERT = Family(
    name="modernbert",
    dropouts=("classifier_dropout", "mlp_dropout", "embedding_dropout"),
    attention_dropouts=("attention_dropout",),
    layers=("layers",),
    has_token_types=False,
    word_heads=("head", "decoder"),
    signs=("attn.Wqkv",),
)
MPNET = Family(
    name="mpnet",
    dropouts=(HIDDEN_DROPOUT,),
    has_token_types=False,
    counts_from_padding=True,
    fixed_padding=1,
    word_heads=("lm_head",),
    signs=("relative_attention_bias", "attention.attn.q."),
    prefix="mpnet.",
)
DISTILBERT = Family(
    name="distilbert",
    dropouts=("dropout",),
    attention_dropouts=("attention_dropout",),
    has_token_types=False,
    signs=("attention.q_lin",),
    prefix="distilbert.",
)
FAMILIES = (
    BERT,
    ROBERTA,
    ROBERTA_VARIANT,
    LONGFORMER,
    ELECTRA,
    ALBERT,
    DEBERTA,
    DEBERTA_V2,
    MODERNBERT,
    MPNET,
    DISTILBERT,
)
OTHER = Family(
    name="other",
    dropouts=tuple(dict.fromkeys(name for family in FAMILIES for name in family.dropouts)),
    attention_dropouts=tuple(dict.fromkeys(name for family in FAMILIES for name in family.attention_dropouts)),
    layers=tuple(dict.fromkeys(name for family in FAMILIES for name in family.layers)),
)
BY_TYPE = {model_type: family for family in FAMILIES for model_type in (family.name, *family.kin)}
# modules on top of an encoder that are there for its pretraining
PRETRAINING_HEADS = frozenset(
    head.split(".")[0]
    for family in FAMILIES
    for head in (*family.word_heads, family.order_head, *family.other_heads)
    if head is not None
)


def family_of(model_type: str) -> Family:
    """Return the record of a family by the `model_type` of a configuration; `OTHER` where it has none.

    >>> family_of("camembert").name, family_of("big_bird").name
    ('roberta', 'other')
    """
    return BY_TYPE.get(model_type, OTHER)


def family_of_config(config: object) -> Family:
    """Return the record of the family of an encoder by its configuration, as transformers opened it."""
    return family_of(getattr(config, "model_type", ""))


def encoder_type(config: Mapping[str, object]) -> str:
    """Return the `model_type` of the encoder that a `config.json` describes.

    A model with a two-layer head has a model type of its own, and names that of its encoder under another key.
    """
    return str(config.get(ENCODER_TYPE) or config.get("model_type"))


def family_from_weights(names: Collection[str], config: Mapping[str, object]) -> str | None:
    """Return the `model_type` of the family whose weights have these names; None where no family has.

    Args:
        names: of the weights.
        config: what `config.json` says; BERT and RoBERTa name their weights alike, and its sizes tell them apart.

    >>> family_from_weights(["encoder.layer.0.attention.self.query.weight"], {"type_vocab_size": 2})
    'bert'
    """
    for family in FAMILIES:
        if any(sign in name for sign in family.signs for name in names):
            return family.name
    # weights of other networks may begin like BERT's and RoBERTa's, so their attention has to be theirs, too
    is_like_bert = any("attention.self.query" in name for name in names)
    for family in FAMILIES:
        is_told = bool(family.prefix) and any(name.startswith(family.prefix) for name in names)
        if is_told and (is_like_bert or family not in (BERT, ROBERTA)):
            return family.name
    if not is_like_bert:
        return None
    return ROBERTA.name if config.get("type_vocab_size") == 1 else BERT.name


def counts_from_padding(model_type: str) -> bool:
    """Return whether the first position is the id of padding plus one, as in RoBERTa, CamemBERT and MPNet."""
    return family_of(model_type).counts_from_padding


def usable_positions(model_type: str, *, positions: object, padding: object) -> int | None:
    """Return how many sub-words an encoder reads at once; None where its configuration does not say so.

    Args:
        model_type: of its configuration.
        positions: `max_position_embeddings` of its configuration.
        padding: `pad_token_id` of its configuration.

    >>> usable_positions("camembert", positions=514, padding=1)
    512
    """
    family = family_of(model_type)
    if not isinstance(positions, int) or positions <= 0:
        return None
    if not family.counts_from_padding:
        return positions
    first = padding if family.fixed_padding is None else family.fixed_padding
    return positions - (first if isinstance(first, int) else PADDING) - 1


def reads_token_types(config: object) -> bool:
    """Return whether a network of this configuration tells the first text of a pair from the second by token types."""
    return family_of_config(config).has_token_types and getattr(config, "type_vocab_size", 0) > 1


def head_dropout(config: object) -> float:
    """Return the dropout before a head of ours on an encoder: that of its hidden layers, where its family has one."""
    share: float = getattr(config, HIDDEN_DROPOUT, USUAL_DROPOUT)
    return share
