"""Do the tables say what the records say, whatever characters stand in them, and fit where they are shown?"""

import csv
import io
import re
from dataclasses import replace
from pathlib import Path

import pytest
from rich.console import Console
from rich.table import Table

from linnet.cli.display.printing import print_tables
from linnet.comparison.arrangement import arrange, headline, learning_panels, p_text, points, trouble
from linnet.comparison.results import Cell, Results, title_of
from linnet.comparison.tables import terminal_table, write_tables
from tests.comparison.example_results import compare, example_results, size_results, with_parts

HOSTILE = r"100% of_it & $x$ #1 {a} ~b ^c \d <e> |f| [g]"


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


def hostile_results() -> Results:
    """One place and two choices, all named with characters that mean something somewhere."""
    names = {"none": {"weighting": "none"}, "hostile": {"weighting": HOSTILE}}
    cells = tuple(
        Cell({"corpus": HOSTILE}, choice, name == "none", {1: score, 2: score + 0.01}, {}, ())
        for (name, choice), score in zip(names.items(), (0.7, 0.8), strict=True)
    )
    return replace(
        example_results(), name=HOSTILE, place_axes=("corpus",), seeds=(1, 2), cells=cells, comparisons=compare(cells)
    )


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


def test_csv_tells_baseline_missing_and_published(tmp_path: Path) -> None:
    rows = csv_rows(example_results(), tmp_path)

    assert (rows[0]["verdict"], rows[0]["difference"]) == ("baseline", "")
    assert (rows[15]["verdict"], rows[15]["mean"], rows[15]["n"]) == ("missing", "", "0")
    assert (rows[11]["n"], rows[11]["seed 3"]) == ("2", "")
    assert float(rows[4]["published"]) == 86.93
    assert {row["corpus"] for row in rows[16:]} == {"all"}


def test_latex_marks_best_bold_and_second_best_underlined_with_equals_alike(tmp_path: Path) -> None:
    lines = table(example_results(), tmp_path, "tex").splitlines()

    none, welt, ens = (next(line for line in lines if line.startswith(name)) for name in ("none &", "welt &", "ens"))
    assert none.startswith(r"none & \underline{80.30} $\pm$ 0.20 & \underline{86.20} $\pm$ 0.26 (86.93) & 71.00")
    assert welt.startswith(r"welt & \textbf{82.30} $\pm$ 0.20$^{\uparrow}$ & \textbf{86.30} $\pm$ 0.36 (87.71) & ")
    assert ens.startswith(r"ens 0.9 & \underline{80.30} $\pm$ 0.20 & \underline{86.20}")
    assert r"\underline{71.50} $\pm$ 3.54 {\scriptsize of 2 seeds} & \textit{missing} \\" in "\n".join(lines)


def test_latex_is_a_whole_booktabs_table_with_a_head_for_each_axis(tmp_path: Path) -> None:
    text = table(example_results(), tmp_path, "tex")

    for part in (r"\begin{tabular}{lrrrr}", r"\toprule", r"\midrule", r"\bottomrule", r"\end{tabular}", r"\end{table}"):
        assert text.count(part) == 1
    assert r" & \multicolumn{2}{c}{ncbi-disease} & \multicolumn{2}{c}{linnaeus} \\" in text
    assert r"\cmidrule(lr){2-3}\cmidrule(lr){4-5}" in text
    assert r"weighting & \multicolumn{1}{c}{minilm} & \multicolumn{1}{c}{biobert} &" in text


def test_latex_escapes_whatever_means_something_there(tmp_path: Path) -> None:
    text = table(hostile_results(), tmp_path, "tex")

    escaped = (
        r"100\% of\_it \& \$x\$ \#1 \{a\} \textasciitilde{}b \textasciicircum{}c \textbackslash{}d"
        r" \textless{}e\textgreater{} \textbar{}f\textbar{} {[}g{]}"
    )
    assert text.count(escaped) == 3  # the name, the column and the row
    rows = [line for line in text.splitlines() if line.endswith(r"\\")]
    assert [len(re.findall(r"(?<!\\)&", row)) for row in rows] == [1, 1, 1]


def test_markdown_has_the_same_marks_and_no_label_can_break_a_row(tmp_path: Path) -> None:
    text = table(example_results(), tmp_path, "md")
    hostile = table(hostile_results(), tmp_path, "md")

    assert "| welt | **82.30** ± 0.20 ↑ | **86.30** ± 0.36 (87.71) | **72.60** ± 0.62 ↑ | **81.47** ± 0.47 |" in text
    assert "| isns | 79.40 ± 0.30 | 85.10 ± 0.36 | <u>71.50</u> ± 3.54 of 2 seeds | missing |" in text
    rows = [line for line in hostile.splitlines() if line.startswith("|")]
    assert [len(re.findall(r"(?<!\\)\|", row)) for row in rows] == [3, 3, 3, 3]
    assert r"\<e\> \|f\| \[g\]" in rows[-1]


def test_markdown_says_every_verdict_failure_and_what_is_missing(tmp_path: Path) -> None:
    results = example_results()

    text = table(results, tmp_path, "md")

    assert all(f"- {found.sentence}" in text for found in results.comparisons)
    assert "- failed: linnaeus-minilm-isns-seed3: the loss is not a number after step 12" in text
    assert "- 3 runs are missing" in text


def test_many_places_are_rows_and_choices_are_columns(tmp_path: Path) -> None:
    text = table(size_results(), tmp_path, "md")

    assert "| corpus | training sentences | none | welt |" in text
    assert "| linnaeus | 3200 | **65.67** of 1 seed | <u>64.67</u> of 1 seed |" in text


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

    assert "33 more verdicts, for single places, are in table.md" in " ".join(words.split())


def test_a_grid_without_places_has_one_table_and_its_verdicts(tmp_path: Path) -> None:
    cells = tuple(
        Cell({}, {"weighting": name}, name == "none", {1: score}, {}, ())
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
    results = Results("empty", "strict F1", {}, (), ("weighting",), None, (), (), ())

    assert len(write_tables(results, tmp_path)) == 3
    assert headline(results) == "There is nothing to compare yet."
    assert len(terminal_table(results)) == 1


def test_the_headline_names_the_choices_under_their_verdicts() -> None:
    results = example_results()
    single = tuple(found for found in results.comparisons if title_of(found.place) == "linnaeus, minilm")

    assert headline(results) == "No evidence of a difference: welt, isns; identical to none: ens 0.9."
    assert headline(replace(results, comparisons=single)).startswith("Better than none: welt (linnaeus, minilm); no")


def test_marks_go_by_what_is_shown() -> None:
    place = {"corpus": "x"}
    scores = {"none": 0.80001, "welt": 0.80004, "isns": 0.7}  # the first two read 80.00
    cells = tuple(Cell(place, {"w": name}, name == "none", {1: score}, {}, ()) for name, score in scores.items())
    alone = replace(example_results(), cells=cells[:1])

    arrangement = arrange(replace(example_results(), cells=cells))

    assert [arrangement.mark(place, {"w": name}) for name in scores] == ["best", "best", "second"]
    assert arrange(alone).mark(place, {"w": "none"}) == ""


def test_numbers_are_shown_with_their_sign_and_never_as_minus_zero() -> None:
    assert [points(value) for value in (0.0123, -0.5, -0.000001, 0.0, float("nan"), None)] == [
        *("+1.23", "-50.00", "0.00", "0.00", "", ""),
    ]
    assert [p_text(value) for value in (0.0004, 0.001, 1.0)] == ["<0.001", "0.001", "1.000"]


def test_sizes_that_are_no_numbers_stand_in_their_order() -> None:
    results = size_results()
    named = tuple(
        replace(cell, place={**cell.place, "training sentences": {"3200": "all"}.get(size, size)})
        for cell in results.cells
        for size in [cell.place["training sentences"]]
    )

    numbered = learning_panels(results)["linnaeus"][1].points
    panels = learning_panels(replace(results, cells=named))

    assert [(point.size, point.label, point.n_seeds) for point in numbered] == [
        *((200, "200", 3), (800, "800", 3), (3200, "3200", 1)),
    ]
    assert [(point.size, point.label) for point in panels["linnaeus"][0].points] == [(0, "200"), (1, "800"), (2, "all")]
    assert learning_panels(example_results()) == {}


def test_trouble_is_told_once_and_counted() -> None:
    assert trouble(example_results()) == [
        "1 run failed; the next start tries again.",
        "3 runs are missing: what is said here may still change.",
    ]
    assert trouble(size_results()) == []


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


def test_markdown_has_precision_and_recall_above_f1(tmp_path: Path) -> None:
    text = table(with_parts(example_results()), tmp_path, "md")

    rows = [line for line in text.splitlines() if line.startswith("| welt |")]
    assert rows[0].startswith("| welt | precision | 84.30 ± 0.20 | 88.30 ± 0.36 (87.81) |")
    assert rows[1].startswith("| welt | recall | 81.30 ± 0.20 | 85.30 ± 0.36 (87.61) |")
    assert rows[2].startswith("| welt | strict F1 | **82.30** ± 0.20 ↑ | **86.30** ± 0.36 (87.71) |")
    assert len(rows) == 3
    assert "| isns | recall | 78.40 ± 0.30 | 84.10 ± 0.36 | 70.50 ± 3.54 | missing |" in text
    assert "Precision, recall and strict F1 in percent" in text
    assert "best strict F1 bold" in text


def test_latex_has_precision_and_recall_above_f1_and_names_each_row_once(tmp_path: Path) -> None:
    text = table(with_parts(example_results()), tmp_path, "tex")

    assert r"\begin{tabular}{llrrrr}" in text
    assert r"\cmidrule(lr){3-4}\cmidrule(lr){5-6}" in text
    first = text.index(r"welt & precision & 84.30 $\pm$ 0.20 & 88.30")
    second = text.index(r" & recall & 81.30 $\pm$ 0.20 & 85.30")
    third = text.index(r" & strict F1 & \textbf{82.30} $\pm$ 0.20$^{\uparrow}$")
    assert first < second < third
    rows = [line for line in text.splitlines() if line.endswith(r"\\")]
    assert {row.count(" & ") for row in rows[1:]} == {5}
    assert text.count(r"\addlinespace") == 3


def test_a_table_that_no_page_has_room_for_is_divided_by_its_first_axis(tmp_path: Path) -> None:
    cells = tuple(
        replace(cell, place={"corpus": f"c{corpus}", "encoder": f"e{encoder}"})
        for corpus in range(4)
        for encoder in range(4)
        for cell in with_parts(example_results()).cells[:2]
    )
    results = replace(example_results(), cells=cells, comparisons=())

    markdown, latex = table(results, tmp_path, "md"), table(results, tmp_path, "tex")

    assert [line for line in markdown.splitlines() if line.startswith("## ")] == ["## c0", "## c1", "## c2", "## c3"]
    assert markdown.count("| encoder | score | none | welt |") == 4
    assert latex.count(r"\begin{table}") == latex.count(r"\end{table}") == 4
    assert r"\caption{Does weighting help?, c3. Precision, recall and strict F1" in latex
    assert markdown.count("| precision |") == latex.count("& precision &") == 16


def test_a_very_wide_terminal_shows_precision_and_recall() -> None:
    results = with_parts(example_results())

    wide, narrow = (printed(terminal_table(results, width=width), width) for width in (150, 120))

    row = "welt 82.30 0.20 3 82.10 82.50 82.30 84.30 81.30 +2.00 +0.80 to +3.20 0.004 3-0-0 better".split()
    assert row in [line.split() for line in wide]
    assert "precision" not in " ".join(narrow)


def test_hostile_names_of_scores_stay_in_their_cells(tmp_path: Path) -> None:
    results = hostile_results()
    cells = tuple(replace(cell, beside={HOSTILE: dict(cell.score_by_seed)}) for cell in results.cells)

    text = table(replace(results, cells=cells), tmp_path, "tex")

    rows = [line for line in text.splitlines() if line.endswith(r"\\")]
    assert [len(re.findall(r"(?<!\\)&", row)) for row in rows] == [2] * 5
