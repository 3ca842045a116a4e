"""Notes about class weights that are all alike."""

from pathlib import Path

from linnet.comparison.comparing import plan, report
from linnet.comparison.corpora import read_grid_corpora
from linnet.comparison.remarks.equal_weights import note_equal_weights
from tests.comparison.fake_runs import finish, make_grid

NOTE = "demo, ens 0.9: the scheme gives every tag nearly the same class weight (ratio 1.000)"


def test_a_scheme_that_weights_all_tags_alike_is_noted_once(tmp_path: Path) -> None:
    grid = make_grid(tmp_path)

    (note,) = note_equal_weights(grid.runs, read_grid_corpora(grid))

    assert note.startswith(NOTE)
    assert "equal those with scheme 'none'" in note


def test_a_beta_that_has_an_effect_is_not_noted(tmp_path: Path) -> None:
    axes = """
[axes.weighting]
none = { scheme = "none" }
ens = { scheme = "ens", beta = 0.9999 }
"""
    grid = make_grid(tmp_path, axes)

    assert not note_equal_weights(grid.runs, read_grid_corpora(grid))


def test_the_tags_of_a_sample_are_estimated(tmp_path: Path) -> None:
    large, small = (make_grid(tmp_path, recipe={"data": "demo", "train_sentences": number}) for number in (300, 3))

    assert len(note_equal_weights(large.runs, read_grid_corpora(large))) == 1
    assert not note_equal_weights(small.runs, read_grid_corpora(small))  # with 4 mentions the weights do differ


def test_corpora_without_tags_are_left_out(tmp_path: Path) -> None:
    assert not note_equal_weights(make_grid(tmp_path).runs, {})


def test_the_plan_and_the_results_have_the_note(tmp_path: Path) -> None:
    grid = make_grid(tmp_path)
    planned = plan(grid, workers=1)
    for run in grid.runs:
        finish(run, range(run.seed))

    results = report(grid)

    assert sum(note.startswith(NOTE) for note in planned.notes) == 1
    assert sum(note.startswith(NOTE) for note in results.notes) == 1
