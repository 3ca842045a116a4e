"""The command `linnet list`."""

import json
from pathlib import Path

import pytest

from linnet.contracts import formats, tasks, weighting_schemes
from tests.cli.running import run
from tests.embedded import stand_in, without_models


@pytest.mark.parametrize(
    ("what", "names"), [("tasks", tasks.names()), ("formats", formats.names()), ("schemes", weighting_schemes.names())]
)
def test_it_lists_what_is_registered(what: str, names: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    done = run(capsys, "list", what, "--json")

    assert done.code == 0
    assert [each["name"] for each in json.loads(done.out)[what]] == names


def test_settings_name_the_tasks_that_they_are_of(capsys: pytest.CaptureFixture[str]) -> None:
    done = run(capsys, "list", "settings", "--json")

    described = {each["name"]: each["description"] for each in json.loads(done.out)["settings"]}
    assert described["tagging"].startswith("[ner]")
    assert described["text.questions"].startswith("[answering]")
    assert not described["seed"].startswith("[")


def test_embedded_models_are_listed_with_their_scores(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    stand_in(monkeypatch, tmp_path / "root")

    told = run(capsys, "list", "models")
    found = json.loads(run(capsys, "list", "models", "--json").out)["models"]

    assert told.code == 0
    assert "90.0 (85.0-93.0) (tiny test)    6,500" in told.out
    assert "Chemical, Disease" in told.out
    assert [(each["name"], each["version"], each["licence"]) for each in found] == [("bio", "0.9.1", "Apache-2.0")]


def test_an_installation_without_embedded_models_lists_none(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    without_models(monkeypatch, tmp_path / "root")

    told = run(capsys, "list", "models")

    assert (told.code, "no embedded model" in told.out) == (0, True)
    assert json.loads(run(capsys, "list", "models", "--json").out) == {"models": []}
