"""Configurations and networks of every family, small enough to be built in milliseconds."""

import warnings
from functools import cache
from typing import Any

from torch import nn
from transformers import AutoConfig, AutoModelForTokenClassification

from linnet.models.quiet import quietly
from tests import tiny

SIZES: dict[str, Any] = {**tiny.SIZES, "vocab_size": 12, "max_position_embeddings": 20, "pad_token_id": 1}
OWN_SIZES: dict[str, dict[str, Any]] = {
    "deberta": {"cls_dropout": 0.1},  # in some published configurations; the class has no default for it
    "deberta-v2": {"cls_dropout": 0.1},
    "distilbert": {"dim": 16, "n_layers": 2, "n_heads": 2, "hidden_dim": 24},
    "longformer": {"attention_window": [4, 4]},
    "luke": {"entity_vocab_size": 5, "entity_emb_size": 4},  # 500,000 entities by default
    "modernbert": {"bos_token_id": 2, "eos_token_id": 3, "cls_token_id": 2, "sep_token_id": 3},
    "xmod": {"default_language": "en_XX", "languages": ["en_XX"]},
}


def small_config(model_type: str, **more: Any) -> Any:
    return AutoConfig.for_model(model_type, **{**SIZES, **OWN_SIZES.get(model_type, {}), **more})


def small_network(config: Any, kind: Any = AutoModelForTokenClassification) -> Any:
    with quietly(), warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)  # DeBERTa's code wants torch.jit.script when it is imported
        network: nn.Module = kind.from_config(config)
    return network.eval()


@cache
def tagger(model_type: str) -> Any:
    return small_network(small_config(model_type))
