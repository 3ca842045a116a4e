"""Markup is removed from a line and counted; what only looks like markup stays."""

import time
from collections import Counter

import pytest

from linnet.pretraining.text.markup import remove_markup


@pytest.mark.parametrize(
    ("raw", "cleaned"),
    [
        ('id="Par1">Text', "Text"),
        ('xmlns:ns0="http://www.w3.org/1999/xlink" id="Par4">Text', "Text"),
        ("<p>H<sub>2</sub>O<br/></p>", "H2O"),
        ('<xref ref-type="bibr" rid="B1">x</xref>', "x"),
        ("p &lt; 0.05 &amp;lt; 1 &#233;", "p < 0.05 < 1 é"),
        ("&lt;i&gt;E. coli&lt;/i&gt;", "E. coli"),
        ("known [1], shown [2, 3] and found [4–7].", "known, shown and found."),
        (r"x \documentclass[12pt]{minimal} $$a$$ \end{document} y", "x   y"),
        (r"\usepackage{amsbsy}", " "),
    ],
)
def test_markup_is_removed(raw: str, cleaned: str) -> None:
    assert remove_markup(raw, Counter()) == cleaned


@pytest.mark.parametrize(
    "line",
    [
        "a <b and c> d",
        "x < 3 and y > 4",
        "median 45 [34-56] years",
        "60% [40]",
        "[1]benzothiophene",
        "[3H]thymidine",
        "AT&T; n=5",
        "CI [0.5, 1.2]",
        "(12)",
        r"C:\begin",
    ],
)
def test_what_only_looks_like_markup_stays(line: str) -> None:
    assert remove_markup(line, Counter()) == line


@pytest.mark.parametrize("hostile", ["<!--" * 4000, "a='" * 9000, "[1," * 9000, r"\documentclass" * 600, "&#" * 9000])
def test_hostile_lines_take_no_longer_than_others(hostile: str) -> None:
    began = time.perf_counter()

    remove_markup(hostile, Counter())

    assert time.perf_counter() - began < 2  # a few milliseconds; looking back from each place would take minutes


def test_what_is_removed_is_counted_by_rule() -> None:
    counts: Counter[str] = Counter({"tags": 1})

    remove_markup("<b>E. coli</b> &amp;lt; that of mice [1] and rats [2, 3]", counts)

    # the ampersand is unescaped first, then the entity that it leaves
    assert counts == {"tags": 3, "entities": 2, "reference marks": 2}


def test_a_line_without_markup_counts_nothing() -> None:
    counts: Counter[str] = Counter()

    assert remove_markup("Plain text.", counts) == "Plain text."
    assert not counts
