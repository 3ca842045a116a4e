"""Reads and writes `linnet.json`, which says what a model folder holds.

The folder is an ordinary Hugging Face model (safetensors, tokenizer, `config.json` with the tags' names). Beside it
`linnet.json` has what Linnet needs to know: task, tagging, window, versions and the data that it was trained on. A
folder without `linnet.json` is read as well; its tagging is found from its tags. An exported folder has `model.onnx` in
place of the safetensors, and `linnet.json` says which file that is and what it was made from.
"""

import hashlib
import json
import re
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from linnet.errors import BadFile
from linnet.labels.label_set import LabelSet
from linnet.labels.tagging import OUTSIDE, detect_tagging, split_tag
from linnet.models.checks import fields
from linnet.models.checks.fields import check_fields, read_object
from linnet.models.families import encoder_type, usable_positions
from linnet.models.published.relabelling import has_bare_tags, has_no_names
from linnet.models.tokenizer_file import TOKENIZER
from linnet.storage.files import new_file

__all__ = [
    "FACTS",
    "NETWORK",
    "TASK_OF_OTHERS",
    "ModelFacts",
    "OnnxFacts",
    "check_tags",
    "check_tokenizer_file",
    "file_fingerprint",
    "model_fingerprint",
    "read_config",
    "read_facts",
    "tags_of",
    "write_facts",
]  # fmt: skip

FACTS = "linnet.json"
OUTPUT_NUMBER = re.compile("[0-9]{1,9}")  # in `id2label`
CONFIG = "config.json"
NETWORK = "model.onnx"  # of an exported model
WEIGHTS = ("*.safetensors", "*.onnx")
LEFT_OUT_IF_EMPTY = ("encoder_source", "tokenizer", "text", "onnx", "confidence", "calibration", "same_abbreviations",
                     "release", "folds")  # fmt: skip
TASK_OF_OTHERS = "ner"  # published token-classification models, which have no `linnet.json`
DEFAULT_MAX_LENGTH = 256  # for folders of others that do not say


@dataclass(frozen=True)
class OnnxFacts:
    """The part of `linnet.json` about an exported network."""

    int8: bool
    opset: int
    model_fingerprint: str  # of the model it was made from
    file_fingerprint: str  # of `model.onnx`
    linnet: str  # the version that wrote it


@dataclass(frozen=True)
class ModelFacts:
    """The content of `linnet.json`."""

    task: str
    tagging: str
    tags: tuple[str, ...]  # in the order of the network's outputs
    max_length: int
    overlap: int | None = None
    head: str = "linear"  # or "two-layer", which only Linnet opens
    decoding: str = "valid"  # "valid": the best row that the tagging allows; "crf"; "argmax"
    encoder: str = ""
    loss: str = ""
    scheme: str = ""
    seed: int | None = None
    corpus: str = ""
    encoder_source: Mapping[str, str] = field(default_factory=dict)  # hub name, revision and hash of its weights
    fingerprints: Mapping[str, str] = field(default_factory=dict)
    versions: Mapping[str, str] = field(default_factory=dict)
    tokenizer: str = ""  # SHA-256 of `tokenizer.json`; of folders that older versions wrote it is not known
    text: Mapping[str, Any] = field(default_factory=dict)  # of models about whole texts: shape, settings, thresholds
    onnx: OnnxFacts | None = None  # of an exported folder
    confidence: str = ""  # "marginals": scores of mentions are of the marginals of a CRF; else of each word alone
    calibration: Mapping[str, Any] = field(default_factory=dict)  # map from scores to confidence, fitted on devel
    same_abbreviations: bool = False  # of mentions: abbreviations get the label of their long forms, and vice versa
    release: Mapping[str, Any] = field(default_factory=dict)  # of an embedded model: name, version, digests, scores
    folds: tuple[str, ...] = ()  # of a folder that is no model: where the models of its folds are

    @property
    def label_set(self) -> LabelSet:
        """The tags in the order of the network's outputs."""
        return LabelSet(tuple(self.tags))


def write_facts(folder: Path, facts: ModelFacts) -> None:
    """Write `linnet.json`, with the hash of the tokenizer that is in the folder."""
    values = asdict(facts)
    values["tokenizer"] = file_fingerprint(folder / TOKENIZER) if (folder / TOKENIZER).is_file() else ""
    for key in LEFT_OUT_IF_EMPTY:
        if not values[key]:
            del values[key]
    with new_file(folder / FACTS) as file:
        json.dump(values, file, indent=2, ensure_ascii=False)
        file.write("\n")


def read_facts(folder: Path, *, of_folds: bool = False) -> ModelFacts:
    """Return the facts of a model folder, from `linnet.json` or, without one, from `config.json`.

    Args:
        folder: of the model.
        of_folds: for a folder with the runs of folds instead of a model, return what the folds have in common.

    Raises:
        BadFile: where there is no model, or the files contradict each other.
    """
    if not folder.is_dir():
        raise BadFile(f"{folder}: there is no such model folder", "give the folder that `linnet train` wrote")
    common = _facts_of_folds(folder)
    if common is not None and not of_folds:
        raise BadFile(
            f"{folder}: this is no model, it holds those of {len(common.folds)} folds",
            f"give one of them: {', '.join(str(folder / name) for name in common.folds)}",
        )
    if common is not None:
        return common
    if (folder / "recipe.toml").is_file() and not (folder / "config.json").is_file():
        raise BadFile(
            f"{folder}: the training has not finished, so there is no model yet",
            "wait for it, or go on with it: the command that started it, with `--resume`",
        )
    config = read_config(folder)
    tags = tags_of(config)
    if (folder / FACTS).exists():
        facts = _facts_from(read_object(folder / FACTS, folder), folder)
        if facts.tags and facts.tags != tags:
            raise BadFile(
                f"{folder}: linnet.json and config.json name different tags", "save the model again, they must agree"
            )
        return facts
    check_tags(tags, folder)
    openings = {(OUTSIDE, tag): 1 for tag in tags if split_tag(tag)[0] not in ("", "I")}
    tagging = detect_tagging(openings) if openings else "io"
    return ModelFacts(
        task=TASK_OF_OTHERS, tagging=tagging, tags=tags, max_length=_max_length(config), decoding="argmax"
    )


def read_config(folder: Path) -> dict[str, Any]:
    """Return what `config.json` says, its fields checked."""
    config = read_object(folder / CONFIG, folder)
    check_fields(config, fields.CONFIG, folder / CONFIG)
    return config


def model_fingerprint(folder: Path) -> str:
    """Return a digest of the weights, so that predictions can name the model that they come from."""
    if not folder.is_dir():
        raise BadFile(f"{folder}: there is no such model folder", "give the folder that `linnet train` wrote")
    digest = hashlib.sha256()
    for path in sorted(each for suffix in WEIGHTS for each in folder.glob(suffix)):
        digest.update(bytes.fromhex(file_fingerprint(path)))
    return digest.hexdigest()


def check_tokenizer_file(folder: Path, facts: ModelFacts) -> None:
    """Refuse another tokenizer than the one that was saved with the model: the same text would get other answers."""
    if facts.tokenizer and file_fingerprint(folder / TOKENIZER) != facts.tokenizer:
        raise BadFile(
            f"{folder / TOKENIZER}: this is not the tokenizer that was saved with the model (its SHA-256 is not the "
            f"'tokenizer' of {FACTS})",
            f"copy the model again; if you changed the tokenizer on purpose, remove 'tokenizer' from {FACTS}",
        )


def file_fingerprint(path: Path) -> str:
    """Return the SHA-256 of a file."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _facts_of_folds(folder: Path) -> ModelFacts | None:
    """Return the facts of a folder with the runs of cross-validation folds; None for any other folder."""
    if not (folder / FACTS).exists():
        return None
    found = read_object(folder / FACTS, folder)
    return _facts_from(found, folder) if found.get("folds") else None


def tags_of(config: Mapping[str, object]) -> tuple[str, ...]:
    """Return the names of the network's outputs in their order; none where the configuration has no proper ones."""
    names = config.get("id2label")
    if not isinstance(names, dict) or not all(OUTPUT_NUMBER.fullmatch(str(number)) for number in names):
        return ()
    return tuple(str(names[number]) for number in sorted(names, key=int))


def _facts_from(found: Mapping[str, object], folder: Path) -> ModelFacts:
    known: dict[str, Any] = {key: value for key, value in found.items() if key in ModelFacts.__dataclass_fields__}
    check_fields(known, fields.FACTS, folder / FACTS)
    onnx = _onnx_facts(known.get("onnx"), folder)
    tuples = {key: tuple(known.get(key, ())) for key in ("tags", "folds")}
    return ModelFacts(**{**known, **tuples, "onnx": onnx})


def _onnx_facts(found: object, folder: Path) -> OnnxFacts | None:
    if found is None:
        return None
    expected = OnnxFacts.__dataclass_fields__.keys()
    if not isinstance(found, dict) or not expected <= found.keys():
        raise BadFile(
            f"{folder / FACTS}: 'onnx' does not say {', '.join(expected)}", "export the model again: `linnet export`"
        )
    check_fields(found, fields.ONNX, folder / FACTS, remedy="export the model again: `linnet export`")
    return OnnxFacts(**{name: found[name] for name in expected})


def check_tags(tags: tuple[str, ...], folder: Path) -> None:
    """Refuse outputs that are not tags of entity types, and say what to do about it."""
    if has_no_names(tags):
        raise BadFile(
            f"{folder}: its outputs have no names ({', '.join(tags) or 'none in config.json'})",
            "give a token-classification model, and name its outputs in a file, in their order: `--labels labels.txt`",
        )
    if has_bare_tags(tags):
        raise BadFile(
            f"{folder}: its tags {', '.join(tags)} do not say which entity type they mark",
            "name it: `--label Disease`",
        )
    try:
        prefixes = [split_tag(tag)[0] for tag in tags]
    except ValueError as error:
        raise BadFile(
            f"{folder}: {error} is not a tag, so this is no model for mentions", "give a token-classification model"
        ) from None
    if OUTSIDE not in tags or len(prefixes) < 2:
        raise BadFile(f"{folder}: its labels {', '.join(tags)} are no tags", "give a token-classification model")


def _max_length(config: Mapping[str, object]) -> int:
    """Return a window that the encoder can read."""
    positions = usable_positions(
        encoder_type(config),
        positions=config.get("max_position_embeddings"),
        padding=config.get("pad_token_id"),
    )
    return DEFAULT_MAX_LENGTH if positions is None else min(DEFAULT_MAX_LENGTH, positions)
