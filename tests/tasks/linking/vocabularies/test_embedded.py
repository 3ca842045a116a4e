"""The vocabulary of the demo corpus."""

from pathlib import Path

import pytest

from linnet.formats.corpus import read_corpus
from linnet.tasks.linking.vocabularies.embedded import find_vocabulary
from linnet.tasks.linking.vocabularies.vocabulary import open_vocabulary

HASH = "1fa7bd9fe83715cf35076c0b62bed545eaff5c96f8a7fd3afeff376b599e5505"  # changes with table and index alone


def test_demo_is_built_once_and_always_the_same() -> None:
    first, second = find_vocabulary("demo"), find_vocabulary("demo")

    assert first == second
    assert first.name == "demo"
    assert open_vocabulary("demo").hash == HASH


def test_a_folder_called_demo_comes_first(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "demo").mkdir()
    monkeypatch.chdir(tmp_path)

    assert find_vocabulary("demo") == Path("demo")
    assert find_vocabulary(tmp_path) == tmp_path


def test_it_knows_every_identifier_of_the_corpus() -> None:
    vocabulary = open_vocabulary("demo")
    documents = [document for split in read_corpus("demo").splits.values() for document in split]

    identifiers = {link.identifier for document in documents for span in document.spans for link in span.links}

    assert len(identifiers) > 800
    assert all(vocabulary.identifier(vocabulary.find(each) or 0) == each for each in identifiers)
