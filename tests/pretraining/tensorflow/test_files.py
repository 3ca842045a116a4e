"""The files of a checkpoint are found in its folder, or refused with what was found."""

from pathlib import Path

import pytest

from linnet.errors import BadFile
from linnet.pretraining.tensorflow.files import find_checkpoint, read_config


def write(folder: Path, *names: str) -> Path:
    for name in names:
        (folder / name).touch()
    return folder


def checkpoint(folder: Path, *names: str) -> Path:
    """Write a folder with these checkpoints, a configuration and a vocabulary."""
    files = [f"{name}{suffix}" for name in names for suffix in (".index", ".data-00000-of-00001")]
    return write(folder, *files, "bert_config.json", "vocab.txt")


def test_files_that_belong_to_the_checkpoint_are_found(tmp_path: Path) -> None:
    files = find_checkpoint(checkpoint(tmp_path, "model.ckpt-10"))

    assert (files.prefix, files.others) == (tmp_path / "model.ckpt-10", ())
    assert (files.config, files.vocabulary) == (tmp_path / "bert_config.json", tmp_path / "vocab.txt")


def test_the_highest_number_wins_unless_a_name_is_given(tmp_path: Path) -> None:
    folder = checkpoint(tmp_path, "model.ckpt-9", "model.ckpt-10", "model.ckpt-best")

    assert find_checkpoint(folder).prefix.name == "model.ckpt-10"
    assert find_checkpoint(folder, "model.ckpt-best.index").others == ("model.ckpt-10", "model.ckpt-9")
    with pytest.raises(BadFile, match=r"there is no checkpoint 'model\.ckpt-11'") as refused:
        find_checkpoint(folder, "model.ckpt-11")
    assert "model.ckpt-best" in refused.value.remedy


def test_several_checkpoints_without_numbers_are_refused(tmp_path: Path) -> None:
    with pytest.raises(BadFile, match="several checkpoints") as refused:
        find_checkpoint(checkpoint(tmp_path, "first", "second"))

    assert "--checkpoint" in refused.value.remedy


def test_a_sentencepiece_model_is_preferred_to_a_list_of_words(tmp_path: Path) -> None:
    write(checkpoint(tmp_path, "model.ckpt-1"), "30k-clean.model", "30k-clean.vocab")

    assert find_checkpoint(tmp_path).vocabulary.name == "30k-clean.model"


def test_several_vocabularies_are_refused(tmp_path: Path) -> None:
    write(checkpoint(tmp_path, "model.ckpt-1"), "a.model", "b.model")

    with pytest.raises(BadFile, match=r"there are several vocabularies: a\.model, b\.model"):
        find_checkpoint(tmp_path)


def test_the_configuration_of_a_tokenizer_is_not_that_of_the_network(tmp_path: Path) -> None:
    write(checkpoint(tmp_path, "model.ckpt-1"), "tokenizer_config.json")

    assert find_checkpoint(tmp_path).config.name == "bert_config.json"


def test_a_file_is_no_folder(tmp_path: Path) -> None:
    with pytest.raises(BadFile, match="this is no folder"):
        find_checkpoint(write(tmp_path, "model.ckpt-1.index") / "model.ckpt-1.index")


def test_a_long_list_of_files_is_cut(tmp_path: Path) -> None:
    write(tmp_path, *(f"{number:02}.txt" for number in range(30)))

    with pytest.raises(BadFile, match=r"found: 00\.txt, .* 19\.txt, \.\.\.\n"):
        find_checkpoint(tmp_path)


@pytest.mark.parametrize(
    ("content", "problem"),
    [
        ('{\n"hidden_size": }', "config.json:2: this is not JSON"),
        ("[]", "no configuration of BERT or ALBERT"),
        ('{"layers": 2}', "no `hidden_size`"),
        ("[" * 100_000, "nested too deeply"),
    ],
)
def test_what_is_no_configuration_is_refused(tmp_path: Path, content: str, problem: str) -> None:
    path = tmp_path / "config.json"
    path.write_text(content, encoding="utf-8")

    with pytest.raises(BadFile, match=problem):
        read_config(path)
