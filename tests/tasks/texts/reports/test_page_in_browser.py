"""A reader of the page of text tasks filters, searches, walks through examples and meets hostile texts."""

from pathlib import Path

import pytest

from linnet.documents.texts import Prediction
from linnet.tasks.texts.kinds import REGRESSION, SPANS
from tests.browser import OpenPage
from tests.pages import HOSTILE
from tests.tasks.texts.reports.test_page import written
from tests.tasks.texts.reports.text_examples import ANSWERS, CLASSES, NUMBERS, block


def test_labels_filter_and_stand_in_the_address(tmp_path: Path, open_page: OpenPage) -> None:
    written(tmp_path)
    page = open_page(tmp_path)
    assert page.text("#status") == "3 of 5 examples"

    page.click("#gold [data-label='0']")

    assert page.text("#status") == "2 of 5 examples"
    assert page.texts("#predicted button") == ["no0", "yes2"]
    assert page.evaluate("location.hash") == "#gold=no"
    page.click("#predicted [data-label='0']")
    assert page.text("#list") == "No example fits these filters."
    page.click("#clear")
    assert page.text("#status") == "3 of 5 examples"


def test_right_wrong_and_all_examples_can_be_shown(tmp_path: Path, open_page: OpenPage) -> None:
    written(tmp_path)
    page = open_page(tmp_path)

    page.click("[data-show=right]")
    assert page.texts(".badge") == ["✓ right"]

    page.click("[data-show=all]")
    assert page.texts(".badge") == ["✓ right", "✗ wrong", "✗ wrong", "✗ wrong", "gold not known"]


def test_a_cell_of_the_confusion_matrix_filters_until_it_is_clicked_again(tmp_path: Path, open_page: OpenPage) -> None:
    written(tmp_path)
    page = open_page(tmp_path)

    page.click("#matrix [data-gold='0'][data-predicted='1']")

    assert page.text("#status") == "2 of 5 examples"
    assert page.texts("#matrix [aria-pressed=true]") == ["2"]
    assert page.evaluate("location.hash") == "#gold=no&predicted=yes&show=all"
    page.click("#matrix [data-gold='0'][data-predicted='1']")
    assert page.text("#status") == "3 of 5 examples"
    assert page.texts("#matrix [aria-pressed=true]") == []


def test_search_and_keys(tmp_path: Path, open_page: OpenPage) -> None:
    written(tmp_path)
    page = open_page(tmp_path, "#show=all")

    page.press("/")
    page.write("CAUSES")
    assert page.text("#status") == "1 of 5 examples"
    page.press("Escape")
    page.click("#clear")
    page.press("j", times=2)

    assert page.text("#position") == "2 / 5"
    assert page.count("#s2.here") == 1
    page.press("k", times=2)
    assert page.text("#position") == "5 / 5"
    page.click("#next")
    assert page.text("#position") == "1 / 5"


def test_a_point_of_the_plot_shows_its_example_and_the_order_can_be_that_of_the_file(
    tmp_path: Path, open_page: OpenPage
) -> None:
    written(tmp_path, NUMBERS, REGRESSION)
    page = open_page(tmp_path)
    assert page.texts(".badge") == ["error +1.5", "error −1", "error −0.25"]

    page.click("[data-example='0']")
    assert page.count("#s1.here") == 1
    assert page.text("#tip") == "n1: gold 4, predicted 3.75"

    page.click("[data-show=file]")
    assert page.texts(".badge") == ["error −0.25", "error +1.5", "error −1"]


def test_answers_can_be_searched_and_right_ones_are_bold(tmp_path: Path, open_page: OpenPage) -> None:
    written(tmp_path, ANSWERS, SPANS)
    page = open_page(tmp_path, "#show=all")

    page.press("/")
    page.write("tp53")

    assert page.text("#status") == "1 of 4 examples"
    assert page.texts(".verdict ol b") == ["p53"]


@pytest.mark.parametrize("width", [1300, 400])
def test_hostile_texts_are_shown_as_they_are_and_break_nothing(tmp_path: Path, open_page: OpenPage, width: int) -> None:
    predictions = [Prediction(text, text, text, HOSTILE[at - 1], text, 0.5) for at, text in enumerate(HOSTILE)]
    written(tmp_path, predictions, title=HOSTILE[1], labels={text: block(0.5) for text in HOSTILE})

    page = open_page(tmp_path, width=width)

    assert page.texts("p.text") == list(HOSTILE)
    assert page.text("h1") == page.evaluate("document.title") == HOSTILE[1]
    assert page.count("main img, main script, main b") == 0
    assert page.evaluate("document.documentElement.scrollWidth") == width


def test_a_long_list_of_examples_stays_short_on_the_page(tmp_path: Path, open_page: OpenPage) -> None:
    written(tmp_path, CLASSES * 2000)

    page = open_page(tmp_path, "#show=all")

    assert page.text("#status") == "10,000 of 10,000 examples"
    assert page.count("article") < 100


def test_a_page_without_examples_says_so(tmp_path: Path, open_page: OpenPage) -> None:
    written(tmp_path, [], labels={})

    assert open_page(tmp_path).text("#list") == "There are no examples."
