"""Pruning of vocabularies: fewer sub-words, the same tags for texts that have only these."""

import json
import shutil
from pathlib import Path

import pytest

from linnet.errors import BadSetting
from linnet.export.prune_vocabulary import count_subwords, prune_vocabulary
from linnet.tasks.ner.predictor import load
from tests import tiny
from tests.export.exported import SENTENCES


def pruned(folder: Path, sentences: list[list[str]], *, least: int = 1) -> int:
    folder.mkdir()
    return prune_vocabulary(tiny.trained(), folder, count_subwords(tiny.trained(), sentences), least=least)


def vocabulary(folder: Path) -> dict[str, int]:
    found: dict[str, int] = json.loads((folder / "tokenizer.json").read_text(encoding="utf-8"))["model"]["vocab"]
    return found


def test_sentences_that_were_counted_get_the_same_tags(tmp_path: Path) -> None:
    chosen = SENTENCES[:3]

    n_left = pruned(tmp_path / "pruned", chosen)

    assert n_left == len(vocabulary(tmp_path / "pruned")) < len(vocabulary(tiny.trained()))
    before, after = load(tiny.trained(), engine="torch"), load(tmp_path / "pruned", engine="torch")
    assert [each.tags for each in after.tag(chosen)] == [each.tags for each in before.tag(chosen)]


def test_special_tokens_and_single_characters_stay(tmp_path: Path) -> None:
    pruned(tmp_path / "pruned", [["ataxia"]], least=10**6)

    before, after = vocabulary(tiny.trained()), vocabulary(tmp_path / "pruned")
    special = {"[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"}
    assert special <= after.keys()
    assert after.keys() - special == {name for name in before if len(name.removeprefix("##")) == 1}
    assert sorted(after.values()) == list(range(len(after)))


def test_other_tokenizers_are_refused(tmp_path: Path) -> None:
    folder = Path(shutil.copytree(tiny.encoder("roberta"), tmp_path / "roberta"))

    with pytest.raises(BadSetting, match="WordPiece"):
        prune_vocabulary(folder, tmp_path, {})
