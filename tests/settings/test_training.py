"""Settings: what is unknown or wrong is said at once, and what is written can be read back."""

from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from linnet.errors import BadFile, BadSetting
from linnet.settings.files import to_toml, with_overrides
from linnet.settings.training import CorpusSettings, LossSettings, SamplingSettings, TrainSettings
from linnet.tasks.ner.corpora.checks import corpora_problems
from linnet.tasks.ner.settings import NerSettings
from linnet.training.options import describe_training_settings, read_recipe

NEEDED = {"data": "demo", "output": "runs/x"}
TEXT = st.text(st.characters(blacklist_categories=["Cs"]), max_size=12)
RATES = st.floats(1e-12, 1e3)


def load(*overrides: str, **given: Any) -> TrainSettings:
    return read_recipe(None, overrides, **(NEEDED | given))


def problem_of(*overrides: str, **given: Any) -> str:
    with pytest.raises(BadSetting) as refused:
        load(*overrides, **given)
    return refused.value.problem


def test_short_names_reach_their_section() -> None:
    settings = load(scheme="ens", beta=0.9, loss="focal", epochs=3, batch_size=4, learning_rate=1e-3, max_length=64)

    assert (settings.loss.scheme, settings.loss.beta, settings.loss.name) == ("ens", 0.9, "focal")
    assert (settings.optimiser.epochs, settings.optimiser.batch_size) == (3, 4)
    assert (settings.optimiser.learning_rate, settings.window.max_length) == (1e-3, 64)


def test_overrides_know_the_short_names_too() -> None:
    settings = load("lr=1e-3", "bs=4", "epochs=3", "scheme=welt", "loss=focal", "loss.gamma=1")

    assert (settings.optimiser.learning_rate, settings.optimiser.batch_size) == (1e-3, 4)
    assert (settings.optimiser.epochs, settings.loss.scheme) == (3, "welt")
    assert (settings.loss.name, settings.loss.gamma) == ("focal", 1)


def test_a_recipe_gives_way_to_options_and_options_to_overrides(tmp_path: Path) -> None:
    recipe = tmp_path / "recipe.toml"
    recipe.write_text('data = "a"\noutput = "b"\nseed = 2\n[optimiser]\nepochs = 1\nwarmup = 0.5\n', encoding="utf-8")

    settings = read_recipe(recipe, ["optimiser.epochs=3"], epochs=2, seed=None, data="c")

    assert (settings.data, settings.output, settings.seed) == ("c", "b", 2)
    assert (settings.optimiser.epochs, settings.optimiser.warmup) == (3, 0.5)


@pytest.mark.parametrize(
    ("override", "value"),
    [("seed=7", 7), ("label=Disease", "Disease"), ('label="7"', "7"), ("window.all_subwords=true", True)],
)
def test_overrides_are_read_as_toml_and_else_as_text(override: str, value: object) -> None:
    settings = load(override)

    assert value in (settings.seed, settings.label, settings.window.all_subwords)


def test_an_unknown_key_is_refused_with_the_nearest_known_one() -> None:
    found = problem_of("optimiser.learnin_rate=1", "optimizer.clip=1", "lora.rnk=2", "zzz=1")

    assert "4 problems" in found
    assert "optimiser.learnin_rate: there is no such setting; did you mean 'optimiser.learning_rate'?" in found
    assert "optimizer: there is no such setting; did you mean 'optimiser'?" in found
    assert "lora.rnk: there is no such setting; did you mean 'lora.rank'?" in found
    assert "zzz: there is no such setting\n" in found + "\n"


def test_a_short_name_in_a_recipe_is_refused_with_the_full_one(tmp_path: Path) -> None:
    recipe = tmp_path / "recipe.toml"
    recipe.write_text('data = "a"\noutput = "b"\nepochs = 3\nlr = 1\n', encoding="utf-8")

    with pytest.raises(BadSetting) as refused:
        read_recipe(recipe)

    assert "epochs: there is no such setting; did you mean 'optimiser.epochs'?" in refused.value.problem
    assert "lr: there is no such setting; did you mean 'optimiser.learning_rate'?" in refused.value.problem


def test_all_problems_are_reported_together() -> None:
    with pytest.raises(BadSetting) as refused:
        read_recipe(None, ["optimiser.epochs=-1", "seed=x", "tagging=bio", "nothing=1"], output="x")

    found = refused.value.problem
    assert found.startswith("the options: 5 problems")
    for key in ("data: is missing", "optimiser.epochs: ", "seed: ", "tagging: ", "nothing: "):
        assert key in found


@pytest.mark.parametrize(
    "override",
    [
        "optimiser.learning_rate=inf",
        "optimiser.learning_rate=nan",
        "loss.beta=1.0",
        "loss.smoothing=1.0",
        "loss.alpha=1.0",
        "optimiser.warmup=1.0",
        "optimiser.layer_decay=0.0",
        "optimiser.average=1.0",
        "window.max_length=7",
        "window.overlap=129",  # more than half of the default 256
        "train_sentences=0",
    ],
)
def test_values_out_of_range_are_refused(override: str) -> None:
    assert override.split("=")[0].split(".")[0] in problem_of(override)


def test_weights_and_a_scheme_are_refused_together() -> None:
    assert "`weights` or a `scheme`" in problem_of(loss={"weights": {"O": 1.0}, "scheme": "welt"})


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ({"share": 0.9}, '`share` is for `rule = "target-share"` only, and the rule is "proportional"'),
        ({"share": 0.5}, "`share` is for"),  # the default, but whoever writes it wants it
        ({"rule": "temperature", "share": 0.9}, "`share` is for"),
        ({"rule": "target-share", "temperature": 3.0}, '`temperature` is for `rule = "temperature"` only'),
        ({"temperature": 1.0}, "`temperature` is for"),
    ],
)
def test_a_value_that_the_sampling_rule_does_not_use_is_refused(values: dict[str, Any], message: str) -> None:
    assert message in problem_of(sampling=values)


def test_the_values_of_a_rule_and_the_defaults_that_a_run_writes_down_are_accepted() -> None:
    assert load(sampling={"rule": "target-share", "share": 0.9}).sampling.share == 0.9
    assert load(sampling={"rule": "temperature", "temperature": 3.0}).sampling.temperature == 3.0
    for rule in ("proportional", "temperature", "round-robin", "target-share"):
        written = load(sampling={"rule": rule}).sampling.model_dump()

        assert SamplingSettings.model_validate(written).rule == rule


@pytest.mark.parametrize("corpora", [5, "a+b", [5], True])
def test_corpora_that_are_none_are_refused_by_their_name_alone(corpora: object) -> None:
    found = problem_of(data=None, corpora=corpora)

    assert found.startswith("the options: 1 problem with the settings\n  corpora")


def test_a_single_section_instead_of_a_list_is_told_how_to_become_one() -> None:
    found = problem_of(data=None, corpora={"name": "a", "data": "x"})

    assert "corpora: is a single section, expected a list of sections; write [[corpora]] above each" in found


def test_the_targets_data_are_those_of_the_training_in_python_too() -> None:
    corpora = (CorpusSettings(name="b", data="x/b"), CorpusSettings(name="a", data="x/a", role="target"))

    settings = NerSettings.model_validate({"output": "runs/x", "corpora": corpora})

    assert settings.data == "x/a"
    assert list(corpora_problems(settings)) == []


@pytest.mark.parametrize("override", ["epochs", "=3", ""])
def test_an_override_without_key_or_value_is_refused(override: str) -> None:
    with pytest.raises(BadSetting, match="expected key=value"):
        with_overrides(TrainSettings, NEEDED, [override], where="here")


def test_settings_are_frozen() -> None:
    settings = load()

    with pytest.raises(ValueError, match="frozen"):
        settings.seed = 2  # type: ignore[misc]


def test_a_recipe_that_is_no_toml_or_not_there_is_refused(tmp_path: Path) -> None:
    broken = tmp_path / "broken.toml"
    broken.write_text("data = ", encoding="utf-8")

    with pytest.raises(BadFile, match=r"broken\.toml: this is not TOML"):
        read_recipe(broken)
    with pytest.raises(BadFile, match=r"none\.toml: cannot be read"):
        read_recipe(tmp_path / "none.toml")


@given(
    data=TEXT,
    label=st.none() | TEXT,
    weights=st.none() | st.dictionaries(TEXT, RATES, max_size=3),
    rate=RATES,
    rank=st.none() | st.integers(1, 99),
)
def test_what_is_written_as_toml_is_read_back(
    tmp_path_factory: pytest.TempPathFactory,
    data: str,
    label: str | None,
    weights: dict[str, float] | None,
    rate: float,
    rank: int | None,
) -> None:
    lora = None if rank is None else {"rank": rank}
    settings = load(data=data, label=label, learning_rate=rate, loss={"weights": weights}, lora=lora)
    path = tmp_path_factory.getbasetemp() / "round-trip.toml"
    path.write_text(to_toml(settings), encoding="utf-8", newline="")

    assert read_recipe(path) == settings


def test_every_setting_is_described_with_its_default() -> None:
    found = describe_training_settings()

    assert found["data"] == "Folder with train, devel and test, or `demo`. [required]"
    assert found["lora.rank"] == "Rank of the adapters. [default 16]"
    assert found["loss.scheme"].endswith('[default "none"]')
    assert found["text.windows"].endswith('joined. One of mean, max. [default "mean"]')
    assert found["tracker"].endswith("progress. One of tensorboard, mlflow, wandb. [default null]")
    assert all(text and "None" not in text for text in found.values())
    assert {name.removeprefix("loss.") for name in found if name.startswith("loss.")} == set(LossSettings.model_fields)
