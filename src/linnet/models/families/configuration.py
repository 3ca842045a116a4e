"""Reads the configuration of an encoder by the record of its family: positions, token types, dropout."""

from typing import Any

from linnet.models.families.lookup import family_of, family_of_config
from linnet.models.families.record import Family

__all__ = ["dropout_settings", "head_dropout", "positions_for", "reads_token_types", "usable_positions"]

USUAL_DROPOUT = 0.1  # before a head of ours, where the family has no setting for it
PADDING = 1  # id of padding in families that count positions from it, where the configuration does not name one


def usable_positions(model_type: str, *, positions: object, padding: object) -> int | None:
    """Return how many sub-words an encoder reads at once; None where its configuration does not say so.

    Args:
        model_type: of its configuration.
        positions: `max_position_embeddings` of its configuration.
        padding: `pad_token_id` of its configuration.

    >>> usable_positions("camembert", positions=514, padding=1)
    512
    """
    if not isinstance(positions, int) or positions <= 0:
        return None
    return positions - _count_unused_positions(family_of(model_type), padding)


def positions_for(model_type: str, *, n_subwords: int, padding: object) -> int:
    """Return `max_position_embeddings` of a configuration whose network reads this many sub-words at once.

    Args:
        model_type: of the configuration.
        n_subwords: of the longest sequence.
        padding: `pad_token_id` of the configuration.

    >>> positions_for("roberta", n_subwords=512, padding=1), positions_for("bert", n_subwords=512, padding=1)
    (514, 512)
    """
    return n_subwords + _count_unused_positions(family_of(model_type), padding)


def reads_token_types(config: object) -> bool:
    """Return whether a network of this configuration tells the first text of a pair from the second by token types."""
    return family_of_config(config).has_token_types and getattr(config, "type_vocab_size", 0) > 1


def head_dropout(config: object) -> float:
    """Return the dropout before a head of ours on an encoder: that of its hidden layers, where its family has one."""
    name = family_of_config(config).hidden_dropout
    share: float = USUAL_DROPOUT if name is None else getattr(config, name, USUAL_DROPOUT)
    return share


def dropout_settings(config: object) -> dict[str, Any]:  # Any: a share, or None
    """Return all dropout settings that a configuration has, with their values."""
    family = family_of_config(config)
    names = (*family.dropouts, *family.attention_dropouts)
    return {name: getattr(config, name) for name in names if hasattr(config, name)}


def _count_unused_positions(family: Family, padding: object) -> int:
    if not family.counts_from_padding:
        return 0
    first = padding if family.fixed_padding is None else family.fixed_padding
    return (first if isinstance(first, int) else PADDING) + 1
