"""Fields of JSON files: every wrong value is refused with the file and the field, issue 27."""

import json
import math
from pathlib import Path
from typing import Any

import pytest

from linnet.errors import BadFile
from linnet.models.checks.fields import CONFIG, FACTS, ONNX, Field, check_fields, read_object

GOOD: dict[str, Any] = {"task": "ner", "tagging": "iob2", "tags": ["O", "B-X"], "max_length": 64, "overlap": None}


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("task", 3),
        ("tags", "O"),
        ("tags", ["O", 1]),
        ("tags", ["O", "O"]),
        ("max_length", -1),
        ("max_length", 0),
        ("max_length", True),
        ("max_length", 64.0),
        ("max_length", None),
        ("max_length", 10**30),
        ("overlap", -1),
        ("decoding", "x"),
        ("head", ""),
        ("fingerprints", {"train": 1}),
        ("seed", math.nan),
    ],
)
def test_a_wrong_value_is_refused_with_file_and_field(field: str, value: object) -> None:
    check_fields(GOOD, FACTS, Path("m/linnet.json"))

    with pytest.raises(BadFile, match=rf"^m/linnet\.json: '{field}' is .*, expected"):
        check_fields({**GOOD, field: value}, FACTS, Path("m/linnet.json"))


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("hidden_size", 0),
        ("num_hidden_layers", 10**9),  # transformers would build layers for hours
        ("num_hidden_layers", 2.0),
        ("layer_norm_eps", -1.0),
        ("layer_norm_eps", 0.5),
        ("layer_norm_eps", math.inf),
        ("hidden_dropout_prob", 2),
        ("is_decoder", True),
        ("id2label", []),
    ],
)
def test_a_configuration_without_sense_is_refused(field: str, value: object) -> None:
    with pytest.raises(BadFile, match=rf"config\.json: '{field}' is"):
        check_fields({field: value}, CONFIG, Path("config.json"))


def test_what_is_missing_is_named() -> None:
    with pytest.raises(BadFile, match="it does not say tagging, tags, max_length"):
        check_fields({"task": "ner"}, FACTS, Path("linnet.json"))


def test_what_published_models_say_is_accepted() -> None:
    found = {"max_position_embeddings": -1, "classifier_dropout": None, "type_vocab_size": 0, "hidden_dropout_prob": 0}

    check_fields(found, CONFIG, Path("config.json"))
    check_fields({"int8": False, "opset": 20}, ONNX, Path("linnet.json"))


def test_a_long_value_is_shortened_in_the_message() -> None:
    with pytest.raises(BadFile) as refused:
        check_fields({"a": "x" * 9999}, {"a": Field(kind=int)}, Path("f"))

    assert len(refused.value.problem) < 120


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b'{"a": 1, "b": {"c": 1, "c": 2}}', "'c' stands twice"),
        (b"[" * 100_000, "broken JSON"),
        (b'{"a": ' + b"9" * 5000 + b"}", "broken JSON"),
        (b'{"a": "\xff"}', "broken JSON"),
        (json.dumps({"a": 1}).encode("utf-16"), "broken JSON"),
        (b"", "broken JSON"),
        (b"null", "found NoneType, expected an object"),
    ],
)
def test_a_file_that_is_no_plain_object_is_refused(tmp_path: Path, content: bytes, message: str) -> None:
    path = tmp_path / "linnet.json"
    path.write_bytes(content)

    with pytest.raises(BadFile, match=rf"linnet\.json: .*{message}|linnet\.json: {message}"):
        read_object(path, tmp_path)


def test_a_folder_in_place_of_the_file_is_refused(tmp_path: Path) -> None:
    with pytest.raises(BadFile, match="cannot be read"):
        read_object(tmp_path, tmp_path)
