"""Networks for masked language modelling: built fresh or from a pretrained encoder, with their heads.

A network is the encoder with its family's head for masked words, whose output layer is tied to the embeddings. If the
encoder's file has no such head, a fresh one is trained along, and the user is warned. The head is computed at masked
positions only: with 15 % masking, all positions would cost seven times as much.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from operator import attrgetter
from pathlib import Path
from typing import Any

from tokenizers import Tokenizer
from torch import Tensor, distributed, nn
from transformers import (
    AutoConfig,
    AutoModel,
    AutoModelForMaskedLM,
    AutoModelForPreTraining,
    PretrainedConfig,
    PreTrainedModel,
)

from linnet.errors import BadSetting
from linnet.models.encoders import Encoder, dropouts_of, find_encoder, most_positions, open_reported, quietly
from linnet.models.families import dropout_settings, family_of, family_of_config, positions_for, reads_token_types
from linnet.pretraining.learning.grow_vocabulary import use_vocabulary
from linnet.pretraining.learning.masking import inspect_subwords
from linnet.pretraining.learning.sizes import SIZES, Size, find_size
from linnet.settings.pretraining import PretrainSettings

__all__ = ["InitialNetwork", "Start", "add_gradients_in_place", "build_network", "encode", "find_start",
           "predict_order", "predict_subwords", "save_network"]  # fmt: skip


@dataclass(frozen=True)
class Start:
    """The starting point of a pretraining: a size or a pretrained encoder, without a network yet."""

    name: str
    family: str
    positions: int | None  # longest sequence in sub-words, if there is a limit
    size: Size | None
    encoder: Encoder | None
    source: Encoder | None  # whose vocabulary is used or extended; None if one is learned for a fresh network

    @property
    def tokenizer(self) -> Tokenizer | None:
        """The tokenizer before a vocabulary is learned or extended."""
        return self.source.backend if self.source else None


@dataclass(frozen=True)
class InitialNetwork:
    """The network before the first update, with what is restored when it is saved."""

    network: PreTrainedModel
    notes: tuple[str, ...]  # for the user
    dropouts: Mapping[str, Any]  # original settings; those of pretraining are not meant for fine-tuning
    pooler: Mapping[str, Tensor]  # weights of the encoder's pooler, if the network has none


def find_start(settings: PretrainSettings) -> Start:
    """Return the starting point of a pretraining.

    Raises:
        LinnetError: if there is no such encoder or size, or a fresh network would have no vocabulary.
    """
    name, vocabulary = settings.encoder, settings.vocabulary
    if settings.fresh:
        size = find_size(name)
        if vocabulary.train is None and vocabulary.source is None:
            raise BadSetting(
                "a fresh encoder has no vocabulary",
                "learn one from the text (`--vocab 30000`), or use that of an encoder (`vocabulary.source`)",
            )
        source = find_encoder(vocabulary.source) if vocabulary.source else None
        return Start(name=name, family=size.family, positions=size.positions, size=size, encoder=None, source=source)
    if name in SIZES and not Path(name).exists():
        raise BadSetting(
            f"encoder {name!r} is a size, not a pretrained encoder",
            "start with random weights (`--fresh`, and `--vocab 30000`), or name a pretrained encoder",
        )
    if vocabulary.source is not None:
        raise BadSetting("vocabulary.source is for fresh encoders; a pretrained one has its own", "leave it out")
    encoder = find_encoder(name)
    return Start(
        name=name,
        family=encoder.config.model_type,
        positions=most_positions(encoder.config),
        size=None,
        encoder=encoder,
        source=encoder,
    )


def build_network(start: Start, tokenizer: Tokenizer, settings: PretrainSettings) -> InitialNetwork:
    """Return the network for a vocabulary; the caller sets the random seed.

    Args:
        start: the result of `find_start`.
        tokenizer: with the vocabulary to use, which may have been learned or extended.
        settings: objective and dropout.
    """
    with_order = settings.masking.sentence_order
    kind: Any = AutoModelForPreTraining if with_order else AutoModelForMaskedLM
    optimiser = settings.optimiser
    if start.encoder is None:
        assert start.size is not None
        config = _make_config(start.size, tokenizer)
        dropouts = dropout_settings(config)
        config.update(dropouts_of(config, dropout=optimiser.dropout, attention_dropout=optimiser.attention_dropout))
        with quietly():
            fresh: PreTrainedModel = kind.from_config(config)
        return InitialNetwork(fresh, (), dropouts, {})
    network, missing = open_reported(
        start.encoder, kind, dropout=optimiser.dropout, attention_dropout=optimiser.attention_dropout
    )
    notes = _describe_fresh_heads(start, missing)
    if settings.vocabulary.train is not None or settings.vocabulary.extend is not None:
        notes += use_vocabulary(network, tokenizer, start.encoder.backend)
    return InitialNetwork(
        network, tuple(notes), dropout_settings(start.encoder.config), _read_pooler(start.encoder, network)
    )


def save_network(initial: InitialNetwork, folder: Path) -> None:
    """Write the trained network for fine-tuning, with the encoder's original dropout and pooler."""
    network = initial.network
    network.config.update(dict(initial.dropouts))
    network.save_pretrained(folder, state_dict={**network.state_dict(), **initial.pooler})


def add_gradients_in_place(network: PreTrainedModel) -> None:
    """Add the gradient of the embeddings in place to that of the output layer, which is the same table.

    Otherwise each update fills a second table with zeros and adds all of it, which takes a twentieth of the time of a
    small network. The sum is dense either way. It is not used with several processes: they would expect sparse sums.
    """
    table: Any = network.get_input_embeddings()
    if not distributed.is_initialized() and table.weight is network.get_output_embeddings().weight:  # type: ignore[no-untyped-call]
        table.sparse = True


def encode(network: PreTrainedModel, **inputs: Tensor) -> tuple[Tensor, Tensor | None]:
    """Return the hidden states (sequences, tokens, hidden) and the pooler's output (sequences, hidden), if any."""
    if not reads_token_types(network.config):
        inputs.pop("token_type_ids", None)
    output: Any = network.base_model(**inputs)
    return output.last_hidden_state, getattr(output, "pooler_output", None)


def predict_subwords(network: PreTrainedModel, hidden: Tensor, positions: Tensor) -> Tensor:
    """Return the logits of all sub-words at the masked positions (masked, vocabulary).

    Args:
        network: with its head.
        hidden: (sequences, tokens, hidden).
        positions: (masked,), indices of all sequences end to end.
    """
    states = hidden.reshape(-1, hidden.shape[-1]).index_select(0, positions)
    for name in family_of_config(network.config).word_heads:
        states = attrgetter(name)(network)(states)
    return states


def predict_order(network: PreTrainedModel, pooled: Tensor) -> Tensor:
    """Return the logits of `in order` and `swapped` (sequences, 2)."""
    name = family_of_config(network.config).order_head
    assert name is not None  # `check_start` refuses families without this head
    head: nn.Module = attrgetter(name)(network)
    logits: Tensor = head(pooled)
    return logits


def _make_config(size: Size, tokenizer: Tokenizer) -> PretrainedConfig:
    subwords = inspect_subwords(tokenizer)
    special = subwords.special_ids
    pad_id = special["pad"]
    options: dict[str, Any] = {
        **family_of(size.family).fresh_settings,
        **size.options,
        "vocab_size": len(subwords.is_special),  # up to the largest id: there may be gaps
        "max_position_embeddings": positions_for(size.family, n_subwords=size.positions, padding=pad_id),
        "pad_token_id": pad_id,
        "bos_token_id": special["cls"],
        "eos_token_id": special["sep"],
    }
    config: PretrainedConfig = AutoConfig.for_model(size.family, **options)
    return config


def _read_pooler(encoder: Encoder, network: PreTrainedModel) -> dict[str, Tensor]:
    """Return the encoder's pooler with the network's names; nothing if the network has one or the encoder none."""
    if any("pooler." in name for name in network.base_model.state_dict()):
        return {}
    plain, missing = open_reported(encoder, AutoModel)
    return {
        f"{network.base_model_prefix}.{name}": tensor
        for name, tensor in plain.state_dict().items()
        if "pooler." in name and name not in missing
    }


def _describe_fresh_heads(start: Start, missing: frozenset[str]) -> list[str]:
    """Return notes on the heads whose weights are missing; a missing bias does not count, since it is zero anyway."""
    family = family_of(start.family)
    absent = {name for name in missing if name.endswith("weight")}
    notes = []
    if any(name.startswith(family.word_heads) for name in absent):
        notes.append(f"encoder {start.name!r} comes without a head for masked words: a fresh one is trained along")
    if family.order_head is not None and any(name.startswith(family.order_head) for name in absent):
        notes.append(f"encoder {start.name!r} comes without a head for the order of sentences: a fresh one is trained")
    return notes
