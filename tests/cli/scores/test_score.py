"""The command `linnet score`."""

import json
from pathlib import Path

import pytest

from tests.cli.running import run
from tests.pages import Elements

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


def test_a_report_has_the_error_page_and_the_list_of_mistakes(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    text, right = "No ataxia. Aspirin helps.", {"start": 3, "end": 9, "label": "Disease"}
    short = {"start": 11, "end": 15, "label": "Chemical", "score": 0.4}
    sides = {"gold": [right, {**short, "end": 18}], "predicted": [right, short]}
    for name, spans in sides.items():
        line = json.dumps({"id": "d1", "text": text, "spans": spans})
        (tmp_path / f"{name}.jsonl").write_text(line + "\n", encoding="utf-8")

    files = (tmp_path / "gold.jsonl", tmp_path / "predicted.jsonl")
    done = run(capsys, "score", *files, "--report", tmp_path / "page")

    assert done.code == 0
    assert f"{tmp_path / 'page' / 'index.html'}: open it in a browser" in done.out
    content = Elements((tmp_path / "page" / "index.html").read_text(encoding="utf-8")).content()
    assert content["title"] == "predicted.jsonl against gold.jsonl"
    assert content["sentences"][1][4] == [[0, 4, 0, 0.4]]
    header, row = (tmp_path / "page" / "mistakes.tsv").read_text(encoding="utf-8").splitlines()
    found = dict(zip(header.split("\t"), row.split("\t"), strict=True))
    assert (found["document"], found["start"], found["end"], found["confidence"]) == ("d1", "11", "18", "0.4000")


def test_a_report_of_one_file_with_both_columns(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    both = tmp_path / "both.tsv"
    both.write_text("ataxia\tB-X\tO\nis\tO\tO\n\n", encoding="utf-8")

    done = run(capsys, "score", both, "--report", tmp_path / "page", "--json")

    assert done.code == 0
    assert json.loads(done.out)["mentions"] == 1
    content = Elements((tmp_path / "page" / "index.html").read_text(encoding="utf-8")).content()
    assert (content["title"], content["details"][0]) == ("both.tsv", ["gold", str(both)])
    assert len((tmp_path / "page" / "mistakes.tsv").read_text(encoding="utf-8").splitlines()) == 2


def test_a_report_that_cannot_be_written_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    gold = tmp_path / "gold.tsv"
    gold.write_text(ROWS, encoding="utf-8")

    done = run(capsys, "score", gold, gold, "--report", gold)

    assert (done.code, done.out) == (2, "")
    assert "gold.tsv" in done.err
