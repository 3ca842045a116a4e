"""Windows: no longer than the encoder reads, and long enough for a sub-word."""

from pathlib import Path

import pytest

from linnet.errors import BadFile
from linnet.models.checks.window import check_capacity, check_window

ROBERTA = {"model_type": "roberta", "max_position_embeddings": 66, "pad_token_id": 1}


def test_a_window_that_the_encoder_cannot_read_is_refused() -> None:
    check_window(64, 32, ROBERTA, Path("linnet.json"))
    check_window(9999, None, {"model_type": "bert"}, Path("linnet.json"))

    with pytest.raises(BadFile, match="'max_length' is 65, but the encoder reads at most 64"):
        check_window(65, None, ROBERTA, Path("linnet.json"))


def test_an_overlap_of_more_than_half_a_window_is_refused() -> None:
    with pytest.raises(BadFile, match="'overlap' is 33, which is more than half"):
        check_window(64, 33, ROBERTA, Path("linnet.json"))


def test_a_window_without_room_for_text_is_refused() -> None:
    check_capacity(3, 2, Path("linnet.json"))

    with pytest.raises(BadFile, match="'max_length' is 2, but the tokenizer adds 2 special tokens"):
        check_capacity(2, 2, Path("linnet.json"))
    with pytest.raises(BadFile, match="max_length"):
        check_capacity(4, 3, Path("linnet.json"), least=2)
