"""Files beside the network: the tokenizer, and the transitions of a CRF."""

import shutil
from pathlib import Path

import pytest
import torch
from safetensors.torch import save_file
from tokenizers import Tokenizer, models, pre_tokenizers

from linnet.errors import BadFile
from linnet.models.tokenizer_file import begin_words_with_a_space, open_tokenizer, read_transitions
from tests import tiny


def test_a_folder_without_a_fast_tokenizer_is_refused(tmp_path: Path) -> None:
    folder = Path(shutil.copytree(tiny.trained(), tmp_path / "model"))
    (folder / "tokenizer.json").write_text("{", encoding="utf-8")

    with pytest.raises(BadFile, match=r"tokenizer\.json: broken"):
        open_tokenizer(folder)
    (folder / "tokenizer.json").unlink()
    with pytest.raises(BadFile, match=r"tokenizer\.json: there is no such file"):
        open_tokenizer(folder)


@pytest.mark.parametrize("is_in_sequence", [True, False])
def test_a_byte_level_tokenizer_reads_words_as_inside_a_text(is_in_sequence: bool) -> None:
    tokenizer = Tokenizer(models.BPE())
    bytes_of_words = pre_tokenizers.ByteLevel(add_prefix_space=False)
    tokenizer.pre_tokenizer = pre_tokenizers.Sequence([bytes_of_words]) if is_in_sequence else bytes_of_words

    begin_words_with_a_space(tokenizer)

    assert tokenizer.pre_tokenizer.pre_tokenize_str("was")[0][0] == "Ġwas"


def test_other_tokenizers_stay_as_they_are() -> None:
    tokenizer = Tokenizer(models.WordPiece({"[UNK]": 0}, unk_token="[UNK]"))
    tokenizer.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    before = tokenizer.to_str()

    begin_words_with_a_space(tokenizer)

    assert tokenizer.to_str() == before


def test_only_a_model_with_a_crf_has_transitions(tmp_path: Path) -> None:
    save_file({"start": torch.ones(2)}, tmp_path / "crf.safetensors")

    found = read_transitions(tmp_path)

    assert found is not None
    assert found["start"].tolist() == [1, 1]
    assert read_transitions(tiny.trained()) is None


def test_broken_transitions_are_refused(tmp_path: Path) -> None:
    (tmp_path / "crf.safetensors").write_bytes(b"no tensors")

    with pytest.raises(BadFile, match=r"crf\.safetensors: broken"):
        read_transitions(tmp_path)
