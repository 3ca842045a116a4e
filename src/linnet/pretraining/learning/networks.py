"""Which network learns, fresh or pretrained, and how does it guess what is hidden?

A network is the encoder with the head of its own family for masked words, whose output layer is the table of
embeddings. Where the encoder's file has no such head, a fresh one is trained along, and that is said. The head
computes hidden places only: at 15 % masking, all places would cost seven times as much.
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
from linnet.models.encoders import (
    Encoder,
    counts_from_padding,
    dropouts_of,
    find_encoder,
    most_positions,
    open_reported,
    quietly,
)
from linnet.pretraining.learning.grow_vocabulary import use_vocabulary
from linnet.pretraining.learning.masking import subwords_of
from linnet.pretraining.learning.sizes import SIZES, Size, find_size
from linnet.settings.pretraining import PretrainSettings

__all__ = ["Start", "Started", "add_rows_in_place", "find_start", "guess", "guess_order", "has_segments", "read",
           "save_network", "start_network"]  # fmt: skip

# the modules through which a hidden place goes, one after the other
WORD_HEADS = {
    "albert": ("predictions",),
    "bert": ("cls.predictions",),
    "camembert": ("lm_head",),
    "deberta-v2": ("cls.predictions",),
    "electra": ("generator_predictions", "generator_lm_head"),
    "modernbert": ("head", "decoder"),
    "mpnet": ("lm_head",),
    "roberta": ("lm_head",),
    "xlm-roberta": ("lm_head",),
}
ORDER_HEADS = {"albert": "sop_classifier", "bert": "cls.seq_relationship"}  # of families that sum up pairs


@dataclass(frozen=True)
class Start:
    """What training begins with: a size, or a pretrained encoder; no network yet."""

    name: str
    family: str
    positions: int | None  # sub-words that it can read at once, where it says so
    size: Size | None
    encoder: Encoder | None
    source: Encoder | None  # whose vocabulary is read, or extended; None where one is learned for a fresh network

    @property
    def tokenizer(self) -> Tokenizer | None:
        """The vocabulary that is there already."""
        return self.source.backend if self.source else None


@dataclass(frozen=True)
class Started:
    """A network that can learn."""

    network: PreTrainedModel
    notes: tuple[str, ...]  # what the user should know of it
    dropouts: Mapping[str, Any]  # settings of what it began as; those of pretraining are not for fine-tuning
    pooler: Mapping[str, Tensor]  # what summed texts up in the encoder, where the network has no place for it


def find_start(settings: PretrainSettings) -> Start:
    """Return what training begins with.

    Raises:
        LinnetError: where there is no such encoder or size, or where a fresh network would have no vocabulary.
    """
    name, vocabulary = settings.encoder, settings.vocabulary
    if settings.fresh:
        size = find_size(name)
        if vocabulary.train is None and vocabulary.source is None:
            raise BadSetting(
                "a fresh encoder has no vocabulary",
                "learn one from the text (`--vocab 30000`), or take an encoder's (`vocabulary.source`)",
            )
        source = find_encoder(vocabulary.source) if vocabulary.source else None
        return Start(name, size.family, size.positions, size, None, source)
    if name in SIZES and not Path(name).exists():
        raise BadSetting(
            f"encoder {name!r} is a size, not a pretrained encoder",
            "begin with random weights (`--fresh`, and `--vocab 30000`), or name an encoder that was pretrained",
        )
    if vocabulary.source is not None:
        raise BadSetting("vocabulary.source is for fresh encoders; a pretrained one has its own", "leave it out")
    encoder = find_encoder(name)
    return Start(name, encoder.config.model_type, most_positions(encoder.config), None, encoder, encoder)


def start_network(start: Start, tokenizer: Tokenizer, settings: PretrainSettings) -> Started:
    """Return the network for a vocabulary; the caller has seeded.

    Args:
        start: what `find_start` found.
        tokenizer: the vocabulary that is used, which may have been learned or extended.
        settings: what is learned, and with how much dropout.
    """
    with_order = settings.masking.sentence_order
    kind: Any = AutoModelForPreTraining if with_order else AutoModelForMaskedLM
    optimiser = settings.optimiser
    if start.encoder is None:
        assert start.size is not None
        config = _config(start.size, tokenizer)
        dropouts = _dropouts(config)
        config.update(dropouts_of(config, dropout=optimiser.dropout, attention_dropout=optimiser.attention_dropout))
        with quietly():
            fresh: PreTrainedModel = kind.from_config(config)
        return Started(fresh, (), dropouts, {})
    network, missing = open_reported(
        start.encoder, kind, dropout=optimiser.dropout, attention_dropout=optimiser.attention_dropout
    )
    notes = list(_notes(start, missing))
    if settings.vocabulary.train is not None or settings.vocabulary.extend is not None:
        notes += use_vocabulary(network, tokenizer, start.encoder.backend)
    return Started(network, tuple(notes), _dropouts(start.encoder.config), _pooler(start.encoder, network))


def save_network(started: Started, folder: Path) -> None:
    """Write the network to be fine-tuned: with the dropout of what it began as, and what summed texts up there."""
    network = started.network
    network.config.update(dict(started.dropouts))
    network.save_pretrained(folder, state_dict={**network.state_dict(), **started.pooler})


def add_rows_in_place(network: PreTrainedModel) -> None:
    """Let the gradient of the rows that were read be added to that of the output layer, which is the same table.

    Without it each update fills a second table with zeros and adds it as a whole, a twentieth of the time of a small
    network. The sum is dense either way. Several processes must do without: their exchange would expect sparse sums.
    """
    table: Any = network.get_input_embeddings()
    if not distributed.is_initialized() and table.weight is network.get_output_embeddings().weight:  # type: ignore[no-untyped-call]
        table.sparse = True


def read(network: PreTrainedModel, **inputs: Tensor) -> tuple[Tensor, Tensor | None]:
    """Return what the encoder makes of each place (sequences, tokens, hidden), and of the whole, where it sums up."""
    if not has_segments(network.config):
        inputs.pop("token_type_ids", None)
    found: Any = network.base_model(**inputs)
    return found.last_hidden_state, getattr(found, "pooler_output", None)


def has_segments(config: PretrainedConfig) -> bool:
    """Does the network tell the second text of a pair from the first by segment types?"""
    return int(getattr(config, "type_vocab_size", 0)) >= 2


def guess(network: PreTrainedModel, hidden: Tensor, places: Tensor) -> Tensor:
    """Return the scores of all sub-words at these places (masked, vocabulary).

    Args:
        network: with its head.
        hidden: (sequences, tokens, hidden).
        places: (masked,), counted through all sequences end to end.
    """
    found = hidden.reshape(-1, hidden.shape[-1]).index_select(0, places)
    for name in WORD_HEADS[network.config.model_type]:
        found = attrgetter(name)(network)(found)
    return found


def guess_order(network: PreTrainedModel, summed_up: Tensor) -> Tensor:
    """Return the scores of `in order` and `exchanged` (sequences, 2)."""
    head: nn.Module = attrgetter(ORDER_HEADS[network.config.model_type])(network)
    scores: Tensor = head(summed_up)
    return scores


def _config(size: Size, tokenizer: Tokenizer) -> PretrainedConfig:
    subwords = subwords_of(tokenizer)
    special = subwords.special_ids
    pad_id = special["pad"]
    positions = size.positions + (pad_id + 1 if counts_from_padding(size.family) else 0)
    options: dict[str, Any] = {
        "hidden_dropout_prob": 0.1,
        **size.options,
        "vocab_size": len(subwords.is_special),  # up to the largest number: there may be gaps
        "max_position_embeddings": positions,
        "pad_token_id": pad_id,
        "bos_token_id": special["cls"],
        "eos_token_id": special["sep"],
    }
    config: PretrainedConfig = AutoConfig.for_model(size.family, **options)
    return config


def _dropouts(config: PretrainedConfig) -> dict[str, Any]:
    """Return the settings of dropout, whatever the family calls them."""
    return {key: value for key, value in config.to_dict().items() if "dropout" in key}


def _pooler(encoder: Encoder, network: PreTrainedModel) -> dict[str, Tensor]:
    """Return the encoder's pooler under the network's names, unless the network has one or the encoder none."""
    if any("pooler." in name for name in network.base_model.state_dict()):
        return {}
    plain, missing = open_reported(encoder, AutoModel)
    return {
        f"{network.base_model_prefix}.{name}": tensor
        for name, tensor in plain.state_dict().items()
        if "pooler." in name and name not in missing
    }


def _notes(start: Start, missing: frozenset[str]) -> list[str]:
    """Return which heads are fresh, told by their weights, since some files lack a bias that is zero anyway."""
    absent = {name for name in missing if name.endswith("weight")}
    notes = []
    if any(name.startswith(WORD_HEADS[start.family]) for name in absent):
        notes.append(f"encoder {start.name!r} comes without a head for masked words: a fresh one is trained along")
    if start.family in ORDER_HEADS and any(name.startswith(ORDER_HEADS[start.family]) for name in absent):
        notes.append(f"encoder {start.name!r} comes without a head for the order of sentences: a fresh one is trained")
    return notes
