"""Tests of pages do not pass by for want of a browser where one is required."""

from pathlib import Path

import pytest

from tests import browser as driver
from tests.browser import Browser, OpenPage, require_chromium


def test_without_chromium_a_test_is_skipped(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(driver, "CHROMIUM", None)
    monkeypatch.delenv("LINNET_NEEDS_BROWSER", raising=False)

    with pytest.raises(pytest.skip.Exception, match="no Chromium"):
        require_chromium()


def test_where_a_browser_is_required_its_absence_is_a_failure(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(driver, "CHROMIUM", None)
    monkeypatch.setenv("LINNET_NEEDS_BROWSER", "1")

    with pytest.raises(pytest.fail.Exception, match="no Chromium"):
        require_chromium()


def test_errors_of_a_page_and_its_requests_are_seen(browser: Browser, tmp_path: Path) -> None:
    program = (
        "console.error('first'); new Image().src = 'missing.png'; setTimeout(() => { throw new Error('second'); });"
    )
    (tmp_path / "index.html").write_text(f"<link rel=icon href='data:,'><script>{program}</script>", encoding="utf-8")

    page = browser.open((tmp_path / "index.html").as_uri())
    page.settle()

    complaints, requests = page.complaints(), page.requests()
    page.close()
    assert [word for word in ("first", "second", "ERR_FILE_NOT_FOUND") if word in str(complaints)] == [
        *("first", "second", "ERR_FILE_NOT_FOUND"),
    ]
    assert (tmp_path / "missing.png").as_uri() in requests


def test_a_click_goes_to_what_is_in_front(open_page: OpenPage, tmp_path: Path) -> None:
    (tmp_path / "index.html").write_text(
        "<link rel=icon href='data:,'><button id=a onclick='document.title = 1'>a</button>"
        "<div style='position: fixed; inset: 0' onclick='document.title = 2'></div>",
        encoding="utf-8",
    )
    page = open_page(tmp_path)

    page.click("#a")

    assert page.evaluate("document.title") == "2"
