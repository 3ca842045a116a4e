"""The page of a grid holds all there is to see, asks for nothing else, and no text can break out of it."""

import re
from dataclasses import replace
from pathlib import Path
from typing import Any

from linnet.comparison.page import write_comparison_page
from linnet.comparison.results import DrawnUnits, Failure, Results
from linnet.labels.mention import Mention
from tests.browser import OpenPage
from tests.comparison.example_results import (
    SCORES,
    SEEDS,
    collapsed_results,
    command,
    compare,
    disagree,
    example_results,
    size_results,
    with_parts,
)
from tests.pages import EVIL, Elements


def written(results: Results, folder: Path) -> str:
    path = write_comparison_page(results, folder)
    assert path == folder / "index.html"
    return path.read_text(encoding="utf-8")


def content_of(results: Results, folder: Path) -> dict[str, Any]:
    return Elements(written(results, folder)).content()


def evil_results() -> Results:
    """The example, with every name and text that a user can choose replaced by one that wants to be a program."""
    results = example_results()
    cells = tuple(
        replace(
            cell,
            place={"corpus": EVIL, "encoder": cell.place["encoder"]},
            choice={"weighting": f"{cell.choice['weighting']} {EVIL}"},
            commands=(f"linnet train {EVIL}",),
            label_scores={EVIL: 0.5},
            source=EVIL,
        )
        for cell in results.cells[:8]
    )
    sentence = disagree((EVIL, "x"), gold=(Mention(0, 1, EVIL),), second=(Mention(0, 2, EVIL),), right=(0, 2))
    pair = replace(results.pairs[0], place=cells[1].place, choice=cells[1].choice, sentences=(sentence,))
    return replace(
        results,
        name=f'{EVIL} & "quotes" @@DATA@@',
        metric=EVIL,
        baseline=cells[0].choice,
        cells=cells,
        comparisons=compare(cells),
        pairs=(pair,),
        failures=(Failure(EVIL, EVIL, EVIL),),
        notes=(EVIL,),
        details={EVIL: EVIL},
    )


def test_the_page_holds_every_cell_with_its_numbers(tmp_path: Path) -> None:
    results = example_results()

    content = content_of(results, tmp_path / "report")

    assert content["headline"] == "No evidence of a difference: welt, isns; identical to none: ens 0.9."
    assert [place["labels"] for place in content["places"]][1] == ["ncbi-disease", "biobert"]
    assert [choice["title"] for choice in content["choices"]] == ["none", "welt", "ens 0.9", "isns"]
    assert len(content["cells"]) == 16
    welt = content["cells"][5]
    assert (welt["place"], welt["choice"], welt["mark"]) == (1, 1, "best")
    assert welt["scores"] == [[1, 0.859], [2, 0.864], [3, 0.866]]
    assert (welt["mean"], welt["published"], welt["source"]) == (0.863, 0.8771, "WeLT paper, Table 3")
    assert content["cells"][15]["mean"] is None
    assert content["cells"][15]["scores"] == []


def test_the_page_holds_precision_and_recall_with_what_was_published(tmp_path: Path) -> None:
    content = content_of(with_parts(example_results()), tmp_path)

    assert content["beside"] == ["precision", "recall"]
    assert content["cells"][1]["beside"] == [[0.843, 0.002], [0.813, 0.002]]
    assert content["cells"][5]["publishedBeside"] == [0.8781, 0.8761]
    assert content["cells"][15]["beside"] == [[None, None], [None, None]]
    assert content_of(example_results(), tmp_path)["cells"][1]["beside"] == []


def test_the_page_holds_every_comparison_with_those_over_all_places(tmp_path: Path) -> None:
    results = example_results()

    comparisons = content_of(results, tmp_path)["comparisons"]

    assert [found["sentence"] for found in comparisons] == [found.sentence for found in results.comparisons]
    assert [found["place"] for found in comparisons[-3:]] == [-1, -1, -1]
    assert [comparisons[0][key] for key in ("difference", "low", "high", "adjusted", "wins", "verdict")] == [
        *(0.02, 0.008, 0.032, 0.004, [3, 0, 0], "better"),
    ]


def test_a_cell_that_the_grid_does_not_know_is_missing(tmp_path: Path) -> None:
    results = example_results()

    content = content_of(replace(results, cells=results.cells[:-1]), tmp_path)

    assert len(content["cells"]) == 16
    assert (content["cells"][15]["mean"], content["cells"][15]["commands"]) == (None, [])


def test_every_command_and_failure_and_detail_is_there(tmp_path: Path) -> None:
    content = content_of(example_results(), tmp_path)

    commands = [line for cell in content["cells"] for line in cell["commands"]]
    assert commands == [command(*names, seed) for names in SCORES for seed in SEEDS]
    assert content["failures"] == [
        ["linnaeus-minilm-isns-seed3", "the loss is not a number after step 12", commands[35]],
    ]
    assert content["trouble"][1].startswith("3 runs are missing")
    assert content["details"] == [["grid", "recipes/grid-small.toml"], ["linnet", "0.1.0"]]


def test_sentences_hold_the_mentions_and_mistakes_of_both_and_their_text_stands_once(tmp_path: Path) -> None:
    content = content_of(example_results(), tmp_path)

    assert len(content["pairs"]) == 7
    assert content["pairs"][0] == {"place": 0, "choice": 1, "counts": [700, 11.5, 20.25, 208.25], "n": 2}
    assert [len(content["texts"]), len(content["sentences"])] == [2, 14]
    boundary, missed, spurious = (content["kinds"].index(kind) for kind in ("boundary", "missed", "spurious"))
    assert content["texts"] == ["Familial breast cancer is linked to ovarian cancer .", "No cancer ."]
    gold = [[0, 22, 0], [36, 50, 0]]  # words 0 to 3 and 6 to 8, in characters
    assert content["documents"] == [""]
    wrong = [[boundary, 0, 0], [missed, 1, -1]]
    assert content["sentences"][0] == [0, [0, 0], 0, 3, 3, [gold, [[9, 22, 0]], wrong], [gold, gold, []], [0, 1]]
    assert content["sentences"][1] == [0, [1, 1], 2, 1, 3, [[], [], []], [[], [[3, 9, 0]], [[spurious, -1, 0]]], [0, 1]]


def test_learning_curves_are_there_only_where_sizes_are_an_axis(tmp_path: Path) -> None:
    place, curves = content_of(size_results(), tmp_path)["curves"][0]

    assert (place, [curve["title"] for curve in curves]) == ("ncbi-disease", ["none", "welt"])
    assert curves[1]["points"][0] == [200, "200", 0.61, 0.01, 3]
    assert content_of(example_results(), tmp_path)["curves"] == []


def test_no_text_can_end_the_data_or_become_an_element(tmp_path: Path) -> None:
    page = written(evil_results(), tmp_path)

    elements = Elements(page)
    assert [tag for tag, _ in elements.found].count("script") == 2
    assert elements.content()["title"].endswith("@@DATA@@")
    assert elements.content()["texts"] == [f"{EVIL} x"]
    assert EVIL not in page


def test_the_page_asks_for_nothing_outside_of_itself_and_has_no_way_to_show_text_as_markup(tmp_path: Path) -> None:
    page = written(example_results(), tmp_path)

    found = Elements(page).found
    assert [name for _, attributes in found for name in attributes if name == "src"] == []
    assert [attributes["href"] for _, attributes in found if "href" in attributes] == ["data:,"]
    assert "default-src 'none'" in page
    assert not re.search(r"https?://|@import|url\(|fetch\(|innerHTML|insertAdjacent|document\.write", page)


def test_values_that_are_no_numbers_are_left_out(tmp_path: Path) -> None:
    results = example_results()
    found = replace(results.comparisons[0], smallest_detectable=float("inf"), p_value=float("nan"))

    content = content_of(replace(results, comparisons=(found,)), tmp_path)

    assert (content["comparisons"][0]["detectable"], content["comparisons"][0]["p"]) == (None, None)


def test_an_interval_wider_than_the_scale_has_no_ends(tmp_path: Path, open_page: OpenPage) -> None:
    results = example_results()
    found = replace(results.comparisons[0], low=-1.34, high=1.7, smallest_detectable=1.77)

    content = content_of(replace(results, comparisons=(found,)), tmp_path)

    (shown,) = content["comparisons"]
    assert (shown["low"], shown["high"], shown["detectable"]) == (None, None, None)
    page = open_page(tmp_path).html()
    assert "too few to tell" in page
    assert "170.00" not in page


def test_the_browser_draws_every_section_with_the_numbers_of_the_records(tmp_path: Path, open_page: OpenPage) -> None:
    written(example_results(), tmp_path)

    page = open_page(tmp_path).html()

    assert page.count('class="reach"') == 14
    assert page.count('class="strip"') == 15
    assert page.count('class="heat"') == 1
    assert len(re.findall(r'<td class="missing"[^>]*>missing', page)) == 1  # in the heat map
    assert '<span class="missing">missing</span>' in page  # among the cells
    assert '<span class="best">82.30</span>' in page
    assert "−0.73" in page  # ours less the published 86.93
    assert page.count("data-copy") == 1 + 16 * 4  # of the failure; of each cell three commands and all of them
    assert "1–14 of 14 sentences" in page
    assert 'id="curves" data-name="Learning curves" hidden' in page
    assert "3 runs are missing" in page


def test_the_browser_shows_precision_and_recall_in_columns_that_sort(tmp_path: Path, open_page: OpenPage) -> None:
    written(with_parts(example_results()), tmp_path)

    page = open_page(tmp_path).html()

    assert re.search(r'<button[^>]*data-column="4"[^>]*>precision</button>', page)
    assert re.search(r'<button[^>]*data-column="5"[^>]*>recall</button>', page)
    assert '<span>84.30<span class="sd"> ± 0.20</span></span>' in page
    assert '<span data-tip="published 87.81">88.30<span class="sd"> ± 0.36</span></span>' in page
    assert "precision 88.30 ± 0.36, published 87.81" in page  # told on the strip of seeds and in the heat map


def test_the_address_chooses_place_choice_side_and_text(tmp_path: Path, open_page: OpenPage) -> None:
    written(example_results(), tmp_path)

    page = open_page(tmp_path, "#place=linnaeus%2C+minilm&choice=isns&side=first&q=CANCER").html()

    assert "1–1 of 1 sentence (of 14 without filters)" in page
    assert "none: right in 2 of 3 seeds" in page
    assert "predicted: Disease (spurious)" in page


def test_the_browser_shows_hostile_text_as_text_and_pages_long_lists(tmp_path: Path, open_page: OpenPage) -> None:
    results = evil_results()
    sentence = results.pairs[0].sentences[0]
    long = replace(results.pairs[0], sentences=(sentence,) * 5000)

    written(replace(results, pairs=(long,)), tmp_path)
    page = open_page(tmp_path).html()

    assert "<title>broken" not in page
    assert "&lt;/script&gt;" in page
    assert "1–20 of 5,000 sentences" in page
    assert page.count("<article") == 20
    assert "page 1 of 250" in page


def test_the_browser_draws_learning_curves(tmp_path: Path, open_page: OpenPage) -> None:
    written(size_results(), tmp_path)

    page = open_page(tmp_path).html()

    assert len(re.findall('<path class="spread"', page)) == 4
    assert "training sentences 200: 61.00 ± 1.00 (3 seeds)" in page


def test_the_browser_counts_collapsed_runs_and_shows_their_shares(tmp_path: Path, open_page: OpenPage) -> None:
    written(collapsed_results(), tmp_path)
    page = open_page(tmp_path)

    assert page.texts("#cells tbody td:nth-child(5)")[:2] == ["3 (1 collapsed)", "3"]
    assert "On ncbi-disease, minilm, runs that collapsed" in page.text("#trouble")
    assert "seed 2: 80.30, collapsed" in page.evaluate("document.querySelector('#cells .strip').dataset.tip")


def test_the_browser_has_an_axis_for_each_place_and_the_margin_on_it(tmp_path: Path, open_page: OpenPage) -> None:
    results = example_results()
    first, *others = (replace(each, margin=0.01) for each in results.comparisons)
    written(replace(results, comparisons=(replace(first, low=-0.5, high=0.6), *others)), tmp_path)
    page = open_page(tmp_path)

    assert page.count("#forest .axis") == page.count("#forest .group") == 5
    ends = page.texts("#forest tbody:nth-of-type(1) .axis text")
    assert (ends[0], ends[-1]) != tuple(page.texts("#forest tbody:nth-of-type(2) .axis text")[:: len(ends) - 1])
    assert page.count("#forest tbody:nth-of-type(1) .margin") == 6  # three choices, both sides
    assert "The dotted lines are the margin of equivalence, 1.00 points." in page.text("#forest-hint")


def test_the_browser_names_the_units_of_the_intervals_beside_each_place(tmp_path: Path, open_page: OpenPage) -> None:
    results = example_results()
    place = results.cells[0].place
    written(replace(results, drawn=(DrawnUnits(place, "sentences", 940),)), tmp_path)

    page = open_page(tmp_path)

    assert page.texts("#forest .units") == [
        " intervals over 940 sentences; the files have no documents: the intervals are probably too narrow"
    ]


def test_the_browser_colours_only_what_is_better_or_worse(tmp_path: Path, open_page: OpenPage) -> None:
    written(example_results(), tmp_path)
    page = open_page(tmp_path)

    verdicts = [each.verdict for each in example_results().comparisons if not each.is_pooled]
    assert page.count(".heat td.better") == verdicts.count("better")
    assert page.count(".heat td.worse") == verdicts.count("worse")
    tinted = (
        "[...document.querySelectorAll('.heat td')].filter((cell) => parseFloat(cell.style.getPropertyValue('--much')))"
    )
    assert page.evaluate(f"{tinted}.length") == verdicts.count("better") + verdicts.count("worse")
