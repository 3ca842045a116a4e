from pathlib import Path

import pytest

from linnet.errors import BadFile
from linnet.models.encoders import find_encoder
from linnet.tasks.ner.predictor import load
from tests.models.published.look_alikes import encoder_copy, tagger


def add_words(folder: Path, number: int) -> None:
    from tokenizers import Tokenizer

    tokenizer = Tokenizer.from_file(str(folder / "tokenizer.json"))
    tokenizer.add_tokens([f"word{n}" for n in range(number)])
    tokenizer.save(str(folder / "tokenizer.json"))


def test_sub_words_without_an_embedding_are_refused_before_a_training(tmp_path: Path) -> None:
    folder = encoder_copy(tmp_path / "encoder")
    add_words(folder, 500)

    with pytest.raises(BadFile, match="has embeddings for"):
        find_encoder(str(folder))


def test_a_tagger_with_sub_words_without_an_embedding_is_refused(tmp_path: Path) -> None:
    folder = tagger(tmp_path / "tagger")
    add_words(folder, 500)

    with pytest.raises(BadFile, match="more sub-words than the network has embeddings"):
        load(folder)
