"""The command `linnet compare-runs`."""

import json
from pathlib import Path

import pytest

from linnet.storage.cells import read_rows
from tests.cli.running import run, write
from tests.comparison.fake_runs import finish, planned
from tests.pages import Elements

RIGHT, WRONG = "ataxia\tB-X\tB-X\nis\tO\tO\n\n", "ataxia\tB-X\tO\nis\tO\tO\n\n"


def test_runs_are_compared_in_the_terminal_and_on_a_page(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for name, wrong in (("a", (0, 1)), ("b", (1, 2, 3))):
        finish(planned(tmp_path / name), wrong)

    done = run(capsys, "compare-runs", tmp_path / "a", tmp_path / "b", "--report", tmp_path / "page")

    assert (done.code, "warning:" in done.err) == (0, False)
    assert "the same sentences: strict F1 in percent, change against a" in done.out
    assert "there is no evidence that b differs from a: -5.00 points" in done.out
    assert f"{tmp_path / 'page' / 'index.html'}: open it in a browser" in done.out
    content = Elements((tmp_path / "page" / "index.html").read_text(encoding="utf-8")).content()
    assert content["title"] == "a and b"
    assert content["pairs"][0]["counts"] == [16, 2, 1, 1]


def test_runs_are_compared_on_devel_and_their_settings_shown(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for name, rate in (("a", 3e-4), ("b", 1e-4)):
        finish(planned(tmp_path / name, optimiser={"learning_rate": rate}), split="devel")
    folders = (tmp_path / "a", tmp_path / "b")

    done = run(capsys, "compare-runs", *folders, "--on", "devel")
    found = json.loads(run(capsys, "compare-runs", *folders, "--on", "devel", "--json").out)
    refused = run(capsys, "compare-runs", *folders, "--on", "devel", "--gold", tmp_path / "gold.tsv")

    assert (done.code, "note: compared on devel, which chose the epoch" in done.err) == (0, True)
    assert done.out.split("settings that differ\n")[1].split()[:6] == [
        "setting",
        "a",
        "b",
        "learning_rate",
        "0.0003",
        "0.0001",
    ]
    assert (found["split"], found["settings"]) == ("devel", {"learning_rate": {"a": 3e-4, "b": 1e-4}})
    assert (refused.code, "--on devel is for run folders" in refused.err) == (2, True)


def test_warnings_of_the_page_are_printed(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for name, wrong in (("a", range(20)), ("b", (1,))):
        finish(planned(tmp_path / name), wrong)

    done = [run(capsys, "compare-runs", tmp_path / "a", tmp_path / "b", *more) for more in ((), ("--json",))]

    for each in done:
        assert each.code == 0
        assert "warning: the same sentences, a: nothing was right; what is compared with it is" in each.err


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
    assert "labels that the gold file does not have, not scored: C (predicted: 2 in a.tsv)" in done.err


def test_documents_that_all_files_have_are_compared_on_request(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    span = {"start": 0, "end": 1, "label": "X"}
    lines = [json.dumps({"id": f"d{number}", "text": "a b", "spans": [span]}) + "\n" for number in range(4)]
    gold = write(tmp_path / "gold.jsonl", "".join(lines))
    a, b = write(tmp_path / "a.jsonl", "".join(lines[:3])), write(tmp_path / "b.jsonl", "".join(lines[1:]))

    refused = run(capsys, "compare-runs", a, b, "--gold", gold)
    done = run(capsys, "compare-runs", a, b, "--gold", gold, "--common-documents", "--json")

    assert (refused.code, "`--common-documents`" in refused.err) == (2, True)
    assert json.loads(done.out)["n_units"] == 2
    assert f"note: documents of {gold} that {a} does not have, left out: 1 (first: d3)" in done.err
    assert f"note: documents of {gold} that {b} does not have, left out: 1 (first: d0)" in done.err


def test_the_report_of_files_lists_the_mistakes_of_each(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    gold = write(tmp_path / "gold.tsv", "ataxia\tB-D\nzinc\tB-C\n\n" * 2)
    a = write(tmp_path / "a.tsv", "ataxia\tO\nzinc\tO\n\n" * 2)
    b = write(tmp_path / "b.tsv", "ataxia\tB-D\nzinc\tO\n\n" * 2)
    asked = ("compare-runs", a, b, "--gold", gold, "--keep-labels", "D", "--report", tmp_path / "page")

    done, again = run(capsys, *asked), run(capsys, *asked)

    rows = list(read_rows(tmp_path / "page" / "mistakes.tsv"))
    assert [(row["run"], row["also in"], row["text"], row["sentence"]) for row in rows] == [
        ("a.tsv", "", "ataxia", "1"),
        ("a.tsv", "", "ataxia", "1" if rows[1]["document"] != rows[0]["document"] else "2"),
    ]
    assert "mistakes.tsv lists the mistakes of each" in done.out
    assert again.code == 2


def test_mistakes_of_runs_have_no_places_because_runs_keep_words(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for name, wrong in (("a", (0, 1)), ("b", (1, 2))):
        finish(planned(tmp_path / name), wrong)
    folders = (tmp_path / "a", tmp_path / "b")

    done = run(capsys, "compare-runs", *folders, "--report", tmp_path / "page")

    rows = list(read_rows(tmp_path / "page" / "mistakes.tsv"))
    assert [(row["start"], row["end"], row["text"]) for row in rows][:2] == [
        ("", "", "ataxia0 here"),
        ("", "", "ataxia1 here"),
    ]
    assert (
        "note: runs keep their predictions as words, so `start`, `end` and `confidence` in mistakes.tsv are empty"
        in done.err
    )
    assert "note:" not in run(capsys, "compare-runs", *folders).err


def test_mistakes_of_files_have_their_places(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    a, b = write(tmp_path / "a.tsv", RIGHT + WRONG), write(tmp_path / "b.tsv", RIGHT + RIGHT)

    done = run(capsys, "compare-runs", a, b, "--report", tmp_path / "page")

    rows = list(read_rows(tmp_path / "page" / "mistakes.tsv"))
    assert [(row["start"], row["end"], row["text"]) for row in rows] == [("0", "6", "ataxia")]
    assert "note:" not in done.err


def test_one_label_of_files_is_compared(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    gold = write(tmp_path / "gold.tsv", "ataxia\tB-D\nzinc\tB-C\n\n" * 2)
    a = write(tmp_path / "a.tsv", "ataxia\tB-D\nzinc\tO\n\n" * 2)
    b = write(tmp_path / "b.tsv", "ataxia\tB-D\nzinc\tB-G\n\n" * 2)

    done = run(capsys, "compare-runs", a, b, "--gold", gold, "--keep-labels", "D", "--json")

    assert [each["score"] for each in json.loads(done.out)["runs"]] == [1.0, 1.0]
    assert "`--keep-labels` leaves out, not scored: G (predicted: 2 in b.tsv)" in done.err


def test_runs_have_the_labels_of_their_corpus(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for name in ("a", "b"):
        finish(planned(tmp_path / name), (0,))

    done = run(capsys, "compare-runs", tmp_path / "a", tmp_path / "b", "--map", "X=Y")

    kept = run(capsys, "compare-runs", tmp_path / "a", tmp_path / "b", "--keep-labels", "X")

    assert (done.code, "--map is for prediction files" in done.err) == (2, True)
    assert (kept.code, "--keep-labels is for prediction files" in kept.err) == (2, True)


def test_a_file_of_documents_makes_them_the_units_of_runs_and_of_files(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for name, wrong in (("a", (0, 1)), ("b", (1, 2, 3))):
        finish(planned(tmp_path / name), wrong)
    files = [write(tmp_path / f"{name}.tsv", (RIGHT + WRONG) * 10) for name in "cd"]
    ids = write(tmp_path / "ids", "".join(f"{number // 2}\n" for number in range(20)))

    done = [
        run(capsys, "compare-runs", *pair, "--documents", ids, "--json")
        for pair in ([tmp_path / "a", tmp_path / "b"], files)
    ]

    assert [(json.loads(each.out)["units"], json.loads(each.out)["n_units"]) for each in done] == [
        ("documents", 10), ("documents", 10)
    ]  # fmt: skip


def test_documents_need_no_file_that_names_them(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    content = '{"id": "1", "text": "ataxia", "spans": [{"start": 0, "end": 6, "label": "X"}]}\n'
    gold, a, b = (write(tmp_path / f"{name}.jsonl", content) for name in ("gold", "a", "b"))
    ids = write(tmp_path / "ids", "1\n")

    done = [run(capsys, "compare-runs", a, b, "--gold", gold, *more) for more in ((), ("--documents", ids))]

    assert [each.code for each in done] == [0, 2]
    assert "leave `--documents` out; it is for files with one token per line" in done[1].err
