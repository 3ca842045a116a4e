"""The command `linnet corpus`."""

import json

import pytest

from linnet.corpora.table import known_corpora
from tests.cli.running import run


def test_it_lists_the_corpora_that_are_known_by_name(capsys: pytest.CaptureFixture[str]) -> None:
    done = run(capsys, "corpus", "list", "--json")

    assert done.code == 0
    assert {each["name"] for each in json.loads(done.out)["corpora"]} == set(known_corpora())


def test_an_unknown_corpus_is_refused_with_the_nearest_name(capsys: pytest.CaptureFixture[str]) -> None:
    done = run(capsys, "corpus", "check", "ncbi-diseas")

    assert done.code == 2
    assert "ncbi-disease" in done.err
