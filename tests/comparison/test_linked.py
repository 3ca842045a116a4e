"""Linked settings, which depend on combinations of axis values, and rows that are refused."""

from pathlib import Path

import pytest

from linnet.comparison.grid import Grid, load_grid
from linnet.comparison.verdict import compare_choices
from linnet.errors import BadSetting
from linnet.training.options import read_recipe
from tests.comparison.fake_runs import WEIGHTINGS, finish, make_grid, write_grid

AXES = f"""
[axes]
seed = [1, 2]
data = ["corpora/linnaeus", "corpora/bc2gm"]
[axes.encoder]
small = {{ encoder = "minilm" }}
large = {{ encoder = "dmis-lab/biobert-v1.1" }}
{WEIGHTINGS}
"""
SMALL = {"encoder": "small", "set": {"max_length": 64, "epochs": 9}}
LARGE = [
    {"data": "linnaeus", "encoder": "large", "set": {"max_length": 320, "epochs": 3}},
    {"data": "bc2gm", "encoder": "large", "set": {"window": {"max_length": 128}, "optimiser.epochs": 4}},
]
WANTED = {
    ("linnaeus", "small"): (64, 9),
    ("bc2gm", "small"): (64, 9),
    ("linnaeus", "large"): (320, 3),
    ("bc2gm", "large"): (128, 4),
}


def linked(folder: Path, *rows: object) -> Grid:
    return make_grid(folder, AXES, when=list(rows))


def refused(folder: Path, *rows: object, axes: str = AXES) -> str:
    path = write_grid(folder, axes, when=list(rows))
    with pytest.raises(BadSetting) as caught:
        load_grid(path)
    assert str(path) in caught.value.problem
    return str(caught.value)


def found(grid: Grid) -> dict[tuple[str, str], tuple[int, int]]:
    return {
        (run.place["data"], run.place["encoder"]): (
            run.settings.window.max_length,
            run.settings.optimiser.epochs,
        )
        for run in grid.runs
    }


def test_each_combination_has_the_settings_of_its_row(tmp_path: Path) -> None:
    assert found(linked(tmp_path, SMALL, *LARGE)) == WANTED


def test_the_order_of_rows_does_not_matter_and_rows_may_agree(tmp_path: Path) -> None:
    again = {"encoder": "small", "data": "bc2gm", "set": {"epochs": 9}}

    assert found(linked(tmp_path, *LARGE, again, SMALL)) == WANTED


def test_a_row_may_name_several_values_and_a_folder_as_the_axis_writes_it(tmp_path: Path) -> None:
    rows = [
        {"data": ["corpora/linnaeus", "bc2gm"], "encoder": "small", "set": {"epochs": 9}},
        {"data": ["linnaeus", "bc2gm"], "encoder": ["large"], "set": {"epochs": 3}},
    ]

    assert {epochs for _, epochs in found(linked(tmp_path, *rows)).values()} == {9, 3}


def test_linked_settings_are_no_axis(tmp_path: Path) -> None:
    plain, grid = make_grid(tmp_path, AXES), linked(tmp_path, SMALL, *LARGE)

    assert len(grid.runs) == len(plain.runs) == 2 * 2 * 2 * 3
    assert (grid.place_axes, grid.choice_axes, grid.axes) == (plain.place_axes, plain.choice_axes, plain.axes)


def test_what_is_linked_lies_over_the_recipe(tmp_path: Path) -> None:
    recipe = {"optimiser": {"epochs": 50, "batch_size": 2}}

    grid = make_grid(tmp_path, AXES, recipe=recipe, when=[SMALL, *LARGE])

    assert found(grid) == WANTED
    assert {run.settings.optimiser.batch_size for run in grid.runs} == {2}


def test_linked_settings_are_compared_and_kept_in_the_recipe_of_each_run(tmp_path: Path) -> None:
    grid = linked(tmp_path, SMALL, *LARGE)
    for run in grid.runs:
        finish(run, wrong=[0] if run.choice["weighting"] == "welt" else [0, 1, run.seed + 1])

    results = compare_choices(grid)

    assert {cell.place["data"] for cell in results.cells} == {"linnaeus", "bc2gm"}
    assert len(results.comparisons) == 4 * 2 + 2
    assert results.details["linked settings"] == "max_length, epochs by data and encoder"
    kept = read_recipe(grid.runs[0].folder / "recipe.toml")
    assert (kept.window.max_length, kept.optimiser.epochs) == WANTED["linnaeus", "small"]


def test_another_value_in_a_row_makes_only_its_own_runs_anew(tmp_path: Path) -> None:
    before = linked(tmp_path, SMALL, *LARGE)
    for run in before.runs:
        finish(run)

    changed = {**SMALL, "set": {"max_length": 64, "epochs": 8}}
    after = linked(tmp_path, changed, *LARGE)

    assert {run.place["encoder"] for run in after.runs if not run.is_finished} == {"small"}
    assert all(run.is_finished for run in linked(tmp_path, *LARGE, SMALL).runs)
    assert {run.name for run in after.runs if run.is_finished} == {
        run.name for run in before.runs if run.place["encoder"] == "large"
    }


def test_combinations_without_a_row_are_refused_all_together(tmp_path: Path) -> None:
    refusal = refused(tmp_path, LARGE[0], {"data": "bc2gm", "encoder": "small", "set": {"epochs": 2}})

    assert "no row of `when` sets window.max_length for data bc2gm, encoder large" in refusal
    assert "no row of `when` sets optimiser.epochs for data linnaeus, encoder small" in refusal
    assert refusal.count("no row of") == 3 + 2
    assert "a list names several values" in refusal


def test_rows_that_contradict_each_other_are_refused_all_together(tmp_path: Path) -> None:
    other = {"data": "linnaeus", "set": {"epochs": 5, "max_length": 64}}

    refusal = refused(tmp_path, SMALL, *LARGE, other)

    assert "rows 1 and 4 of `when` set optimiser.epochs for data linnaeus, encoder small to 9 and 5" in refusal
    assert "rows 2 and 4 of `when` set optimiser.epochs for data linnaeus, encoder large to 3 and 5" in refusal
    assert "rows 2 and 4 of `when` set window.max_length" in refusal
    assert "rows 1 and 4 of `when` set window.max_length" not in refusal  # the two agree


@pytest.mark.parametrize(
    ("row", "message"),
    [
        ({"corpus": "x", "set": {"epochs": 1}}, "row 4 of `when` names 'corpus', which is no axis of this grid"),
        ({"encodr": "small", "set": {"epochs": 1}}, "(did you mean 'encoder'?); there are data, encoder, weighting"),
        ({"encoder": "smal", "set": {"epochs": 1}}, "the axis 'encoder' has no value 'smal' (did you mean 'small'?)"),
        ({"encoder": ["small", "x"], "set": {"epochs": 1}}, "has no value 'x'; there are small, large"),
        ({"encoder": {"a": 1}, "set": {"epochs": 1}}, "the axis 'encoder' has no value \"{'a': 1}\""),
        ({"encoder": [], "set": {"epochs": 1}}, "row 4 of `when` names no value of 'encoder'"),
        ({"seed": 1, "set": {"epochs": 1}}, "the axis of repetitions"),
        ({"set": {"epochs": 1}}, "row 4 of `when` names no axis; settings of all runs belong in `recipe`"),
        ({"encoder": "small"}, "row 4 of `when` sets nothing"),
        ({"encoder": "small", "set": {}}, "row 4 of `when` sets nothing"),
        ({"encoder": "small", "set": 3}, "row 4 of `when` sets nothing: expected `set` with settings, found 3"),
        ({"encoder": "small", "set": {"epoch": 1}}, "there is no setting 'epoch'; did you mean 'epochs'?"),
        ({"encoder": "small", "set": {"scheme": "ins"}}, "sets 'loss.scheme', which the axis 'weighting' sets already"),
        ({"encoder": "small", "set": {"data": "demo"}}, "sets 'data', which the axis 'data' sets already"),
        ({"encoder": "small", "set": {"seed": 3}}, "sets 'seed', but seeds are the repetitions"),
        ({"encoder": "small", "set": {"output": "x"}}, "the runs get their folders from the grid"),
    ],
)
def test_a_row_that_cannot_work_is_refused(tmp_path: Path, row: object, message: str) -> None:
    assert message in refused(tmp_path, SMALL, *LARGE, row)


def test_the_problems_of_several_rows_are_named_together(tmp_path: Path) -> None:
    refusal = refused(tmp_path, {"encoder": "smal", "set": {"epoch": 1}}, {"corpus": "x", "set": {"scheme": "ins"}})

    for message in ("'smal'", "'epoch'", "'corpus'", "'loss.scheme'"):
        assert message in refusal


def test_a_value_that_no_training_takes_is_refused_with_its_setting(tmp_path: Path) -> None:
    refusal = refused(tmp_path, {**SMALL, "set": {"max_length": 2, "epochs": -1}}, *LARGE)

    assert "window.max_length" in refusal
    assert "optimiser.epochs" in refusal


def test_a_single_section_is_refused_with_the_form_of_a_list(tmp_path: Path) -> None:
    path = write_grid(tmp_path, AXES, when=SMALL)

    with pytest.raises(BadSetting, match=r"write \[\[when\]\] above each"):
        load_grid(path)


def test_the_one_corpus_of_a_recipe_cannot_be_linked_since_it_is_the_place(tmp_path: Path) -> None:
    row = {"weighting": ["none", "welt", "ens 0.9"], "set": {"data": "corpora/bc2gm"}}

    assert "sets 'data', which the axis 'data' sets already" in refused(tmp_path, row, axes=WEIGHTINGS)
