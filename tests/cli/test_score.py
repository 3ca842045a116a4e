"""The command `linnet score`."""

import json
from pathlib import Path

import pytest

from tests.cli.running import run

ROWS = "ataxia\tB-Disease\nis\tO\nrare\tO\n\naspirin\tB-Chemical\n\n"


def test_a_file_scored_against_itself_is_right(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    gold = tmp_path / "gold.tsv"
    gold.write_text(ROWS, encoding="utf-8")

    done = run(capsys, "score", gold, gold, "--json")

    found = json.loads(done.out)
    assert done.code == 0
    assert (found["strict"]["micro"]["f1"], found["mentions"], found["sentences"]) == (1.0, 2, 2)


def test_tables_show_every_matching(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    gold = tmp_path / "gold.tsv"
    gold.write_text(ROWS, encoding="utf-8")

    done = run(capsys, "score", gold, gold)

    assert all(name in done.out for name in ("strict", "conll", "partial", "fair", "Disease"))
