"""Finds and opens pretrained encoders: by alias, folder or hub name.

Local files come first. A hub name is looked up in the local cache and, if there is a network, on the hub. Weights
are safetensors, or are converted once (`standard_form.py`); no code from a file is ever run.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from functools import cache
from pathlib import Path
from typing import Any

from tokenizers import Tokenizer
from transformers import AutoModelForTokenClassification, AutoTokenizer, PretrainedConfig, PreTrainedModel

from linnet.errors import BadFile, BadSetting
from linnet.labels.label_set import LabelSet
from linnet.models.aliases import ALIASES
from linnet.models.checks.guard import refuse_unusable
from linnet.models.checks.weights import check_sizes
from linnet.models.embedded import embedded_folder
from linnet.models.families import OTHER, family_of_config, usable_positions
from linnet.models.heads import open_config, read_model_type
from linnet.models.minilm import minilm_folder
from linnet.models.model_folder import model_fingerprint
from linnet.models.published.casing import case_from_files, lower_cases, odd_case, set_lower_case
from linnet.models.published.hub import Located, locate_files
from linnet.models.published.standard_form import bring_into_standard_form
from linnet.models.quiet import UNUSABLE, quietly
from linnet.models.tokenizer_checks import check_tokenizer
from linnet.models.tokenizer_file import begin_words_with_a_space

__all__ = ["UNUSABLE", "Encoder", "dropouts_of", "find_encoder", "label_names", "most_positions",
           "open_network", "open_reported", "open_token_classifier", "quietly"]  # fmt: skip

SAYS_CASE = "tokenizer_config.json"
UNKNOWN = "\N{SNOWMAN}"
NO_ENCODER = "this folder cannot be opened as an encoder"
AS_PUBLISHED = "give a folder with config.json, model.safetensors and tokenizer.json, as they were published"


@dataclass(frozen=True)
class Encoder:
    """An encoder that was found: where it is, its configuration and its tokenizer."""

    name: str  # as the user wrote it
    source: str  # the folder that it is opened from
    config: PretrainedConfig
    tokenizer: Any  # a fast transformers tokenizer; its class differs by family
    published: str = ""  # the folder with the files as they were published; often the same
    hub_name: str | None = None  # None: a folder that the user named
    revision: str | None = None  # the commit, of a hub name
    notes: tuple[str, ...] = ()  # what was done to open it, and what is odd about it

    @property
    def backend(self) -> Tokenizer:
        """The tokenizer as the `tokenizers` library has it."""
        backend: Tokenizer = self.tokenizer.backend_tokenizer
        return backend

    def sentences(self) -> Iterator[str]:
        """Yield what a user should know about how it was opened."""
        yield from (f"encoder {self.name}: {note}" for note in self.notes)

    @property
    def place(self) -> str:
        """Where it comes from, for messages: its hub name, or the folder that the user named."""
        return self.hub_name or self.published or self.source

    @property
    def origin(self) -> dict[str, str]:
        """What a run folder records of it, so that the same weights can be found again."""
        found = {"name": self.hub_name, "revision": self.revision, "weights": model_fingerprint(Path(self.source))}
        return {key: value for key, value in found.items() if value is not None}

    @property
    def lower_case(self) -> bool:
        """Whether it lower-cases text."""
        return lower_cases(self.backend)


@cache
def find_encoder(name: str, lower_case: bool | None = None) -> Encoder:
    """Return the encoder of this name with its tokenizer, not yet its weights.

    Args:
        name: an alias, a folder or a hub name; `NAME@REVISION` names a branch or commit of the hub.
        lower_case: whether text is lower-cased; as its files say, or else its vocabulary, if not given.

    Raises:
        BadSetting: where there is none, saying how to provide it.
    """
    located = _locate(name)
    standard = bring_into_standard_form(located)
    source = str(standard.folder)
    with quietly(), refuse_unusable(standard.folder, NO_ENCODER, AS_PUBLISHED):
        case, source_of_case = case_from_files(standard.folder)
        config = open_config(source)
        tokenizer = _open_tokenizer(source, config, None if source_of_case == SAYS_CASE else case)
        check_sizes(standard.folder, config)  # before memory is reserved for them
        check_tokenizer(tokenizer, config, name=name, place=located.hub_name or str(located.folder))
        tokenizer.backend_tokenizer.encode(UNKNOWN)  # it raises where the vocabulary has nothing for such words
        begin_words_with_a_space(tokenizer.backend_tokenizer)
        notes = [*standard.notes, *odd_case(tokenizer.backend_tokenizer, lower_case)]
        if lower_case is not None:
            set_lower_case(tokenizer, lower_case)
    return Encoder(
        name=name,
        source=source,
        config=config,
        tokenizer=tokenizer,
        published=str(located.folder),
        hub_name=located.hub_name,
        revision=located.revision,
        notes=tuple(notes),
    )


def _locate(name: str) -> Located:
    """Return where the files of an encoder are."""
    alias = ALIASES.get(name.lower())
    if name.lower() == "minilm":
        return Located(minilm_folder())
    if alias is not None and alias.archive and not Path(alias.hub_name).is_dir():
        raise BadSetting(
            f"encoder {name!r} was not found: there is no folder {alias.hub_name} in the working directory",
            f"get {alias.archive}, unpack it here, or give the folder that holds its config.json",
        )
    try:
        return locate_files(alias.hub_name if alias else name)
    except BadSetting as error:
        if alias is None and embedded_folder(name) is not None:
            raise BadSetting(
                f"{name!r} is an embedded model: it was exported to annotate, and cannot be trained further",
                "begin with an encoder, e.g. `minilm`; `linnet list encoders` shows all",
            ) from None
        near = get_close_matches(name, ALIASES, n=1) if alias is None and "/" not in name else []
        if near:
            remedy = f"did you mean {near[0]!r}? `linnet list encoders` shows all aliases"
            raise BadSetting(f"encoder {name!r} was not found: {error.problem}", remedy) from None
        remedy = f"{error.remedy}; or take `minilm`, which needs no network"
        raise BadSetting(f"encoder {name!r} was not found: {error.problem}", remedy) from None


def _open_tokenizer(source: str, config: PretrainedConfig, lower_case: bool | None) -> Any:
    """Return the tokenizer of a folder; transformers lower-cases by default where `tokenizer_config.json` is silent."""
    case = {} if lower_case is None else {"do_lower_case": lower_case}
    return AutoTokenizer.from_pretrained(
        source, config=config, add_prefix_space=True, local_files_only=True, trust_remote_code=False, **case
    )


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
    if encoder.config.model_type != read_model_type(encoder.source):  # a two-layer model, which only Linnet knows
        options = {"config": open_config(encoder.source, **options)}
    with quietly(), refuse_unusable(Path(encoder.place), NO_ENCODER, AS_PUBLISHED):
        model, report = kind.from_pretrained(
            encoder.source,
            use_safetensors=True,
            dtype="float32",
            ignore_mismatched_sizes=True,  # a head for other labels is replaced by a fresh one
            local_files_only=True,
            trust_remote_code=False,
            output_loading_info=True,
            **options,
        )
    return model, _check_loaded(encoder, model, report)


def dropouts_of(
    config: PretrainedConfig, *, dropout: float | None = None, attention_dropout: float | None = None
) -> dict[str, float]:
    """Return the dropout settings of a configuration with their new values; those that are None stay as they are."""
    family = family_of_config(config)
    shares = ((dropout, family.dropouts), (attention_dropout, family.attention_dropouts))
    return {key: share for share, keys in shares if share is not None for key in keys if hasattr(config, key)}


def label_names(encoder: Encoder) -> tuple[str, ...]:
    """Return the names of the outputs that the encoder's own head has, in their order; `LABEL_0` where it says none."""
    by_number = {int(number): name for number, name in (encoder.config.id2label or {}).items()}
    return tuple(by_number[number] for number in sorted(by_number))


def most_positions(config: PretrainedConfig) -> int | None:
    """Return how many sub-words the encoder can read at once, where it says so."""
    return usable_positions(
        config.model_type,
        positions=getattr(config, "max_position_embeddings", None),
        padding=getattr(config, "pad_token_id", None),
    )


def _check_loaded(encoder: Encoder, model: PreTrainedModel, report: dict[str, Any]) -> frozenset[str]:
    """Refuse an encoder whose own weights are not all in its file, and return which weights of the head are new.

    Weights of layers that the configuration does not have, and values that are not finite, are refused as well.
    """
    mismatched = [each if isinstance(each, str) else each[0] for each in report["mismatched_keys"]]
    fresh = frozenset(report["missing_keys"]) | frozenset(mismatched)
    own = f"{model.base_model_prefix}." if hasattr(model, model.base_model_prefix) else ""
    absent = sorted(
        # the pooler is learned with the head, and many encoders come without it
        key
        for key in fresh
        if key.startswith(own) and "pooler." not in key
    )
    if absent:
        raise BadFile(
            f"{encoder.place}: {len(absent):,} weights of the encoder are missing or of another size, e.g. {absent[0]}",
            f"give weights that fit the configuration ({model.config.model_type})",
        )
    unused = sorted(key for key in report["unexpected_keys"] if OTHER.layer_of(key) is not None)
    if unused:
        raise BadFile(
            f"{encoder.place}: the weights have layers that the configuration does not have, e.g. {unused[0]}",
            "give the configuration that the weights were trained with",
        )
    broken = [name for name, tensor in model.named_parameters() if name not in fresh and not tensor.isfinite().all()]
    if broken:
        raise BadFile(
            f"{encoder.place}: {len(broken):,} weights hold numbers that are not finite, e.g. {broken[0]}",
            "copy the weights again, or give those of another encoder",
        )
    return fresh
