"""Axes of a grid: labels of values, full names of settings, and axes that are refused."""

from pathlib import Path

import pytest

from linnet.comparison.axes import Axis, label_of, read_axes, unknown_settings, with_full_names
from linnet.errors import BadSetting

GRID = Path("grid.toml")
WEIGHTING = {"none": {"scheme": "none"}, "welt": {"scheme": "welt"}}


def test_a_list_is_an_axis_of_the_setting_with_its_values() -> None:
    (axis,) = read_axes({"scheme": ["none", "welt"]}, {}, GRID)

    assert axis.name == "scheme"
    assert axis.values == {"none": {"loss.scheme": "none"}, "welt": {"loss.scheme": "welt"}}
    assert axis.settings == {"loss.scheme"}


def test_a_table_is_an_axis_of_labelled_settings_by_their_full_names() -> None:
    (axis,) = read_axes({"weighting": WEIGHTING}, {}, GRID)

    assert axis.values["welt"] == {"loss.scheme": "welt"}


@pytest.mark.parametrize(
    ("name", "value", "label"),
    [
        ("data", "corpora/ncbi-disease", "ncbi-disease"),
        ("encoder", "dmis-lab/biobert-v1.1", "biobert-v1.1"),
        ("label", "a/b", "a/b"),  # only corpora and encoders are paths
        ("all_subwords", True, "true"),
        ("learning_rate", 3e-4, "0.0003"),
        ("gamma", 2.0, "2"),
        ("seed", 7, "7"),
    ],
)
def test_the_label_of_a_value(name: str, value: object, label: str) -> None:
    assert label_of(name, value) == label


def test_a_value_may_be_given_by_its_label_or_as_in_the_axis() -> None:
    (axis,) = read_axes({"data": ["corpora/linnaeus", "corpora/bc2gm"]}, {}, GRID)

    assert axis.label_of("linnaeus") == axis.label_of("corpora/linnaeus") == "linnaeus"


def test_settings_may_come_by_short_names_full_names_and_in_sections() -> None:
    by_short, by_full, in_section = {"scheme": "welt"}, {"loss.scheme": "welt"}, {"loss": {"scheme": "welt"}}

    assert with_full_names(by_short) == with_full_names(by_full) == with_full_names(in_section) == by_full


def test_full_names_do_not_change_again() -> None:
    settings = with_full_names({"scheme": "welt", "optimiser": {"epochs": 3}, "data": "demo"})

    assert with_full_names(settings) == settings


def test_unknown_settings_come_sorted_with_the_nearest_name() -> None:
    problems = list(unknown_settings("the recipe", ["schem", "epoch", "seed"]))

    assert problems == [
        "the recipe: there is no setting 'epoch'; did you mean 'epochs'?",
        "the recipe: there is no setting 'schem'; did you mean 'scheme'?",
    ]


@pytest.mark.parametrize(
    ("values", "is_of_sizes"),
    [
        ({"100": {"train_sentences": 100}, "all": {}}, True),
        ({"100": {"train_sentences": 100, "data": "demo"}}, False),
        ({"none": {"loss.scheme": "none"}}, False),
    ],
)
def test_an_axis_of_sizes_sets_the_training_sentences_only(
    values: dict[str, dict[str, object]], is_of_sizes: bool
) -> None:
    assert Axis("size", values).is_of_sizes == is_of_sizes


@pytest.mark.parametrize(
    ("axes", "shared", "problem"),
    [
        ({"seed": 3}, {}, "axis 'seed' is 3, expected a list or a table of labelled settings"),
        ({"seed": [1, 1]}, {}, "axis 'seed' has 1 twice"),
        ({"scheme": []}, {}, "axis 'scheme' has no values"),
        ({"scheme": ["none"], "weighting": WEIGHTING}, {}, "the axes 'scheme' and 'weighting' both set 'loss.scheme'"),
        ({"weighting": WEIGHTING}, {"output": "runs/a"}, "the runs get their folders from the grid"),
        ({"run": {"a": {"seed": 1}}}, {}, "axis 'run' sets the seed, but seeds are the repetitions of a grid"),
        ({"schem": ["none"]}, {}, "axis 'schem': there is no setting 'schem'; did you mean 'scheme'?"),
    ],
)
def test_axes_that_cannot_work_are_refused_with_the_file(
    axes: dict[str, object], shared: dict[str, object], problem: str
) -> None:
    with pytest.raises(BadSetting) as refused:
        read_axes(axes, shared, GRID)

    assert refused.value.problem.startswith("grid.toml: ")
    assert problem in refused.value.problem
