"""Documents of sentences: from ids, from known corpora and from files."""

import re
from pathlib import Path

import pytest

from linnet.contracts import ReadOptions
from linnet.errors import BadFile
from linnet.formats.rows import read_tagged
from linnet.formats.sentence_documents import (
    find_documents,
    has_texts,
    ids_from_marks,
    is_documents_file,
    read_sentence_documents,
)
from tests.shared_data import SHARED, needs_shared

WORDS = [["Fever", "."], ["Cisplatin", "helps", "."], ["A", "title"]]
PUBTATOR = "7|t|A title\n7|a|No more.\n\n5|t|Fever.\n5|a|Cisplatin helps. And so on.\n\n"


def test_ids_of_documents_are_numbered() -> None:
    assert find_documents(["a", "a", "b"], WORDS) == [0, 0, 1]
    assert find_documents(["10", "11", "12"], WORDS) == [0, 1, 2]


def test_numbered_sentences_are_no_documents() -> None:
    assert find_documents(["test-1", "test-2", "test-3"], WORDS) is None
    assert find_documents(["all-40", "all-7", "all-9"], WORDS) is None
    assert find_documents(["test-1", "test-1", "test-2"], WORDS) == [0, 0, 1]


def test_marks_begin_documents() -> None:
    assert ids_from_marks(["a", None, "b"]) == ["a", "a", "b"]
    assert find_documents(ids_from_marks(["", None, ""]), WORDS) == [0, 0, 1]
    assert find_documents(ids_from_marks(["a", None, "a"]), WORDS) == [0, 0, 1]
    assert find_documents(ids_from_marks([None, None, None]), WORDS) is None


def test_a_file_has_the_document_of_each_sentence(tmp_path: Path) -> None:
    file = tmp_path / "documents.txt"
    file.write_text("17\n17\n9\n", encoding="utf-8")

    assert read_sentence_documents(file, WORDS) == [0, 0, 1]


@pytest.mark.parametrize(
    ("content", "problem"),
    [
        ("17\n17\n", "has 2 lines for 3 sentences"),
        ("17\n\n9\n", ":2: the line is empty"),
        ("5|t|Fever.\n5|a|Cisplatin helps.\n\n", "no document goes on with sentence 3, 'A title'"),
        ("a\tO\n\nb\tO\n", "does not say which of them are one document"),
    ],
)
def test_a_file_that_does_not_fit_is_refused(content: str, problem: str, tmp_path: Path) -> None:
    file = tmp_path / "documents.txt"
    file.write_text(content, encoding="utf-8")

    with pytest.raises(BadFile, match=re.escape(problem)):
        read_sentence_documents(file, WORDS)


COLUMNS = (
    "Fever\t7\t0\tO\n.\t-\t5\tO\n\nCisplatin\t{}\t0\tB-X\nhelps\t-\t10\tO\n.\t-\t15\tO\n\nA\t9\t0\tO\ntitle\t9\t2\tO\n"
)


@pytest.mark.parametrize(("id", "groups"), [("7", [0, 0, 1]), ("-", [0, 0, 1]), ("8", [0, 1, 2]), ("9", [0, 1, 1])])
def test_ids_may_stand_in_a_column_at_the_first_word_or_at_each(id: str, groups: list[int], tmp_path: Path) -> None:
    (tmp_path / "test.tsv").write_text("-DOCSTART-\tO\n\n" + COLUMNS.format(id), encoding="utf-8")

    assert read_sentence_documents(tmp_path / "test.tsv:2", WORDS) == groups


@pytest.mark.parametrize(
    ("content", "column", "problem"),
    [
        (COLUMNS.format("7").rpartition("A\t")[0], 2, "test.tsv: has 2 sentences, expected 3"),
        (COLUMNS.format("7").replace("helps\t-\t10\tO\n", ""), 2, "test.tsv:4: sentence 2 has 2 words, expected 3"),
        (COLUMNS.format("7"), 3, "test.tsv:2: found '5' in column 3, expected the id of one document"),
        (COLUMNS.format("7"), 5, "test.tsv:1: there is no id in column 5"),
        (COLUMNS.format("7"), 1, "test.tsv:1: there is no id in column 1"),
        (COLUMNS.format("7").replace("Fever\t7", "Fever\t-"), 2, "test.tsv:1: found '-' in column 2"),
    ],
)
def test_a_column_that_does_not_fit_is_refused(content: str, column: int, problem: str, tmp_path: Path) -> None:
    (tmp_path / "test.tsv").write_text(content, encoding="utf-8")

    with pytest.raises(BadFile, match=re.escape(problem)):
        read_sentence_documents(tmp_path / f"test.tsv:{column}", WORDS)


def test_a_file_may_have_a_colon_and_a_number_in_its_name(tmp_path: Path) -> None:
    (tmp_path / "ids:2").write_text("1\n1\n2\n", encoding="utf-8")

    assert read_sentence_documents(tmp_path / "ids:2", WORDS) == [0, 0, 1]


def test_only_documents_have_texts(tmp_path: Path) -> None:
    (tmp_path / "ids").write_text("1\n1\n2\n", encoding="utf-8")
    (tmp_path / "texts").write_text(PUBTATOR, encoding="utf-8")
    (tmp_path / "test.tsv").write_text(COLUMNS.format("7"), encoding="utf-8")

    found = {name: has_texts(tmp_path / name) for name in ("ids", "texts", "test.tsv:2")}

    assert found == {"ids": False, "texts": True, "test.tsv:2": False}
    assert [is_documents_file(tmp_path / name) for name in ("test.tsv:2", "gone", "gone:2")] == [True, False, False]


def test_sentences_are_found_in_documents(tmp_path: Path) -> None:
    file = tmp_path / "original.PubTator"
    file.write_text(PUBTATOR, encoding="utf-8")

    assert read_sentence_documents(file, WORDS) == [1, 1, 0]


@needs_shared
@pytest.mark.parametrize(
    ("corpus", "original", "n_documents"),
    [
        ("ncbi-disease", "ncbi-disease/NCBItestset_corpus.txt", 100),
        ("bc5cdr-chem", "bc5cdr/CDR_TestSet.PubTator.txt", 500),
    ],
)
def test_known_sentences_have_the_documents_of_the_original(corpus: str, original: str, n_documents: int) -> None:
    rows = read_tagged(SHARED / "data" / "ner" / corpus / "test.tsv", ReadOptions(label="X"))
    words = [row.words for row in rows if row.words]

    known = find_documents([f"any-{number}" for number in range(len(words))], words)
    aligned = read_sentence_documents(SHARED / "data" / "linking" / original, words)

    assert known is not None
    assert len(set(known)) == len(set(aligned)) == n_documents
    assert len(set(zip(known, aligned, strict=True))) == n_documents  # the same sentences together
