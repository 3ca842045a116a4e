"""The command `linnet weights`."""

import json

import pytest

from tests import tiny
from tests.cli.running import run


def test_it_prints_the_class_weights_of_a_scheme_by_tag(capsys: pytest.CaptureFixture[str]) -> None:
    done = run(capsys, "weights", tiny.corpus(), "--scheme", "ins", "--json")

    found = json.loads(done.out)
    assert done.code == 0
    assert found["weights"]["O"] == pytest.approx(1 / found["counts"]["O"])
    assert found["ratio"] == pytest.approx(max(found["weights"].values()) / min(found["weights"].values()))


def test_an_unknown_scheme_is_answered_with_the_nearest(capsys: pytest.CaptureFixture[str]) -> None:
    done = run(capsys, "weights", tiny.corpus(), "--scheme", "wellt")

    assert done.code == 2
    assert "did you mean 'welt'?" in done.err
