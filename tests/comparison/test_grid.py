"""Grid files: the runs that they plan, and grids that are refused."""

from pathlib import Path

import pytest

from linnet.comparison.axes import label_of
from linnet.comparison.grid import Grid, load_grid
from linnet.errors import BadFile, BadSetting
from tests.comparison.fake_runs import WEIGHTINGS, make_grid, write_grid


def values(grid: Grid, dotted: str) -> list[object]:
    """Return a setting of each run."""
    found = []
    for run in grid.runs:
        value: object = run.settings
        for part in dotted.split("."):
            value = getattr(value, part)
        found.append(value)
    return found


def refused(folder: Path, axes: str = WEIGHTINGS, **given: object) -> str:
    """Return why the grid is refused."""
    path = write_grid(folder, axes, **given)
    with pytest.raises(BadSetting) as caught:
        load_grid(path)
    assert str(path) in caught.value.problem
    return str(caught.value)


def test_a_grid_has_a_run_for_each_combination(tmp_path: Path) -> None:
    grid = make_grid(
        tmp_path, f'[axes]\nseed = [1, 2, 3]\ndata = ["corpora/ncbi-disease", "corpora/linnaeus"]\n{WEIGHTINGS}'
    )

    assert len(grid.runs) == 2 * 3 * 3
    assert len({run.folder for run in grid.runs}) == len(grid.runs)
    assert grid.seeds == (1, 2, 3)
    assert (grid.place_axes, grid.choice_axes) == (("data",), ("weighting",))
    assert {(run.place["data"], run.settings.data) for run in grid.runs} == {
        ("ncbi-disease", "corpora/ncbi-disease"), ("linnaeus", "corpora/linnaeus"),
    }  # fmt: skip
    assert {(run.choice["weighting"], run.settings.loss.scheme, run.settings.loss.beta) for run in grid.runs} == {
        ("none", "none", None), ("welt", "welt", None), ("ens 0.9", "ens", 0.9),
    }  # fmt: skip


def test_a_run_is_kept_in_a_folder_that_says_what_it_is(tmp_path: Path) -> None:
    grid = make_grid(tmp_path, '[axes]\nseed = [7]\nencoder = ["bionlp/bluebert", "minilm"]\n' + WEIGHTINGS)

    names = [run.name.rpartition("--")[0] for run in grid.runs]

    assert names[0] == "seed-7--bluebert--none"
    assert names[-1] == "seed-7--minilm--ens-0.9"
    assert all(run.folder.parent == tmp_path / "grid" / "runs" for run in grid.runs)


@pytest.mark.parametrize(
    ("axis", "setting", "found"),
    [
        ("scheme = ['none', 'welt']", "loss.scheme", ["none", "welt"]),
        ("'loss.scheme' = ['none', 'welt']", "loss.scheme", ["none", "welt"]),
        ("loss = ['cross-entropy', 'focal']", "loss.name", ["cross-entropy", "focal"]),
        ("learning_rate = [1e-5, 3e-4]", "optimiser.learning_rate", [1e-5, 3e-4]),
        ("'optimiser.dropout' = [0.1, 0.25]", "optimiser.dropout", [0.1, 0.25]),
        ("train_sentences = [100, 200, 400]", "train_sentences", [100, 200, 400]),
        ("'window.all_subwords' = [true, false]", "window.all_subwords", [True, False]),
        ("tagging = ['iob2', 'iobes']", "tagging", ["iob2", "iobes"]),
    ],
)
def test_any_setting_may_be_an_axis_by_its_short_or_full_name(
    tmp_path: Path, axis: str, setting: str, found: list[object]
) -> None:
    name = axis.partition(" =")[0].strip("'")

    grid = make_grid(tmp_path, f"[axes]\n{axis}\n", baseline={name: found[0]})

    assert values(grid, setting) == found
    assert grid.choice_axes == (name,)
    assert grid.baseline == {name: label_of(name, found[0])}


def test_labelled_values_set_several_things_at_once(tmp_path: Path) -> None:
    axes = """
    [axes.encoder]
    small = { encoder = "minilm", max_length = 64 }
    large = { encoder = "biobert", window = { max_length = 384, all_subwords = true }, "optimiser.epochs" = 20 }
    """

    grid = make_grid(tmp_path, axes, baseline={"encoder": "small"})

    assert values(grid, "encoder") == ["minilm", "biobert"] * 2
    assert values(grid, "window.max_length") == [64, 384] * 2
    assert values(grid, "window.all_subwords") == [False, True] * 2
    assert values(grid, "optimiser.epochs") == [6, 20] * 2


def test_what_an_axis_sets_is_laid_over_the_recipe_and_keeps_the_rest_of_a_section(tmp_path: Path) -> None:
    recipe = {"data": "demo", "scheme": "welt", "loss": {"name": "focal"}, "optimiser": {"epochs": 3}}

    grid = make_grid(
        tmp_path, "[axes.gamma]\n1 = { loss = { gamma = 1 } }\n2 = { 'loss.gamma' = 2 }\n",
        baseline={"gamma": "1"}, recipe=recipe,
    )  # fmt: skip

    assert [values(grid, f"loss.{name}")[0] for name in ("name", "scheme", "gamma")] == ["focal", "welt", 1]
    assert values(grid, "loss.scheme") == ["welt"] * 4
    assert values(grid, "optimiser.epochs") == [3] * 4


def test_a_recipe_file_beside_the_grid_may_be_shared_and_its_own_folder_is_not_used(tmp_path: Path) -> None:
    (tmp_path / "demo.toml").write_text('data = "demo"\noutput = "runs/first"\n[optimiser]\nepochs = 2\n')

    grid = make_grid(tmp_path, recipe="demo.toml")

    assert values(grid, "optimiser.epochs") == [2] * 6
    assert all(run.folder.parent == tmp_path / "grid" / "runs" for run in grid.runs)


def test_a_grid_file_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(BadFile, match=r"absent\.toml: cannot be read") as raised:
        load_grid(tmp_path / "absent.toml")

    assert raised.value.remedy.startswith("give the path of a grid file")


def test_a_recipe_file_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(BadFile, match=r"absent\.toml: cannot be read"):
        make_grid(tmp_path, recipe="absent.toml")


def test_places_are_the_axes_that_the_baseline_does_not_name(tmp_path: Path) -> None:
    axes = '[axes]\nseed = [1, 2, 3]\nencoder = ["minilm"]\ntrain_sentences = [10, 20]\nscheme = ["none", "welt"]\n'

    grid = make_grid(tmp_path, axes, baseline={"scheme": "none"})

    assert grid.place_axes == ("encoder", "train_sentences")
    assert grid.size_axis == "train_sentences"
    assert grid.runs[0].place == {"encoder": "minilm", "train_sentences": "10"}
    assert grid.runs[0].choice == grid.baseline == {"scheme": "none"}


def test_the_corpus_is_the_place_where_no_axis_makes_one(tmp_path: Path) -> None:
    grid = make_grid(tmp_path, recipe={"data": "corpora/ncbi-disease"})

    assert {run.place["data"] for run in grid.runs} == {"ncbi-disease"}
    assert not any("one value" in note for note in grid.notes)


def test_sizes_by_label_make_a_size_axis_in_which_the_whole_split_sets_nothing(tmp_path: Path) -> None:
    sizes = "[axes.size]\n100 = { train_sentences = 100 }\nall = {}\n"

    grid = make_grid(tmp_path, sizes + WEIGHTINGS)

    assert grid.size_axis == "size"
    assert {(run.place["size"], run.settings.train_sentences) for run in grid.runs} == {("100", 100), ("all", None)}


def test_an_axis_that_sets_more_than_a_size_is_no_size_axis(tmp_path: Path) -> None:
    corpora = "[axes.corpus]\na = { data = 'a', train_sentences = 5 }\nb = { data = 'b', train_sentences = 9 }\n"

    assert make_grid(tmp_path, corpora + WEIGHTINGS).size_axis is None


def test_several_axes_are_compared_whatever_the_order_of_the_baseline(tmp_path: Path) -> None:
    axes = '[axes]\nscheme = ["none", "welt"]\nloss = ["cross-entropy", "focal"]\n'

    grid = make_grid(tmp_path, axes, baseline={"loss": "cross-entropy", "scheme": "none"})

    assert list(grid.baseline.items()) == [("scheme", "none"), ("loss", "cross-entropy")]
    assert list(grid.runs[0].choice.items()) == list(grid.baseline.items())


def test_a_baseline_is_named_as_it_is_written_in_the_axis(tmp_path: Path) -> None:
    axes = '[axes]\nlearning_rate = [3e-4, 1.0]\nencoder = ["a/b", "c"]\n'

    grid = make_grid(tmp_path, axes, baseline={"learning_rate": 1, "encoder": "a/b"})

    assert grid.baseline == {"learning_rate": "1", "encoder": "b"}


def test_values_that_look_alike_in_few_digits_stay_apart(tmp_path: Path) -> None:
    grid = make_grid(tmp_path, "[axes]\nbeta = [0.9999999, 0.99999999]\n", baseline={"beta": 0.9999999})

    assert grid.runs[1].choice == {"beta": "0.99999999"}


def test_an_axis_of_one_value_is_noted_and_not_refused(tmp_path: Path) -> None:
    grid = make_grid(tmp_path, f'[axes]\nseed = [1, 2, 3]\nencoder = ["minilm"]\n{WEIGHTINGS}')

    assert grid.notes == ("the axis 'encoder' has one value, minilm: nothing differs on it",)


@pytest.mark.parametrize("axes", ["[axes]\nseed = [4]\n", "[axes]\n"])
def test_one_seed_is_noted(tmp_path: Path, axes: str) -> None:
    assert make_grid(tmp_path, axes + WEIGHTINGS).notes[0].startswith("one seed: ")


def test_two_seeds_are_noted(tmp_path: Path) -> None:
    grid = make_grid(tmp_path, f"[axes]\nseed = [4, 5]\n{WEIGHTINGS}")

    assert grid.notes == ("2 seeds: hardly any difference can be detected; give 3 at least, better five",)


def test_the_output_and_the_metric_can_be_given_instead(tmp_path: Path) -> None:
    path = write_grid(tmp_path, metric="conll")

    grid = load_grid(path, output=str(tmp_path / "elsewhere"), metric="fair")

    assert load_grid(path).metric == "conll"
    assert (grid.metric, grid.output) == ("fair", tmp_path / "elsewhere")
    assert grid.runs[0].folder.is_relative_to(tmp_path / "elsewhere")
    assert grid.runs[0].name == load_grid(path).runs[0].name


@pytest.mark.parametrize(
    ("axes", "messages"),
    [
        ("[axes]\nscheem = ['none']\n", ["axis 'scheem': there is no setting 'scheem'", "did you mean 'scheme'?"]),
        ("[axes]\nseeds = [1]\n", ["there is no setting 'seeds'", "did you mean 'seed'?"]),
        ("[axes.weighting]\nnone = { schem = 'none', epoch = 3 }\n", ["'scheme'?", "'epochs'?", "axis 'weighting'"]),
        ("[axes.weighting]\nnone = { optimiser = { epoch = 3 } }\n", ["'optimiser.epoch'", "'optimiser.epochs'?"]),
        ("[axes.weighting]\nnone = { seed = 1 }\n", ["axis 'weighting' sets the seed", "axis of their own"]),
        ("[axes]\nseed = 3\n", ["axis 'seed' is 3, expected a list or a table of labelled settings"]),
        ("[axes.weighting]\nnone = 'none'\n", ["axis 'weighting' is {'none': 'none'}"]),
        ("[axes]\nscheme = []\n", ["axis 'scheme' has no values"]),
        ("[axes]\ndata = ['a/x', 'b/x']\n", ["axis 'data' has x twice", "[axes.data]"]),
        ("[axes]\nseed = [1, 1]\n", ["axis 'seed' has 1 twice"]),
        ("[axes.seed]\na = { seed = 1 }\nb = { seed = 1 }\n" + WEIGHTINGS, ["2 runs are demo, none, seed 1"]),
        ("[axes]\noutput = ['a', 'b']\n", ["the runs get their folders from the grid"]),
        (
            "[axes]\nepochs = [-1, 'x']\n" + WEIGHTINGS,
            ["optimiser.epochs", "found -1", "found 'x'", "correct them all"],
        ),
        ("[axes.weighting]\nnone = { scheme = 'welt' }\n'none?' = { scheme = 'welt' }\n", ["two runs would have the"]),
    ],
)
def test_an_axis_that_cannot_work_is_refused(tmp_path: Path, axes: str, messages: list[str]) -> None:
    refusal = refused(tmp_path, axes if "[axes]" in axes else f"[axes]\n{axes}")

    for message in messages:
        assert message in refusal


@pytest.mark.parametrize("other", ["scheme", "loss.scheme"])
def test_two_axes_that_set_the_same_thing_are_refused_by_whichever_name(tmp_path: Path, other: str) -> None:
    refusal = refused(tmp_path, f"[axes]\n'{other}' = ['ins', 'isns']\n{WEIGHTINGS}")

    assert f"the axes {other!r} and 'weighting' both set 'loss.scheme'" in refusal


@pytest.mark.parametrize(
    ("baseline", "messages"),
    [
        ({"weighting": "ins"}, ["'ins', outside of the grid: none, welt, ens 0.9"]),
        ({"wieghting": "none"}, ["names 'wieghting', which is no axis", "one of the axes: weighting"]),
        ({"seed": 1}, ["names 'seed', which is no axis to compare"]),
        ({}, ["baseline"]),
    ],
)
def test_a_baseline_outside_of_the_grid_is_refused(
    tmp_path: Path, baseline: dict[str, object], messages: list[str]
) -> None:
    refusal = refused(tmp_path, baseline=baseline)

    for message in messages:
        assert message in refusal


def test_an_axis_that_every_stage_overrules_is_refused(tmp_path: Path) -> None:
    target = {"name": "a", "data": "demo", "role": "target"}
    recipe = {"data": "demo", "corpora": [target], "stages": [{"corpora": ["a"], "epochs": 2}]}

    message = refused(tmp_path, "[axes]\nepochs = [1, 2]", baseline={"epochs": 1}, recipe=recipe)

    assert "optimiser.epochs: every stage has its own" in message


def test_a_setting_of_the_recipe_that_does_not_exist_is_refused(tmp_path: Path) -> None:
    refusal = refused(tmp_path, recipe={"data": "demo", "epoch": 3, "loss": {"schem": "none"}})

    assert "the recipe: there is no setting 'epoch'; did you mean 'epochs'?" in refusal
    assert "the recipe: there is no setting 'loss.schem'; did you mean 'loss.scheme'?" in refusal


def test_a_problem_of_every_run_is_named_once(tmp_path: Path) -> None:
    assert refused(tmp_path, recipe={}).count("data: is missing") == 1


def test_an_unknown_key_of_the_grid_is_refused(tmp_path: Path) -> None:
    assert "worker: there is no such setting" in refused(tmp_path, worker=2)


def test_a_split_to_compare_on_is_checked_as_an_option(tmp_path: Path) -> None:
    grid = make_grid(tmp_path)

    with pytest.raises(BadSetting, match=r"--on is 'dev'\n.*`test` or `devel`"):
        load_grid(grid.path, on="dev")
