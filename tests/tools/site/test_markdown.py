from tools.site.markdown import cell, code, table


def test_a_table_has_a_line_below_its_header() -> None:
    assert table(["a", "b"], [["1", "2"]]) == "| a | b |\n|---|---|\n| 1 | 2 |"


def test_a_cell_is_one_line_whose_text_stays_text() -> None:
    assert cell("a*b\n<c> [d]|e") == "a\\*b \\<c\\> \\[d\\]\\|e"


def test_code_in_a_cell_stays_code() -> None:
    assert cell("see `a_b|c`") == "see `a_b\\|c`"
    assert code("a|b") == "`a\\|b`"
    assert code("") == ""
