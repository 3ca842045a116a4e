"""The command `linnet compare-runs`."""

import json
from pathlib import Path

import pytest

from tests.cli.running import run, write
from tests.comparison.fake_runs import finish, planned
from tests.pages import Elements

RIGHT, WRONG = "ataxia\tB-X\tB-X\nis\tO\tO\n\n", "ataxia\tB-X\tO\nis\tO\tO\n\n"


def test_runs_are_compared_in_the_terminal_and_on_a_page(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for name, wrong in (("a", (0, 1)), ("b", (1, 2, 3))):
        finish(planned(tmp_path / name), wrong)

    done = run(capsys, "compare-runs", tmp_path / "a", tmp_path / "b", "--report", tmp_path / "page")

    assert (done.code, done.err) == (0, "")
    assert "the same sentences: strict F1 in percent, change against a" in done.out
    assert "there is no evidence that b differs from a: -5.00 points" in done.out
    assert f"{tmp_path / 'page' / 'index.html'}: open it in a browser" in done.out
    content = Elements((tmp_path / "page" / "index.html").read_text(encoding="utf-8")).content()
    assert content["title"] == "a and b"
    assert content["pairs"][0]["counts"] == [16, 2, 1, 1]


def test_files_are_compared_as_one_json_object(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    a, b = write(tmp_path / "a.tsv", RIGHT + WRONG), write(tmp_path / "b.tsv", RIGHT + RIGHT)

    done = run(capsys, "compare-runs", a, b, "--metric", "tokens", "--json")

    found = json.loads(done.out)
    assert (done.code, found["metric"]) == (0, "token F1")
    assert [each["score"] for each in found["runs"]] == pytest.approx([2 / 3, 1.0])


def test_what_cannot_be_compared_is_refused_and_nothing_is_written(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    a, b = write(tmp_path / "a.tsv", RIGHT + WRONG), write(tmp_path / "b.tsv", RIGHT)

    done = run(capsys, "compare-runs", a, b, "--report", tmp_path / "page")

    assert (done.code, done.out) == (2, "")
    assert "b.tsv: has other words or other gold tags than" in done.err
    assert not (tmp_path / "page").exists()


def test_predictions_without_gold_ask_for_it(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    a, b = (write(tmp_path / f"{name}.tsv", "ataxia\tB-X\n\n") for name in "ab")

    done = run(capsys, "compare-runs", a, b)

    assert done.code == 2
    assert "--gold GOLD" in done.err
    assert run(capsys, "compare-runs", a, b, "--gold", a).code == 0


def test_files_are_compared_on_the_labels_that_gold_has(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    gold = write(tmp_path / "gold.tsv", "ataxia\tB-X\nis\tO\n\n" * 2)
    a = write(tmp_path / "a.tsv", "ataxia\tB-D\nis\tB-C\n\n" * 2)
    b = write(tmp_path / "b.tsv", "ataxia\tB-D\nis\tO\n\nataxia\tO\nis\tO\n\n")

    refused = run(capsys, "compare-runs", a, b, "--gold", gold)
    done = run(capsys, "compare-runs", a, b, "--gold", gold, "--map", "D=X", "--json")

    assert (refused.code, "a.tsv (C, D) and gold file (X) have no label in common" in refused.err) == (2, True)
    assert done.code == 0
    assert [each["score"] for each in json.loads(done.out)["runs"]] == pytest.approx([1.0, 2 / 3])
    assert "labels that the gold file does not have, not scored: C (2 predicted mentions)" in done.err


def test_runs_have_the_labels_of_their_corpus(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for name in ("a", "b"):
        finish(planned(tmp_path / name), (0,))

    done = run(capsys, "compare-runs", tmp_path / "a", tmp_path / "b", "--map", "X=Y")

    assert (done.code, "--map is for prediction files" in done.err) == (2, True)
