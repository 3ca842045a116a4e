"""Folds: found by number, and their tests apart."""

from pathlib import Path

import pytest

from linnet.documents.texts import TextExample
from linnet.errors import BadFile
from linnet.tasks.similarity import Similarity, SimilaritySettings
from linnet.tasks.texts.reading.fold_folders import check_folds, fold_folders, fold_overlaps
from tests.shared_data import SHARED, needs_shared

GAD = SHARED / "data" / "relations" / "gad"


def fold(corpus: Path, name: str, *, train: str, test: str) -> Path:
    folder = corpus / name
    folder.mkdir()
    for split, words in (("train", train), ("test", test)):
        rows = [f"@GENE$ {word} @DISEASE$\t1\n" for word in words.split()]
        (folder / f"{split}.tsv").write_text("".join(rows), encoding="utf-8")
    return folder


def test_folds_are_listed_by_number(tmp_path: Path) -> None:
    for number in range(1, 12):
        (tmp_path / str(number)).mkdir()
    (tmp_path / "blurb").mkdir()

    assert [folder.name for folder in fold_folders(tmp_path)] == [str(number) for number in range(1, 12)]


@pytest.mark.parametrize(("names", "found"), [((), "none"), (("1",), "1"), (("1", "3"), "1, 3")])
def test_a_missing_fold_is_refused(tmp_path: Path, names: tuple[str, ...], found: str) -> None:
    for name in names:
        (tmp_path / name).mkdir()

    with pytest.raises(BadFile, match=f"found the folds {found}, expected"):
        fold_folders(tmp_path)


def test_a_corpus_that_is_not_there_is_refused(tmp_path: Path) -> None:
    with pytest.raises(BadFile, match="there is no such folder"):
        fold_folders(tmp_path / "nowhere")


def test_folds_that_are_apart_are_fine(tmp_path: Path) -> None:
    check_folds([fold(tmp_path, "1", train="b", test="a"), fold(tmp_path, "2", train="a", test="b")])


def test_tests_that_overlap_are_refused_with_both_places(tmp_path: Path) -> None:
    folders = [fold(tmp_path, "1", train="x", test="a b"), fold(tmp_path, "2", train="x", test="c b")]

    with pytest.raises(BadFile) as refused:
        check_folds(folders)
    assert f"{folders[1]}/test.tsv:2: the text '@GENE$ b @DISEASE$'" in refused.value.problem
    assert f"{folders[0]}/test.tsv:2" in refused.value.problem


def test_a_fold_that_learns_from_its_own_test_is_refused(tmp_path: Path) -> None:
    folders = [fold(tmp_path, "1", train="x a", test="a"), fold(tmp_path, "2", train="x", test="b")]

    with pytest.raises(BadFile) as refused:
        check_folds(folders)
    assert f"{folders[0]}/test.tsv:1" in refused.value.problem
    assert f"{folders[0]}/train.tsv:2" in refused.value.problem


def test_repeated_texts_may_be_tolerated_by_number(tmp_path: Path) -> None:
    folders = [fold(tmp_path, "1", train="x", test="a"), fold(tmp_path, "2", train="a", test="a")]

    assert check_folds(folders, tolerated=2) == 2

    with pytest.raises(BadFile, match="2 such texts") as refused:
        check_folds(folders, tolerated=1)
    assert "`text.fold_overlap = 2`" in refused.value.remedy


def test_pairs_of_texts_are_compared_as_a_whole(tmp_path: Path) -> None:
    for name, second in (("1", "beta"), ("2", "gamma")):
        (tmp_path / name).mkdir()
        for split, first in (("train", "delta"), ("test", "alpha")):
            (tmp_path / name / f"{split}.tsv").write_text(f"{first}\t{second}\t1.5\n", encoding="utf-8")
    folders = fold_folders(tmp_path)

    assert fold_overlaps(folders, lambda folder: Similarity().read(folder, SimilaritySettings())) == []

    (folders[1] / "test.tsv").write_text("alpha\tbeta\t1.5\n", encoding="utf-8")
    found = fold_overlaps(folders, lambda folder: Similarity().read(folder, SimilaritySettings()))
    assert [each.text for each in found] == ["alpha\nbeta"]


def test_folds_are_checked_as_their_task_reads_them(tmp_path: Path) -> None:
    for name, second in (("1", "beta"), ("2", "gamma")):
        (tmp_path / name).mkdir()
        for split, first in (("train", "delta"), ("test", "alpha")):
            (tmp_path / name / f"{split}.tsv").write_text(f"{first}\t{second}\t1.5\n", encoding="utf-8")
    folders = fold_folders(tmp_path)

    assert check_folds(folders, read=lambda folder: Similarity().read(folder, SimilaritySettings())) == 0

    (folders[1] / "test.tsv").write_text("alpha\tbeta\t1.5\n", encoding="utf-8")
    with pytest.raises(BadFile, match=r"2/test.tsv:1: the text 'alpha\\nbeta' is also in .*1/test.tsv:1"):
        check_folds(folders, read=lambda folder: Similarity().read(folder, SimilaritySettings()))


def test_relations_that_no_pair_stands_for_are_no_texts_that_folds_share() -> None:
    missed = TextExample("1", "aspirin ... ataxia", place="a:1", details={"unreached": "arguments in no sentence"})

    assert fold_overlaps([Path("1"), Path("2")], lambda folder: {"train": [], "test": [missed]}) == []


def test_a_fold_without_a_test_is_refused(tmp_path: Path) -> None:
    folder = fold(tmp_path, "1", train="x", test="a")
    (folder / "test.tsv").unlink()

    with pytest.raises(BadFile, match="this fold has no test file"):
        check_folds([folder])


@needs_shared
def test_the_published_folds_of_gad_repeat_141_texts() -> None:
    folders = fold_folders(GAD)

    found = fold_overlaps(folders)

    # counted apart from our code with cut, sort and comm: 47 texts in tests of other folds, 94 in their own training
    assert len(folders) == 10
    assert sum("/test.tsv" in each.other for each in found) == 47
    assert sum("/train.tsv" in each.other for each in found) == 94
    check_folds(folders, tolerated=141)
