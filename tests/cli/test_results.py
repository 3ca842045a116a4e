"""What do the commands print when all goes well?"""

import json
from pathlib import Path
from typing import Any

import pytest

from tests.cli.running import run, write

MATCHINGS = ["strict", "conll", "exact", "partial", "type", "fair", "weighted_fair", "tokens"]
BLOCK = {"precision", "recall", "f1", "gold", "predicted", "correct", "f1_low", "f1_high", "units", "n_units"}
GOLD = "a\tB-X\nb\tI-X\nc\tO\n\nd\tB-Y\ne\tO\n"
PREDICTED = "a\tB-X\nb\tI-X\nc\tO\n\nd\tI-Y\ne\tB-X\n"  # the I-Y is a mention for conlleval only


def run_json(capsys: pytest.CaptureFixture[str], *arguments: object) -> dict[str, Any]:
    """Run a command with `--json` and return the one object that it prints."""
    done = run(capsys, *arguments, "--json")
    assert done.code == 0, done.err
    found = json.loads(done.out)
    assert isinstance(found, dict)
    return found


@pytest.fixture
def corpus(tmp_path: Path) -> Path:
    """A corpus with everything that is noted and warned of, to see where it is printed."""
    write(tmp_path / "corpus" / "train.tsv", "a\tB-X\nb\tO\n\nc\tI-X\n")
    write(tmp_path / "corpus" / "test.tsv", "a\tB-X\nb\tO\n")
    return tmp_path / "corpus"


def test_stats_print_one_object_and_keep_notes_and_warnings_on_standard_error(
    corpus: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    done = run(capsys, "stats", corpus, "--repair", "--json")

    found = json.loads(done.out)
    assert set(found) >= {"splits", "tagging", "format", "warnings"}
    assert (found["tagging"], found["format"]) == ("iob2", "conll")
    assert {key: found["splits"]["train"][key] for key in ("documents", "sentences", "tokens", "mentions")} == {
        "documents": 2,
        "sentences": 2,
        "tokens": 3,
        "mentions": 2,
    }
    assert found["splits"]["train"]["tags"] == {"O": 1, "B-X": 2}
    assert found["splits"]["train"]["labels"] == {"X": 2}
    assert f"note: tags read as the conlleval script reads them: 1 (first: {corpus / 'train.tsv'}:4)" in done.err
    assert all(f"warning: {warning}" in done.err for warning in found["warnings"])
    assert found["warnings"]


def test_stats_print_tables_without_cut_cells_or_trailing_space(
    corpus: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    done = run(capsys, "stats", corpus, "--repair")

    lines = done.out.splitlines()
    assert lines[0] == "corpus (conll, iob2)"
    assert any(line.split() == ["mentions", "2", "1"] for line in lines)
    assert any(line.split() == ["B-X", "2", "(66.67%)", "1", "(50.00%)"] for line in lines)
    assert "…" not in done.out
    assert all(line == line.rstrip() for line in lines)


def test_weights_have_their_shape_and_order(corpus: Path, capsys: pytest.CaptureFixture[str]) -> None:
    found = run_json(capsys, "weights", corpus, "--scheme", "ins", "--repair")

    assert set(found) >= {"scheme", "counts", "weights", "ratio", "warnings"}
    assert list(found["counts"].items()) == [("O", 1), ("B-X", 2)]
    assert found["weights"] == {"O": 1.0, "B-X": 0.5}  # 1 / n, by hand
    assert found["ratio"] == 2.0


def test_weights_of_a_single_file_need_no_split(corpus: Path, capsys: pytest.CaptureFixture[str]) -> None:
    done = run(capsys, "weights", corpus / "test.tsv", "--scheme", "ens", "--beta", "0.5")

    assert done.code == 0
    assert done.out.startswith("ens on corpus (test)\n")
    assert "largest / smallest weight: 1.000" in done.out
    assert "equals 'none'" in done.err


def test_scores_have_every_matching_with_its_blocks(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    gold, predicted = write(tmp_path / "gold.tsv", GOLD), write(tmp_path / "predicted.tsv", PREDICTED)

    found = run_json(capsys, "score", gold, predicted)

    assert [key for key in found if key in MATCHINGS] == MATCHINGS
    assert (found["sentences"], found["mentions"]) == (2, 2)
    assert all(set(found[name]["micro"]) >= BLOCK and set(found[name]["macro"]) >= BLOCK for name in MATCHINGS)
    assert {"tp", "fp", "fn", "le", "be", "lbe"} <= set(found["fair"]["micro"])
    assert set(found["strict"]["labels"]) == {"X", "Y"}
    # by hand: strict passes over I-Y and so predicts a-b and e; conll predicts d too, which is right
    assert [found[name]["micro"]["predicted"] for name in ("strict", "conll")] == [2, 3]
    assert [found[name]["micro"]["correct"] for name in ("strict", "conll")] == [1, 2]


def test_scores_are_tables_without_cut_cells(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    gold, predicted = write(tmp_path / "gold.tsv", GOLD), write(tmp_path / "predicted.tsv", PREDICTED)

    done = run(capsys, "score", gold, predicted, "--resamples", 0)

    lines = [line.split() for line in done.out.splitlines()]
    assert ["strict", "50.00", "50.00", "50.00", "2", "2", "1", "label", "and", "both"] in [line[:10] for line in lines]
    assert ["macro", "average"] in [line[:2] for line in lines]
    assert done.err == ""
    assert "…" not in done.out


def test_score_says_how_many_gold_tags_were_repaired(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    gold = write(tmp_path / "gold.tsv", "a\tB-X\nb\tO\nc\tI-X\nd\tI-X\n")

    refused = run(capsys, "score", gold, gold)
    done = run(capsys, "score", gold, gold, "--repair", "--json")

    assert refused.code == 2
    assert f"{gold}:3" in refused.err
    assert f"note: tags read as the conlleval script reads them: 1 (first: {gold}:3)" in done.err
    assert json.loads(done.out)["mentions"] == 2


def test_score_intervals_follow_the_seed(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    rows = [f"w{n}\t{'B-X' if n % 3 else 'O'}\n\n" for n in range(30)]
    other = [f"w{n}\t{'B-X' if n % 4 else 'O'}\n\n" for n in range(30)]
    gold, predicted = write(tmp_path / "gold.tsv", "".join(rows)), write(tmp_path / "predicted.tsv", "".join(other))

    once, again, differently = (run_json(capsys, "score", gold, predicted, "--seed", seed) for seed in (1, 1, 2))

    assert once == again
    assert once["strict"]["micro"]["f1"] == differently["strict"]["micro"]["f1"]
    assert once["strict"]["micro"]["f1_low"] < once["strict"]["micro"]["f1"] < once["strict"]["micro"]["f1_high"]


@pytest.mark.parametrize(
    "command",
    ["formats", "schemes", "losses", "matchings", "encoders", "tasks", "sizes", "settings", "settings pretrain",
     "settings compare"],
)  # fmt: skip
def test_everything_listed_has_a_name_and_a_description(command: str, capsys: pytest.CaptureFixture[str]) -> None:
    kind, *_ = words = command.split()
    found = run_json(capsys, "list", *words)
    printed = run(capsys, "list", *words).out

    assert list(found) == [kind]
    assert len(found[kind]) >= 4
    assert all(entry["name"] and entry["description"] for entry in found[kind])
    assert all(entry["name"] in printed for entry in found[kind])
    assert max(map(len, printed.splitlines())) <= 120


@pytest.mark.parametrize(
    ("command", "setting"), [("train", "optimiser.epochs"), ("pretrain", "budget.hours"), ("compare", "baseline")]
)
def test_each_command_lists_its_own_settings(command: str, setting: str, capsys: pytest.CaptureFixture[str]) -> None:
    found = run_json(capsys, "list", "settings", command)

    assert setting in {entry["name"] for entry in found["settings"]}


def test_help_lists_the_commands_with_whole_sentences(capsys: pytest.CaptureFixture[str]) -> None:
    done = run(capsys, "--help")

    assert done.code == 0
    commands = done.out.partition("Commands:\n")[2]
    assert {"convert", "stats", "weights", "score", "demo", "list"} <= {
        line.split()[0] for line in commands.split("\n  ")
    }
    assert "..." not in commands


def test_version_is_printed(capsys: pytest.CaptureFixture[str]) -> None:
    from linnet import __version__

    assert run(capsys, "--version").out == f"linnet {__version__}\n"


def test_score_reports_every_tag_word_by_word(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    gold, predicted = write(tmp_path / "gold.tsv", GOLD), write(tmp_path / "predicted.tsv", PREDICTED)

    tags = run_json(capsys, "score", gold, predicted, "--resamples", "0")["tags"]

    assert set(tags) == {"words", "tags", "with_o", "without_o"}
    assert list(tags["tags"]) == ["O", "B-X", "I-X", "B-Y", "I-Y"]
    assert tags["tags"]["O"] == {
        "precision": 1.0,
        "recall": 0.5,
        "f1": pytest.approx(2 / 3),
        "gold": 2,
        "predicted": 1,
        "correct": 1,
    }
    assert set(tags["with_o"]) == set(tags["without_o"]) == {"micro", "macro", "weighted"}
    assert tags["with_o"]["micro"]["f1"] == pytest.approx(3 / 5)
