"""Trainings that were too short, and seeds that stand out, are noted beside the verdicts."""

import json
from pathlib import Path

import pytest

from linnet.comparison.comparing import report
from linnet.comparison.remarks.run_notes import note_outliers, note_short_trainings
from linnet.comparison.results import Cell
from tests.comparison.fake_runs import finish, make_grid

HINT = "The best epoch is the last of 3: train longer, e.g. `--epochs 6`."


def cell(*scores: float) -> Cell:
    return Cell({"data": "demo"}, {"weighting": "welt"}, False, dict(enumerate(scores, 1)), {}, ())


def test_runs_whose_best_epoch_is_the_last_are_counted_by_choice(tmp_path: Path) -> None:
    """Issue 22: only the reports of the single runs said so."""
    grid = make_grid(tmp_path)
    for run in grid.runs[:5]:
        finish(run)
    for run in (grid.runs[0], grid.runs[3], grid.runs[1]):
        metrics = json.loads((run.folder / "metrics.json").read_text(encoding="utf-8"))
        (run.folder / "metrics.json").write_text(json.dumps(metrics | {"hints": [HINT]}), encoding="utf-8")

    (note,) = note_short_trainings(grid.runs)

    assert note.startswith("in 3 of 5 runs the best epoch is the last (")
    assert "demo, none: 2 of 2" in note
    assert note in report(grid).notes


def test_without_such_runs_there_is_no_note(tmp_path: Path) -> None:
    grid = make_grid(tmp_path)
    finish(grid.runs[0])

    assert note_short_trainings(grid.runs) == []


def test_a_seed_far_from_all_others_is_named() -> None:
    (note,) = note_outliers([cell(0.75, 0.76, 0.755, 0.40, 0.752)])

    assert note.startswith("demo, welt: seed 4 has 40.00, far from the median 75.20 of 5 seeds")


@pytest.mark.parametrize(
    "scores",
    [
        (0.75, 0.76, 0.40),  # of three seeds none stands out
        (0.70, 0.75, 0.80, 0.65),
        (0.75, 0.75, 0.75, 0.752),  # less than a point away
        (),
    ],
)
def test_the_usual_spread_of_seeds_is_not_noted(scores: tuple[float, ...]) -> None:
    assert note_outliers([cell(*scores)]) == []
