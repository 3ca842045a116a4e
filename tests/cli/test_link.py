"""The command `linnet link`."""

import json
from pathlib import Path

import pytest

from tests.cli.running import run
from tests.tasks.linking.sources import build

ROW = {"id": "1", "text": "breast cancer", "spans": [{"start": 0, "end": 13, "label": "Disease"}]}


@pytest.fixture
def source(tmp_path: Path) -> Path:
    path = tmp_path / "in.jsonl"
    path.write_text(json.dumps(ROW) + "\n", encoding="utf-8")
    return path


def test_mentions_are_linked_and_counted(source: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder, output = build(tmp_path).folder, tmp_path / "out.jsonl"

    done = run(capsys, "link", source, "--vocabulary", folder, "--output", output, "--candidates", 2)

    assert done.code == 0
    assert f"{output}: 1 document, 1 of 1 mention linked" in done.out
    span = json.loads(output.read_text(encoding="utf-8"))["spans"][0]
    assert span["links"] == [
        {"identifier": "mesh:D001943", "database": "MESH", "name": "Breast Neoplasms", "score": 1.0}
    ]
    assert len(json.loads(span["infons"]["candidates"])[0]) == 2


def test_json_has_counts_alone(source: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = build(tmp_path).folder

    done = run(capsys, "link", source, "--vocabulary", f"Disease={folder}", "--output", tmp_path / "o.jsonl", "--json")

    assert json.loads(done.out).keys() == {"documents", "mentions", "linked", "failures", "seconds"}


def test_a_missing_vocabulary_is_refused(source: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    done = run(capsys, "link", source, "--vocabulary", tmp_path / "none", "--output", tmp_path / "out.jsonl")

    assert done.code == 2
    assert "none: there is no such folder" in done.err
    assert not (tmp_path / "out.jsonl").exists()


def test_links_are_kept_on_request(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    own = {"identifier": "omim:114480", "database": "OMIM"}
    row = {**ROW, "spans": [{"start": 0, "end": 13, "label": "Disease", "links": [own]}]}
    source, output = tmp_path / "in.jsonl", tmp_path / "out.jsonl"
    source.write_text(json.dumps(row) + "\n", encoding="utf-8")

    done = run(capsys, "link", source, "--vocabulary", build(tmp_path).folder, "--output", output, "--keep-links")

    assert (done.code, done.err) == (0, "")
    assert json.loads(output.read_text(encoding="utf-8"))["spans"][0]["links"] == [own]
