"""Settings of annotation: what is required, what is refused, and names in any letter case."""

from typing import Any

import pytest

from linnet.errors import BadSetting
from linnet.settings.annotation import DEFAULT_MODEL, OPTION_NAMES, AnnotateSettings
from linnet.settings.files import describe_settings, with_overrides

NEEDED = {"source": "in.txt", "output": "out.jsonl"}


def settings(**given: Any) -> AnnotateSettings:
    return with_overrides(AnnotateSettings, {**NEEDED, **given}, (), where="annotate", shown=OPTION_NAMES)


def test_source_and_output_are_enough() -> None:
    found = settings()

    assert found.model == DEFAULT_MODEL
    assert not any([found.strict, found.resume, found.overwrite, found.repair])
    assert (found.engine, found.shard, found.ray) == (None, None, None)


def test_all_that_is_missing_is_named_at_once() -> None:
    with pytest.raises(BadSetting) as caught:
        with_overrides(AnnotateSettings, {}, (), where="annotate")

    assert all(f"{name}: is missing" in caught.value.problem for name in NEEDED)


def test_formats_have_names_in_any_letter_case() -> None:
    found = settings(source_format="BioC-XML", target_format="JSONL")

    assert (found.source_format, found.target_format) == ("bioc-xml", "jsonl")


@pytest.mark.parametrize("given", [{"shard": 0}, {"threads": 0}, {"workers": -1}, {"engine": "tensorflow"}])
def test_values_that_cannot_work_are_refused(given: dict[str, Any]) -> None:
    with pytest.raises(BadSetting, match=OPTION_NAMES[next(iter(given))]):
        settings(**given)


def test_every_setting_is_described() -> None:
    assert all(description and "None [" not in description for _, description in describe_settings(AnnotateSettings))


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        (0.5, {"*": 0.5}),
        (["0.5", "Gene=0.7"], {"*": 0.5, "Gene": 0.7}),
        (["B=C=0.7"], {"B=C": 0.7}),
        ({"Gene": 1}, {"Gene": 1.0}),
    ],
)
def test_thresholds_are_for_all_labels_or_for_one(given: Any, expected: dict[str, float]) -> None:
    assert settings(min_score=given).min_score == expected


@pytest.mark.parametrize("given", [1.5, ["-0.1"], ["Gene=high"], ["0.5", "0.6"], ["Gene=0.5", "Gene=0.6"], True, "nan"])
def test_thresholds_that_cannot_work_are_refused(given: Any) -> None:
    with pytest.raises(BadSetting, match="--min-score: "):
        settings(min_score=given)


def test_messages_have_the_names_of_options_and_no_inner_values() -> None:
    with pytest.raises(BadSetting) as fields:
        settings(id_field="pmid")
    with pytest.raises(BadSetting) as score:
        settings(min_score=["90"])

    expected = "--id-field names a field of JSON lines: name that of the text too, with --text-field"
    assert fields.value.problem == f"annotate: 1 problem with the settings\n  {expected}"
    assert score.value.problem.endswith("\n  --min-score: confidence is from 0 to 1, found 90")
