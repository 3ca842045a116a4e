"""Estimates of the training time: from finished runs, and without any from the number of operations."""

from pathlib import Path

import pytest

from linnet.comparison import budget
from linnet.comparison.budget import Budget, Operations, estimate
from linnet.comparison.corpora import read_grid_corpora
from linnet.comparison.grid import Grid
from linnet.comparison.identity import Log, LogEntry
from linnet.contracts import CorpusFacts
from tests import tiny
from tests.comparison.fake_runs import WEIGHTINGS, finish, make_grid, planned

RATE = 1e9  # operations per second


@pytest.fixture(autouse=True)
def known_machine(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(budget, "_rates", lambda _: Operations(RATE, RATE))


def tiny_grid(folder: Path, axes: str = WEIGHTINGS, **recipe: object) -> Grid:
    shared = {"data": str(tiny.corpus()), "encoder": str(tiny.encoder()), "epochs": 3} | recipe
    return make_grid(folder, axes, recipe=shared)


def estimated(grid: Grid, *, workers: int = 1) -> Budget:
    return estimate(grid.runs, read_grid_corpora(grid), Log(grid.output), workers=workers)


def n_words(split: str) -> int:
    return len((tiny.corpus() / f"{split}.tsv").read_text(encoding="utf-8").split("\t")) - 1


def test_nothing_is_left_of_a_finished_grid(tmp_path: Path) -> None:
    grid = tiny_grid(tmp_path)
    for run in grid.runs:
        finish(run)

    found = estimated(grid)

    assert (found.n_runs, found.n_finished, found.n_left, found.seconds) == (6, 6, 0, 0.0)


def test_new_runs_last_as_long_as_those_of_their_kind_that_ended(tmp_path: Path) -> None:
    grid = tiny_grid(tmp_path)
    log = Log(grid.output)
    for run, seconds in zip(grid.runs, (30.0, 50.0), strict=False):
        finish(run)
        log.add(LogEntry(run.name, seconds))
    log.add(LogEntry(grid.runs[2].name, 1.0, "failed at once"))  # says nothing about the length of a run

    assert estimated(grid).seconds == pytest.approx(4 * 40)
    assert estimated(grid, workers=2).seconds == pytest.approx(4 * 40 / 2)
    assert estimated(grid, workers=99).seconds == pytest.approx(40)


def test_before_any_run_ended_the_arithmetic_is_counted(tmp_path: Path) -> None:
    grid = tiny_grid(tmp_path)

    # two layers, hidden size 16, inner size 24, three epochs; 1.5 sub-words a word, 6 operations to learn, 2 to read
    n_weights = 2 * (4 * 16**2 + 2 * 16 * 24)
    operations = 1.5 * n_weights * (6 * 3 * n_words("train") + 2 * 4 * n_words("devel") + 2 * n_words("test"))
    assert estimated(grid).seconds == pytest.approx(6 * (budget.START_SECONDS + operations / RATE))


def test_a_sample_costs_its_share(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(budget, "START_SECONDS", 0.0)
    sizes = "[axes]\nseed = [1]\ntrain_sentences = [6]\ndevel_sentences = [2]\n" + WEIGHTINGS

    sample, whole = estimated(tiny_grid(tmp_path, sizes)).seconds, estimated(tiny_grid(tmp_path)).seconds

    assert sample is not None
    assert whole is not None
    assert 0.2 < 2 * sample / whole < 0.5  # a quarter of train and of devel, and the whole test split


TARGET, OTHER = {"name": "a", "data": "a", "role": "target"}, {"name": "b", "data": "b"}
COMPANIONS = {  # of the same size
    name: CorpusFacts({}, lambda: {"train": (10, 100), "devel": (5, 50), "test": (5, 50)}) for name in "ab"
}
LEARNED = 1.5 * 2 * (4 * 16**2 + 2 * 16 * 24) * 6 / RATE  # seconds for each word learned, by the sizes above


def seconds(folder: Path, **settings: object) -> float:
    """Return what is estimated for one run whose target is `a`."""
    run = planned(folder, data="a", encoder=str(tiny.encoder()), **settings)
    found = estimate([run], COMPANIONS, Log(folder), workers=1).seconds
    assert found is not None
    return found


def test_company_and_stages_cost_what_they_add(tmp_path: Path) -> None:
    stages = [{"corpora": ["a", "b"], "epochs": 2}, {"corpora": ["a"], "epochs": 1}]

    single = seconds(tmp_path, optimiser={"epochs": 3})
    joint = seconds(tmp_path, corpora=[TARGET, OTHER], stages=stages)

    # of three passes over train two are made in the company of as much again
    assert joint - single == pytest.approx(LEARNED * 2 * 100)


def test_where_devel_is_learned_from_it_is_not_read_besides(tmp_path: Path) -> None:
    train, both = (seconds(tmp_path, train_on=split, optimiser={"epochs": 3}) for split in ("train", "train_dev"))
    company = seconds(tmp_path, train_on="train_dev", optimiser={"epochs": 3}, corpora=[TARGET, OTHER])

    # 50 words of devel more in each of three epochs; reading them, three times and at the end, costs a third of that
    assert both - train == pytest.approx(LEARNED * (3 * 50 - 4 * 50 / 3))
    assert company - both == pytest.approx(LEARNED * 3 * 150)


def test_without_stages_all_corpora_are_company(tmp_path: Path) -> None:
    optimiser = {"epochs": 3}

    single = seconds(tmp_path, optimiser=optimiser)
    joint = seconds(tmp_path, optimiser=optimiser, corpora=[TARGET, OTHER])

    assert joint - single == pytest.approx(LEARNED * 3 * 100)


def test_the_targets_own_sample_goes_before_that_of_the_recipe(tmp_path: Path) -> None:
    optimiser = {"epochs": 3}
    sampled = [{**TARGET, "train_sentences": 2}]

    whole, own, top, both = (
        seconds(tmp_path, optimiser=optimiser, corpora=corpora, **given)
        for corpora, given in (
            ([TARGET], {}),
            (sampled, {}),
            ([TARGET], {"train_sentences": 5}),
            (sampled, {"train_sentences": 5}),
        )
    )

    # two and five of ten sentences, so 20 and 50 of 100 words
    assert whole - own == whole - both == pytest.approx(LEARNED * 3 * 80)
    assert whole - top == pytest.approx(LEARNED * 3 * 50)


def test_runs_with_another_sampling_are_of_another_kind(tmp_path: Path) -> None:
    common = {"data": "a", "encoder": str(tiny.encoder()), "corpora": [TARGET, OTHER]}
    ended, same, other = (
        planned(tmp_path / str(number), **common, sampling={"rule": rule})
        for number, rule in enumerate(("round-robin", "round-robin", "proportional"))
    )
    log = Log(tmp_path)
    finish(ended)
    log.add(LogEntry(ended.name, 4000.0))

    assert estimate([ended, same], COMPANIONS, log, workers=1).seconds == pytest.approx(4000)
    assert estimate([ended, other], COMPANIONS, log, workers=1).seconds == pytest.approx(
        seconds(tmp_path, corpora=[TARGET, OTHER])
    )


def test_encoders_that_are_not_here_are_left_out_and_counted(tmp_path: Path) -> None:
    encoders = f'[axes]\nseed = [1]\nencoder = ["{tiny.encoder()}", "nobody/nothing"]\n{WEIGHTINGS}'

    some, none = estimated(tiny_grid(tmp_path, encoders)), estimated(tiny_grid(tmp_path, encoder="nobody/nothing"))

    assert (some.n_unknown, none.n_unknown) == (3, 6)
    assert some.seconds is not None
    assert none.seconds is None


def test_this_machine_multiplies_faster_than_a_pocket_calculator(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.undo()

    rates = budget._rates("auto")

    assert rates.learning > 1e7
    assert rates.reading > 1e7


@pytest.mark.parametrize(("load", "expected"), [(0.0, 1.0), (1.0, 1.0), (5.0, 3.0)])
def test_runs_take_longer_beside_other_programs(monkeypatch: pytest.MonkeyPatch, load: float, expected: float) -> None:
    """Issue 22: with other jobs on the machine the estimate was six times too small."""
    monkeypatch.setattr(budget, "count_processors", lambda: 2)
    monkeypatch.setattr("os.getloadavg", lambda: (load, 0.0, 0.0))

    assert budget._slowdown() == expected


def test_a_busy_machine_is_named_where_times_are_computed_from_its_speed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    grid = tiny_grid(tmp_path)

    monkeypatch.setattr("os.getloadavg", lambda: (0.4, 0.0, 0.0), raising=False)
    idle = estimated(grid).notes
    monkeypatch.setattr("os.getloadavg", lambda: (5.25, 0.0, 0.0), raising=False)
    busy = estimated(grid).notes
    for run in grid.runs[:2]:
        finish(run)
        Log(grid.output).add(LogEntry(run.name, 30.0))
    measured = estimated(grid).notes

    assert busy == ("the machine was busy (load 5.2 before the estimate): an idle one is faster",)
    assert (idle, measured) == ((), ())
