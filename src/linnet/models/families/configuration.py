"""Reads the configuration of an encoder by the record of its family: positions, token types, dropout."""

from linnet.models.families.lookup import family_of, family_of_config

__all__ = ["counts_from_padding", "head_dropout", "reads_token_types", "usable_positions"]

USUAL_DROPOUT = 0.1  # before a head of ours, where the family has no setting for it
PADDING = 1  # id of padding in families that count positions from it, where the configuration does not name one


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
    name = family_of_config(config).hidden_dropout
    share: float = USUAL_DROPOUT if name is None else getattr(config, name, USUAL_DROPOUT)
    return share
