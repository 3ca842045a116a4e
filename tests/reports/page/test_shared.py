"""What the modules that all pages share compute, asked of a browser."""

import json
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from linnet.reports.page.files import read_part
from linnet.reports.page.programs import join_modules
from tests.browser import Browser

Ask = Callable[[str, str], Any]  # a module's name and an expression in its exports; whatever JSON can hold


@pytest.fixture(scope="module")
def ask(browser: Browser) -> Iterator[Ask]:
    page = browser.open("about:blank")

    def answer(module: str, expression: str) -> Any:
        name = f"shared/{module}.js"
        return page.evaluate(
            f"(() => {{ {join_modules(name, read_part)} const shared = modules['{name}']; return {expression}; }})()"
        )

    yield answer
    complaints = page.complaints()
    page.close()
    assert complaints == []


def test_a_mention_that_holds_others_gets_a_bar_further_out(ask: Ask) -> None:
    assert ask("marked_text", "shared.levelsOf([[0, 9], [2, 4], [3, 4], [5, 6], [9, 10]])") == [2, 1, 0, 0, 0]


def marked(ask: Ask, text: str, marks: list[dict[str, Any]]) -> list[list[Any]]:
    """Return the text cut into pieces, each with labels and classes of the marks over it, outermost first."""
    drawn = f"shared.markedText({json.dumps(text)}, {json.dumps(marks)}, (mark) => ({{ 'data-name': mark.label }}))"
    pieces = """.childNodes].map((node) => {
        const names = [];
        while (node.firstElementChild ?? node.dataset) {
            names.push(`${node.dataset.name} ${node.className}`);
            node = node.firstChild;
        }
        return [node.data, ...names];
    })"""
    found = ask("marked_text", f"[...{drawn}{pieces}")
    assert isinstance(found, list)
    return found


def test_marks_cut_a_text_where_they_begin_and_end(ask: Ask) -> None:
    marks = [
        {"side": "gold", "start": 2, "end": 8, "label": 0, "level": 1},
        {"side": "gold", "start": 2, "end": 4, "label": 1, "level": 0, "isWrong": True},
        {"side": "predicted", "start": 6, "end": 9, "label": 2, "level": 0},
    ]

    assert marked(ask, "abcdefghij", marks) == [
        ["ab"],
        ["cd", "0 m gold begins", "1 m gold begins ends wrong"],
        ["ef", "0 m gold"],
        ["gh", "0 m gold ends", "2 m predicted begins"],
        ["i", "2 m predicted ends"],
        ["j"],
    ]


def test_a_discontinuous_mark_covers_its_pieces_alone(ask: Ask) -> None:
    mark = {"side": "gold", "start": 0, "end": 6, "label": 0, "level": 0, "pieces": [[0, 2], [4, 6]]}

    assert marked(ask, "abcdef", [mark]) == [["ab", "0 m gold begins ends"], ["cd"], ["ef", "0 m gold begins ends"]]


def test_an_empty_mark_covers_nothing(ask: Ask) -> None:
    assert marked(ask, "abc", [{"side": "gold", "start": 1, "end": 1, "label": 0, "level": 0}]) == [["a"], ["bc"]]


@pytest.mark.parametrize(
    ("is_text", "is_descending", "expected"),
    [
        (False, False, [1, 2, 10, None]),
        (False, True, [10, 2, 1, None]),
        (True, False, ["a2", "a10", "b", ""]),
        (True, True, ["b", "a10", "a2", ""]),
    ],
)
def test_rows_without_a_value_come_last_whichever_way_they_are_sorted(
    ask: Ask, is_text: bool, is_descending: bool, expected: list[Any]
) -> None:
    rows = json.dumps(["b", "", "a10", "a2"] if is_text else [2, None, 10, 1])
    column = f"{{ value: (row) => row, isText: {json.dumps(is_text)} }}"

    assert ask("tables", f"shared.sortedRows({rows}, {column}, {json.dumps(is_descending)})") == expected


@pytest.mark.parametrize(
    ("low", "high", "ticks", "digits"),
    [
        (0, 1, [0, 0.2, 0.4, 0.6, 0.8, 1], 1),
        (54, 77, [55, 60, 65, 70, 75], 0),
        (3, 3, [3], 0),
        (-2, 3, [-2, -1, 0, 1, 2, 3], 0),
    ],
)
def test_ticks_are_round_numbers_within_the_range(
    ask: Ask, low: float, high: float, ticks: list[float], digits: int
) -> None:
    found = ask("axes", f"shared.ticksOf({low}, {high}, 6)")

    assert found["ticks"] == pytest.approx(ticks)
    assert found["digits"] == digits


def test_the_range_of_more_values_than_a_function_takes_arguments(ask: Ask) -> None:
    assert ask("axes", "shared.rangeOfValues(Array.from({ length: 300000 }, (_, at) => at - 5))") == [-5, 299994]


@pytest.mark.parametrize(
    ("expression", "expected"),
    [
        ("percent(0.12345)", "12.35"),
        ("percent(null)", ""),
        ("count(1234.56)", "1,234.6"),
        ("plural(1, 'seed')", "1 seed"),
        ("plural(2000, 'seed')", "2,000 seeds"),
        ("points(0.0123)", "+1.23"),
        ("points(-0.0123)", "−1.23"),
        ("points(-0.00001)", "0.00"),
        ("probability(0.0004)", "<0.001"),
        ("probability(0.04)", "0.040"),
        ("confidence(0.5)", " 0.500"),
    ],
)
def test_numbers_are_written_as_in_our_tables(ask: Ask, expression: str, expected: str) -> None:
    assert ask("numbers", f"shared.{expression}") == expected


def test_text_and_attributes_never_become_markup(ask: Ask) -> None:
    element = "shared.make('p', { title: '<b>', class: null }, '<i>', null, ['&amp;', undefined])"

    assert ask("dom", f"{element}.childElementCount") == 0
    assert ask("dom", f"{element}.textContent") == "<i>&amp;"
    assert ask("dom", f"[...{element}.attributes].map((one) => [one.name, one.value])") == [["title", "<b>"]]
