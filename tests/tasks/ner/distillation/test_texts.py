"""Unlabelled texts: different sentences as words, samples, fingerprints, and texts without a sentence."""

from pathlib import Path

import pytest
from pydantic import ValidationError

from linnet.errors import BadFile, BadSetting
from linnet.tasks.ner.distillation.settings import DistillSettings
from linnet.tasks.ner.distillation.texts import read_texts
from tests.tasks.ner.distillation import taught


def write(folder: Path, content: str) -> dict[str, object]:
    (folder / "texts.txt").write_text(content, encoding="utf-8")
    return {"texts": [str(folder / "texts.txt")], "format": "lines"}


def test_each_different_sentence_is_read_once_as_words(tmp_path: Path) -> None:
    given = write(tmp_path, "We gave aspirin. It helped.\n\nIt helped.\n")

    found = read_texts(taught.settings(**given), seed=0)

    assert found.sentences == [("We", "gave", "aspirin", "."), ("It", "helped", ".")]
    assert (found.first_words, found.n_words) == ([0, 4, 7], 7)


def test_annotated_documents_are_read_without_their_mentions(tmp_path: Path) -> None:
    line = '{"id": "1", "text": "We gave aspirin.", "spans": [{"start": 8, "end": 15, "label": "Chemical"}]}\n'
    (tmp_path / "documents.jsonl").write_text(line, encoding="utf-8")

    found = read_texts(taught.settings(texts=[str(tmp_path)], format=None), seed=0)

    assert found.sentences == [("We", "gave", "aspirin", ".")]


def test_json_lines_of_others_are_read_by_the_names_of_their_fields(tmp_path: Path) -> None:
    lines = '{"title": "Aspirin.", "abstract": "We gave it."}\n{"title": ["Aspirin"], "abstract": "It helped."}\n'
    (tmp_path / "abstracts.jsonl").write_text(lines, encoding="utf-8")
    given = {"texts": [str(tmp_path / "abstracts.jsonl")], "format": None, "text_field": ["title", "abstract"]}

    found = read_texts(taught.settings(**given), seed=0)

    assert found.sentences == [("Aspirin", "."), ("We", "gave", "it", ".")]
    assert found.notes.counts["documents that cannot be read, left out"] == 1


def test_an_id_that_is_named_is_not_counted_as_left_out(tmp_path: Path) -> None:
    (tmp_path / "a.jsonl").write_text('{"pmid": "7", "title": "Aspirin."}\n', encoding="utf-8")
    given = {"texts": [str(tmp_path / "a.jsonl")], "format": None, "text_field": ["title"]}

    without = read_texts(taught.settings(**given), seed=0)
    named = read_texts(taught.settings(**given, id_field="pmid"), seed=0)

    assert any("'pmid'" in note for note in without.notes.sentences())
    assert named.notes.sentences() == []
    with pytest.raises(ValidationError, match="name that of the text too"):
        DistillSettings(teachers=("bio",), texts=("a",), id_field="pmid")


def test_other_words_have_another_fingerprint(tmp_path: Path) -> None:
    first = read_texts(taught.settings(**write(tmp_path, "We gave aspirin.\n")), seed=0)
    other = read_texts(taught.settings(**write(tmp_path, "We gave cisplatin.\n")), seed=0)

    assert first.fingerprint != other.fingerprint


def test_a_sample_is_the_same_for_the_same_seed_and_keeps_the_order() -> None:
    whole = read_texts(taught.settings(), seed=0).sentences

    first, again, other = (read_texts(taught.settings(sentences=5), seed=seed).sentences for seed in (0, 0, 1))

    assert first == again != other
    assert first == [words for words in whole if words in first]


def test_a_sample_that_is_too_large_is_refused() -> None:
    with pytest.raises(BadSetting, match=r"distill\.sentences is 9,000, the texts have \d+ different ones"):
        read_texts(taught.settings(sentences=9000), seed=0)


def test_texts_without_a_sentence_are_refused(tmp_path: Path) -> None:
    with pytest.raises(BadFile, match=r"distill\.texts: there is no sentence in .*texts\.txt"):
        read_texts(taught.settings(**write(tmp_path, "\n  \n")), seed=0)
