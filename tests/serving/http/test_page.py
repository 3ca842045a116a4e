"""The page names its own program and style by their hashes, and works in a browser."""

import json
import re
from base64 import b64encode
from dataclasses import replace
from hashlib import sha256
from pathlib import Path

import pytest

from linnet.serving.http.application import build_application
from linnet.serving.http.guarding import Access
from linnet.serving.http.page import build_page
from linnet.serving.http.reviewing import ReviewRoutes
from linnet.serving.review.opening import open_review
from tests.browser import Browser, Page
from tests.reports.page.test_looks import faint_texts
from tests.serving.http.page_actions import annotate, wait_for
from tests.serving.http.running import running
from tests.serving.http.services import Finder, client_of, make_service, settings
from tests.serving.http.test_reviewing import write_documents


def is_seen(page: Page, selector: str) -> bool:
    return bool(page.evaluate(f"document.querySelector({json.dumps(selector)}).checkVisibility()"))


def test_the_page_is_served_with_a_policy_for_its_own_program_and_style() -> None:
    with client_of(make_service()) as client:
        answer = client.get("/")

    assert answer.headers["content-type"] == "text/html; charset=utf-8"
    policy = answer.headers["content-security-policy"]
    assert "unsafe" not in policy
    assert policy.startswith("default-src 'none'; ")
    for tag in ("style", 'script type="module"'):
        (part,) = re.findall(f"<{tag}>(.*?)</", answer.text, re.DOTALL)
        assert f"'sha256-{b64encode(sha256(part.encode()).digest()).decode()}'" in policy
    assert answer.headers["x-frame-options"] == "DENY"


def test_the_page_needs_no_token_and_holds_nothing_of_the_service() -> None:
    with client_of(make_service(), Access(token="a-long-secret")) as client:
        answer = client.get("/")

    assert answer.status_code == 200
    assert answer.content == build_page().content
    assert b"finder" not in answer.content


def test_examples_are_of_the_demo_corpus() -> None:
    assert b"vasoplegic syndrome" in build_page().content
    assert b"vasoplegic syndrome" not in build_page(is_review=True).content


def test_mentions_are_shown_corrected_and_undone_by_keyboard(page: Page) -> None:
    annotate(page, "In Bonn and 😀 Paris. A <script>alert(1)</script>")

    assert page.texts("#labels [data-label]") == ["Letter 1", "Name 3"]
    page.press("j", times=2)
    assert page.texts("#mention h2") == ["Bonn"]
    assert "The Bonn" in page.text("#mention .links[aria-label=Identifiers]")
    page.press("1")
    assert page.texts("#labels [data-label]") == ["Letter 2", "Name 2"]
    page.press("Delete")
    assert page.texts("#labels [data-label]") == ["Letter 1", "Name 2"]
    for _ in range(2):
        page.click("#undo")
    assert page.texts("#labels [data-label]") == ["Letter 1", "Name 3"]
    assert "<script>alert(1)</script>" in page.text("#document")


def test_mentions_are_filtered_and_added_and_saved(page: Page) -> None:
    annotate(page, "In Bonn and 😀 Paris. A")

    page.evaluate(
        "(() => { const least = document.getElementById('least'); least.value = 0.5;"
        " least.dispatchEvent(new Event('input')); })()"
    )
    wait_for(page, "document.getElementById('status').textContent.startsWith('3 mentions')")
    page.press("n")
    page.press("Enter")
    assert page.text("#status").startswith("4 mentions")
    page.evaluate(
        "(() => { const create = URL.createObjectURL; URL.createObjectURL = (blob) => {"
        " blob.text().then((text) => { window.saved = text; }); return create.call(URL, blob); }; })()"
    )
    page.evaluate("document.getElementById('format').value = 'pubtator'")
    page.click("#save")
    wait_for(page, "window.saved !== undefined")

    saved = str(page.evaluate("window.saved"))
    assert "\t14\t19\tParis\tName" in saved  # in characters, although the browser counts code units
    assert len(saved.strip().splitlines()) == 1 + 4  # text and mentions


@pytest.mark.parametrize("width", [1300, 400])
def test_text_stands_out_and_nothing_is_wider_than_the_screen(page: Page, width: int) -> None:
    annotate(page, "In Bonn and Paris. A")
    page.press("j")

    for scheme in ("light", "dark"):
        page.show_as(width=width, scheme=scheme)
        assert faint_texts(page) == []
        assert page.evaluate("document.documentElement.scrollWidth") <= width


def test_the_browser_refuses_to_make_markup_of_text(address: str, browser: Browser) -> None:
    attempt = "try { document.body.innerHTML = '<b>'; return 'done'; } catch (error) { return error.name; }"

    opened = browser.open(f"{address}/")
    found = opened.evaluate(f"(() => {{ {attempt} }})()")

    opened.close()
    assert found == "TypeError"


def test_what_goes_wrong_is_said(page: Page) -> None:
    wait_for(page, "!document.getElementById('annotate').disabled")
    page.click("#annotate")

    assert page.text("#problem").startswith("There is no text.")


def test_a_curator_accepts_and_corrects_documents(browser: Browser, tmp_path: Path) -> None:
    with open_review(write_documents(tmp_path)) as opened:
        app = build_application(make_service(Finder()), Access(hosts=["*"]), ReviewRoutes(opened, settings()))
        with running(app) as address:
            page = browser.open(f"{address}/")
            wait_for(page, "!document.getElementById('result').hidden")
            title, names, end = page.evaluate("document.title"), page.texts("#text .name"), is_seen(page, "#finished")
            offered = [is_seen(page, each) for each in ("#curl", "#python", "#save", "#accept", "#replaced")]
            page.press("j")
            page.press("Delete")
            page.press("a")
            wait_for(page, "document.getElementById('progress').textContent.startsWith('Document 2')")
            progress = page.text("#progress")
            page.click("#accept")
            wait_for(page, "document.getElementById('finished').textContent.includes('written')")
            finished, agreement, complaints = page.text("#finished"), page.text("#agreement"), page.complaints()
            page.close()

    assert complaints == []
    assert (title, names, end) == ("in.jsonl · Linnet review", ["City 0.90"], False)
    assert offered == [False, False, False, True, False]
    assert progress.endswith("1 of 2 documents decided; 1 undecided left out of out.jsonl.")
    assert finished == (
        "All done: 2 documents decided. out.jsonl is written. End the review with Ctrl+C in the terminal."
    )
    assert agreement == (
        "Agreement with the file: 1 of 2 proposed mentions kept, 0 added, F1 0.667; 1 of 2 documents unchanged."
    )
    records = [json.loads(line) for line in opened.output.read_text(encoding="utf-8").splitlines()]
    assert [len(record.get("spans", [])) for record in records] == [0, 1]


def test_hidden_mentions_are_accepted_and_said(browser: Browser, tmp_path: Path) -> None:
    with open_review(write_documents(tmp_path)) as opened:
        routes = ReviewRoutes(replace(opened, replaced=2), settings())  # as with `--model` and `--replace`
        app = build_application(make_service(Finder()), Access(hosts=["*"]), routes)
        with running(app) as address:
            page = browser.open(f"{address}/")
            wait_for(page, "!document.getElementById('result').hidden")
            before, replaced = is_seen(page, "#unseen"), page.text("#replaced")
            page.click("[data-label=City]")
            said, hidden = page.text("#unseen-number"), page.count("#text [data-key]")
            page.click("#show-all")
            shown, after = page.count("#text [data-key]"), is_seen(page, "#unseen")
            page.click("[data-label=City]")
            page.press("a")
            wait_for(page, "document.getElementById('progress').textContent.startsWith('Document 2')")
            still = page.text("#unseen-number")
            page.close()
        kept = opened.review.current(0)[0].spans

    assert (before, said, hidden) == (False, "1 hidden mention is accepted too.", 0)
    assert (shown, after, still) == (1, False, "1 hidden mention is accepted too.")
    assert len(kept) == 1
    assert replaced.startswith("The model's mentions stand in place of 2 mentions that in.jsonl has.")


def test_a_new_mention_gets_the_label_that_was_given_last(page: Page) -> None:
    annotate(page, "In Bonn or Paris, A b c")
    usual = page.evaluate("document.getElementById('new-label').placeholder")
    page.press("j")
    page.press("1" if page.texts("#labels [data-label]")[0].startswith("Letter") else "2")
    given = page.evaluate("document.getElementById('new-label').placeholder")
    page.press("n")
    status = page.text("#status")
    page.press("Escape")
    annotate(page, "nothing")
    later = page.evaluate("document.getElementById('new-label').placeholder")

    assert (usual, given, later) == ("Name", "Letter", "Letter")
    assert status.startswith("New Letter: ")
