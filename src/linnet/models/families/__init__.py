"""Encoder families (BERT, RoBERTa, ELECTRA, ...): what Linnet has to know about each.

Other modules ask `family_of` and compare no names of families. An encoder of a family without a record opens as well:
`OTHER` has what is usual. Many published encoders come with a configuration that does not name its family
(`model_type`); `family_from_weights` finds it by the names of the weights. `known.py` has the records.
"""

from linnet.models.families.configuration import (
    dropout_settings,
    head_dropout,
    positions_for,
    reads_token_types,
    usable_positions,
)
from linnet.models.families.known import (
    BY_TYPE,
    FAMILIES,
    OTHER,
    PRETRAINING_HEADS,
    ROBERTA,
    SPECIALS,
    TAG_HEAD,
    WITH_ORDER_HEAD,
    WITH_WORD_HEAD,
)
from linnet.models.families.lookup import ENCODER_TYPE, encoder_type, family_from_weights, family_of, family_of_config
from linnet.models.families.record import Family, Specials

__all__ = [
    "BY_TYPE",
    "ENCODER_TYPE",
    "FAMILIES",
    "OTHER",
    "PRETRAINING_HEADS",
    "ROBERTA",
    "SPECIALS",
    "TAG_HEAD",
    "WITH_ORDER_HEAD",
    "WITH_WORD_HEAD",
    "Family",
    "Specials",
    "dropout_settings",
    "encoder_type",
    "family_from_weights",
    "family_of",
    "family_of_config",
    "head_dropout",
    "positions_for",
    "reads_token_types",
    "usable_positions",
]
