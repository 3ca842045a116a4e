"""A page is one file, put together from html, css and js files that keep to themselves."""

import json
import re
from pathlib import Path

import pytest

from linnet.reports.page.files import fill_page, json_for_html, read_part, write_page_file
from tests.browser import Browser
from tests.pages import EVIL, HOSTILE, Elements

PAGES = ("comparison", "mentions", "texts")
SHELLS = [*(f"{page}/page.html" for page in (*PAGES, "annotate")), "shared/head.html", "shared/foot.html"]


def test_the_page_holds_title_content_and_program(tmp_path: Path) -> None:
    path = write_page_file(tmp_path / "report", page="mentions", title="A & B", content={"text": "c"})

    page = path.read_text(encoding="utf-8")
    assert path == tmp_path / "report" / "index.html"
    assert "<title>A &amp; B</title>" in page
    assert Elements(page).content() == {"text": "c"}
    assert 'modules["mentions/program.js"] = ' in page
    assert "--ground:" in page


@pytest.mark.parametrize("page", PAGES)
def test_every_place_of_a_page_is_filled_and_nothing_is_fetched(page: str) -> None:
    filled = fill_page(f"{page}/page.html", title="", content={})

    assert "@@" not in filled
    assert not re.search(r"https?://|@import|url\(|fetch\(|XMLHttpRequest|WebSocket|\bimport\s*\(", filled)


@pytest.mark.parametrize("text", HOSTILE)
def test_places_are_sought_in_our_files_and_not_in_texts(text: str) -> None:
    page = fill_page("texts/page.html", title=text, content={"text": text})

    assert Elements(page).content() == {"text": text}
    assert EVIL not in page


@pytest.mark.parametrize("name", SHELLS)
def test_html_files_hold_no_program_and_no_style(name: str) -> None:
    elements = Elements(read_part(name))

    scripts = [text for (tag, _), text in zip(elements.found, elements.texts, strict=True) if tag == "script"]
    attributes = {attribute for _, found in elements.found for attribute in found}
    assert [text for text in scripts if not re.fullmatch(r"\s*@@(DATA|PROGRAM \w+/program\.js)@@\s*", text)] == []
    assert {name for name in attributes if name.startswith("on") or name in ("style", "src")} == set()


def test_json_for_html_reads_back_as_the_same_content() -> None:
    content = {"texts": list(HOSTILE), "numbers": [1, 0.5, None]}

    text = json_for_html(content)

    assert "<" not in text
    assert json.loads(text) == content


def test_numbers_that_json_does_not_know_are_refused() -> None:
    with pytest.raises(ValueError, match="JSON"):
        json_for_html([float("nan")])


@pytest.mark.parametrize("page", PAGES)
def test_the_browser_refuses_to_make_markup_of_text_on_our_pages(page: str, browser: Browser, tmp_path: Path) -> None:
    path = write_page_file(tmp_path, page=page, title="", content={})
    attempt = "try { document.body.innerHTML = '<b>'; return 'done'; } catch (error) { return error.name; }"

    opened = browser.open(path.as_uri())
    found = opened.evaluate(f"(() => {{ {attempt} }})()")

    opened.close()
    assert found == "TypeError"
