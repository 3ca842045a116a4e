"""The log of a grid's runs, and the checks that its corpora have not changed."""

import json
import re
from pathlib import Path

import pytest

from linnet.comparison import grid as grids
from linnet.comparison.corpora import read_grid_corpora
from linnet.comparison.grid import Grid, load_grid
from linnet.comparison.identity import Log, LogEntry, check_data, check_test_splits, record_data
from linnet.errors import BadFile, BadSetting
from tests import tiny
from tests.comparison.fake_runs import WEIGHTINGS, fingerprints_of, finish, make_grid, write_grid


def corpus_grid(folder: Path, *names: str) -> Grid:
    """Return a grid over small corpora of these names."""
    for name in names:
        tiny.write_corpus(folder / name, train=2, devel=2, test=2)
    listed = ", ".join(f'"{folder / name}"' for name in names)
    return make_grid(folder, f"[axes]\nseed = [1]\ndata = [{listed}]\n{WEIGHTINGS}", recipe={})


def data_grid(folder: Path) -> Grid:
    """Return a grid that compares what is learned from."""
    corpus_grid(folder, "plain", "other")
    listed = f'"{folder / "plain"}", "{folder / "other"}"'
    return make_grid(folder, f"[axes]\nseed = [1]\ndata = [{listed}]\n", recipe={}, baseline={"data": "plain"})


def change(folder: Path, split: str) -> None:
    """Let a split hold other sentences than before."""
    (folder / f"{split}.tsv").write_text(tiny.conll(tiny.sentences(2, seed=99)), encoding="utf-8")


def test_a_run_is_finished_when_its_folder_says_so(tmp_path: Path) -> None:
    grid = make_grid(tmp_path)
    first, second, *_ = grid.runs

    finish(first)
    second.folder.mkdir(parents=True)
    (second.folder / "recipe.toml").write_text("")  # begun, not ended

    assert [run.name for run in grid.runs if run.is_finished] == [first.name]


def test_another_recipe_has_another_folder(tmp_path: Path) -> None:
    before = make_grid(tmp_path, recipe={"data": "demo"})
    after = make_grid(tmp_path, recipe={"data": "demo", "epochs": 7})

    assert not {run.name for run in before.runs} & {run.name for run in after.runs}


def test_the_same_recipe_has_the_same_folder_however_it_is_written(tmp_path: Path) -> None:
    before = make_grid(tmp_path, recipe={"data": "demo", "epochs": 7})
    after = make_grid(tmp_path, recipe={"optimiser": {"epochs": 7}, "data": "demo", "seed": 9}, metric="fair")

    assert [run.name for run in before.runs] == [run.name for run in after.runs]


def test_another_version_has_another_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = write_grid(tmp_path)
    before = load_grid(path)
    monkeypatch.setattr(grids, "__version__", "99.0")

    after = load_grid(path)

    assert not {run.name for run in before.runs} & {run.name for run in after.runs}


def test_runs_made_with_the_current_data_are_accepted(tmp_path: Path) -> None:
    grid = corpus_grid(tmp_path, "first", "second")
    for run in grid.runs:
        finish(run, fingerprints=fingerprints_of(run.settings.data))
    corpora = read_grid_corpora(grid)
    record_data(grid, corpora)

    check_data(grid, corpora)  # does not raise


def test_runs_made_with_other_data_under_the_same_name_are_refused_with_corpus_split_and_runs(tmp_path: Path) -> None:
    grid = corpus_grid(tmp_path, "first", "second")
    for run in grid.runs:
        finish(run, fingerprints=fingerprints_of(run.settings.data))
    record_data(grid, read_grid_corpora(grid))
    change(tmp_path / "second", "train")

    with pytest.raises(BadFile) as caught:
        check_data(grid, read_grid_corpora(grid))

    problem = caught.value.problem
    assert f"{tmp_path / 'second'} was another corpus then (train)" in problem
    for run in grid.runs:
        assert (run.name in problem) == (run.place["data"] == "second")
    assert f"{tmp_path / 'first'} was" not in problem
    assert "--output" in caught.value.remedy


def test_the_fingerprints_of_finished_runs_count_without_a_record_beside_them(tmp_path: Path) -> None:
    grid = corpus_grid(tmp_path, "first")
    finish(grid.runs[0], fingerprints=fingerprints_of(grid.runs[0].settings.data))
    change(tmp_path / "first", "test")

    with pytest.raises(BadFile, match=r"first was another corpus then \(test\) for seed-1--first--none--"):
        check_data(grid, read_grid_corpora(grid))


def test_runs_that_were_only_begun_count_as_well(tmp_path: Path) -> None:
    grid = corpus_grid(tmp_path, "first")
    record_data(grid, read_grid_corpora(grid))
    change(tmp_path / "first", "devel")

    with pytest.raises(BadFile, match=r"first was another corpus then \(devel\)"):
        check_data(grid, read_grid_corpora(grid))


def test_many_runs_are_counted_rather_than_listed(tmp_path: Path) -> None:
    tiny.write_corpus(tmp_path / "first", train=2, devel=2, test=2)
    seeds = ", ".join(map(str, range(1, 8)))
    grid = make_grid(tmp_path, f"[axes]\nseed = [{seeds}]\n{WEIGHTINGS}", recipe={"data": str(tmp_path / "first")})
    for run in grid.runs:
        finish(run, fingerprints={"train": "other"})

    with pytest.raises(BadFile, match=r" and 16 more"):  # 7 seeds x 3 weightings, 5 of them by name
        check_data(grid, read_grid_corpora(grid))


def test_data_of_an_earlier_grid_in_the_same_folder_stay_known(tmp_path: Path) -> None:
    first = corpus_grid(tmp_path, "first")
    record_data(first, read_grid_corpora(first))
    second = corpus_grid(tmp_path, "second")
    record_data(second, read_grid_corpora(second))

    known = json.loads((tmp_path / "grid" / "data.json").read_text(encoding="utf-8"))

    assert known.keys() == {str(tmp_path / "first"), str(tmp_path / "second")}
    assert known[str(tmp_path / "first")] == fingerprints_of(str(tmp_path / "first"))


def test_a_broken_note_of_the_data_is_an_error_with_its_place(tmp_path: Path) -> None:
    grid = corpus_grid(tmp_path, "first")
    grid.output.mkdir()
    (grid.output / "data.json").write_text("{", encoding="utf-8")

    with pytest.raises(BadFile, match=r"data\.json: is broken"):
        check_data(grid, read_grid_corpora(grid))


def test_a_corpus_without_a_test_split_is_refused(tmp_path: Path) -> None:
    grid = corpus_grid(tmp_path, "first", "second")
    (tmp_path / "second" / "test.tsv").unlink()

    with pytest.raises(BadSetting, match=re.escape(f"no test split in {tmp_path / 'second'}")):
        check_test_splits(grid, read_grid_corpora(grid))


def test_other_training_data_can_be_compared_where_the_test_split_is_the_same(tmp_path: Path) -> None:
    grid = data_grid(tmp_path)
    change(tmp_path / "other", "train")

    check_test_splits(grid, read_grid_corpora(grid))  # does not raise


def test_systems_are_not_compared_on_different_test_splits(tmp_path: Path) -> None:
    grid = data_grid(tmp_path)
    change(tmp_path / "other", "test")

    with pytest.raises(BadSetting, match=r"plain and .*other are compared, but have different test splits"):
        check_test_splits(grid, read_grid_corpora(grid))


def test_the_last_attempt_at_a_run_counts(tmp_path: Path) -> None:
    log = Log(tmp_path / "grid")
    log.add(LogEntry("a", 3.0, "out of memory", "Traceback"))
    log.add(LogEntry("b", 4.0))
    log.add(LogEntry("a", 5.0))

    again = Log(tmp_path / "grid")

    assert again.entries == {"a": LogEntry("a", 5.0), "b": LogEntry("b", 4.0)}


def test_a_log_that_was_cut_off_loses_one_entry_only(tmp_path: Path) -> None:
    Log(tmp_path).add(LogEntry("a", 3.0))
    with (tmp_path / "log.jsonl").open("a", encoding="utf-8") as file:
        file.write('{"name": "b", "sec')

    log = Log(tmp_path)
    log.add(LogEntry("c", 4.0))

    assert log.entries.keys() == Log(tmp_path).entries.keys() == {"a", "c"}


@pytest.mark.parametrize(
    "damage",
    [b"\xff\xfe", b"[" * 100_000, b'{"name": ["a"], "seconds": 1}', b'{"name": "a", "seconds": "1"}', b"null"],
    ids=["not UTF-8", "deep", "no name", "no number", "no object"],
)
def test_a_damaged_line_of_the_log_is_passed_over(tmp_path: Path, damage: bytes) -> None:
    whole = LogEntry("run-1", 2.5)
    Log(tmp_path).add(whole)
    with (tmp_path / "log.jsonl").open("ab") as file:
        file.write(damage + b"\n")

    assert Log(tmp_path).entries == {"run-1": whole}


@pytest.mark.parametrize("content", ["[]", '{"corpus": []}', "[" * 100_000], ids=["list", "no splits", "deep"])
def test_damaged_fingerprints_are_refused(tmp_path: Path, content: str) -> None:
    grid = make_grid(tmp_path)
    grid.output.mkdir(parents=True, exist_ok=True)
    (grid.output / "data.json").write_text(content, encoding="utf-8")

    with pytest.raises(BadFile, match=r"data\.json: is broken"):
        check_data(grid, {})
