"""Tables of a grid: the numbers of the CSV file, and tables that fit the terminal."""

import csv
import io
from dataclasses import replace
from pathlib import Path

import pytest
from rich.console import Console
from rich.table import Table

from linnet.cli.display.printing import print_tables
from linnet.comparison.results import Results
from linnet.comparison.tables import terminal_table, write_tables
from linnet.storage.cells import read_rows
from tests.comparison.example_results import (
    HOSTILE,
    collapsed_results,
    compare,
    empty_results,
    example_results,
    hostile_results,
    plain_cell,
    with_parts,
)


def table(results: Results, folder: Path, ending: str) -> str:
    paths = {path.name: path for path in write_tables(results, folder)}
    assert list(paths) == ["table.csv", "table.md", "table.tex"]
    return paths[f"table.{ending}"].read_text(encoding="utf-8")


def csv_rows(results: Results, folder: Path) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(table(results, folder, "csv"))))


def printed(tables: list[Table], width: int) -> list[str]:
    console = Console(width=width, file=io.StringIO(), highlight=False, markup=False)
    with console.capture() as captured:
        for one in tables:
            console.print(one)
    return [line.rstrip() for line in captured.get().splitlines()]


def test_names_that_spreadsheets_take_for_formulas_are_escaped_and_numbers_are_not(tmp_path: Path) -> None:
    hostile = csv_rows(hostile_results("=1+1"), tmp_path / "hostile")
    assert (hostile[1]["corpus"], hostile[1]["weighting"]) == ("'=1+1", "'=1+1")
    assert [row["weighting"] for row in read_rows(tmp_path / "hostile" / "table.csv")][1] == "=1+1"

    low = [row["low"] for row in csv_rows(example_results(), tmp_path) if row["low"].startswith("-")]
    assert low
    assert all(float(each) < 0 for each in low)


def test_csv_has_every_cell_with_its_seeds_and_its_comparison(tmp_path: Path) -> None:
    results = example_results()

    rows = csv_rows(results, tmp_path)

    welt = rows[1]
    assert (welt["corpus"], welt["encoder"], welt["weighting"]) == ("ncbi-disease", "minilm", "welt")
    assert [float(welt[f"seed {seed}"]) for seed in (1, 2, 3)] == [82.1, 82.5, 82.3]
    assert (float(welt["mean"]), float(welt["sd"]), welt["n"]) == (82.3, 0.2, "3")  # by hand
    found = results.comparisons[0]
    assert float(welt["difference"]) == pytest.approx(100 * found.difference)
    assert (float(welt["low"]), float(welt["high"])) == pytest.approx((100 * found.low, 100 * found.high))
    assert (float(welt["p"]), float(welt["adjusted p"])) == (found.p_value, found.adjusted_p)
    assert float(welt["smallest detectable"]) == pytest.approx(1.7)
    assert [welt[key] for key in ("wins", "ties", "losses", "verdict")] == ["3", "0", "0", "better"]
    assert len(rows) == len(results.cells) + 3  # three choices over all places


def test_csv_has_baseline_missing_and_published_values(tmp_path: Path) -> None:
    rows = csv_rows(example_results(), tmp_path)

    assert (rows[0]["verdict"], rows[0]["difference"]) == ("baseline", "")
    assert (rows[15]["verdict"], rows[15]["mean"], rows[15]["n"]) == ("missing", "", "0")
    assert (rows[11]["n"], rows[11]["seed 3"]) == ("2", "")
    assert float(rows[4]["published"]) == 86.93
    assert {row["corpus"] for row in rows[16:]} == {"all"}


def test_terminal_tables_fit_eighty_columns_with_every_number_whole() -> None:
    results = example_results()

    lines = printed(terminal_table(results), 80)

    assert max(map(len, lines)) <= 80
    assert "…" not in "".join(lines)
    rows = [line.split() for line in lines]
    assert ["welt", "82.30", "0.20", "3", "+2.00", "+0.80", "to", "+3.20", "0.004", "better"] in rows
    assert ["none", "86.20", "0.26", "3", "baseline", "86.93"] in rows
    assert ["isns", "0", "missing"] in rows
    assert ["welt", "+1.17", "-0.03", "to", "+2.37", "0.600", "no", "evidence"] in rows
    words = " ".join(" ".join(row) for row in rows)
    assert all(found.sentence in words for found in results.comparisons)


def test_a_wide_terminal_shows_each_seed_and_wins() -> None:
    rows = [line.split() for line in printed(terminal_table(example_results(), width=120), 120)]

    assert [*"welt 82.30 0.20 3 82.10 82.50 82.30 +2.00 +0.80 to +3.20 0.004 3-0-0 better".split()] in rows


def test_in_a_pipe_brackets_are_text(capsys: pytest.CaptureFixture[str]) -> None:
    print_tables(*terminal_table(hostile_results()))

    assert HOSTILE in capsys.readouterr().out


def test_very_many_verdicts_leave_the_terminal_to_those_over_all_places() -> None:
    results = example_results()
    results = replace(results, comparisons=results.comparisons * 3)

    words = " ".join(printed(terminal_table(results)[-1:], 80))

    assert "33 more verdicts, for single conditions, are in table.md" in " ".join(words.split())


def test_a_grid_without_places_has_one_table_and_its_verdicts(tmp_path: Path) -> None:
    cells = tuple(
        plain_cell({}, {"weighting": name}, {1: score}, is_baseline=name == "none")
        for name, score in (("none", 0.5), ("welt", 0.6))
    )
    results = replace(
        example_results(), place_axes=(), seeds=(1,), cells=cells, comparisons=compare(cells), failures=(), missing=0
    )

    tables = terminal_table(results)

    assert [str(one.title).partition(":")[0] for one in tables] == ["Does weighting help?", "What this says"]
    assert len(csv_rows(results, tmp_path)) == 2
    assert "| welt | **60.00** ↑ |" in table(results, tmp_path, "md")
    assert r"welt & \textbf{60.00}$^{\uparrow}$ \\" in table(results, tmp_path, "tex")


def test_an_empty_grid_can_be_shown(tmp_path: Path) -> None:
    assert len(write_tables(empty_results(), tmp_path)) == 3
    assert len(terminal_table(empty_results())) == 1


def test_csv_has_precision_and_recall_with_their_deviations_and_published_values(tmp_path: Path) -> None:
    rows = csv_rows(with_parts(example_results()), tmp_path)

    # precision two points above and recall one below F1, whose deviation both have
    assert [float(rows[1][name]) for name in ("precision", "precision sd", "recall", "recall sd")] == [
        *(84.3, 0.2, 81.3, 0.2),
    ]
    assert [float(rows[4][f"published {name}"]) for name in ("precision", "recall")] == pytest.approx([87.03, 86.83])
    assert [rows[15][name] for name in ("precision", "recall sd", "published recall")] == ["", "", ""]
    assert {row["precision"] for row in rows[16:]} == {""}
    assert all(None not in row and None not in row.values() for row in rows)  # as many cells as heads


def test_a_very_wide_terminal_shows_precision_and_recall() -> None:
    results = with_parts(example_results())

    wide, narrow = (printed(terminal_table(results, width=width), width) for width in (150, 120))

    row = "welt 82.30 0.20 3 82.10 82.50 82.30 84.30 81.30 +2.00 +0.80 to +3.20 0.004 3-0-0 better".split()
    assert row in [line.split() for line in wide]
    assert "precision" not in " ".join(narrow)


def test_collapsed_runs_have_a_column_only_where_there_are_some(tmp_path: Path) -> None:
    rows, others = csv_rows(collapsed_results(), tmp_path), csv_rows(example_results(), tmp_path)
    wide, narrow = (printed(terminal_table(collapsed_results(), width=width), width) for width in (120, 80))

    assert [row["collapsed"] for row in rows[:2]] == ["1", "0"]
    assert rows[-1]["collapsed"] == ""
    assert "collapsed" not in others[0]
    assert "  n  collapsed  " in wide[1]
    assert "collapsed" not in narrow[1]
    for shown in (wide, narrow):
        sentences = " ".join(line.strip() for line in shown)
        assert "none 1 of 3 (seed 2), welt 0 of 3 (p = 1.000)" in sentences


def test_a_choice_whose_runs_all_collapsed_is_not_compared_and_says_why(tmp_path: Path) -> None:
    results = collapsed_results()
    cells = (results.cells[0], replace(results.cells[1], collapsed=(1, 2, 3)), *results.cells[2:])

    rows = csv_rows(replace(results, cells=cells, comparisons=results.comparisons[1:]), tmp_path)

    assert [row["verdict"] for row in rows[:2]] == ["baseline", "collapsed"]
