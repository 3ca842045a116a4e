"""Rows without an id: named after their file and line, and never two by one name."""

from pathlib import Path

from linnet.tasks.texts.reading.row_names import row_names


def names(*files: str, folder: str = "mine") -> list[str]:
    paths = [Path(folder) / file for file in files]
    name_of = row_names(paths)
    return [name_of(f"{path}:3") for path in paths]


def test_rows_are_named_after_their_file_and_line() -> None:
    assert names("train.tsv", "more/last.tsv") == ["train.tsv:3", "last.tsv:3"]


def test_files_of_one_name_are_told_apart_by_their_folders() -> None:
    assert names("a/train.tsv", "b/train.tsv", "b/last.tsv") == ["a/train.tsv:3", "b/train.tsv:3", "last.tsv:3"]


def test_names_do_not_tell_where_the_corpus_is(tmp_path: Path) -> None:
    assert names("a/train.tsv", "b/train.tsv", folder=str(tmp_path)) == names("a/train.tsv", "b/train.tsv")


def test_files_may_be_named_from_two_roots(tmp_path: Path) -> None:
    first, second = names("a/train.tsv", str(tmp_path / "train.tsv"))

    assert first != second


def test_a_file_that_is_given_twice_keeps_one_name() -> None:
    assert names("a/train.tsv", "a/train.tsv") == ["train.tsv:3", "train.tsv:3"]
