"""A grid goes on elsewhere from the runs that were kept, and its verdicts are the same."""

import json
from dataclasses import replace
from pathlib import Path

import pytest

from linnet.comparison.grid import Grid
from linnet.comparison.identity import Log, LogEntry
from linnet.comparison.kept.archive import read_archive, write_archive
from linnet.comparison.kept.runs import count_kept, keep_runs, restore_runs
from linnet.comparison.verdict import compare_choices
from linnet.errors import BadFile, BadSetting
from linnet.tasks.linking.evaluation.predictions_file import WIDTH
from linnet.tasks.linking.evaluation.protocols import TITLES
from tests.comparison.fake_runs import SEEDS, WEIGHTINGS, finish, make_grid

COUNTS = {name: [1.0] * WIDTH.get(name, 3) for name in TITLES}
MISSING = {"data": "no-corpus"}  # is not on this machine


def finished_grid(folder: Path, axes: str = WEIGHTINGS, **given: object) -> Grid:
    folder.mkdir()
    grid = make_grid(folder, axes, recipe=MISSING, **given)
    for number, run in enumerate(grid.runs):
        finish(run, wrong=range(number))
        (run.folder / "history.jsonl").write_text('{"loss": 1}\n{"devel_f1": 0.5}\n', encoding="utf-8")
        Log(grid.output).add(LogEntry(run.name, 10.0 + number))
    return grid


def empty_grid(folder: Path, axes: str = WEIGHTINGS, **given: object) -> Grid:
    folder.mkdir()
    return make_grid(folder, axes, **({"recipe": MISSING} | given))


def test_kept_runs_count_as_finished_elsewhere_with_the_same_verdicts(tmp_path: Path) -> None:
    first, second = finished_grid(tmp_path / "a"), empty_grid(tmp_path / "b")
    n_kept = keep_runs(first, tmp_path / "kept.json.gz")

    restored = restore_runs(second, tmp_path / "kept.json.gz")

    assert (n_kept, restored.n_runs, restored.n_other, restored.has_words) == (6, 6, 0, False)
    assert all(run.is_finished for run in second.runs)
    assert compare_choices(second).comparisons == compare_choices(first).comparisons
    seconds = [Log(grid.output).entries[run.name].seconds for grid in (first, second) for run in grid.runs]
    assert seconds[:6] == seconds[6:]
    assert (second.runs[0].folder / "history.jsonl").read_text(encoding="utf-8") == '{"devel_f1": 0.5}\n'


def test_kept_runs_cannot_be_judged_on_devel(tmp_path: Path) -> None:
    keep_runs(finished_grid(tmp_path / "a"), tmp_path / "kept.json.gz")
    elsewhere = replace(empty_grid(tmp_path / "b"), split="devel")

    with pytest.raises(BadSetting, match="have predictions for test, none for devel") as refused:
        restore_runs(elsewhere, tmp_path / "kept.json.gz")

    assert "without `--kept`" in refused.value.remedy
    assert not any(run.is_finished for run in elsewhere.runs)


def test_a_grid_that_is_judged_on_devel_keeps_what_was_predicted_there(tmp_path: Path) -> None:
    first = replace(empty_grid(tmp_path / "a"), split="devel")
    for number, run in enumerate(first.runs):
        prints = dict.fromkeys(("train", "devel", "test"), "x")
        finish(run, wrong=range(9 - number), fingerprints=prints)  # on test
        finish(run, wrong=range(number), fingerprints=prints, split="devel")
    keep_runs(first, tmp_path / "kept.json.gz")
    second = replace(empty_grid(tmp_path / "b"), split="devel")

    restored = restore_runs(second, tmp_path / "kept.json.gz")

    assert (restored.n_runs, {run.split for run in read_archive(tmp_path / "kept.json.gz").runs}) == (6, {"devel"})
    assert compare_choices(second).comparisons == compare_choices(first).comparisons
    with pytest.raises(BadSetting, match="have predictions for devel, none for test"):
        restore_runs(empty_grid(tmp_path / "c"), tmp_path / "kept.json.gz")
    with pytest.raises(BadSetting, match="which has predictions for devel only"):
        compare_choices(replace(second, split="test"))


def test_runs_are_collected_over_several_places(tmp_path: Path) -> None:
    kept = tmp_path / "kept.json.gz"
    keep_runs(finished_grid(tmp_path / "a"), kept)
    more = finished_grid(tmp_path / "b", f"[axes]\nseed = [3]\n{WEIGHTINGS}")
    third = empty_grid(tmp_path / "c", f"[axes]\nseed = [1, 2, 3, 4]\n{WEIGHTINGS}")

    assert keep_runs(more, kept) == 9
    assert count_kept(third, kept) == 9
    assert restore_runs(third, kept).n_runs == 9
    assert [run.seed for run in third.runs if not run.is_finished] == [4, 4, 4]


def test_keeping_twice_changes_nothing_and_finished_runs_stay(tmp_path: Path) -> None:
    grid, kept = finished_grid(tmp_path / "a"), tmp_path / "kept.json.gz"
    keep_runs(grid, kept)
    before = kept.read_bytes()

    restored = restore_runs(grid, kept)
    keep_runs(grid, kept)

    assert restored.n_runs == 0
    assert kept.read_bytes() == before


def test_gold_annotations_are_kept_once_and_no_word_is(tmp_path: Path) -> None:
    keep_runs(finished_grid(tmp_path / "a"), tmp_path / "kept.json.gz")

    archive = read_archive(tmp_path / "kept.json.gz")

    assert len(archive.gold) == 1
    assert "ataxia" not in repr(archive)


def test_kept_runs_with_other_settings_do_not_count_and_are_told(tmp_path: Path) -> None:
    kept = tmp_path / "kept.json.gz"
    keep_runs(finished_grid(tmp_path / "a"), kept)
    other = empty_grid(tmp_path / "b", recipe={**MISSING, "epochs": 3})

    restored = restore_runs(other, kept)

    assert (restored.n_runs, restored.n_other) == (0, 6)
    assert not any(run.is_finished for run in other.runs)
    said = f"{kept}: 6 kept runs have other settings than the grid (epochs), so they do not count"
    assert restored.sentences(kept) == [said]


def test_kept_settings_of_an_earlier_version_are_read_with_defaults_and_not_guessed(tmp_path: Path) -> None:
    kept = tmp_path / "kept.json.gz"
    keep_runs(finished_grid(tmp_path / "a"), kept)
    new, gone, other = read_archive(kept), read_archive(kept), read_archive(kept)
    for at in range(6):
        del new.runs[at].settings["sample_documents"]  # an earlier version did not have it
        gone.runs[at].settings["gone"] = 1
        other.runs[at].settings["optimiser"]["epochs"] += 1  # as if the default had been another one
    for name, archive in (("new", new), ("gone", gone), ("other", other)):
        write_archive(tmp_path / name, archive)

    found = [count_kept(empty_grid(tmp_path / f"b-{name}"), tmp_path / name) for name in ("new", "gone", "other")]

    assert found == [6, 0, 0]


@pytest.mark.parametrize("changed", [{"threads": 3}, {"checkpoint_minutes": 1}, {"data": "elsewhere/no-corpus"}])
def test_where_and_how_fast_a_run_is_made_does_not_count(tmp_path: Path, changed: dict[str, object]) -> None:
    kept = tmp_path / "kept.json.gz"
    keep_runs(finished_grid(tmp_path / "a"), kept)

    assert count_kept(empty_grid(tmp_path / "b", recipe={**MISSING, **changed}), kept) == 6


def test_without_a_finished_run_no_file_is_written(tmp_path: Path) -> None:
    assert keep_runs(empty_grid(tmp_path / "a"), tmp_path / "kept.json.gz") == 0
    assert not (tmp_path / "kept.json.gz").exists()


def test_runs_of_other_tasks_are_refused(tmp_path: Path) -> None:
    axes = f'[axes]{SEEDS}scheme = ["none", "welt"]\n'
    grid = empty_grid(tmp_path / "a", axes, baseline={"scheme": "none"}, recipe={"data": "x", "task": "classification"})

    with pytest.raises(BadSetting, match="runs of classification cannot be kept"):
        keep_runs(grid, tmp_path / "kept.json.gz")


def test_links_that_are_judged_later_are_kept_and_restored(tmp_path: Path) -> None:
    first, second = finished_grid(tmp_path / "a"), empty_grid(tmp_path / "b")
    kept = tmp_path / "kept.json.gz"
    keep_runs(first, kept)
    judged = {"id": "1", "text": "rare words", "mentions": [], "found": [], "counts": COUNTS}
    (first.runs[0].folder / "linked-test-01234567.jsonl").write_text(json.dumps(judged) + "\n", encoding="utf-8")

    keep_runs(first, kept)
    restore_runs(second, kept)

    restored = json.loads((second.runs[0].folder / "linked-test-01234567.jsonl").read_text(encoding="utf-8"))
    assert restored == judged | {"text": ""}
    assert not list(second.runs[1].folder.glob("linked-*"))


@pytest.mark.parametrize(
    ("name", "content", "problem"),
    [
        ("metrics.json", "{", r"metrics\.json: is broken"),
        ("metrics.json", "[]", r"metrics\.json: is broken"),
        ("linnet.json", "[]", r"linnet\.json"),
        ("config.json", "{", r"config\.json"),
    ],
)
def test_a_kept_run_with_a_broken_file_is_refused_and_nothing_is_written(
    tmp_path: Path, name: str, content: str, problem: str
) -> None:
    kept, grid = tmp_path / "kept.json.gz", empty_grid(tmp_path / "b")
    keep_runs(finished_grid(tmp_path / "a"), kept)
    archive = read_archive(kept)
    archive.runs[3].files[name] = content
    write_archive(kept, archive)

    with pytest.raises(BadFile, match=rf"kept\.json\.gz: a kept run is broken: .*{problem}"):
        restore_runs(grid, kept)

    assert not grid.output.exists()


def test_a_kept_run_without_metrics_is_refused(tmp_path: Path) -> None:
    kept = tmp_path / "kept.json.gz"
    keep_runs(finished_grid(tmp_path / "a"), kept)
    archive = read_archive(kept)
    del archive.runs[0].files["metrics.json"]
    write_archive(kept, archive)

    with pytest.raises(BadFile, match=r"a kept run is broken: .* holds no finished run"):
        restore_runs(empty_grid(tmp_path / "b"), kept)


def test_predictions_that_no_run_has_written_are_refused_and_nothing_is_written(tmp_path: Path) -> None:
    kept, grid = tmp_path / "kept.json.gz", empty_grid(tmp_path / "b")
    keep_runs(finished_grid(tmp_path / "a"), kept)
    archive = read_archive(kept)
    archive.runs[3].predicted["changes"] = [[10**9, 0]]
    write_archive(kept, archive)

    with pytest.raises(BadFile, match=r"kept\.json\.gz: kept predictions cannot be read .`changes` is"):
        restore_runs(grid, kept)

    assert not grid.output.exists()


def test_links_that_no_run_has_written_are_refused_and_nothing_is_written(tmp_path: Path) -> None:
    kept, grid = tmp_path / "kept.json.gz", empty_grid(tmp_path / "b")
    keep_runs(finished_grid(tmp_path / "a"), kept)
    archive = read_archive(kept)
    archive.runs[3].links["../config"] = []
    write_archive(kept, archive)

    with pytest.raises(BadFile, match=r"a kept run is broken: .*these are no judged links"):
        restore_runs(grid, kept)

    assert not grid.output.exists()
