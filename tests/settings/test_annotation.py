"""Settings of annotation: what is required, what is refused, and names in any letter case."""

from typing import Any

import pytest

from linnet.errors import BadSetting
from linnet.settings.annotation import AnnotateSettings
from linnet.settings.files import describe_settings, with_overrides

NEEDED = {"source": "in.txt", "model": "runs/a", "output": "out.jsonl"}


def settings(**given: Any) -> AnnotateSettings:
    return with_overrides(AnnotateSettings, {**NEEDED, **given}, (), where="annotate")


def test_source_model_and_output_are_enough() -> None:
    found = settings()

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
    with pytest.raises(BadSetting, match=next(iter(given))):
        settings(**given)


def test_every_setting_is_described() -> None:
    assert all(description and "None [" not in description for _, description in describe_settings(AnnotateSettings))
