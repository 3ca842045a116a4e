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


@pytest.mark.parametrize("identifier", ["mesh:D001943", "D001943", "MESH:D001943", "doid:1612", "mesh:D000001"])
def test_search_shows_the_concept_of_an_identifier(
    identifier: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / "v"
    source = write(tmp_path, "t.tsv", TABLE.replace("xrefs", "equivalents"))
    assert run(capsys, "vocabulary", "build", source, "--output", folder).code == 0

    as_json = run(capsys, "vocabulary", "search", folder, identifier, "--json")
    as_text = run(capsys, "vocabulary", "search", folder, identifier)

    found = json.loads(as_json.out)
    assert found["candidates"] == [
        {"id": "mesh:D001943", "name": "Breast Neoplasms", "matched": identifier, "score": 1.0}
    ]
    assert found["concept"] == {
        "id": "mesh:D001943",
        "name": "Breast Neoplasms",
        "names": ["Breast Neoplasms", "Breast Cancer", "Breast Tumors"],
        "parents": [{"id": "mesh:D009369", "name": "Neoplasms"}],
        "equivalent": ["doid:1612"],
        "retired": ["mesh:D000001"],
    }
    assert as_text.out.splitlines() == [
        "mesh:D001943: Breast Neoplasms",
        "names: Breast Neoplasms | Breast Cancer | Breast Tumors",
        "parents: Neoplasms (mesh:D009369)",
        "other identifiers: doid:1612",
        "retired identifiers: mesh:D000001",
    ]


def test_search_says_that_an_identifier_is_not_there(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    done = run(capsys, "vocabulary", "search", folder, "D009999", "--json")

    assert "no concept with the identifier D009999" in done.err
    assert "concept" not in json.loads(done.out)


def test_a_text_may_be_an_identifier_and_a_name(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    source = write(tmp_path, "t.tsv", "id\tname\nx:A1\tfirst\nx:B2\tA1\n")
    run(capsys, "vocabulary", "build", source, "--output", tmp_path / "v")

    as_json = run(capsys, "vocabulary", "search", tmp_path / "v", "A1", "--json")
    as_text = run(capsys, "vocabulary", "search", tmp_path / "v", "A1")

    assert [each["id"] for each in json.loads(as_json.out)["candidates"]] == ["x:A1", "x:B2"]
    assert as_text.out.startswith("x:A1: first")
    assert "x:B2" in as_text.out


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


def test_one_concept_and_one_name_are_counted_in_the_singular(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    source = write(tmp_path, "t.tsv", "id\tname\nx:1\tFever\n")

    built = run(capsys, "vocabulary", "build", source, "--output", tmp_path / "v")
    stats = run(capsys, "vocabulary", "stats", tmp_path / "v")

    assert built.out.startswith(f"{tmp_path / 'v'}: 1 concept, 1 name\n")
    assert ": 1 concept, 1 name\n" in stats.out
