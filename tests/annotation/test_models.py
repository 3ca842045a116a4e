"""Models of annotation jobs."""

from pathlib import Path
from types import SimpleNamespace

import pytest

from linnet.annotation.models import (
    describe_model,
    load_annotator,
    locate_model,
    with_absolute_paths,
    with_precision_of,
)
from linnet.annotation.steps import GIVEN, GivenMentions, NamesOnly
from linnet.errors import BadSetting
from linnet.settings.annotation import AnnotateSettings
from tests.tasks.linking.sources import build


def test_given_mentions_need_no_model() -> None:
    settings = AnnotateSettings(source="in.jsonl", model=GIVEN, output="out.jsonl")

    assert locate_model(settings) is settings
    assert describe_model(settings) == {"model": ""}
    assert isinstance(load_annotator(settings), GivenMentions)


def test_settings_take_the_number_format_that_the_model_chose() -> None:
    settings = AnnotateSettings(source="in.jsonl", output="out.jsonl")

    assert with_precision_of(GivenMentions(), settings) is settings
    assert with_precision_of(SimpleNamespace(precision="bfloat16"), settings).precision == "bfloat16"


def test_paths_are_absolute_for_other_processes() -> None:
    settings = AnnotateSettings(source="in.jsonl", model="runs/m", output="out.jsonl", link=("Disease=.", "demo"))

    found = with_absolute_paths(settings)

    assert found.model == str(Path("runs/m").absolute())
    assert found.link == (f"Disease={Path.cwd()}", "demo")
    assert with_absolute_paths(settings.model_copy(update={"model": GIVEN})).model == GIVEN


def test_the_names_of_a_vocabulary_may_stand_in_place_of_a_model(tmp_path: Path) -> None:
    place = build(tmp_path).folder
    settings = AnnotateSettings(source="in.jsonl", model=f"vocabulary:Disease={place}", output="out.jsonl")

    assert locate_model(settings) is settings
    assert describe_model(settings)["model"].startswith("Disease=")
    assert isinstance(load_annotator(settings), NamesOnly)
    assert with_absolute_paths(settings).model == settings.model
    assert with_absolute_paths(settings.model_copy(update={"also_names": ("A=.",)})).also_names == (f"A={Path.cwd()}",)


def test_options_of_a_network_are_refused_for_names(tmp_path: Path) -> None:
    model = f"vocabulary:{build(tmp_path).folder}"
    settings = AnnotateSettings(source="in", model=model, output="out", engine="onnx", min_score=0.5, label="Disease")

    with pytest.raises(BadSetting, match="no network") as error:
        load_annotator(settings)

    assert error.value.remedy == "leave out --engine, --min-score, --label"
