"""Checks before a linker is trained."""

from pathlib import Path

import pytest

from linnet.errors import BadSetting
from linnet.tasks.linking.training.prepared import prepare
from tests.tasks.linking.corpora import linking_settings, write_corpus
from tests.tasks.linking.evaluation.examples import gold_document, write_pubtator


def test_corpus_and_vocabulary_are_read(tmp_path: Path) -> None:
    found = prepare(linking_settings(tmp_path))

    assert found.documents.keys() == {"train", "devel", "test"}
    assert found.gold.canonical("D001943") == "mesh:D001943"


def test_a_vocabulary_is_needed(tmp_path: Path) -> None:
    with pytest.raises(BadSetting, match="no vocabulary"):
        prepare(linking_settings(tmp_path, vocabulary=""))


def test_a_corpus_without_devel_is_refused(tmp_path: Path) -> None:
    data = write_corpus(tmp_path / "corpus", devel=0)

    with pytest.raises(BadSetting, match="devel split is missing"):
        prepare(linking_settings(tmp_path / "run", data=str(data)))


def test_a_corpus_of_another_vocabulary_is_refused(tmp_path: Path) -> None:
    for split in ("train", "devel"):
        write_pubtator(tmp_path / "corpus" / f"{split}.txt", gold_document("pain", ("pain", "D000999")))

    with pytest.raises(BadSetting, match=r"knows 0\.0% of the 1 gold"):
        prepare(linking_settings(tmp_path / "run", data=str(tmp_path / "corpus")))
