"""The command `linnet list`."""

import json

import pytest

from linnet.contracts import formats, tasks, weighting_schemes
from tests.cli.running import run


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
