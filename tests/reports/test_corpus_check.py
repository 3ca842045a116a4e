"""Checks of a known corpus, with a tiny table of corpora."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from linnet.corpora import table
from linnet.errors import BadFile, UnknownName
from linnet.reports.corpus_check import check_corpus
from tests.corpora.tiny_table import TABLE, fill


@pytest.fixture(autouse=True)
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    path = tmp_path / "table.toml"
    path.write_text(TABLE, encoding="utf-8")
    monkeypatch.setattr(table, "TABLE", str(path))
    monkeypatch.setenv("LINNET_CACHE", str(tmp_path / "cache"))
    table.known_corpora.cache_clear()
    yield tmp_path / "cache"
    table.known_corpora.cache_clear()


def test_a_whole_corpus_has_no_problems(cache: Path) -> None:
    folder = fill(cache, "tiny")

    checked = check_corpus("tiny")

    assert checked.problems == []
    assert checked.folder == folder
    assert checked.splits["train"] == {"sentences": 2, "mentions": 1}
    assert all(state.ok for state in checked.files.values())


def test_a_corpus_is_checked_in_another_folder_too(cache: Path, tmp_path: Path) -> None:
    folder = fill(cache, "tiny").rename(tmp_path / "elsewhere")

    assert check_corpus("tiny", folder).problems == []


def test_a_changed_file_and_its_counts_are_problems(cache: Path) -> None:
    folder = fill(cache, "tiny")
    (folder / "test.tsv").write_text("Gout\tB-Disease\n\nGout\tB-Disease\n\n", encoding="utf-8")

    checked = check_corpus("tiny")

    assert checked.problems == [
        f"{folder / 'test.tsv'}: is another file",
        f"{folder}: the split 'test' holds 2 sentences, 2 mentions, expected 1 sentence, 1 mention",
    ]
    assert checked.remedy == f"remove {folder} and run `linnet corpus get tiny`"


def test_a_missing_file_and_its_split_are_problems(cache: Path) -> None:
    folder = fill(cache, "tiny")
    (folder / "devel.tsv").unlink()

    assert check_corpus("tiny").problems == [
        f"{folder / 'devel.tsv'}: is missing",
        f"{folder}: has no split 'devel'",
    ]


def test_a_corpus_that_cannot_be_read_has_the_reason_of_the_reader(cache: Path) -> None:
    folder = fill(cache, "tiny")
    (folder / "train.tsv").write_text("Gout\tB-Disease\thurts\nno tag\n", encoding="utf-8")

    checked = check_corpus("tiny")

    assert checked.splits == {}
    assert checked.unreadable is not None
    assert checked.problems == [f"{folder / 'train.tsv'}: is another file", checked.unreadable.problem]


def test_the_splits_of_folds_have_the_number_of_the_fold(cache: Path) -> None:
    fill(cache, "tiny-folds")

    assert list(check_corpus("tiny-folds").splits) == ["1/train", "1/test", "2/train", "2/test"]


def test_the_json_says_of_each_split_whether_its_counts_are_right(cache: Path) -> None:
    fill(cache, "tiny")
    fill(cache, "tiny-red")

    known, unknown = (check_corpus(name).as_dict() for name in ("tiny", "tiny-red"))

    assert known["ok"] is True
    assert known["splits"]["train"] == {
        "sentences": 2,
        "mentions": 1,
        "ok": True,
        "expected": {"sentences": 2, "mentions": 1},
    }
    assert unknown["splits"]["train"]["ok"] is None  # the table has no counts of it


def test_a_folder_that_does_not_exist_is_an_error_with_the_way_to_get_it() -> None:
    with pytest.raises(BadFile, match="there is no such folder, so the corpus 'tiny' is not here") as refused:
        check_corpus("tiny")

    assert "linnet corpus get tiny" in refused.value.remedy


def test_a_corpus_that_the_table_does_not_have_is_an_error() -> None:
    with pytest.raises(UnknownName, match="tinny"):
        check_corpus("tinny")
