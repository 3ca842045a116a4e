"""The command `linnet vocabulary`."""

import json
from pathlib import Path

import pytest

from tests.cli.running import run
from tests.tasks.linking.sources import OBO, TABLE, write


@pytest.fixture
def folder(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Path:
    source = write(tmp_path, "t.tsv", TABLE)
    assert run(capsys, "vocabulary", "build", source, "--output", tmp_path / "v").code == 0
    return tmp_path / "v"


def test_search_prints_candidates(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    as_json = run(capsys, "vocabulary", "search", folder, "breast cancer", "--top", 2, "--json")
    as_table = run(capsys, "vocabulary", "search", folder, "breast cancer")

    found = json.loads(as_json.out)
    assert found["query"] == "breast cancer"
    assert found["candidates"][0] == {
        "id": "mesh:D001943",
        "name": "Breast Neoplasms",
        "matched": "Breast Cancer",
        "score": 1.0,
    }
    assert len(found["candidates"]) == 2
    assert "mesh:D001943" in as_table.out


def test_search_says_where_nothing_is_similar(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    done = run(capsys, "vocabulary", "search", folder, "漢字")

    assert (done.code, done.out) == (0, "no name is similar to '漢字'\n")


def test_stats_counts_and_names_the_sources(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    as_json = run(capsys, "vocabulary", "stats", folder, "--json")
    as_table = run(capsys, "vocabulary", "stats", folder)

    found = json.loads(as_json.out)
    assert (found["concepts"], found["names"], len(found["hash"])) == (4, 10, 64)
    assert found["sources"][0]["file"] == "t.tsv"
    assert found["hash"] in as_table.out


def test_build_merges_filters_and_reports(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    sources = write(tmp_path, "t.tsv", TABLE), write(tmp_path, "o.obo", OBO)

    done = run(
        capsys, "vocabulary", "build", *sources, "--output", tmp_path / "v", "--keep", "prefix=mesh", "--json"
    )  # fmt: skip

    found = json.loads(done.out)
    assert (found["concepts"], found["merged"], found["filters"]) == (4, 1, {"prefix": ["mesh"]})
    assert any("obsolete" in each for each in found["warnings"])


def test_bad_input_ends_with_a_message(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    letter = write(tmp_path, "letter.txt", "Dear reader,\n")
    for arguments in (
        ("build", letter, "--output", tmp_path / "v"),
        ("build", letter, "--output", tmp_path / "v", "--from", "tabel"),
        ("build", tmp_path / "missing", "--output", tmp_path / "v"),
        ("search", tmp_path, "x"),
        ("stats", letter),
    ):
        done = run(capsys, "vocabulary", *arguments)
        assert (done.code, done.out) == (2, "")
        assert "Try:" in done.err
    assert not (tmp_path / "v").exists()
