"""Judged links that are kept without words of the corpus, and restored."""

from pathlib import Path
from typing import Any

import pytest

from linnet.errors import BadFile
from linnet.tasks.linking.evaluation.kept_links import keep_judged, restore_judged
from linnet.tasks.linking.evaluation.runs import TITLES, judge_runs
from tests.tasks.linking.evaluation.test_runs import folders, judge

__all__ = ["folders"]

ELSEWHERE = "no/such/linker"


def restored(folders: list[tuple[Path, Any]], target: Path) -> list[tuple[Path, Any]]:
    found = []
    for folder, settings in folders:
        (target / folder.name).mkdir(parents=True)
        restore_judged(target / folder.name, keep_judged(folder))
        found.append((target / folder.name, settings))
    return found


@pytest.mark.parametrize("metric", TITLES)
def test_restored_links_give_the_same_scores_without_the_linker(
    folders: list[tuple[Path, Any]], metric: str, tmp_path: Path
) -> None:
    first = judge(folders, metric)
    second = judge(restored(folders, tmp_path / "elsewhere"), metric, vocabulary=ELSEWHERE)

    assert [run.score for run in second.runs] == [run.score for run in first.runs]
    assert [run.beside for run in second.runs] == [run.beside for run in first.runs]
    assert [run.right.tolist() for run in second.runs] == [run.right.tolist() for run in first.runs]
    assert [row.tolist() for row in second.resample()] == [row.tolist() for row in first.resample()]


def test_kept_links_have_no_words(folders: list[tuple[Path, Any]]) -> None:
    judge(folders)

    kept = keep_judged(folders[0][0])

    assert len(kept) == 1
    assert "cancer" not in str(kept)


def test_without_the_linker_all_runs_need_the_links_of_one(folders: list[tuple[Path, Any]]) -> None:
    with pytest.raises(BadFile, match="there is no such vocabulary or linking run"):
        judge(folders, vocabulary=ELSEWHERE)

    judge(folders[:1])
    with pytest.raises(BadFile, match="do not all have the links of one"):
        judge(folders, vocabulary=ELSEWHERE)


def test_a_linker_that_is_damaged_is_told_although_links_are_kept(
    folders: list[tuple[Path, Any]], tmp_path: Path
) -> None:
    judge(folders)
    (tmp_path / "damaged").mkdir()

    with pytest.raises(BadFile, match="damaged"):
        judge_runs(folders, vocabulary=str(tmp_path / "damaged"), metric="linked", n_resamples=10, seed=0, split="test")


@pytest.mark.parametrize(
    "kept",
    [
        {"../linked-test-01234567": []},
        {"config": []},
        {"linked-test-01234567": [["1", {"end_to_end": [float("nan")]}]]},
        {"linked-test-01234567": [["1", ["end_to_end"]]]},
        {"linked-test-01234567": 3},
    ],
)
def test_something_else_is_not_restored(kept: dict[str, Any], tmp_path: Path) -> None:
    with pytest.raises(BadFile, match="no judged links"):
        restore_judged(tmp_path, kept)

    assert not list(tmp_path.iterdir())


def test_links_that_are_there_stay(folders: list[tuple[Path, Any]]) -> None:
    judge(folders)
    folder = folders[0][0]
    (path,) = folder.glob("linked-test-*")
    before = path.read_bytes()

    restore_judged(folder, keep_judged(folder))

    assert path.read_bytes() == before
