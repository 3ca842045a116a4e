"""Cleaned text on disk: built once, streamed from any document on, and built again if it is damaged."""

import json
from pathlib import Path

import pytest

from linnet.contracts import Notes
from linnet.errors import BadFile
from linnet.pretraining.text.cleaned import CleanedText, clean_texts, open_cleaned
from linnet.pretraining.text.cleaning import Cleaner
from linnet.pretraining.text.exclusion import ExcludedSentences
from linnet.pretraining.text.hashing import hash_64_bits
from linnet.pretraining.text.sources import find_texts
from linnet.settings.pretraining import CleaningSettings

RULES = CleaningSettings(markup=False, least_words=2, duplicates=False, languages=())
TEXT = "Mice were ill. They ran\nfast.\n\nTitle\n\nNo mice died.\n"


def build(folder: Path, *, excluded: ExcludedSentences | None = None, content: str = TEXT) -> CleanedText:
    source = folder / "text.txt"
    source.write_text(content, encoding="utf-8")
    files = find_texts([str(source)], Notes())
    excluded = excluded or ExcludedSentences()
    return clean_texts(files, folder / "cleaned", cleaner=Cleaner(RULES), excluded=excluded, notes=Notes())


def test_sentences_are_written_one_per_line_with_a_blank_line_after_each_document(tmp_path: Path) -> None:
    text = build(tmp_path)

    # `fast.` begins in lower case, but has too few words to be kept; so has the title
    assert (text.folder / "text.txt").read_text(encoding="utf-8") == "Mice were ill.\nThey ran\n\nNo mice died.\n\n"
    assert [document.sentences for document in text.documents()] == [["Mice were ill.", "They ran"], ["No mice died."]]


def test_a_line_that_begins_in_lower_case_continues_the_line_before(tmp_path: Path) -> None:
    text = build(tmp_path, content="They ran\nvery fast. Mice died.\n\nNo mice died.\n")

    assert next(text.documents()).sentences == ["They ran very fast.", "Mice died."]


def test_facts_count_what_is_read_and_kept(tmp_path: Path) -> None:
    facts = build(tmp_path).facts

    source = facts.sources[str(tmp_path / "text.txt")]
    assert (source.files, source.documents, source.words) == (1, 3, 8)
    assert (facts.n_lines, facts.n_documents, facts.n_sentences, facts.n_words) == (4, 2, 3, 8)
    assert facts.cleaned == {"documents of which nothing was left": 1, "lines with too few words": 2}


def test_documents_are_streamed_from_the_end_of_any_other(tmp_path: Path) -> None:
    text = build(tmp_path)
    first, second = text.documents()

    assert list(text.documents(first.end)) == [second]
    assert list(text.documents(second.end)) == []
    assert second.end == text.n_bytes


def test_hashes_are_those_of_the_raw_documents(tmp_path: Path) -> None:
    text = build(tmp_path)

    raw = [b"Mice were ill. They ran\nfast.", b"No mice died."]
    assert text.hashes.tolist() == [hash_64_bits(document) for document in raw]


def test_what_was_built_is_opened_again_with_the_same_facts(tmp_path: Path) -> None:
    text = build(tmp_path)

    again = open_cleaned(text.folder)

    assert again is not None
    assert again.facts == text.facts
    assert again.hashes.tolist() == text.hashes.tolist()


@pytest.mark.parametrize("name", ["text.txt", "documents.npy", "facts.json"])
def test_an_incomplete_folder_is_not_opened(tmp_path: Path, name: str) -> None:
    folder = build(tmp_path).folder
    (folder / name).unlink()

    assert open_cleaned(folder) is None


def test_facts_of_another_version_are_not_opened(tmp_path: Path) -> None:
    folder = build(tmp_path).folder
    facts = json.loads((folder / "facts.json").read_text(encoding="utf-8"))
    (folder / "facts.json").write_text(json.dumps({**facts, "n_pages": 1}), encoding="utf-8")

    assert open_cleaned(folder) is None


def test_excluded_sentences_are_left_out_and_counted(tmp_path: Path) -> None:
    excluded = ExcludedSentences({hash_64_bits(b"nomicedied"): "corpus:test"})

    text = build(tmp_path, excluded=excluded)

    assert text.facts.n_documents == 1
    assert text.facts.excluded == {"corpus:test": 1}


def test_text_without_anything_left_is_refused_with_what_was_removed(tmp_path: Path) -> None:
    with pytest.raises(BadFile, match=r"nothing is left .* Removed: documents .*: 1; lines with too few words: 1"):
        build(tmp_path, content="Title\n")

    assert not (tmp_path / "cleaned").exists()
