"""The page about texts holds all there is to see, asks for nothing else, and no text can break out of it."""

import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from linnet.documents.texts import Prediction
from linnet.tasks.texts.kinds import CLASSIFICATION, MULTI_LABEL, REGRESSION, SPANS
from linnet.tasks.texts.reports.page import write_text_page
from tests.browser import OpenPage
from tests.pages import EVIL, Elements
from tests.tasks.texts.reports.text_examples import ANSWERS, CLASSES, LABELS, NUMBERS, block, figure

BLOCKS = {"no": block(0.4), "yes": block(0.5)}


def written(
    folder: Path,
    predictions: Sequence[Prediction] = CLASSES,
    kind: Any = CLASSIFICATION,
    *,
    title: str = "gad on GAD",
    labels: Mapping[str, Mapping[str, float | int]] = BLOCKS,
) -> str:
    path = write_text_page(
        folder,
        title=title,
        figures={"f1": figure(0.5), "accuracy": figure(0.25, low=None, high=float("nan"))},
        titles={"f1": "F1"},
        labels=labels if kind.has_labels else {},
        predictions=predictions,
        kind=kind,
        details={"model": "runs/gad"},
    )
    assert path == folder / "index.html"
    return path.read_text(encoding="utf-8")


def content_of(folder: Path, *given: Any, **more: Any) -> dict[str, Any]:
    return Elements(written(folder, *given, **more)).content()


def test_the_page_holds_scores_labels_and_examples(tmp_path: Path) -> None:
    content = content_of(tmp_path / "report")

    assert content["title"] == "gad on GAD"
    assert content["details"] == [["model", "runs/gad"]]
    assert content["figures"][0] == ["F1", 0.5, 0.4, 0.6, 4, "examples", ""]
    assert content["figures"][1][:4] == ["accuracy", 0.25, None, None]
    assert content["labels"] == ["no", "yes"]
    assert content["blocks"][1] == [1, 0.5, 0.25, 0.5, 4, 2, 1]
    assert content["matrix"] == [0, 1]
    assert content["examples"][1] == ["p1:2", "p1", CLASSES[1].text, [0], [1], 0.6, 0]
    assert content["examples"][4][3:] == [None, [0], 0.8, None]


def test_labels_that_have_no_score_are_there_too(tmp_path: Path) -> None:
    content = content_of(tmp_path, LABELS, MULTI_LABEL, labels={"spread": block(1.0)})

    assert content["labels"] == ["spread", "death", "growth", "vessels"]
    assert content["examples"][1][3:] == [[2, 0], [0, 2], 0.8, 1]
    assert content["examples"][2][4:] == [[], None, 0]
    assert content["matrix"] == []


def test_numbers_are_neither_right_nor_wrong(tmp_path: Path) -> None:
    content = content_of(tmp_path, NUMBERS, REGRESSION)

    assert content["examples"][0] == ["n1", "", "one\none", 4.0, 3.75, None, None]


def test_answers_come_with_the_synonyms_of_the_right_ones(tmp_path: Path) -> None:
    content = content_of(tmp_path, ANSWERS, SPANS)

    assert content["examples"][1][3:] == [[["p53", "TP53"]], ["BRCA1", "p53"], 0.5, 0]
    assert content["examples"][3][3:] == [[], [], 0.9, 1]


def test_no_text_can_end_the_data_or_become_an_element(tmp_path: Path) -> None:
    predictions = [Prediction(EVIL, EVIL, EVIL, "no", EVIL)]

    page = written(tmp_path, predictions, title=f'{EVIL} & "quotes" @@DATA@@ @@INCLUDE shared/base.css@@')

    elements = Elements(page)
    assert [tag for tag, _ in elements.found].count("script") == 2
    assert elements.content()["examples"][0][:3] == [EVIL, "", EVIL]
    assert elements.content()["title"].endswith("@@DATA@@ @@INCLUDE shared/base.css@@")
    assert EVIL not in page


def test_the_page_asks_for_nothing_outside_of_itself_and_has_no_way_to_show_text_as_markup(tmp_path: Path) -> None:
    page = written(tmp_path)

    found = Elements(page).found
    assert [name for _, attributes in found for name in attributes if name == "src"] == []
    assert [attributes["href"] for _, attributes in found if "href" in attributes] == ["data:,"]
    assert "default-src 'none'" in page
    assert "@@" not in page
    assert not re.search(r"https?://|@import|url\(|fetch\(|innerHTML|insertAdjacent|document\.write", page)


def test_a_page_without_examples_can_be_written(tmp_path: Path) -> None:
    assert content_of(tmp_path, [], labels={})["examples"] == []


def test_the_browser_shows_what_is_wrong_first(tmp_path: Path, open_page: OpenPage) -> None:
    written(tmp_path, [*CLASSES, Prediction(EVIL, EVIL, EVIL, "no")], title=EVIL)

    page = open_page(tmp_path).html()

    assert "4 of 6 examples" in page
    assert 'id="s2"' in page
    assert 'id="s1"' not in page
    assert "✗ wrong" in page
    assert "<title>broken" not in page


def test_the_address_chooses_labels_and_text_and_presses_the_cell(tmp_path: Path, open_page: OpenPage) -> None:
    written(tmp_path)

    page = open_page(tmp_path, "#gold=no&predicted=yes&q=LINK&show=all").html()

    assert "1 of 5 examples" in page
    assert len(re.findall(r'<button[^>]*aria-pressed="true"[^>]*aria-label="gold no, predicted yes: 2"', page)) == 1
    assert len(re.findall(r'<button[^>]*class="chip"[^>]*aria-pressed="true"', page)) == 2


def test_the_address_of_an_example_shows_it_even_if_it_is_right(tmp_path: Path, open_page: OpenPage) -> None:
    written(tmp_path)

    assert re.search(r'<article class="[^"]*here[^"]*" id="s1"', open_page(tmp_path, "#s1").html())


def test_numbers_are_drawn_and_the_largest_error_comes_first(tmp_path: Path, open_page: OpenPage) -> None:
    written(tmp_path, NUMBERS, REGRESSION)

    page = open_page(tmp_path).html()

    assert page.count("<circle") == 3
    assert re.findall(r'<article[^>]*id="(s\d)"', page) == ["s2", "s3", "s1"]
    assert "error +1.5" in page


def test_answers_are_marked_in_their_texts(tmp_path: Path, open_page: OpenPage) -> None:
    written(tmp_path, ANSWERS, SPANS)

    page = open_page(tmp_path, "#show=all").html()

    assert re.search(r'class="m predicted begins ends wrong"[^>]*>BRCA1<', page)
    assert re.search(r'class="m gold begins ends"[^>]*>p53<', page)
    assert "no answer 0.900" in page


def test_texts_without_labels_can_be_chosen(tmp_path: Path, open_page: OpenPage) -> None:
    written(tmp_path, LABELS, MULTI_LABEL, labels={})

    assert "1 of 3 examples" in open_page(tmp_path, "#predicted=(none)").html()
