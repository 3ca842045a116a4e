"""Fields of `linnet.json` and `config.json`: their types and ranges, and a strict reader of such files.

All that is said about single fields stands in the tables below. What the files say about each other and about the
weights is checked where they are opened.
"""

import json
import math
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from types import UnionType
from typing import Any

from linnet.errors import BadFile

__all__ = ["CONFIG", "FACTS", "ONNX", "Field", "check_fields", "read_object"]

AGAIN = "train or copy the model again"
MOST_LAYERS = 1000
MOST_ROWS = 10**8  # of a table of embeddings
MOST_SHOWN = 60  # characters of a wrong value in a message


@dataclass(frozen=True, kw_only=True)
class Field:
    """Which values a field may have."""

    kind: type | UnionType
    least: float | None = None
    most: float | None = None
    choices: tuple[object, ...] = ()
    items: type | None = None  # of the entries of a list, or of the values of an object
    is_needed: bool = False
    is_unique: bool = False  # whether no entry of a list may occur twice

    def accepts(self, value: object) -> bool:
        """Return whether a value is of the type and in the range of the field."""
        if isinstance(value, bool) and self.kind not in (bool, bool | None):
            return False  # for Python, true is a number
        if not isinstance(value, self.kind):
            return False
        if self.choices and value not in self.choices:
            return False
        if isinstance(value, int | float) and not self._is_in_range(value):
            return False
        return self._has_right_items(value)

    def _is_in_range(self, value: float) -> bool:
        is_finite = isinstance(value, int) or math.isfinite(value)
        return is_finite and (self.least is None or value >= self.least) and (self.most is None or value <= self.most)

    def _has_right_items(self, value: object) -> bool:
        if self.items is None or not isinstance(value, list | dict):
            return True
        items = list(value.values()) if isinstance(value, dict) else value
        is_right = all(isinstance(each, self.items) for each in items)
        return is_right and not (self.is_unique and len(set(items)) < len(items))

    def __str__(self) -> str:
        if self.choices:
            return " or ".join(json.dumps(each) for each in self.choices)
        name = getattr(self.kind, "__name__", str(self.kind))
        limits = (f"{word} {limit:g}" for word, limit in (("from", self.least), ("to", self.most)) if limit is not None)
        of_items = f"of {'different ' * self.is_unique}{self.items.__name__}" if self.items is not None else ""
        return " ".join(filter(None, (name, of_items, *limits)))


SIZE = Field(kind=int, least=1, most=MOST_ROWS)
LAYERS = Field(kind=int, least=1, most=MOST_LAYERS)
EPSILON = Field(kind=float, least=1e-30, most=1e-3)  # keeps a layer's norm from a division by zero
SHARE = Field(kind=int | float | None, least=0, most=1)
NAMES = Field(kind=dict, items=str)

FACTS: Mapping[str, Field] = {
    "task": Field(kind=str, is_needed=True),
    "tagging": Field(kind=str, is_needed=True),
    "tags": Field(kind=list, items=str, is_needed=True, is_unique=True),
    "max_length": Field(kind=int, least=1, most=MOST_ROWS, is_needed=True),
    "overlap": Field(kind=int | None, least=0),
    "head": Field(kind=str, choices=("linear", "two-layer")),
    "decoding": Field(kind=str, choices=("valid", "argmax", "crf", "")),
    "encoder": Field(kind=str),
    "loss": Field(kind=str),
    "scheme": Field(kind=str),
    "seed": Field(kind=int | None),
    "corpus": Field(kind=str),
    "encoder_source": NAMES,
    "fingerprints": NAMES,
    "versions": NAMES,
    "tokenizer": Field(kind=str),
    "text": Field(kind=dict),
    "confidence": Field(kind=str, choices=("", "marginals")),
    "calibration": Field(kind=dict),
    "same_abbreviations": Field(kind=bool),
    "release": Field(kind=dict),
    "folds": Field(kind=list, items=str),
}  # of `linnet.json`

ONNX: Mapping[str, Field] = {
    "int8": Field(kind=bool),
    "opset": Field(kind=int, least=1),
    "model_fingerprint": Field(kind=str),
    "file_fingerprint": Field(kind=str),
    "linnet": Field(kind=str),
}  # of `onnx` in `linnet.json`

# of `config.json`, where a family has them; transformers itself checks the types of all others
CONFIG: Mapping[str, Field] = {
    **dict.fromkeys(
        ("hidden_size", "embedding_size", "intermediate_size", "vocab_size", "num_attention_heads", "dim",
         "hidden_dim", "n_heads"), SIZE,
    ),
    **dict.fromkeys(("num_hidden_layers", "n_layers", "num_hidden_groups", "inner_group_num"), LAYERS),
    **dict.fromkeys(("layer_norm_eps", "norm_eps"), EPSILON),
    **dict.fromkeys(
        ("hidden_dropout_prob", "attention_probs_dropout_prob", "classifier_dropout", "classifier_dropout_prob",
         "attention_dropout", "mlp_dropout", "embedding_dropout", "dropout"), SHARE,
    ),
    "max_position_embeddings": Field(kind=int | None, least=-1, most=MOST_ROWS),  # -1: no limit
    "type_vocab_size": Field(kind=int, least=0, most=MOST_ROWS),
    "chunk_size_feed_forward": Field(kind=int, choices=(0,)),  # another one fails with other lengths of text
    "is_decoder": Field(kind=bool, choices=(False,)),  # words would not see what follows them
    "id2label": Field(kind=dict | None),
    "model_type": Field(kind=str),
}  # fmt: skip


def check_fields(values: Mapping[str, Any], fields: Mapping[str, Field], place: Path, *, remedy: str = AGAIN) -> None:
    """Refuse the first value that a field may not have.

    Args:
        values: of a file, or of an object in it.
        fields: by name; what else stands in the file is not looked at.
        place: the file.
        remedy: what to do about it.

    Raises:
        BadFile: with file, field and value.
    """
    missing = [name for name, field in fields.items() if field.is_needed and name not in values]
    if missing:
        raise BadFile(f"{place}: it does not say {', '.join(missing)}", remedy)
    for name, field in fields.items():
        if name in values and not field.accepts(values[name]):
            raise BadFile(f"{place}: {name!r} is {_shorten(values[name])}, expected {field}", remedy)


def read_object(path: Path, folder: Path) -> dict[str, Any]:
    """Return the object that a JSON file of a model folder holds; no name may stand twice in one object.

    Raises:
        BadFile: where it cannot be read, is no JSON, is nested too deeply, or has a name twice.
    """
    try:
        found = json.loads(path.read_bytes().decode("utf-8"), object_pairs_hook=_unique)
    except OSError as error:
        raise BadFile(
            f"{path}: cannot be read ({error.strerror}), so {folder} is no model folder",
            "give the folder that `linnet train` wrote",
        ) from None
    except (ValueError, RecursionError) as error:
        raise BadFile(f"{path}: broken JSON ({error})", f"the file may be cut off; {AGAIN}") from None
    if not isinstance(found, dict):
        raise BadFile(f"{path}: found {type(found).__name__}, expected an object", AGAIN)
    return found


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        names = [name for name, _ in pairs]
        twice = next(name for name in names if names.count(name) > 1)
        raise ValueError(f"{twice!r} stands twice in an object")
    return found


def _shorten(value: object) -> str:
    try:
        shown = repr(value)
    except ValueError:  # a number with more digits than Python writes
        shown = "a number with too many digits"
    return shown if len(shown) <= MOST_SHOWN else f"{shown[:MOST_SHOWN]} ..."
