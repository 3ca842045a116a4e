"""The command `linnet encoders check`."""

import json

import pytest

from tests import tiny
from tests.cli.running import run


def test_it_describes_an_encoder_as_it_would_be_opened(capsys: pytest.CaptureFixture[str]) -> None:
    done = run(capsys, "encoders", "check", tiny.encoder(), "--json")

    found = json.loads(done.out)
    assert done.code == 0
    assert found["family"] == "bert"
    assert found["parameters"] > 0


def test_an_encoder_that_is_not_there_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    done = run(capsys, "encoders", "check", "no-such-encoder/x")

    assert (done.code, done.out) == (2, "")
