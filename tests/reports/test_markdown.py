"""Markdown of reports: tables, escaping, numbers, and the sections that reports share."""

import pytest

from linnet.reports.markdown import (
    class_section,
    count_text,
    escape,
    history_section,
    markdown_table,
    percent,
    weight_table,
)

HISTORY = [
    {"step": 10, "loss": 0.9},
    {"epoch": 1, "step": 20, "loss": 0.8, "score": 0.7},
    {"epoch": 2, "step": 40, "loss": 0.5, "score": 0.75},
    {"epoch": 3, "step": 60, "loss": 0.4, "score": 0.75},
]


def test_a_table_aligns_the_first_column_left_and_numbers_right() -> None:
    assert markdown_table(("tag", "count"), [("O", "90"), ("B-X", "10")]) == (
        "| tag | count |\n| :--- | ---: |\n| O | 90 |\n| B-X | 10 |"
    )


@pytest.mark.parametrize(
    ("cells", "alignment"),
    [
        (("predicted where nothing is marked", "right label, wrong ends"), ":---"),
        (("", "best", ""), ":---"),
        (("`1a2b`", "`c3d4`"), ":---"),  # fingerprints
        (("63.89-80.57", "-"), "---:"),
        (("< 0.001", "-0.5 %", "nan"), "---:"),
        (("1", "2", "none"), "---:"),  # numbers, with a word where there is none
        (("", ""), "---:"),
    ],
)
def test_columns_of_text_are_aligned_left(cells: tuple[str, ...], alignment: str) -> None:
    table = markdown_table(("kind", "second"), [("a", cell) for cell in cells])

    assert table.splitlines()[1] == f"| :--- | {alignment} |"


@pytest.mark.parametrize(
    ("text", "escaped"),
    [
        ("cell_line", "cell_line"),  # an underscore inside a word is no emphasis
        ("_a_", r"\_a\_"),
        ("a|b", r"a\|b"),
        ("<b> & *c*", r"\<b\> \& \*c\*"),
        ("two\nlines", "two lines"),
        ("$x$ `y` [z]", r"\$x\$ \`y\` \[z\]"),
    ],
)
def test_markdown_shows_escaped_text_unchanged(text: str, escaped: str) -> None:
    assert escape(text) == escaped


def test_numbers_have_two_decimals_and_half_counts_one() -> None:
    assert percent(0.80304) == "80.30"
    assert [count_text(value) for value in (1234, 5.0, 2.5)] == ["1,234", "5", "2.5"]


def test_class_weights_stand_beside_counts_and_shares() -> None:
    table = weight_table({"O": 90, "B-X": 10}, {"B-X": 2.0})

    assert table.splitlines()[2:] == ["| O | 90 | 90.00% |  |", "| B-X | 10 | 10.00% | 2 |"]


def test_a_corpus_without_tags_has_no_shares() -> None:
    assert weight_table({"O": 0}, {}, name="label").splitlines() == [
        "| label | count | share | weight |",
        "| :--- | ---: | ---: | ---: |",
        "| O | 0 |  |  |",
    ]


def test_a_class_section_ends_with_the_ratio_of_the_weights() -> None:
    assert list(class_section({"O": 9, "B": 1}, {"O": 0.5, "B": 2.0}))[1:] == ["Largest / smallest weight: 4.000."]
    assert len(list(class_section({"O": 9, "B": 1}, {}))) == 1


def test_a_history_has_a_row_for_each_epoch_and_marks_the_first_best() -> None:
    picture, table = history_section(HISTORY)

    assert picture == "![training](training.png)"
    assert table.splitlines()[0] == "| epoch | training loss | devel F1 |  |"
    assert table.splitlines()[2:] == [
        "| 1 | 0.8000 | 70.00 |  |",
        "| 2 | 0.5000 | 75.00 | best |",
        "| 3 | 0.4000 | 75.00 |  |",
    ]


def test_a_history_shows_the_devel_loss_where_there_is_one() -> None:
    _, table = history_section([{"epoch": 1, "loss": 0.8, "devel_loss": 0.9}, {"epoch": 2, "loss": 0.5}])

    assert table.splitlines()[0] == "| epoch | training loss | devel loss | devel F1 |  |"
    assert table.splitlines()[2:] == ["| 1 | 0.8000 | 0.9000 |  |  |", "| 2 | 0.5000 |  |  |  |"]


def test_a_score_that_is_no_share_has_four_decimals() -> None:
    _, table = history_section(HISTORY, score="devel Pearson", is_share=False)

    assert "| 1 | 0.8000 | 0.7000 |  |" in table


def test_a_history_without_epochs_is_the_plot_alone() -> None:
    assert list(history_section([{"step": 1, "loss": 0.5}])) == ["![training](training.png)"]
