"""Restored runs have no predictions for devel, and the message says so."""

import json
from dataclasses import replace
from pathlib import Path

import pytest

from linnet.comparison.finished.sources import read_runs
from linnet.comparison.kept.restored import check_not_restored
from linnet.comparison.kept.runs import keep_runs, restore_runs
from linnet.comparison.verdict import compare_choices
from linnet.errors import BadFile, BadSetting
from tests.comparison.fake_runs import finish, make_grid

WHY = "was restored from a file of kept runs, which has predictions for test only"
MISSING = {"data": "no-corpus"}  # is not on this machine


def restored(folder: Path) -> list[Path]:
    """Return the folders of restored runs that were scored on devel where they were made."""
    first, second = folder / "first", folder / "second"
    first.mkdir()
    second.mkdir()
    made, grid = make_grid(first, recipe=MISSING), make_grid(second, recipe=MISSING)
    for run in made.runs:
        finish(run)
        add_devel(run.folder)
    keep_runs(made, folder / "kept.json.gz")
    restore_runs(grid, folder / "kept.json.gz")
    with pytest.raises(BadSetting, match=WHY):
        compare_choices(replace(grid, split="devel"))
    return [run.folder for run in grid.runs]


def add_devel(folder: Path) -> None:
    path = folder / "metrics.json"
    path.write_text(json.dumps(json.loads(path.read_text(encoding="utf-8")) | {"devel": {}}), encoding="utf-8")


def test_restored_runs_are_judged_on_test_alone(tmp_path: Path) -> None:
    folders = restored(tmp_path)

    check_not_restored(folders, "test")
    with pytest.raises(BadSetting, match=WHY) as refused:
        read_runs(folders, metric=None, n_resamples=10, seed=0, split="devel")

    assert str(folders[0]) in refused.value.problem
    assert "the folders in which the runs were made, `--on devel` needs them" in refused.value.remedy


def test_runs_without_devel_scores_have_the_usual_message(tmp_path: Path) -> None:
    grid = make_grid(tmp_path)
    for run in grid.runs:
        finish(run)

    with pytest.raises(BadFile, match=r"predictions-devel\.tsv: there is no such file"):
        compare_choices(replace(grid, split="devel"))


def test_runs_that_lost_their_predictions_here_were_not_restored(tmp_path: Path) -> None:
    grid = make_grid(tmp_path)
    finish(grid.runs[0])
    add_devel(grid.runs[0].folder)
    (grid.runs[0].folder / "README.md").write_text("# a run\n", encoding="utf-8")

    check_not_restored([grid.runs[0].folder], "devel")
