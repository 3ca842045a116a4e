"""Variable names of BERT and ALBERT in TensorFlow, and the tensors of transformers that they become.

The tables follow the variable scopes of Google's two repositories (Devlin et al. 2019, Lan et al. 2020). A row has the
scope in TensorFlow, the module in transformers, and the kind of the module; braces stand for layer numbers.
"""

import re
from dataclasses import dataclass
from itertools import product
from typing import Any

__all__ = ["OPTIONAL_PARTS", "Target", "find_targets", "is_optimiser_variable", "strip_hub_prefix"]

OPTIONAL_PARTS = ("pooler", "predictions", "seq_relationship")  # each is complete or absent
# by kind: suffixes of the variable after its scope and of the tensor after its module, and whether it is transposed:
# TensorFlow multiplies from the right, so its kernels are (inputs, outputs) and those of torch (outputs, inputs)
KINDS = {
    "dense": (("/kernel", ".weight", True), ("/bias", ".bias", False)),
    "norm": (("/gamma", ".weight", False), ("/beta", ".bias", False)),
    "table": (("", ".weight", False),),
    "classifier": (("/output_weights", ".weight", False), ("/output_bias", ".bias", False)),
    "bias": (("/output_bias", ".bias", False),),
}
BERT_LAYER = "bert/encoder/layer_{layer}"
BERT = {
    "embeddings": (
        ("bert/embeddings/word_embeddings", "bert.embeddings.word_embeddings", "table"),
        ("bert/embeddings/position_embeddings", "bert.embeddings.position_embeddings", "table"),
        ("bert/embeddings/token_type_embeddings", "bert.embeddings.token_type_embeddings", "table"),
        ("bert/embeddings/LayerNorm", "bert.embeddings.LayerNorm", "norm"),
    ),
    "layers": (
        (f"{BERT_LAYER}/attention/self/query", "bert.encoder.layer.{layer}.attention.self.query", "dense"),
        (f"{BERT_LAYER}/attention/self/key", "bert.encoder.layer.{layer}.attention.self.key", "dense"),
        (f"{BERT_LAYER}/attention/self/value", "bert.encoder.layer.{layer}.attention.self.value", "dense"),
        (f"{BERT_LAYER}/attention/output/dense", "bert.encoder.layer.{layer}.attention.output.dense", "dense"),
        (f"{BERT_LAYER}/attention/output/LayerNorm", "bert.encoder.layer.{layer}.attention.output.LayerNorm", "norm"),
        (f"{BERT_LAYER}/intermediate/dense", "bert.encoder.layer.{layer}.intermediate.dense", "dense"),
        (f"{BERT_LAYER}/output/dense", "bert.encoder.layer.{layer}.output.dense", "dense"),
        (f"{BERT_LAYER}/output/LayerNorm", "bert.encoder.layer.{layer}.output.LayerNorm", "norm"),
    ),
    "pooler": (("bert/pooler/dense", "bert.pooler.dense", "dense"),),
    "predictions": (
        ("cls/predictions/transform/dense", "cls.predictions.transform.dense", "dense"),
        ("cls/predictions/transform/LayerNorm", "cls.predictions.transform.LayerNorm", "norm"),
        ("cls/predictions", "cls.predictions", "bias"),
    ),
    "seq_relationship": (("cls/seq_relationship", "cls.seq_relationship", "classifier"),),
}
ALBERT_BLOCK = "bert/encoder/transformer/group_{group}/inner_group_{inner}"
ALBERT_LAYER = "albert.encoder.albert_layer_groups.{group}.albert_layers.{inner}"
ALBERT = {
    "embeddings": (
        ("bert/embeddings/word_embeddings", "albert.embeddings.word_embeddings", "table"),
        ("bert/embeddings/position_embeddings", "albert.embeddings.position_embeddings", "table"),
        ("bert/embeddings/token_type_embeddings", "albert.embeddings.token_type_embeddings", "table"),
        ("bert/embeddings/LayerNorm", "albert.embeddings.LayerNorm", "norm"),
    ),
    "projection": (
        ("bert/encoder/embedding_hidden_mapping_in", "albert.encoder.embedding_hidden_mapping_in", "dense"),
    ),
    "layers": (
        (f"{ALBERT_BLOCK}/attention_1/self/query", f"{ALBERT_LAYER}.attention.query", "dense"),
        (f"{ALBERT_BLOCK}/attention_1/self/key", f"{ALBERT_LAYER}.attention.key", "dense"),
        (f"{ALBERT_BLOCK}/attention_1/self/value", f"{ALBERT_LAYER}.attention.value", "dense"),
        (f"{ALBERT_BLOCK}/attention_1/output/dense", f"{ALBERT_LAYER}.attention.dense", "dense"),
        (f"{ALBERT_BLOCK}/LayerNorm", f"{ALBERT_LAYER}.attention.LayerNorm", "norm"),
        (f"{ALBERT_BLOCK}/ffn_1/intermediate/dense", f"{ALBERT_LAYER}.ffn", "dense"),
        (f"{ALBERT_BLOCK}/ffn_1/intermediate/output/dense", f"{ALBERT_LAYER}.ffn_output", "dense"),
        (f"{ALBERT_BLOCK}/LayerNorm_1", f"{ALBERT_LAYER}.full_layer_layer_norm", "norm"),
    ),
    "pooler": (("bert/pooler/dense", "albert.pooler", "dense"),),
    "predictions": (
        ("cls/predictions/transform/dense", "predictions.dense", "dense"),
        ("cls/predictions/transform/LayerNorm", "predictions.LayerNorm", "norm"),
        ("cls/predictions", "predictions", "bias"),
    ),
    "seq_relationship": (("cls/seq_relationship", "sop_classifier.classifier", "classifier"),),
}
TABLES = {"bert": BERT, "albert": ALBERT}
OPTIMISER = re.compile(
    r"(?:.*/)?(?:adam_[mv]|lamb_[mv]|Adam(?:_1)?|Lamb(?:_1)?|LAMB(?:_1)?|\w*Optimizer(?:_1)?)"
    r"|(?:.*/)?(?:global_step|beta[12]_power)"
)
HUB_PREFIX = "module/"  # of variables saved from a TF-Hub module


@dataclass(frozen=True, slots=True)
class Target:
    """The tensor that a variable becomes."""

    name: str  # of the tensor in transformers
    is_transposed: bool


def find_targets(config: Any) -> dict[str, dict[str, Target]]:  # Any: a BertConfig or an AlbertConfig
    """Return the variables of a checkpoint of this configuration by part, each with its tensor."""
    table = TABLES[config.model_type]
    numbers = _list_layer_numbers(config)
    return {
        part: {
            name: target
            for scope, module, kind in rows
            for layer in (numbers if "{" in scope else [{}])
            for name, target in _fill_row(scope, module, kind, layer)
        }
        for part, rows in table.items()
        if part != "projection" or config.embedding_size != config.hidden_size  # else there is no projection
    }


def strip_hub_prefix(name: str) -> str:
    """Return a variable's name as it is in the tables."""
    return name.removeprefix(HUB_PREFIX)


def is_optimiser_variable(name: str) -> bool:
    """Does the variable belong to the optimiser (moments, step counters) and not to the model?"""
    return OPTIMISER.fullmatch(name) is not None


def _list_layer_numbers(config: Any) -> list[dict[str, int]]:
    """Return the values of the braces for each layer with weights of its own."""
    if config.model_type == "bert":
        return [{"layer": layer} for layer in range(config.num_hidden_layers)]
    groups, inner = range(config.num_hidden_groups), range(config.inner_group_num)
    return [{"group": group, "inner": number} for group, number in product(groups, inner)]


def _fill_row(scope: str, module: str, kind: str, numbers: dict[str, int]) -> list[tuple[str, Target]]:
    scope, module = scope.format(**numbers), module.format(**numbers)
    return [(scope + variable, Target(module + tensor, transposed)) for variable, tensor, transposed in KINDS[kind]]
