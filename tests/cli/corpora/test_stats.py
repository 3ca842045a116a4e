"""The command `linnet stats`."""

import json

import pytest

from tests import tiny
from tests.cli.running import run


def test_it_counts_the_splits_of_a_corpus(capsys: pytest.CaptureFixture[str]) -> None:
    done = run(capsys, "stats", tiny.corpus(), "--json")

    found = json.loads(done.out)
    assert done.code == 0
    assert {name: split["sentences"] for name, split in found["splits"].items()} == {"train": 24, "devel": 8, "test": 8}
    assert (found["format"], found["tagging"]) == ("conll", "iob2")


def test_a_single_file_is_shown_by_its_own_name(capsys: pytest.CaptureFixture[str]) -> None:
    table = run(capsys, "stats", tiny.corpus() / "test.tsv")
    whole = run(capsys, "stats", tiny.corpus(), "--json")

    assert table.out.startswith("test.tsv (conll, iob2)\n")
    assert json.loads(whole.out)["name"] == tiny.corpus().name


def test_without_json_it_prints_tables(capsys: pytest.CaptureFixture[str]) -> None:
    done = run(capsys, "stats", tiny.corpus())

    assert done.code == 0
    assert all(word in done.out for word in ("train", "devel", "test", "Disease", "Chemical"))


def test_documents_that_are_not_known_are_no_number(capsys: pytest.CaptureFixture[str]) -> None:
    done = run(capsys, "stats", tiny.corpus())

    row = next(line for line in done.out.splitlines() if line.startswith("documents"))
    assert row.split() == ["documents", "-", "-", "-"]
    assert "note: train, devel, test: the files have sentences only" in done.err
