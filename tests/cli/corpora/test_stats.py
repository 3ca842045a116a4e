"""The command `linnet stats`."""

import json
from pathlib import Path

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


def test_the_most_frequent_concepts_are_shown_if_they_are_wanted(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    pain, fever = {"identifier": "mesh:D010146", "name": "Pain"}, {"identifier": "mesh:D005334"}
    mentions = [(0, 4, [pain]), (9, 14, [fever]), (19, 24, [fever, pain])]
    spans = [{"start": start, "end": end, "label": "Disease", "links": links} for start, end, links in mentions]
    document = {"id": "1", "text": "ache and fever and fever", "spans": spans}
    other = {"id": "2", "text": "ache", "spans": spans[:1]}
    path = tmp_path / "linked.jsonl"
    path.write_text(f"{json.dumps(document)}\n{json.dumps(other)}\n", encoding="utf-8")

    shown = run(capsys, "stats", path, "--concepts", 1).out
    found = json.loads(run(capsys, "stats", path, "--concepts", 5, "--json").out)["splits"]["all"]["concepts"]

    assert "most frequent concepts of all" in shown
    assert "mesh:D010146  Pain" in shown
    assert "fever" not in shown
    assert found == [
        {"identifier": "mesh:D010146", "name": "Pain", "mentions": 3, "documents": 2},
        {"identifier": "mesh:D005334", "name": "fever", "mentions": 2, "documents": 1},  # as it is written most often
    ]
    assert "concepts" not in run(capsys, "stats", path).out
