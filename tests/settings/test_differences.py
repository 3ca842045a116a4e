"""Differences between settings: what is shown of several runs, and of one run beside the defaults."""

from typing import Any

from linnet.settings.differences import changed_settings, differing_settings, flatten, value_text
from linnet.settings.training import TrainSettings
from linnet.tasks.ner.settings import NerSettings


def run(**values: Any) -> TrainSettings:
    return TrainSettings.model_validate({"data": "demo", "output": "out", **values})


def test_settings_that_differ_have_the_value_of_each_run_by_their_short_name() -> None:
    first = run(seed=1, optimiser={"epochs": 2})
    second = run(seed=1, optimiser={"epochs": 2, "learning_rate": 1e-4, "dropout": 0.2})

    assert differing_settings([first, second]) == {"learning_rate": (3e-4, 1e-4), "dropout": (None, 0.2)}
    assert differing_settings([first, first]) == {}


def test_of_three_runs_all_values_are_named() -> None:
    assert differing_settings([run(), run(), run(seed=7)]) == {"seed": (1, 1, 7)}


def test_places_and_threads_are_no_differences() -> None:
    corpora = [{"name": "a", "data": "here", "role": "target"}, {"name": "b", "data": "b"}]
    moved = [{**corpora[0], "data": "there"}, corpora[1]]

    assert differing_settings([run(output="a", threads=1), run(output="b", data="copy", threads=2)]) == {}
    assert differing_settings([run(corpora=corpora), run(corpora=moved)]) == {}
    assert list(differing_settings([run(corpora=corpora), run(corpora=corpora[:1])])) == ["corpora"]


def test_a_section_that_only_one_run_has_is_shown_by_its_settings() -> None:
    found = differing_settings([run(), run(lora={"rank": 8})])

    assert found["lora.rank"] == (None, 8)
    assert "lora" not in found


def test_changed_settings_are_those_that_are_not_the_default() -> None:
    assert changed_settings(run(threads=3)) == {}
    found = changed_settings(run(loss={"weights": {"O": 0.5}}, optimiser={"dropout": 0.2}, encoder="tiny"))
    assert found == {"encoder": "tiny", "dropout": 0.2, "loss.weights.O": 0.5}


def test_a_section_that_is_wanted_has_only_what_is_not_its_default() -> None:
    assert changed_settings(run(lora={"rank": 4})) == {"lora.rank": 4}
    assert changed_settings(run(lora={})) == {"lora": "with its defaults"}


def test_a_distillation_has_its_teachers_and_texts_and_none_of_its_defaults() -> None:
    distill = {"teachers": ["bio"], "texts": ["a.txt"], "share": 0.5}

    found = changed_settings(NerSettings.model_validate({"data": "demo", "output": "out", "distill": distill}))

    assert found == {"distill.teachers": ("bio",), "distill.texts": ("a.txt",)}


def test_values_are_shown_as_a_reader_would_write_them() -> None:
    assert value_text(()) == "none"
    assert value_text("isns") == "isns"
    assert value_text(12) == "12"
    assert flatten({"a": {"b": 1}, "c": 2}) == {"a.b": 1, "c": 2}
