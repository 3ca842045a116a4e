"""Vocabulary folders that were cut off or changed."""

import json
from pathlib import Path

import pytest

from linnet.errors import BadFile
from linnet.tasks.linking.vocabularies.folder import is_vocabulary, read_facts
from tests.tasks.linking.sources import build


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return build(tmp_path).folder


def test_a_whole_folder_is_read(folder: Path) -> None:
    assert read_facts(folder)["concepts"] == 4
    assert is_vocabulary(folder)


def test_no_file_holds_pickled_objects(folder: Path) -> None:
    assert {path.suffix for path in folder.iterdir()} == {".npy", ".json"}


def test_every_file_that_is_cut_off_changed_or_missing_is_noticed(folder: Path) -> None:
    for path in sorted(folder.glob("*.npy")):
        content = path.read_bytes()
        path.write_bytes(content[:-1])
        with pytest.raises(BadFile, match=f"{path.name}: is cut off"):
            read_facts(folder)
        path.write_bytes(content[:-1] + bytes([content[-1] ^ 1]))
        with pytest.raises(BadFile, match=f"{path.name}: was changed"):
            read_facts(folder)
        path.unlink()
        with pytest.raises(BadFile, match=f"{path.name}: is missing"):
            read_facts(folder)
        path.write_bytes(content)
    read_facts(folder)


def test_changed_facts_are_noticed(folder: Path) -> None:
    path = folder / "vocabulary.json"
    facts = json.loads(path.read_text(encoding="utf-8"))
    path.write_text(json.dumps({**facts, "concepts": 5}), encoding="utf-8")

    with pytest.raises(BadFile, match=r"vocabulary\.json: was changed"):
        read_facts(folder)


@pytest.mark.parametrize("content", ["", "[]", '{"kind": "other"}', '{"kind": "linnet-vocabulary"', "[" * 100_000])
def test_other_json_is_refused(folder: Path, content: str) -> None:
    (folder / "vocabulary.json").write_text(content, encoding="utf-8")

    with pytest.raises(BadFile, match="vocabulary"):
        read_facts(folder)


def test_a_folder_of_another_form_is_refused(folder: Path) -> None:
    path = folder / "vocabulary.json"
    facts = json.loads(path.read_text(encoding="utf-8"))
    path.write_text(json.dumps({**facts, "form": 0}), encoding="utf-8")

    with pytest.raises(BadFile, match="another version"):
        read_facts(folder)


def test_another_folder_is_no_vocabulary(tmp_path: Path) -> None:
    with pytest.raises(BadFile, match="is no vocabulary"):
        read_facts(tmp_path)
    assert not is_vocabulary(tmp_path)
