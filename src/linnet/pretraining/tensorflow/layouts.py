"""Layouts of TensorFlow checkpoints: the variables and settings that Google's code of BERT and of ALBERT writes.

This is knowledge about a file format: how two repositories (Devlin et al. 2019, Lan et al. 2020) name their variables,
write their configuration and compute. What is true of a family wherever its weights come from is in its record
(`models/families`).

A row of a table has the scope in TensorFlow, the module in transformers, and the kind of the module; braces stand for
layer numbers.
"""

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from itertools import product
from typing import Any

__all__ = ["LAYOUTS", "PROJECTION", "Layout", "layout_of", "layout_of_settings"]

PROJECTION = "projection"  # the part that is left out where embeddings are as wide as the layers

Rows = Mapping[str, tuple[tuple[str, str, str], ...]]  # by part

BERT_LAYER = "bert/encoder/layer_{layer}"
BERT_ROWS: Rows = {
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
ALBERT_ROWS: Rows = {
    "embeddings": (
        ("bert/embeddings/word_embeddings", "albert.embeddings.word_embeddings", "table"),
        ("bert/embeddings/position_embeddings", "albert.embeddings.position_embeddings", "table"),
        ("bert/embeddings/token_type_embeddings", "albert.embeddings.token_type_embeddings", "table"),
        ("bert/embeddings/LayerNorm", "albert.embeddings.LayerNorm", "norm"),
    ),
    PROJECTION: (("bert/encoder/embedding_hidden_mapping_in", "albert.encoder.embedding_hidden_mapping_in", "dense"),),
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


def _list_bert_layers(config: Any) -> list[dict[str, int]]:
    return [{"layer": layer} for layer in range(config.num_hidden_layers)]


def _list_albert_layers(config: Any) -> list[dict[str, int]]:
    groups, inner = range(config.num_hidden_groups), range(config.inner_group_num)
    return [{"group": group, "inner": number} for group, number in product(groups, inner)]


@dataclass(frozen=True, kw_only=True)
class Layout:
    """What differs between the checkpoints of the two repositories."""

    family: str  # `model_type` of the network in transformers
    own_settings: frozenset[str]  # those of its configuration that the other repository does not have
    activations: Mapping[str, str]  # names in transformers, where they differ from those of the file
    special_ids: Mapping[str, str]  # settings of transformers with the special sub-words whose ids they hold
    rows: Rows
    list_layers: Callable[[Any], list[dict[str, int]]]  # values of the braces for each layer with weights of its own


BERT = Layout(
    family="bert",
    own_settings=frozenset(),
    activations={},
    special_ids={},
    rows=BERT_ROWS,
    list_layers=_list_bert_layers,
)
ALBERT = Layout(
    family="albert",
    own_settings=frozenset({"embedding_size", "num_hidden_groups", "inner_group_num"}),
    activations={"gelu": "gelu_new"},  # its code approximates it with tanh; transformers' `gelu` does not
    special_ids={"bos_token_id": "[CLS]", "eos_token_id": "[SEP]"},
    rows=ALBERT_ROWS,
    list_layers=_list_albert_layers,
)
LAYOUTS = {layout.family: layout for layout in (BERT, ALBERT)}


def layout_of(config: Any) -> Layout:  # Any: a BertConfig or an AlbertConfig
    """Return the layout of the checkpoint that a configuration of transformers was made from."""
    return LAYOUTS[config.model_type]


def layout_of_settings(names: Collection[str]) -> Layout:
    """Return the layout of a checkpoint whose configuration file has these settings.

    >>> layout_of_settings({"hidden_size", "num_hidden_groups"}).family
    'albert'
    """
    return next((layout for layout in LAYOUTS.values() if not layout.own_settings.isdisjoint(names)), BERT)
