"""Markdown and LaTeX tables of a grid: marks, heads, escaping, and the division of long tables."""

import re
from dataclasses import replace

from linnet.comparison.arrangement import arrange
from linnet.comparison.paper_tables import latex_table, markdown_table
from linnet.comparison.results import Results
from tests.comparison.example_results import (
    HOSTILE,
    collapsed_results,
    example_results,
    hostile_results,
    size_results,
    with_parts,
)


def markdown(results: Results) -> str:
    return "\n".join(markdown_table(results, arrange(results)))


def latex(results: Results) -> str:
    return "\n".join(latex_table(results, arrange(results)))


def test_latex_marks_best_bold_and_second_best_underlined_with_equals_alike() -> None:
    lines = latex(example_results()).splitlines()

    none, welt, ens = (next(line for line in lines if line.startswith(name)) for name in ("none &", "welt &", "ens"))
    assert none.startswith(r"none & \underline{80.30} $\pm$ 0.20 & \underline{86.20} $\pm$ 0.26 (86.93) & 71.00")
    assert welt.startswith(r"welt & \textbf{82.30} $\pm$ 0.20$^{\uparrow}$ & \textbf{86.30} $\pm$ 0.36 (87.71) & ")
    assert ens.startswith(r"ens 0.9 & \underline{80.30} $\pm$ 0.20 & \underline{86.20}")
    assert r"\underline{71.50} $\pm$ 3.54 {\scriptsize of 2 seeds} & \textit{missing} \\" in "\n".join(lines)


def test_latex_is_a_whole_booktabs_table_with_a_head_for_each_axis() -> None:
    text = latex(example_results())

    for part in (r"\begin{tabular}{lrrrr}", r"\toprule", r"\midrule", r"\bottomrule", r"\end{tabular}", r"\end{table}"):
        assert text.count(part) == 1
    assert r" & \multicolumn{2}{c}{ncbi-disease} & \multicolumn{2}{c}{linnaeus} \\" in text
    assert r"\cmidrule(lr){2-3}\cmidrule(lr){4-5}" in text
    assert r"weighting & \multicolumn{1}{c}{minilm} & \multicolumn{1}{c}{biobert} &" in text


def test_latex_has_the_verdicts_with_their_intervals_below_the_table() -> None:
    results = example_results()
    verdicts = [each.sentence for each in results.comparisons]

    below = latex(results).partition(r"\end{table}")[2]

    assert len(verdicts) > 1
    assert below.count(r"\item") >= len(verdicts)
    assert "points of strict F1" in below
    assert below.strip().startswith(r"\begin{itemize}")
    assert below.strip().endswith(r"\end{itemize}")


def test_latex_escapes_whatever_means_something_there() -> None:
    text = latex(hostile_results())

    escaped = (
        r"100\% of\_it \& \$x\$ \#1 \{a\} \textasciitilde{}b \textasciicircum{}c \textbackslash{}d"
        r" \textless{}e\textgreater{} \textbar{}f\textbar{} {[}g{]}"
    )
    assert text.partition(r"\end{table}")[0].count(escaped) == 3  # the name, the column and the row
    assert "100% of" not in text
    rows = [line for line in text.splitlines() if line.endswith(r"\\")]
    assert [len(re.findall(r"(?<!\\)&", row)) for row in rows] == [1, 1, 1]


def test_markdown_has_the_same_marks_and_no_label_can_break_a_row() -> None:
    text = markdown(example_results())
    hostile = markdown(hostile_results())

    assert "| welt | **82.30** ± 0.20 ↑ | **86.30** ± 0.36 (87.71) | **72.60** ± 0.62 ↑ | **81.47** ± 0.47 |" in text
    assert "| isns | 79.40 ± 0.30 | 85.10 ± 0.36 | <u>71.50</u> ± 3.54 of 2 seeds | missing |" in text
    rows = [line for line in hostile.splitlines() if line.startswith("|")]
    assert [len(re.findall(r"(?<!\\)\|", row)) for row in rows] == [3, 3, 3, 3]
    assert r"\<e\> \|f\| \[g\]" in rows[-1]


def test_markdown_says_every_verdict_failure_and_what_is_missing() -> None:
    results = example_results()

    text = markdown(results)

    assert all(f"- {found.sentence}" in text for found in results.comparisons)
    assert "- failed: linnaeus-minilm-isns-seed3: the loss is not a number after step 12" in text
    assert "- 3 runs are missing" in text


def test_many_places_are_rows_and_choices_are_columns() -> None:
    text = markdown(size_results())

    assert "| corpus | training sentences | none | welt |" in text
    assert "| linnaeus | 3200 | **65.67** of 1 seed | <u>64.67</u> of 1 seed |" in text


def test_markdown_has_precision_and_recall_above_f1() -> None:
    text = markdown(with_parts(example_results()))

    rows = [line for line in text.splitlines() if line.startswith("| welt |")]
    assert rows[0].startswith("| welt | precision | 84.30 ± 0.20 | 88.30 ± 0.36 (87.81) |")
    assert rows[1].startswith("| welt | recall | 81.30 ± 0.20 | 85.30 ± 0.36 (87.61) |")
    assert rows[2].startswith("| welt | strict F1 | **82.30** ± 0.20 ↑ | **86.30** ± 0.36 (87.71) |")
    assert len(rows) == 3
    assert "| isns | recall | 78.40 ± 0.30 | 84.10 ± 0.36 | 70.50 ± 3.54 | missing |" in text
    assert "Precision, recall and strict F1 in percent" in text
    assert "best strict F1 bold" in text


def test_latex_has_precision_and_recall_above_f1_and_names_each_row_once() -> None:
    text = latex(with_parts(example_results()))

    assert r"\begin{tabular}{llrrrr}" in text
    assert r"\cmidrule(lr){3-4}\cmidrule(lr){5-6}" in text
    first = text.index(r"welt & precision & 84.30 $\pm$ 0.20 & 88.30")
    second = text.index(r" & recall & 81.30 $\pm$ 0.20 & 85.30")
    third = text.index(r" & strict F1 & \textbf{82.30} $\pm$ 0.20$^{\uparrow}$")
    assert first < second < third
    rows = [line for line in text.splitlines() if line.endswith(r"\\")]
    assert {row.count(" & ") for row in rows[1:]} == {5}
    assert text.count(r"\addlinespace") == 3


def test_a_table_that_no_page_has_room_for_is_divided_by_its_first_axis() -> None:
    cells = tuple(
        replace(cell, place={"corpus": f"c{corpus}", "encoder": f"e{encoder}"})
        for corpus in range(4)
        for encoder in range(4)
        for cell in with_parts(example_results()).cells[:2]
    )
    results = replace(example_results(), cells=cells, comparisons=())

    in_markdown, in_latex = markdown(results), latex(results)

    assert [line for line in in_markdown.splitlines() if line.startswith("## ")] == ["## c0", "## c1", "## c2", "## c3"]
    assert in_markdown.count("| encoder | score | none | welt |") == 4
    assert in_latex.count(r"\begin{table}") == in_latex.count(r"\end{table}") == 4
    assert r"\caption{Does weighting help?, c3. Precision, recall and strict F1" in in_latex
    assert in_markdown.count("| precision |") == in_latex.count("& precision &") == 16


def test_hostile_names_of_scores_stay_in_their_cells() -> None:
    results = hostile_results()
    cells = tuple(replace(cell, beside={HOSTILE: dict(cell.score_by_seed)}) for cell in results.cells)

    text = latex(replace(results, cells=cells))

    rows = [line for line in text.splitlines() if line.endswith(r"\\")]
    assert [len(re.findall(r"(?<!\\)&", row)) for row in rows] == [2] * 5


def test_collapsed_runs_are_counted_beside_their_mean() -> None:
    results = collapsed_results()

    assert "80.30</u> ± 0.20 1 collapsed" in "\n".join(markdown_table(results, arrange(results)))
    assert r"{\scriptsize 1 collapsed}" in "\n".join(latex_table(results, arrange(results)))
