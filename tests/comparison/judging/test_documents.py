"""Files of documents for the corpora of a grid: from its file and from the command, for finished and for kept runs."""

from pathlib import Path

import pytest

from linnet.comparison.comparing import plan
from linnet.comparison.grid import Grid
from linnet.comparison.judging.documents import with_documents
from linnet.comparison.kept.runs import count_kept, keep_runs, restore_runs
from linnet.comparison.verdict import compare_choices
from linnet.errors import BadSetting, LinnetError
from tests import tiny
from tests.comparison.fake_runs import N_SENTENCES, WEIGHTINGS, finish, make_grid

CORPORA = """
[axes]
seed = [1, 2]
[axes.corpus]
first = { data = "a/x" }
second = { data = "b/x", documents = { test = "second.ids" } }
[axes.weighting]
none = { scheme = "none" }
welt = { scheme = "welt" }
"""
SENTENCES_ALONE = "intervals are over sentences"


def write_ids(path: Path, number: int = N_SENTENCES) -> str:
    path.write_text("".join(f"{at // 2}\n" for at in range(number)), encoding="utf-8")
    return str(path)


def finished(folder: Path, recipe: dict[str, object] | None = None) -> Grid:
    folder.mkdir(exist_ok=True)
    grid = make_grid(folder, recipe={"data": "no-corpus"} | (recipe or {}))
    for number, run in enumerate(grid.runs):
        finish(run, range(number))
    return grid


def files_of(grid: Grid) -> list[object]:
    return [run.settings.model_dump()["documents"] for run in grid.runs]


def drawn(grid: Grid) -> tuple[str, int]:
    (found,) = compare_choices(grid, n_resamples=20).drawn
    return found.name, found.number


def test_a_file_in_the_recipe_holds_for_runs_that_were_made_without_it(tmp_path: Path) -> None:
    named = {"documents": {"test": write_ids(tmp_path / "test.ids")}}

    before, after = finished(tmp_path / "a"), make_grid(tmp_path / "a", recipe={"data": "no-corpus"} | named)

    assert [run.folder for run in after.runs] == [run.folder for run in before.runs]
    assert (drawn(before), drawn(after)) == (("sentences", 20), ("documents", 10))
    notes = [[note for note in compare_choices(grid).notes if SENTENCES_ALONE in note] for grid in (before, after)]
    assert [len(each) for each in notes] == [1, 0]


@pytest.mark.parametrize(
    "needed",
    [{"same_abbreviations": True}, {"sample_documents": True, "train_sentences": 2}],
    ids=["passes", "samples"],
)
def test_a_file_that_changes_what_is_learned_or_predicted_makes_other_runs(
    tmp_path: Path, needed: dict[str, object]
) -> None:
    shared = {"data": "no-corpus", **needed}
    without, with_file = (
        make_grid(tmp_path, recipe=shared | more) for more in ({}, {"documents": {"test": "test.ids"}})
    )

    assert not {run.folder for run in without.runs} & {run.folder for run in with_file.runs}
    with pytest.raises(BadSetting, match="the documents change what these runs learn or predict"):
        with_documents(without, ["test.ids"])


def test_a_file_that_is_named_on_the_command_is_that_of_the_judged_split(tmp_path: Path) -> None:
    grid = with_documents(finished(tmp_path), [write_ids(tmp_path / "test.ids")])

    assert drawn(grid) == ("documents", 10)
    assert files_of(grid) == [{"test": str(tmp_path / "test.ids")}] * 6
    assert with_documents(grid, ()) is grid
    assert with_documents(grid, str(tmp_path / "test.ids")).runs == grid.runs


def test_files_are_named_by_corpus_and_come_before_those_of_the_grid(tmp_path: Path) -> None:
    grid = make_grid(tmp_path, CORPORA)

    assert files_of(with_documents(grid, ["first=f.ids"])) == [
        *[{"test": "f.ids"}] * 2, *[{"test": "second.ids"}] * 2
    ] * 2  # fmt: skip
    assert files_of(with_documents(grid, ["second=s.ids"])) == [*[None] * 2, *[{"test": "s.ids"}] * 2] * 2


@pytest.mark.parametrize(
    ("given", "problem"),
    [
        (["a.ids"], "the grid has several corpora, first, second"),
        (["third=a.ids"], "the grid has no corpus 'third'"),
        (["first=a.ids", "first=b.ids"], "two files for first"),
        (["a.ids", "b.ids"], "two files without a name"),
        (["first="], "the file is missing"),
    ],
)
def test_files_without_a_place_in_the_grid_are_refused(tmp_path: Path, given: list[str], problem: str) -> None:
    with pytest.raises(BadSetting, match=problem):
        with_documents(make_grid(tmp_path, CORPORA), given)


def test_corpora_that_are_compared_share_one_file(tmp_path: Path) -> None:
    axes = '[axes]\nseed = [1, 2]\ndata = ["a/x", "a/y"]\n'
    grid = make_grid(tmp_path, axes, baseline={"data": "x"}, recipe={})

    assert files_of(with_documents(grid, ["test.ids"])) == [{"test": "test.ids"}] * 4


def test_a_task_without_documents_is_named(tmp_path: Path) -> None:
    axes = '[axes]\nseed = [1, 2]\nscheme = ["none", "welt"]\n'
    grid = make_grid(tmp_path, axes, baseline={"scheme": "none"}, recipe={"data": "x", "task": "classification"})

    with pytest.raises(BadSetting, match="the task 'classification' does not know documents"):
        with_documents(grid, ["test.ids"])


@pytest.mark.parametrize(("number", "problem"), [(7, "has 7 lines for 8 sentences"), (None, "there is no such file")])
def test_a_file_that_does_not_fit_is_refused_before_anything_is_trained(
    tmp_path: Path, number: int | None, problem: str
) -> None:
    path = str(tmp_path / "gone") if number is None else write_ids(tmp_path / "test.ids", number)
    recipe = {"data": str(tiny.corpus()), "encoder": str(tiny.encoder()), "max_length": 64}
    grid = make_grid(tmp_path, recipe=recipe | {"documents": {"test": path}})

    with pytest.raises(LinnetError, match=problem):
        plan(grid, workers=1)

    assert plan(with_documents(grid, [write_ids(tmp_path / "good.ids", 8)]), workers=1).n_left == 6


def test_kept_runs_are_judged_by_documents_without_their_corpus(tmp_path: Path) -> None:
    kept = tmp_path / "kept.json.gz"
    keep_runs(finished(tmp_path / "a"), kept)
    (tmp_path / "b").mkdir()
    recipe = {"data": "no-corpus", "documents": {"test": write_ids(tmp_path / "test.ids")}}
    grid = make_grid(tmp_path / "b", WEIGHTINGS, recipe=recipe)

    assert count_kept(grid, kept) == 6
    assert not restore_runs(grid, kept).has_words
    assert drawn(grid) == ("documents", 10)
