"""Finds the family of an encoder: by its configuration, or by the names of its weights."""

from collections.abc import Collection, Mapping

from linnet.models.families.known import BERT, BY_TYPE, FAMILIES, OTHER, ROBERTA
from linnet.models.families.record import Family

__all__ = ["ENCODER_TYPE", "encoder_type", "family_from_weights", "family_of", "family_of_config"]

ENCODER_TYPE = "encoder_model_type"  # key in `config.json` of a model with a two-layer head, whose own type is Linnet's


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
