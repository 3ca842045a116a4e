"""`linnet compare --power`: seeds and test units for a difference, as text and as JSON, and nothing is run."""

import json
from collections.abc import Collection
from pathlib import Path

import pytest

from linnet.cli.scores.power import describe_plan
from linnet.comparison.grid import PlannedRun
from linnet.comparison.judging.planning import N_SEEDS, TIMES_UNITS, Limit, PowerPlan
from tests.cli.running import run
from tests.comparison.fake_runs import WEIGHTINGS, finish, make_grid, write_grid

SEEDS = "[axes]\nseed = [1, 2, 3]\n"


def some_wrong(planned: PlannedRun) -> Collection[int]:
    first = {"none": 20, "welt": 14, "ens 0.9": 18}[planned.choice["weighting"]]
    return range(planned.seed, first + 3 * (planned.seed % 2))


def pilot(folder: Path, seeds: int = 3) -> Path:
    for planned in make_grid(folder, SEEDS + WEIGHTINGS).runs:
        if planned.seed <= seeds:
            finish(planned, some_wrong(planned), n_sentences=100)
    return folder / "weighting.toml"


@pytest.mark.long
def test_a_table_for_each_choice_says_how_many_seeds_are_enough(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = pilot(tmp_path)

    done = run(capsys, "compare", str(path), "--power", "10")

    assert done.code == 0, done.err
    assert "demo, welt: probability to find 10 points, in percent" in done.out
    assert "4 x 100 units" in done.out
    assert "A difference of 10 points is found with a probability of 80 % by" in done.out
    assert "From finished runs with 3 seeds." in done.out
    assert not (tmp_path / "grid" / "index.html").exists()


def plan(enough: dict[int, int], larger: int | None = None, limit: Limit | None = None) -> PowerPlan:
    """Return a plan in which so many seeds are enough with each multiple of 10 units."""
    power = {
        (seeds, times): 0.9 if times in enough and seeds >= enough[times] else 0.5
        for seeds in N_SEEDS
        for times in TIMES_UNITS
    }
    return PowerPlan({"data": "demo"}, {"weighting": "welt"}, 3, 10, power, larger, limit, 0.0831)


@pytest.mark.parametrize(
    ("found", "sentence"),
    [
        (
            plan({1: 9, 2: 5, 4: 3}),
            "A difference of 2 points is found with a probability of 80 % by "
            "9 seeds with 1 x 10 test units, or 5 seeds with 2 x 10 "
            "test units, or 3 seeds with 4 x 10 test units.",
        ),
        (
            plan({4: 7}),
            "A difference of 2 points is found with a probability of 80 % by "
            "7 seeds with 4 x 10 test units. With 1 x and 2 x 10, "
            "20 seeds are not enough.",
        ),
        (
            plan({}, larger=16, limit="units"),
            "A difference of 2 points is not found with a probability of 80 %, not even by 20 seeds with 4 x 10 test "
            "units: the "
            "test set is too small. 16 x as many units and 20 seeds would be enough.",
        ),
        (
            plan({}, limit="units"),
            "A difference of 2 points is not found with a probability of 80 %, not even by 20 seeds with 4 x 10 test "
            "units: the "
            "test set is too small. 64 x as many units would not be enough either.",
        ),
        (
            plan({}, limit="seeds"),
            "A difference of 2 points is not found with a probability of 80 %, not even by 20 seeds with 4 x 10 test "
            "units: the "
            "scores differ too much between seeds (their differences have an SD of 8.31 points); more test units "
            "hardly help. Train longer or on more sentences, so that runs differ less, or ask about a larger "
            "difference.",
        ),
        (
            plan({}, limit="both"),
            "A difference of 2 points is not found with a probability of 80 %, not even by 20 seeds with 4 x 10 test "
            "units: the "
            "test set is too small, and the scores differ too much between seeds (their differences have an SD of "
            "8.31 points), so 64 x as many units would not be enough. Train longer or on more sentences, so that "
            "runs differ less, or ask about a larger difference.",
        ),
    ],
)
def test_the_sentence_says_what_is_enough_or_that_nothing_is(found: PowerPlan, sentence: str) -> None:
    assert describe_plan(found, 2) == sentence


def test_one_point_is_not_one_points() -> None:
    assert describe_plan(plan({1: 9}), 1).startswith("A difference of 1 point is found")


def test_json_has_every_plan(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = pilot(tmp_path)

    found = json.loads(run(capsys, "compare", str(path), "--power", "10", "--json").out)

    assert (found["difference"], found["power"], found["family_size"]) == (0.1, 0.8, 2)
    first = found["comparisons"][0]
    assert (first["choice"], first["pilot_seeds"], first["n_units"]) == ({"weighting": "welt"}, 3, 100)
    assert (first["limited_by"], first["deviation_over_seeds"] > 0) == (None, True)
    assert [each["times_units"] for each in first["needed"]] == [1, 2, 4]
    assert len(first["plans"]) == 18 * 3


def test_of_several_conditions_each_is_planned_alone_too(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for planned in make_grid(tmp_path, f"{SEEDS}encoder = ['minilm', 'mpnet']\n{WEIGHTINGS}").runs:
        finish(planned, some_wrong(planned), n_sentences=100)
    path = tmp_path / "weighting.toml"

    shown = run(capsys, "compare", str(path), "--power", "10").out
    found = json.loads(run(capsys, "compare", str(path), "--power", "10", "--json").out)

    assert "- mpnet, welt. A difference of 10 points is found" in " ".join(shown.split())
    assert (found["family_size"], [each["place"] for each in found["comparisons"]]) == (2, [{}, {}])
    alone = found["at_places"]
    assert alone["family_size"] == len(alone["comparisons"]) == 4
    assert {each["place"]["encoder"] for each in alone["comparisons"]} == {"minilm", "mpnet"}


def test_too_few_runs_are_one_message(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = write_grid(tmp_path, SEEDS + WEIGHTINGS)

    nothing = run(capsys, "compare", str(path), "--power", "2")
    one = run(capsys, "compare", str(pilot(tmp_path, seeds=1)), "--power", "2")

    assert nothing.code == 2
    assert "no finished runs can be compared" in nothing.err
    assert one.code == 2
    assert "power is planned from runs with 2 or more seeds, welt has 1" in one.err
    assert "Traceback" not in one.err


def test_identical_and_collapsed_pilots_are_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    grid = make_grid(tmp_path, SEEDS + WEIGHTINGS)
    for planned in grid.runs:
        finish(planned, range(planned.seed), n_sentences=100)
    identical = run(capsys, "compare", str(grid.path), "--power", "2")
    for planned in grid.runs:
        finish(planned, range(100), n_sentences=100)
    collapsed = run(capsys, "compare", str(grid.path), "--power", "2")

    assert (identical.code, collapsed.code) == (2, 2)
    assert "the runs of welt and none are identical" in identical.err
    assert "the run of welt or of none has collapsed on demo with 3 of 3 seeds" in collapsed.err
    assert "nothing can be planned from them" in collapsed.err
    assert not identical.out + collapsed.out


def test_a_choice_that_is_the_baseline_is_left_out_with_a_warning(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    grid = make_grid(tmp_path, SEEDS + WEIGHTINGS)
    for planned in grid.runs:
        is_welt = planned.choice["weighting"] == "welt"
        finish(planned, range(planned.seed, 14 if is_welt else 20), n_sentences=100)

    done = run(capsys, "compare", str(grid.path), "--power", "10", "--json")

    assert done.code == 0
    assert "the runs of ens 0.9 and none are identical: nothing can be planned from these runs" in done.err
    found = json.loads(done.out)
    assert found["family_size"] == 2
    assert [each["choice"]["weighting"] for each in found["comparisons"]] == ["welt"]
