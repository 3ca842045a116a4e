"""The list of known corpora in JSON and Markdown."""

import json
from pathlib import Path

import pytest

from linnet.corpora.listing import as_dict, markdown_table
from linnet.corpora.table import KnownCorpus, find_known, known_corpora
from tests.corpora.tiny_table import COMMIT, fill


def numbers(**fields: object) -> str:
    """Return the cell with the numbers of a corpus."""
    whole: dict[str, object] = {"name": "a", "what": "b", "task": "c", "licence": "d", "citation": "e", **fields}
    row = markdown_table([KnownCorpus(**whole)]).split("\n")[2]  # type: ignore[arg-type]  # checked by the tests
    return row.split(" | ")[3]


def test_an_entry_is_json_with_addresses_and_the_folder(tiny: Path) -> None:
    found = as_dict(find_known("tiny"))

    assert json.loads(json.dumps(found)) == found
    assert found["files"][0]["address"].endswith(f"/owner/name/{COMMIT}/data/tiny/train.tsv")
    assert found["splits"]["test"] == {"sentences": 1, "mentions": 1}
    assert (found["folder"], found["is_here"]) == (str(tiny / "corpora" / "tiny"), False)


def test_a_corpus_in_the_cache_is_here(tiny: Path) -> None:
    fill(tiny, "tiny")

    assert as_dict(find_known("tiny"))["is_here"] is True


def test_a_corpus_without_a_repository_has_no_address_and_says_where_files_go(tiny: Path) -> None:
    derived, signed = as_dict(find_known("tiny-red-chem")), as_dict(find_known("tiny-signed"))

    assert derived["files"][0]["address"] is None
    assert derived["source"] == "made from tiny-red"
    assert str(tiny / "corpora" / "tiny-signed") in signed["by_hand"]


def test_the_table_has_a_row_for_each_corpus(tiny: Path) -> None:
    lines = markdown_table(known_corpora().values()).split("\n")

    assert len(lines) == 2 + len(known_corpora())
    assert lines[2] == (
        "| `tiny` | a tiny corpus | ner | 2 / 2 / 1 sentences; 1 / 1 / 1 mentions | CC0 1.0 "
        f"| [owner/name](https://github.com/owner/name/tree/{COMMIT}) |"
    )


@pytest.mark.parametrize(
    ("fields", "expected"),
    [
        ({}, "not counted"),
        ({"splits": {"train": {"documents": 1200}}}, "train 1,200 documents"),
        ({"splits": {"1/train": {"examples": 5}, "1/test": {"examples": 3}, "2/test": {"examples": 4}}},
         "7 examples in 2 folds"),
        ({"splits": {"train": {"sentences": 9}}, "documents": {"train": 2, "test": 1}},
         "train 9 sentences; from 2 / 1 documents"),
    ],
)  # fmt: skip
def test_the_numbers_are_those_of_splits_folds_and_authors(fields: dict[str, object], expected: str) -> None:
    assert numbers(**fields) == expected
