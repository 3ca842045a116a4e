"""The built site in a browser, opened as files: nothing from elsewhere, no page wider than the screen, search."""

import time
from pathlib import Path

import pytest

from tests.browser import Browser
from tools.site.__main__ import RESULT, main

pytestmark = pytest.mark.site
PAGES = ["index.html", "concepts.html", "recipes.html", "models/index.html", "reference/settings.html", "tasks.html"]


@pytest.fixture(scope="module")
def built() -> Path:
    assert main() == 0
    return RESULT


@pytest.mark.parametrize(("width", "scheme"), [(1300, "light"), (400, "dark")])
def test_no_page_loads_from_elsewhere_or_is_wider_than_the_screen(
    built: Path, browser: Browser, width: int, scheme: str
) -> None:
    wide, foreign = [], []
    for name in PAGES:
        page = browser.open((built / name).as_uri(), width=width, scheme=scheme)
        wide += [name] if page.evaluate("document.documentElement.scrollWidth > innerWidth") else []
        foreign += [address for address in page.requests() if not address.startswith(("file:", "data:", "blob:"))]
        page.close()

    assert (wide, foreign) == ([], [])


def test_search_works_in_pages_that_are_opened_as_files(built: Path, browser: Browser) -> None:
    page = browser.open((built / "tours" / "index.html").as_uri())

    page.evaluate("document.querySelector('.md-search__button, label[for=__search]').click()")
    time.sleep(0.5)
    page.write("calibration")
    deadline = time.monotonic() + 20
    while "Glossary" not in page.evaluate(SEEN) and time.monotonic() < deadline:
        time.sleep(0.2)

    found = page.evaluate(SEEN)
    page.close()
    assert "Glossary" in found


# everything that is drawn, inside of components as well
SEEN = """(() => { const texts = []; const walk = (node) => { if (node.shadowRoot) walk(node.shadowRoot);
    for (const child of node.childNodes) child.nodeType === 3 ? texts.push(child.data) : walk(child); };
    walk(document.body); return texts.join(" ").replace(/[\\s\\S]*results?/, ""); })()"""
