"""Evaluation corpora are read as documents, or by whichever text task can read them."""

import json
from pathlib import Path

import pytest

from linnet.errors import BadFile, UnknownName
from linnet.pretraining.text.evaluation_corpora import read_evaluation_corpus
from tests.shared_data import SHARED, needs_shared

SEEN, UNSEEN = "Of ten mice with anaemia nine were treated.", "Of ten mice with ataxia none was treated."


def texts(name: Path | str) -> list[str]:
    return [document.text for document in read_evaluation_corpus(str(name)).documents]


def write_rows(folder: Path, **word_by_split: str) -> Path:
    """Write token rows of one word for each split."""
    for split, word in word_by_split.items():
        (folder / f"{split}.tsv").write_text(f"{word}\tO\n\n", encoding="utf-8")
    return folder


def test_all_splits_count_unless_one_is_named(tmp_path: Path) -> None:
    folder = write_rows(tmp_path, train="ataxia", test="anaemia")

    assert sorted(texts(folder)) == ["anaemia", "ataxia"]
    assert texts(f"{folder}:test") == ["anaemia"]
    with pytest.raises(UnknownName, match="no split 'devel'"):
        texts(f"{folder}:devel")


def test_a_split_has_the_same_aliases_as_elsewhere(tmp_path: Path) -> None:
    folder = write_rows(tmp_path, train="ataxia", devel="anaemia")

    assert texts(f"{folder}:dev") == texts(f"{folder}:devel") == ["anaemia"]


def test_a_path_with_a_colon_is_a_path(tmp_path: Path) -> None:
    folder = tmp_path / "corpus:test"
    folder.mkdir()
    write_rows(folder, train="ataxia", test="anaemia")

    assert sorted(texts(folder)) == ["anaemia", "ataxia"]


def test_both_texts_of_a_pair_are_one_document(tmp_path: Path) -> None:
    row = {"sentence1": SEEN, "sentence2": UNSEEN, "gold_label": "neutral"}
    (tmp_path / "test.jsonl").write_text(json.dumps(row) + "\n", encoding="utf-8")

    assert texts(tmp_path) == [f"{SEEN}\n{UNSEEN}"]


def test_a_text_that_several_tasks_read_is_one_document(tmp_path: Path) -> None:
    (tmp_path / "test.tsv").write_text(f"labels\tsentence\tindex\n0_1\t{SEEN}\t1_s0\n", encoding="utf-8")

    assert texts(tmp_path) == [SEEN]


def test_the_digest_depends_on_the_content_alone(tmp_path: Path) -> None:
    digests = []
    for name, word in (("a", "ataxia"), ("b", "ataxia"), ("c", "anaemia")):
        (tmp_path / name).mkdir()
        digests.append(read_evaluation_corpus(str(write_rows(tmp_path / name, test=word))).digest)

    assert digests[0] == digests[1] != digests[2]


def test_a_corpus_of_which_one_split_cannot_be_read_is_refused(tmp_path: Path) -> None:
    (tmp_path / "train.tsv").write_text("labels\tsentence\tindex\nbroken\n", encoding="utf-8")
    (tmp_path / "test.tsv").write_text(f"labels\tsentence\tindex\n0_1\t{SEEN}\t1_s0\n", encoding="utf-8")

    with pytest.raises(BadFile, match=r"(?s)classification: .*train\.tsv:2: found 1 columns, expected 3"):
        read_evaluation_corpus(str(tmp_path))


def test_rows_of_tokens_with_a_wrong_tag_are_not_taken_for_a_table_of_texts(tmp_path: Path) -> None:
    (tmp_path / "test.tsv").write_text("We\tO\ntreated\tO\nmice\tX\n", encoding="utf-8")

    with pytest.raises(BadFile, match="'X' is not a tag"):
        read_evaluation_corpus(str(tmp_path))


def test_a_file_that_nothing_can_read_is_refused_with_the_reasons_of_every_reader(tmp_path: Path) -> None:
    (tmp_path / "test.json").write_text('{"rows": []}', encoding="utf-8")

    with pytest.raises(
        BadFile, match=r"(?s)neither a corpus of documents \(.*expected one with 'documents'.*answering:"
    ):
        read_evaluation_corpus(str(tmp_path))


@needs_shared
@pytest.mark.parametrize(
    "name",
    ["classification/hoc:test", "similarity/biosses:test", "relations/gad/1:test", "relations/chemprot:test",
     "qa/bioasq/6B_golden.json", "qa/bioasq/blurb_yesno:test", "qa/pubmedqa:test"],
)  # fmt: skip
def test_the_corpora_of_our_own_tasks_can_be_read(name: str) -> None:
    assert len(read_evaluation_corpus(str(SHARED / "data" / name)).documents) >= 20  # pairs of BIOSSES' test split
