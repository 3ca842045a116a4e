"""A reader of the page of a comparison sorts, filters, turns pages, copies commands and meets hostile texts."""

import re
from dataclasses import replace
from pathlib import Path

import pytest

from linnet.comparison.results import Results
from linnet.labels.mention import Mention
from tests.browser import OpenPage
from tests.comparison.example_results import disagree, example_results, with_parts
from tests.comparison.test_page import evil_results, written
from tests.pages import HOSTILE


def long_results() -> Results:
    """The example, with 45 sentences of one pair, each with its number as a word."""
    results, mention = example_results(), Mention(1, 2, "Disease")
    sentences = tuple(
        disagree((f"number{at}", "cancer"), gold=(mention,), second=(mention,), right=(0, 3)) for at in range(45)
    )
    return replace(results, pairs=(replace(results.pairs[0], sentences=sentences),))


def test_the_page_speaks_of_conditions_as_the_docs_do(tmp_path: Path, open_page: OpenPage) -> None:
    written(with_parts(example_results()), tmp_path)

    words = re.findall(r"\w+", open_page(tmp_path).evaluate("document.body.innerText"))

    assert {"conditions", "condition"} <= set(words)
    assert not {"place", "places", "Places"} & set(words)


@pytest.mark.parametrize("is_decided", [True, False])
def test_a_heat_map_without_a_decided_difference_says_so_and_has_no_scale(
    tmp_path: Path, open_page: OpenPage, is_decided: bool
) -> None:
    results = example_results()
    undecided = tuple(replace(each, verdict="no evidence") for each in results.comparisons)

    written(results if is_decided else replace(results, comparisons=undecided), tmp_path)
    page = open_page(tmp_path)

    explained = "what is better ▲ or worse ▼ than none has a colour by the difference"
    undecided_hint = "no evidence of a difference"
    assert page.text("#heat-hint") == f"Mean strict F1; {explained if is_decided else undecided_hint}."
    assert page.count("#heat-map .scale") == is_decided
    assert page.texts("#heat td small")[1] == ("+2.00 ▲" if is_decided else "+2.00")  # the numbers stay


def test_columns_sort_both_ways_and_cells_without_a_value_stay_last(tmp_path: Path, open_page: OpenPage) -> None:
    written(with_parts(example_results()), tmp_path)
    page = open_page(tmp_path)
    means = "#cells tbody td:nth-child(4)"
    assert page.texts(means)[:2] == ["80.30 ± 0.20", "82.30 ± 0.20"]

    page.click("[data-column='3']")

    assert [text[:5] for text in page.texts(means)][:3] == ["86.30", "86.20", "86.20"]
    assert page.texts(means)[-1] == "missing"
    assert page.texts("[aria-sort=descending]") == ["strict F1"]

    page.press("Enter")  # the header keeps the focus

    assert [text[:5] for text in page.texts(means)][:3] == ["71.00", "71.00", "71.50"]
    assert page.texts(means)[-1] == "missing"
    assert page.texts("[aria-sort=ascending]") == ["strict F1"]
    page.click("[data-column='0']")
    assert page.texts("#cells tbody td:nth-child(1)")[:8] == ["linnaeus"] * 8


def test_places_choices_and_sides_filter_and_stand_in_the_address(tmp_path: Path, open_page: OpenPage) -> None:
    written(example_results(), tmp_path)
    page = open_page(tmp_path)

    page.click("[data-pair='2']")

    assert page.text("#status") == "1–2 of 2 sentences (of 14 without filters)"
    assert page.evaluate("location.hash") == "#place=ncbi-disease%2C+biobert&choice=welt"
    page.click("[data-side=first]")
    assert page.text("#status") == "1–1 of 1 sentence (of 14 without filters)"
    assert page.texts(".side.ahead h4") == ["none: right in 2 of 3 seeds"]
    page.evaluate("document.getElementById('filter-choice').focus()")
    page.press("i")  # chooses isns
    assert page.texts(".where") == ["ncbi-disease, biobert: isns against none"]
    page.click("#clear")
    assert page.text("#status") == "1–14 of 14 sentences"


def test_search_and_keys(tmp_path: Path, open_page: OpenPage) -> None:
    written(long_results(), tmp_path)
    page = open_page(tmp_path)

    page.press("/")
    page.write("NUMBER1")

    assert page.text("#status") == "1–11 of 11 sentences (of 45 without filters)"
    page.press("Escape")
    page.press("j", times=2)
    assert page.texts(".here p.text") == ["number10 cancer"] * 2
    page.press("k", times=2)
    assert page.texts(".here p.text") == ["number19 cancer"] * 2


def test_pages_are_turned_by_buttons_and_by_walking_on(tmp_path: Path, open_page: OpenPage) -> None:
    written(long_results(), tmp_path)
    page = open_page(tmp_path)
    assert page.text("#page") == "page 1 of 3"

    page.click("#later")
    assert page.text("#status") == "21–40 of 45 sentences"
    page.press("k")  # the first that is in view
    page.press("k")
    assert page.text("#page") == "page 1 of 3"
    assert page.texts(".here p.text") == ["number19 cancer"] * 2
    page.click("#later")
    page.click("#later")
    assert page.text("#page") == "page 3 of 3"
    assert page.evaluate("document.getElementById('later').disabled") is True


def test_a_button_copies_its_command(tmp_path: Path, open_page: OpenPage) -> None:
    written(example_results(), tmp_path)
    page = open_page(tmp_path)

    page.click("#trouble [data-copy]")

    assert page.texts("#trouble [data-copy]") == ["Copied"]


def test_labels_are_shown_for_the_place_that_is_chosen(tmp_path: Path, open_page: OpenPage) -> None:
    written(example_results(), tmp_path)
    page = open_page(tmp_path)
    assert page.texts("#label-table thead th") == ["weighting", "Disease", "Other"]

    page.evaluate("document.getElementById('label-place').focus()")
    page.press("l")  # chooses the first place that begins with it

    assert page.text("#by-label-title") == "By label, linnaeus, minilm"
    assert page.texts("#label-table thead th") == ["weighting", "Species", "Other"]


def test_the_keyboard_reaches_what_the_heat_map_tells(tmp_path: Path, open_page: OpenPage) -> None:
    written(example_results(), tmp_path)
    page = open_page(tmp_path)

    page.evaluate("document.querySelector('.heat td.better').previousElementSibling.focus()")
    page.press("Tab")

    assert page.text("#tip").startswith("ncbi-disease, minilm: welt\nstrict F1 82.30 ± 0.20\nseed 1: 82.10")


def test_printing_opens_what_is_folded(tmp_path: Path, open_page: OpenPage) -> None:
    written(example_results(), tmp_path)
    page = open_page(tmp_path)
    assert page.count("details:not([open])") > 10

    page.evaluate("void dispatchEvent(new Event('beforeprint'))")

    assert page.count("details:not([open])") == 0


@pytest.mark.parametrize("width", [1300, 400])
def test_hostile_texts_are_shown_as_they_are_and_break_nothing(tmp_path: Path, open_page: OpenPage, width: int) -> None:
    results = evil_results()
    mentions = [(text, (Mention(0, 1, text),)) for text in HOSTILE]
    sentences = tuple(disagree((text,), gold=gold, second=gold, right=(0, 2)) for text, gold in mentions)
    pair = replace(results.pairs[0], sentences=sentences)
    details = {text: text for text in HOSTILE}
    written(replace(results, name=HOSTILE[1], pairs=(pair,), notes=HOSTILE, details=details), tmp_path)

    page = open_page(tmp_path, width=width)

    assert page.texts("p.text") == [text for text in HOSTILE for _ in range(2)]
    assert page.texts("#notes p") == page.texts("#details dd") == list(HOSTILE)
    assert page.text("h1") == page.evaluate("document.title") == HOSTILE[1]
    assert page.count("section img, section script") == 0
    assert page.evaluate("document.documentElement.scrollWidth") == width
