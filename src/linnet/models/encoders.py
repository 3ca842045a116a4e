"""Where does a pretrained encoder come from, and how is it opened?

An encoder is named by an alias, a folder, or a hub name. Local files are taken first; a hub name is looked up in the
local cache and then, if there is a network, on the hub. Only safetensors weights are opened.
"""

import logging
import re
import socket
from collections.abc import Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from functools import cache
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit
from urllib.request import getproxies

from huggingface_hub import constants
from huggingface_hub.errors import StrictDataclassError
from safetensors import SafetensorError
from tokenizers import Tokenizer, pre_tokenizers
from transformers import AutoConfig, AutoModelForTokenClassification, AutoTokenizer, PretrainedConfig, PreTrainedModel
from transformers import logging as transformers_logging

from linnet.errors import BadFile, BadSetting, LinnetError
from linnet.files import check_path
from linnet.labels.label_set import LabelSet
from linnet.models.aliases import ALIASES
from linnet.models.minilm import minilm_folder

__all__ = ["UNUSABLE", "Encoder", "counts_from_padding", "dropouts_of", "find_encoder", "label_names", "most_positions",
           "open_network", "open_reported", "open_token_classifier", "quietly"]  # fmt: skip

# how the families call their settings
DROPOUTS = (
    "hidden_dropout_prob",
    "classifier_dropout_prob",
    "classifier_dropout",
    "mlp_dropout",
    "embedding_dropout",
    "dropout",
)
ATTENTION_DROPOUTS = ("attention_probs_dropout_prob", "attention_dropout")
# whatever transformers and torch have against a configuration, a tokenizer or weights that are not as they should be
UNUSABLE = (
    ArithmeticError,
    AssertionError,
    AttributeError,
    ImportError,
    LookupError,
    OSError,
    RuntimeError,
    SafetensorError,
    StrictDataclassError,
    TypeError,
    ValueError,
)
LAYER = re.compile(r"(?:^|\.)layers?\.[0-9]+\.")


@dataclass(frozen=True)
class Encoder:
    """An encoder that was found: where it is, its configuration and its tokenizer."""

    name: str  # as the user wrote it
    source: str  # a folder or a hub name
    config: PretrainedConfig
    tokenizer: Any  # a fast transformers tokenizer; its class differs by family

    @property
    def backend(self) -> Tokenizer:
        """The tokenizer as the `tokenizers` library has it."""
        backend: Tokenizer = self.tokenizer.backend_tokenizer
        return backend


@cache
def find_encoder(name: str) -> Encoder:
    """Return the encoder of this name with its tokenizer, not yet its weights.

    Raises:
        BadSetting: where there is none, saying how to provide it.
    """
    source = str(minilm_folder()) if name == "minilm" else ALIASES[name].hub_name if name in ALIASES else name
    check_path(Path(source))
    with quietly():
        try:
            is_offline = not _may_fetch(source)
            options = {"local_files_only": is_offline, "trust_remote_code": False}
            config = AutoConfig.from_pretrained(source, **options)
            tokenizer = AutoTokenizer.from_pretrained(source, add_prefix_space=True, **options)
        except UNUSABLE as error:
            raise _not_found(name, source, error) from None
    if not getattr(tokenizer, "is_fast", False):
        raise BadSetting(
            f"encoder {name!r} has no fast tokenizer ({type(tokenizer).__name__})",
            "Linnet needs word positions, which slow tokenizers do not give; "
            "convert it once with `AutoTokenizer.from_pretrained(..., use_fast=True).save_pretrained(FOLDER)`",
        )
    if not tokenizer.get_vocab().keys() - set(tokenizer.all_special_tokens):
        raise BadFile(
            f"{source}: the tokenizer has no sub-words, only special ones: all text would be unknown",
            "put the tokenizer beside the encoder that it was pretrained with (tokenizer.json)",
        )
    _begin_words_with_a_space(tokenizer.backend_tokenizer)
    return Encoder(name, source, config, tokenizer)


def open_token_classifier(
    encoder: Encoder, label_set: LabelSet, *, dropout: float | None = None, attention_dropout: float | None = None
) -> PreTrainedModel:
    """Return the encoder's network with a fresh head for the tags, whose names stand in its configuration."""
    return open_network(
        encoder, AutoModelForTokenClassification, label_set.names, dropout=dropout, attention_dropout=attention_dropout
    )


def open_network(
    encoder: Encoder,
    kind: Any,  # one of the Auto classes, which have no common type
    names: Sequence[str] = (),
    *,
    dropout: float | None = None,
    attention_dropout: float | None = None,
) -> PreTrainedModel:
    """Return the encoder's network, with a fresh head where its kind has one.

    Args:
        encoder: what `find_encoder` found.
        kind: class of transformers that opens it.
        names: of the outputs, which stand in its configuration.
        dropout: of everything but attention; the encoder's own where it is None.
        attention_dropout: likewise, of attention.
    """
    return open_reported(encoder, kind, names, dropout=dropout, attention_dropout=attention_dropout)[0]


def open_reported(
    encoder: Encoder,
    kind: Any,
    names: Sequence[str] = (),
    *,
    dropout: float | None = None,
    attention_dropout: float | None = None,
) -> tuple[PreTrainedModel, frozenset[str]]:
    """Return what `open_network` returns, and the names of those weights that its file does not have."""
    options: dict[str, Any] = {}
    if names:
        by_name = {name: number for number, name in enumerate(names)}
        options = {"id2label": dict(enumerate(names)), "label2id": by_name, "num_labels": len(names)}
    options |= dropouts_of(encoder.config, dropout=dropout, attention_dropout=attention_dropout)
    with quietly():
        try:
            model, report = kind.from_pretrained(
                encoder.source,
                use_safetensors=True,
                dtype="float32",
                ignore_mismatched_sizes=True,  # a head for other labels is replaced by a fresh one
                local_files_only=not _may_fetch(encoder.source),
                trust_remote_code=False,
                output_loading_info=True,
                **options,
            )
        except UNUSABLE as error:
            raise _not_found(encoder.name, encoder.source, error) from None
    return model, _check_loaded(encoder, model, report)


def dropouts_of(
    config: PretrainedConfig, *, dropout: float | None = None, attention_dropout: float | None = None
) -> dict[str, float]:
    """Return the settings of a configuration that have to do with dropout, with their shares; None leaves its own."""
    shares = ((dropout, DROPOUTS), (attention_dropout, ATTENTION_DROPOUTS))
    return {key: share for share, keys in shares if share is not None for key in keys if hasattr(config, key)}


def label_names(encoder: Encoder) -> tuple[str, ...]:
    """Return the names of the outputs that the encoder's own head has, in their order; `LABEL_0` where it says none."""
    by_number = {int(number): name for number, name in (encoder.config.id2label or {}).items()}
    return tuple(by_number[number] for number in sorted(by_number))


def most_positions(config: PretrainedConfig) -> int | None:
    """Return how many sub-words the encoder can read at once, where it says so."""
    positions = getattr(config, "max_position_embeddings", None)
    if not isinstance(positions, int) or positions <= 0:
        return None
    counts_on = counts_from_padding(config.model_type) and config.pad_token_id is not None
    return positions - (config.pad_token_id + 1 if counts_on else 0)


def counts_from_padding(family: str) -> bool:
    """Is the first position that of padding plus one, as in RoBERTa and its kin?"""
    return "roberta" in family or family == "camembert"


class quietly:  # noqa: N801 — reads as what it does: `with quietly():`
    """Keeps transformers from printing reports and bars while it loads; what matters becomes an error of ours."""

    def __enter__(self) -> None:
        self.level = transformers_logging.get_verbosity()
        self.had_bars = transformers_logging.is_progress_bar_enabled()
        transformers_logging.set_verbosity(logging.ERROR)
        transformers_logging.disable_progress_bar()  # type: ignore[no-untyped-call]

    def __exit__(self, *_: object) -> None:
        transformers_logging.set_verbosity(self.level)
        if self.had_bars:
            transformers_logging.enable_progress_bar()  # type: ignore[no-untyped-call]


def _begin_words_with_a_space(tokenizer: Tokenizer) -> None:
    """Let a byte-level tokenizer read each word as it does inside a text; not all families' classes can be told."""
    first = tokenizer.pre_tokenizer
    if isinstance(first, pre_tokenizers.Sequence):
        first = first[0]
    if isinstance(first, pre_tokenizers.ByteLevel):
        first.add_prefix_space = True


def _check_loaded(encoder: Encoder, model: PreTrainedModel, report: dict[str, Any]) -> frozenset[str]:
    """Refuse an encoder whose own weights are not all taken from its file; only the head may be fresh. Return what is.

    Weights of layers that the configuration does not have, and numbers that are none, are refused as well.
    """
    mismatched = [each if isinstance(each, str) else each[0] for each in report["mismatched_keys"]]
    fresh = frozenset(report["missing_keys"]) | frozenset(mismatched)
    own = f"{model.base_model_prefix}." if hasattr(model, model.base_model_prefix) else ""
    absent = sorted(
        # what sums a text up is learned with the head, and many encoders come without it
        key
        for key in fresh
        if key.startswith(own) and "pooler." not in key
    )
    if absent:
        raise BadFile(
            f"{encoder.source}: {len(absent):,} weights of the encoder are missing or of another size, "
            f"e.g. {absent[0]}",
            f"give weights that fit the configuration ({model.config.model_type})",
        )
    unused = sorted(key for key in report["unexpected_keys"] if LAYER.search(key))
    if unused:
        raise BadFile(
            f"{encoder.source}: the weights have layers that the configuration does not have, e.g. {unused[0]}",
            "give the configuration that the weights were trained with",
        )
    broken = [name for name, tensor in model.named_parameters() if name not in fresh and not tensor.isfinite().all()]
    if broken:
        raise BadFile(
            f"{encoder.source}: {len(broken):,} weights hold numbers that are not finite, e.g. {broken[0]}",
            "copy the weights again, or give those of another encoder",
        )
    return fresh


def _may_fetch(source: str) -> bool:
    """Is the hub worth asking? Without a network its client would try for half a minute before it says so."""
    if Path(source).exists() or constants.HF_HUB_OFFLINE:
        return False
    if any(getproxies().values()):
        return True
    address = urlsplit(constants.ENDPOINT)
    try:
        with socket.create_connection((address.hostname or "", address.port or 443), timeout=3):
            return True
    except OSError:
        return False


def _not_found(name: str, source: str, error: Exception) -> LinnetError:
    if Path(source).exists():
        return BadFile(
            f"{source}: this folder cannot be opened as an encoder ({_said(error)})",
            "give a folder with config.json, model.safetensors and tokenizer.json",
        )
    known = ", ".join(ALIASES)
    near = get_close_matches(name, ALIASES, n=1) if name not in ALIASES else []
    if near:
        return BadSetting(
            f"encoder {name!r} was not found ({_said(error)})", f"did you mean {near[0]!r}? The aliases are {known}"
        )
    return BadSetting(
        f"encoder {name!r} was not found: {source!r} is no folder here, not in the local cache, "
        f"and could not be fetched from the hub ({_said(error)})",
        f"give a folder, connect once and run `hf download {source}`, set HF_HOME to a cache that has it, "
        f"or use an alias: {known}",
    )


def _said(error: Exception) -> str:
    return " ".join(str(error).split())[:200]
