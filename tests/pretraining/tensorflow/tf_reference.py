"""BERT and ALBERT by hand: their variables under TensorFlow's names, and what these compute.

Written from the papers (Devlin et al. 2019, Lan et al. 2020) over a handful of operations, so that numpy and TensorFlow
can both run it. The names are written out here once more: a wrong row in Linnet's own tables must not cancel out.
"""

from collections.abc import Mapping
from types import SimpleNamespace
from typing import Any

import numpy as np
from scipy.special import erf

SIZES = {
    "vocab_size": 12,
    "hidden_size": 8,
    "num_attention_heads": 2,
    "intermediate_size": 10,
    "max_position_embeddings": 16,
    "type_vocab_size": 2,
    "hidden_act": "gelu",
    "hidden_dropout_prob": 0.0,
    "attention_probs_dropout_prob": 0.0,
    "initializer_range": 0.02,
}
BERT = {**SIZES, "num_hidden_layers": 2}
ALBERT = {
    **SIZES,
    "num_hidden_layers": 4,
    "embedding_size": 6,
    "num_hidden_groups": 2,
    "inner_group_num": 2,
    "net_structure_type": 0,
}
NUMPY = SimpleNamespace(
    take=lambda table, ids: table[ids],
    reshape=np.reshape,
    transpose=np.transpose,
    exp=np.exp,
    tanh=np.tanh,
    erf=erf,
    sum=lambda values: np.sum(values, axis=-1, keepdims=True),
)
Config = Mapping[str, Any]


def bert_shapes(config: Config = BERT) -> dict[str, tuple[int, ...]]:
    """Return the shape of each variable of a pretrained BERT."""
    hidden, inner = config["hidden_size"], config["intermediate_size"]
    shapes = _embeddings(config, hidden)
    for layer in range(config["num_hidden_layers"]):
        scope = f"bert/encoder/layer_{layer}"
        for name in ("query", "key", "value"):
            shapes |= _dense(f"{scope}/attention/self/{name}", hidden, hidden)
        shapes |= _dense(f"{scope}/attention/output/dense", hidden, hidden)
        shapes |= _norm(f"{scope}/attention/output/LayerNorm", hidden)
        shapes |= _dense(f"{scope}/intermediate/dense", hidden, inner)
        shapes |= _dense(f"{scope}/output/dense", inner, hidden)
        shapes |= _norm(f"{scope}/output/LayerNorm", hidden)
    return shapes | _heads(config, hidden)


def albert_shapes(config: Config = ALBERT) -> dict[str, tuple[int, ...]]:
    """Return the shape of each variable of a pretrained ALBERT."""
    hidden, inner, narrow = config["hidden_size"], config["intermediate_size"], config["embedding_size"]
    shapes = _embeddings(config, narrow)
    if narrow != hidden:
        shapes |= _dense("bert/encoder/embedding_hidden_mapping_in", narrow, hidden)
    for group in range(config["num_hidden_groups"]):
        for number in range(config["inner_group_num"]):
            scope = f"bert/encoder/transformer/group_{group}/inner_group_{number}"
            for name in ("query", "key", "value"):
                shapes |= _dense(f"{scope}/attention_1/self/{name}", hidden, hidden)
            shapes |= _dense(f"{scope}/attention_1/output/dense", hidden, hidden)
            shapes |= _norm(f"{scope}/LayerNorm", hidden)
            shapes |= _dense(f"{scope}/ffn_1/intermediate/dense", hidden, inner)
            shapes |= _dense(f"{scope}/ffn_1/intermediate/output/dense", inner, hidden)
            shapes |= _norm(f"{scope}/LayerNorm_1", hidden)
    return shapes | _heads(config, narrow)


def values(shapes: Mapping[str, tuple[int, ...]], seed: int = 3) -> dict[str, Any]:
    """Return random values, large enough for every layer to matter."""
    draw = np.random.default_rng(seed)
    return {name: draw.normal(0, 0.5, shape).astype(np.float32) for name, shape in shapes.items()}


def bert_states(weights: Mapping[str, Any], config: Config, ids: Any, do: Any = NUMPY) -> list[Any]:
    """Return the output of the embeddings and of each layer of BERT: (tokens, hidden)."""
    model = _Model(weights, config, do, do.erf)
    states = [model.embedded(ids)]
    for layer in range(config["num_hidden_layers"]):
        scope = f"bert/encoder/layer_{layer}"
        attended = model.attended(states[-1], f"{scope}/attention/self", f"{scope}/attention/output/dense")
        middle = model.norm(states[-1] + attended, f"{scope}/attention/output/LayerNorm")
        wide = model.gelu(model.dense(middle, f"{scope}/intermediate/dense"))
        states.append(model.norm(middle + model.dense(wide, f"{scope}/output/dense"), f"{scope}/output/LayerNorm"))
    return states


def albert_states(weights: Mapping[str, Any], config: Config, ids: Any, do: Any = NUMPY) -> list[Any]:
    """Return the output of the embeddings and of each inner layer of ALBERT: (tokens, hidden)."""
    model = _Model(weights, config, do, None)
    state = model.embedded(ids)
    if config["embedding_size"] != config["hidden_size"]:
        state = model.dense(state, "bert/encoder/embedding_hidden_mapping_in")
    states = [state]
    for layer in range(config["num_hidden_layers"]):
        group = layer * config["num_hidden_groups"] // config["num_hidden_layers"]
        for number in range(config["inner_group_num"]):
            scope = f"bert/encoder/transformer/group_{group}/inner_group_{number}"
            attended = model.attended(state, f"{scope}/attention_1/self", f"{scope}/attention_1/output/dense")
            middle = model.norm(state + attended, f"{scope}/LayerNorm")
            wide = model.gelu(model.dense(middle, f"{scope}/ffn_1/intermediate/dense"))
            state = model.norm(
                middle + model.dense(wide, f"{scope}/ffn_1/intermediate/output/dense"), f"{scope}/LayerNorm_1"
            )
            states.append(state)
    return states


def word_scores(weights: Mapping[str, Any], config: Config, state: Any, *, is_albert: bool) -> Any:
    """Return what the head for masked words says about each token: (tokens, words)."""
    model = _Model(weights, config, NUMPY, None if is_albert else NUMPY.erf)
    scope = "cls/predictions/transform"
    known = model.norm(model.gelu(model.dense(state, f"{scope}/dense")), f"{scope}/LayerNorm")
    return known @ weights["bert/embeddings/word_embeddings"].T + weights["cls/predictions/output_bias"]


def pair_scores(weights: Mapping[str, Any], config: Config, state: Any) -> Any:
    """Return what the head for pairs of sentences says: (2,)."""
    model = _Model(weights, config, NUMPY, None)
    pooled = np.tanh(model.dense(state[:1], "bert/pooler/dense"))[0]
    return pooled @ weights["cls/seq_relationship/output_weights"].T + weights["cls/seq_relationship/output_bias"]


class _Model:
    def __init__(self, weights: Mapping[str, Any], config: Config, do: Any, exact: Any) -> None:
        self.weights, self.config, self.do, self.exact = weights, config, do, exact

    def embedded(self, ids: Any) -> Any:
        tables = {
            name: self.weights[f"bert/embeddings/{name}_embeddings"] for name in ("word", "position", "token_type")
        }
        total = self.do.take(tables["word"], ids) + tables["position"][: len(ids)] + tables["token_type"][:1]
        return self.norm(total, "bert/embeddings/LayerNorm")

    def dense(self, state: Any, scope: str) -> Any:
        return state @ self.weights[f"{scope}/kernel"] + self.weights[f"{scope}/bias"]

    def norm(self, state: Any, scope: str) -> Any:
        width = int(state.shape[-1])
        centred = state - self.do.sum(state) / width
        scale = (self.do.sum(centred * centred) / width + 1e-12) ** 0.5
        return centred / scale * self.weights[f"{scope}/gamma"] + self.weights[f"{scope}/beta"]

    def gelu(self, state: Any) -> Any:
        if self.exact is not None:
            return state * 0.5 * (1.0 + self.exact(state / 2**0.5))
        return state * 0.5 * (1.0 + self.do.tanh((2 / np.pi) ** 0.5 * (state + 0.044715 * state * state * state)))

    def attended(self, state: Any, scope: str, output: str) -> Any:
        heads = self.config["num_attention_heads"]
        tokens, hidden = int(state.shape[0]), self.config["hidden_size"]
        query, key, value = (
            self.do.transpose(
                self.do.reshape(self.dense(state, f"{scope}/{name}"), (tokens, heads, hidden // heads)), (1, 0, 2)
            )
            for name in ("query", "key", "value")
        )
        scores = self.do.exp(query @ self.do.transpose(key, (0, 2, 1)) / (hidden // heads) ** 0.5)
        mixed = scores / self.do.sum(scores) @ value
        return self.dense(self.do.reshape(self.do.transpose(mixed, (1, 0, 2)), (tokens, hidden)), output)


def _embeddings(config: Config, width: int) -> dict[str, tuple[int, ...]]:
    return {
        "bert/embeddings/word_embeddings": (config["vocab_size"], width),
        "bert/embeddings/position_embeddings": (config["max_position_embeddings"], width),
        "bert/embeddings/token_type_embeddings": (config["type_vocab_size"], width),
        **_norm("bert/embeddings/LayerNorm", width),
    }


def _heads(config: Config, width: int) -> dict[str, tuple[int, ...]]:
    hidden = config["hidden_size"]
    return {
        **_dense("bert/pooler/dense", hidden, hidden),
        **_dense("cls/predictions/transform/dense", hidden, width),
        **_norm("cls/predictions/transform/LayerNorm", width),
        "cls/predictions/output_bias": (config["vocab_size"],),
        "cls/seq_relationship/output_weights": (2, hidden),
        "cls/seq_relationship/output_bias": (2,),
    }


def _dense(scope: str, inputs: int, outputs: int) -> dict[str, tuple[int, ...]]:
    return {f"{scope}/kernel": (inputs, outputs), f"{scope}/bias": (outputs,)}


def _norm(scope: str, width: int) -> dict[str, tuple[int, ...]]:
    return {f"{scope}/gamma": (width,), f"{scope}/beta": (width,)}
