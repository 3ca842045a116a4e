"""The page of a review: labels, the way to a document, and another annotation beside it."""

import json
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from linnet.serving.http.application import build_application
from linnet.serving.http.guarding import Access
from linnet.serving.http.reviewing import ReviewRoutes
from linnet.serving.review.opening import OpenReview, open_review
from tests.browser import Browser, Page
from tests.reports.page.test_looks import faint_texts
from tests.serving.http.page_actions import wait_for
from tests.serving.http.running import running
from tests.serving.http.services import Finder, make_service, settings
from tests.serving.http.test_reviewing import write_documents

LABELS = "#labels [data-label]"
DIGITS = f"[...document.querySelectorAll('{LABELS}')].map((each) => [each.dataset.digit, each.dataset.label])"
SHOWN = "!document.getElementById('result').hidden"


def mention(start: int, end: int, label: str, **more: Any) -> dict[str, Any]:
    return {"start": start, "end": end, "label": label, **more}


RECORDS: list[dict[str, Any]] = [
    {"id": "a", "text": "in Bonn", "spans": [mention(3, 7, "City")]},
    {"id": "b", "text": "Ann in Paris", "spans": [mention(0, 3, "Person"), mention(7, 12, "City")]},
    {"id": "c", "text": "an Area", "spans": [mention(3, 7, "Area")]},
]


@contextmanager
def review_page(
    browser: Browser, folder: Path, records: Sequence[dict[str, Any]] = RECORDS, at: str = "", **given: Any
) -> Iterator[tuple[Page, OpenReview]]:
    """Yield the page of a review, open at a place of its address, and the review."""
    with open_review(write_documents(folder, records, **given)) as opened:
        app = build_application(make_service(Finder()), Access(hosts=["*"]), ReviewRoutes(opened, settings()))
        with running(app) as address:
            page = browser.open(f"{address}/{at}")
            wait_for(page, SHOWN)
            yield page, opened
            page.close()


def reload(page: Page) -> None:
    """Load the page anew, and wait until it shows a document."""
    page.browser.events[page.session].clear()
    page.call("Page.reload")
    page.browser.wait_for("Page.loadEventFired", page.session)
    wait_for(page, SHOWN)


def at_document(name: str) -> str:
    """Return a condition: is this document shown?"""
    return f"document.getElementById('progress').textContent.includes('({name})')"


def test_digits_give_the_same_labels_in_every_document_and_after_reloading(browser: Browser, tmp_path: Path) -> None:
    with review_page(browser, tmp_path, labels=("Person",)) as (page, opened):
        first = page.evaluate(DIGITS)
        page.click("#next")
        wait_for(page, at_document("b"))
        second = page.evaluate(DIGITS)
        reload(page)
        again = page.evaluate(DIGITS)
        page.press("j")
        page.press("2")
        page.press("a")
        wait_for(page, "document.getElementById('progress').textContent.includes('1 of 3')")
        kept = [span.label for span in opened.review.current(1)[0].spans]
        seen = page.evaluate(f"getComputedStyle(document.querySelector('{LABELS}'), '::before').content")

    assert first == second == again == [["1", "Person"], ["2", "Area"], ["3", "City"]]
    assert kept == ["Area", "City"]
    assert seen == '"1"'


def test_a_document_is_reached_by_its_id_in_the_address(browser: Browser, tmp_path: Path) -> None:
    records = [*RECORDS, {"id": "d/1 %é", "text": "Sea", "spans": []}]
    with review_page(browser, tmp_path, records, at="#c") as (page, _):
        first = page.text("#progress")
        page.go("b")
        wait_for(page, at_document("b"))
        field = page.evaluate("document.getElementById('go-to').value")
        page.click("#next")
        wait_for(page, at_document("c"))
        page.click("#next")
        wait_for(page, at_document("d/1 %é"))
        address = page.evaluate("location.hash")
        reload(page)
        again = page.text("#progress")
        page.go("nowhere")
        wait_for(page, "!document.getElementById('problem').hidden")
        said = page.text("#problem")
        complaints = page.complaints()

    assert complaints == []
    assert first.startswith("Document 3 of 4 (c)")
    assert (field, address) == ("b", "#d%2F1%20%25%C3%A9")
    assert again.startswith("Document 4 of 4 (d/1 %é)")
    assert said.startswith("No document of this review has the id of the address (#nowhere).")


def test_an_address_without_such_a_document_is_said_and_the_review_begins(browser: Browser, tmp_path: Path) -> None:
    with review_page(browser, tmp_path, at="#nowhere") as (page, _):
        wait_for(page, "!document.getElementById('problem').hidden")
        shown = page.text("#progress")

    assert shown.startswith("Document 1 of 3 (a)")


def test_the_field_goes_to_an_id_or_to_the_only_one_with_this_part(browser: Browser, tmp_path: Path) -> None:
    records = [{"id": f"pmid-{name}", "text": "Bonn", "spans": []} for name in ("17", "18", "28")]
    with review_page(browser, tmp_path, records) as (page, _):
        page.press("/")
        page.write("8")
        offered = page.evaluate("[...document.getElementById('document-ids').options].map((each) => each.value)")
        page.press("Enter")
        refused = page.evaluate("document.getElementById('go-to').validationMessage")
        page.write("28")  # behind the 8
        page.evaluate("document.getElementById('go-to').select()")
        page.write("-28")
        page.press("Enter")
        wait_for(page, at_document("pmid-28"))
        focused = page.evaluate("document.activeElement.id")

    assert offered == ["pmid-18", "pmid-28"]
    assert refused == "2 documents have this in their id; choose one"
    assert focused != "go-to"


def test_escape_leaves_the_field_for_the_text_and_for_the_document_that_is_open(
    browser: Browser, tmp_path: Path
) -> None:
    with review_page(browser, tmp_path, at="#b") as (page, _):
        page.press("j", times=2)
        page.press("/")
        page.write("c")  # an id, which is not gone to
        page.press("Escape")
        shown, field = page.text("#progress"), page.evaluate("document.getElementById('go-to').value")
        focused = page.evaluate("document.activeElement.textContent")
        page.press("n")
        status = page.text("#status")

    assert shown.startswith("Document 2 of 3 (b)")
    assert (field, focused) == ("b", "Paris")
    assert status == "New Person: Ann"


def test_escape_leaves_other_fields_too(browser: Browser, tmp_path: Path) -> None:
    with review_page(browser, tmp_path) as (page, _):
        page.press("j")
        page.evaluate("document.getElementById('identifier').focus()")
        page.press("Escape")
        page.press("Delete")
        left = page.count("#text [data-key]")
        page.click("#undo")  # a page with changes asks before it is closed

    assert left == 0


def test_what_was_changed_is_left_only_if_the_person_says_so(browser: Browser, tmp_path: Path) -> None:
    with review_page(browser, tmp_path) as (page, _):
        page.evaluate("window.asked = 0; window.confirm = () => { window.asked += 1; return false; }")
        page.press("j")
        page.press("Delete")
        page.go("b")
        stayed, address = page.text("#progress"), page.evaluate("location.hash")
        page.evaluate("window.confirm = () => true")
        page.go("b")
        wait_for(page, at_document("b"))
        asked = page.evaluate("window.asked")

    assert stayed.startswith("Document 1 of 3 (a)")
    assert (address, asked) == ("#a", 1)


def test_a_review_that_is_gone_names_its_command_and_keeps_what_was_changed(browser: Browser, tmp_path: Path) -> None:
    with open_review(write_documents(tmp_path, [RECORDS[1]])) as opened:
        app = build_application(make_service(Finder()), Access(hosts=["*"]), ReviewRoutes(opened, settings()))
        with running(app) as address:
            page = browser.open(f"{address}/")
            wait_for(page, SHOWN)
            page.press("j")
            page.press("Delete")
        page.point_at_element("#text [data-key]")
        had_card = page.evaluate("!document.getElementById('card').hidden")
        page.press("a")
        wait_for(page, "!document.getElementById('problem').hidden")
        said, commands = page.text("#problem"), page.texts("#problem code")
        has_card = page.evaluate("!document.getElementById('card').hidden")
        with running(app, port=int(address.rpartition(":")[2])):
            page.press("a")
            wait_for(page, "document.getElementById('progress').textContent.includes('1 of 1')")
        kept = [span.label for span in opened.review.current(0)[0].spans]
        page.close()

    assert said == (
        "The server does not answer. Try: start the same linnet review command again, then press Accept. "
        "What you have changed is still in this window; do not reload it. "
    )
    assert commands == ["linnet review"]
    assert (had_card, has_card) == (True, False)
    assert kept == ["City"]


def write_beside(folder: Path) -> str:
    """Write an annotation of document b that has another end, another label and one mention more, of Paris twice."""
    spans = [
        mention(0, 3, "Person", score=0.9),
        mention(4, 12, "City", score=0.8, links=[{"identifier": "mesh:D010297"}]),
        mention(0, 6, "Area", score=0.2),
    ]
    (folder / "other.jsonl").write_text(json.dumps({**RECORDS[1], "spans": spans}) + "\n")
    return str(folder / "other.jsonl")


def outlines(page: Page) -> list[str]:
    return [text.strip() for text in page.texts("#text .beside.begins")]


def test_another_annotation_is_outlined_and_its_mentions_are_taken(browser: Browser, tmp_path: Path) -> None:
    with review_page(browser, tmp_path, at="#b", beside=write_beside(tmp_path)) as (page, opened):
        title, listed = page.text("#beside h2"), page.texts("#beside-list li")
        drawn, own = page.count("#text .beside"), page.texts("#text [data-key][tabindex]")
        said = page.text("#beside-hint")
        page.click("[data-take='1']")
        taken = page.evaluate(
            "[...document.querySelectorAll('#text [data-key][tabindex]')].map((each) => each.ariaLabel)"
        )
        left, undo = page.texts("#beside-list li"), page.evaluate("document.getElementById('undo').disabled")
        page.click("#undo")
        undone = page.texts("#beside-list li")
        page.click("#redo")
        page.press("a")
        wait_for(page, "document.getElementById('progress').textContent.includes('1 of 3')")
        kept = opened.review.current(1)[0].spans
        complaints = page.complaints()

    assert complaints == []
    assert title == "Beside: other.jsonl"
    assert said == "2 mentions of it outlined here; 1 mention it does not have."
    assert [text.partition("”")[0] for text in listed] == [
        "Area Ann in 0.200Take",
        "City in Paris 0.800Take",
        "City Paris only hereShow",
    ]
    assert (drawn > 1, len(own)) == (True, 2)
    assert taken == ["Person: Ann", "City: in Paris; mesh:D010297"]
    assert (len(left), undo, undone) == (1, False, listed)
    assert [(span.start, span.end, span.label, span.score) for span in kept] == [
        (0, 3, "Person", None),
        (4, 12, "City", None),
    ]
    assert [link.identifier for link in kept[1].links] == ["mesh:D010297"]


def test_the_slider_and_the_labels_hide_outlines_too(browser: Browser, tmp_path: Path) -> None:
    with review_page(browser, tmp_path, at="#b", beside=write_beside(tmp_path)) as (page, _):
        page.evaluate(
            "(() => { const least = document.getElementById('least'); least.value = 0.5;"
            " least.dispatchEvent(new Event('input')); })()"
        )
        wait_for(page, "document.querySelectorAll('#beside-list li').length === 2")
        page.click("[data-label=City]")
        hidden, said = page.texts("#beside-list li"), page.text("#beside-hint")
        page.evaluate("location.hash = 'a'")
        wait_for(page, at_document("a"))
        lacking = page.text("#beside-hint")

    assert hidden == []
    assert (said, lacking) == (
        "0 mentions of it outlined here; 0 mentions it does not have; 3 differences hidden.",
        "other.jsonl does not have this document.",
    )


def test_without_another_annotation_there_is_no_panel_for_it(browser: Browser, tmp_path: Path) -> None:
    with review_page(browser, tmp_path) as (page, _):
        shown = page.evaluate("document.getElementById('beside').checkVisibility()")

    assert not shown


def test_what_a_review_shows_stands_out_and_fits(browser: Browser, tmp_path: Path) -> None:
    with review_page(browser, tmp_path, at="#b", beside=write_beside(tmp_path)) as (page, _):
        page.press("j")
        faint, widths = [], []
        for width in (1300, 400):
            for scheme in ("light", "dark"):
                page.show_as(width=width, scheme=scheme)
                page.settle()
                faint += faint_texts(page)
                widths.append(page.evaluate("document.documentElement.scrollWidth") <= width)

    assert faint == []
    assert all(widths)
