"""Model folders: what Linnet wrote is read back, and other people's folders are understood."""

import json
from pathlib import Path
from typing import Any

import pytest

from linnet.errors import BadFile
from linnet.models.heads import TWO_LAYER_TYPE
from linnet.models.model_folder import ModelFacts, check_tokenizer_file, read_facts, tags_of, write_facts

TAGS = ("O", "B-X", "I-X")


def config(folder: Path, tags: tuple[str, ...], **more: Any) -> Path:
    names = {str(number): tag for number, tag in enumerate(tags)}
    (folder / "config.json").write_text(json.dumps({"id2label": names, **more}), encoding="utf-8")
    return folder


def test_what_is_written_is_read_back(tmp_path: Path) -> None:
    facts = ModelFacts("ner", "iob2", TAGS, 64, overlap=8, decoding="crf", seed=3, fingerprints={"train": "ab"})

    write_facts(config(tmp_path, TAGS), facts)

    assert read_facts(tmp_path) == facts
    assert read_facts(tmp_path).label_set.names == TAGS


@pytest.mark.parametrize(
    ("tags", "tagging"),
    [
        (("I-X", "O"), "io"),
        (("O", "B-X", "I-X"), "iob2"),
        (("B-X", "E-X", "I-X", "O", "S-X"), "iobes"),
        (("B-X", "I-X", "L-X", "O", "U-X"), "bilou"),
    ],
)
def test_the_tagging_of_a_strange_folder_is_found_from_its_tags(
    tmp_path: Path, tags: tuple[str, ...], tagging: str
) -> None:
    facts = read_facts(config(tmp_path, tags))

    assert (facts.tagging, facts.tags, facts.decoding) == (tagging, tags, "argmax")


def test_eleven_tags_keep_the_order_of_their_numbers(tmp_path: Path) -> None:
    tags = ("O", *(f"{prefix}-{label}" for label in "VWXYZ" for prefix in "BI"))

    assert read_facts(config(tmp_path, tags)).tags == tags


@pytest.mark.parametrize(
    ("more", "length"),
    [
        ({}, 256),
        ({"max_position_embeddings": 512}, 256),
        ({"max_position_embeddings": 64}, 64),
        ({"max_position_embeddings": 66, "model_type": "xlm-roberta", "pad_token_id": 1}, 64),
        ({"max_position_embeddings": 66, "model_type": "camembert", "pad_token_id": 1}, 64),
        ({"max_position_embeddings": 66, "model_type": "camembert"}, 64),
        ({"max_position_embeddings": 514, "model_type": "camembert", "pad_token_id": 1}, 256),
        ({"max_position_embeddings": 66, "model_type": TWO_LAYER_TYPE, "encoder_model_type": "roberta"}, 64),
        ({"max_position_embeddings": -1}, 256),
    ],
)
def test_a_strange_folder_gets_a_window_that_its_encoder_can_read(
    tmp_path: Path, more: dict[str, Any], length: int
) -> None:
    assert read_facts(config(tmp_path, TAGS, **more)).max_length == length


@pytest.mark.parametrize("tags", [("LABEL_0", "LABEL_1"), ("B-X", "I-X"), ("O",), ()])
def test_labels_that_are_no_tags_are_refused(tmp_path: Path, tags: tuple[str, ...]) -> None:
    with pytest.raises(BadFile, match="token-classification model"):
        read_facts(config(tmp_path, tags))


def test_facts_that_contradict_the_configuration_are_refused(tmp_path: Path) -> None:
    write_facts(config(tmp_path, TAGS), ModelFacts("ner", "iob2", ("O", "I-X", "B-X"), 64))

    with pytest.raises(BadFile, match="name different tags"):
        read_facts(tmp_path)


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("{", "broken JSON"),
        ("[]", "found list, expected an object"),
        ('{"task": "ner"}', "it does not say tagging, tags, max_length"),
        ('{"task": "ner", "tagging": "iob2", "tags": null, "max_length": 9}', "'tags' is None, expected list"),
        ('{"task": "ner", "tagging": "iob2", "tags": ["O"], "max_length": "9"}', "'max_length' is '9', expected int"),
    ],
)
def test_broken_facts_are_refused(tmp_path: Path, content: str, message: str) -> None:
    (config(tmp_path, TAGS) / "linnet.json").write_text(content, encoding="utf-8")

    with pytest.raises(BadFile, match=message):
        read_facts(tmp_path)


def test_keys_of_a_later_version_are_passed_over(tmp_path: Path) -> None:
    content = {"task": "ner", "tagging": "iob2", "tags": TAGS, "max_length": 9, "invented": 1}
    (config(tmp_path, TAGS) / "linnet.json").write_text(json.dumps(content), encoding="utf-8")

    assert read_facts(tmp_path).max_length == 9


def test_a_folder_that_is_not_there_or_no_model_is_refused(tmp_path: Path) -> None:
    with pytest.raises(BadFile, match="no such model folder"):
        read_facts(tmp_path / "none")
    with pytest.raises(BadFile, match="is no model folder"):
        read_facts(tmp_path)


def test_another_tokenizer_than_the_one_that_was_saved_is_refused(tmp_path: Path) -> None:
    (tmp_path / "tokenizer.json").write_text("{}", encoding="utf-8")
    write_facts(config(tmp_path, TAGS), ModelFacts("ner", "iob2", TAGS, 64))
    facts = read_facts(tmp_path)
    check_tokenizer_file(tmp_path, facts)

    (tmp_path / "tokenizer.json").write_text("{ }", encoding="utf-8")

    with pytest.raises(BadFile, match=r"tokenizer\.json: this is not the tokenizer that was saved"):
        check_tokenizer_file(tmp_path, facts)
    check_tokenizer_file(tmp_path, ModelFacts("ner", "iob2", TAGS, 64))  # an older folder does not say


def test_an_output_with_a_number_of_thousands_of_digits_has_no_proper_name() -> None:
    assert tags_of({"id2label": {"0": "O", "1": "B-X"}}) == ("O", "B-X")
    assert tags_of({"id2label": {"0": "O", "9" * 5000: "B-X"}}) == ()
