"""Every feature of the page, as a reader uses it: what goes in, what is shown, what is corrected and what comes out."""

import json
import shutil
import subprocess
import sys
import time
import urllib.request
from pathlib import Path

import pytest

from linnet.serving.http.application import build_application
from linnet.serving.http.guarding import Access
from linnet.serving.http.reviewing import ReviewRoutes
from linnet.serving.review.opening import open_review
from tests.browser import Browser, Page
from tests.reports.page.test_looks import faint_texts
from tests.serving.http.page_actions import (
    CONCEPTS,
    NESTED,
    annotate,
    choose_file,
    drag,
    drop_file,
    press_with_control,
    wait_for,
)
from tests.serving.http.running import running
from tests.serving.http.services import Finder, make_service, settings
from tests.serving.http.test_reviewing import write_documents

TOKEN = "a-long-secret"
CARD = "#card"
LABELS = "#labels [data-label]"
HOSTILE = (
    "<script>window.hacked = 1</script> <img src=x onerror=window.hacked=1> \u202eevil\u202c zero\u200bwidth\ufeff "
    "שלום Bonn \U0001f468\u200d\U0001f469\u200d\U0001f467 e\u0301 &amp; ${hacked} "
)


def marks(page: Page, selector: str = "[data-key]") -> list[str]:
    """Return the texts of marked segments, without the names of labels."""
    return [text.strip() for text in page.texts(f"#text {selector}")]


def text_in(page: Page) -> str:
    """Return the text as it is shown, without the names of labels."""
    found = page.evaluate(
        "(() => { const copy = document.getElementById('text').cloneNode(true);"
        " copy.querySelectorAll('.name').forEach((each) => each.remove()); return copy.textContent; })()"
    )
    assert isinstance(found, str)
    return found


def mention(page: Page, number: int) -> str:
    """Return a selector of the mention with this number."""
    found = page.evaluate(f"[...document.querySelectorAll('#text [tabindex]')][{number}].dataset.key")
    return f"#text [data-key='{found}']"


def options_of(page: Page, name: str) -> list[str]:
    found = page.evaluate(f"[...document.getElementById('{name}').options].map((option) => option.textContent)")
    assert isinstance(found, list)
    return found


def test_a_pasted_text_is_annotated_with_control_and_enter(page: Page) -> None:
    wait_for(page, "!document.getElementById('annotate').disabled")
    page.click("#input")
    page.write("In Bonn")
    press_with_control(page, "Enter")
    wait_for(page, "!document.getElementById('result').hidden")

    assert marks(page) == ["In", "Bonn"]
    assert page.text("#about").endswith("model finder · model judge · vocabulary letters")


def test_an_example_is_annotated(page: Page) -> None:
    wait_for(page, "!document.getElementById('annotate').disabled")
    page.click("#examples button")
    wait_for(page, "!document.getElementById('result').hidden")

    assert "vasoplegic syndrome" in text_in(page)
    assert page.evaluate("document.getElementById('input').value") == text_in(page)


@pytest.mark.parametrize("way", [choose_file, drop_file])
def test_a_file_of_any_format_is_annotated(page: Page, tmp_path: Path, way: type) -> None:
    path = tmp_path / "two.txt"
    path.write_text("1|t|In Bonn\n1|a|Or Paris\n\n2|t|Rome\n2|a|\n\n", encoding="utf-8")
    wait_for(page, "!document.getElementById('annotate').disabled")

    way(page, path)
    wait_for(page, "!document.getElementById('result').hidden")
    page.evaluate(
        "(() => { const which = document.getElementById('which'); which.value = 1;"
        " which.dispatchEvent(new Event('change')); })()"
    )

    assert options_of(page, "which") == ["1", "2"]
    assert page.text("#status").endswith("document 2 of 2")
    assert marks(page) == ["Rome"]


def test_the_legend_filters(page: Page) -> None:
    annotate(page, "In Bonn. A")

    page.click("[data-label=Name]")

    assert (marks(page), page.texts(LABELS)) == (["A"], ["Letter 1", "Name 0 of 2"])
    assert page.evaluate("document.querySelector('[data-label=Name]').getAttribute('aria-pressed')") == "false"
    page.click("[data-label=Name]")
    assert marks(page) == ["In", "Bonn", "A"]


def test_nested_and_discontinuous_mentions_are_visible(page: Page) -> None:
    annotate(page, NESTED)

    assert text_in(page) == NESTED
    keys = {key: marks(page, f"[data-key='{key}']") for key in keys_in(page)}
    assert sorted("|".join(parts) for parts in keys.values()) == [
        "BRCA1",
        "Breast|cancer",
        "ovarian |cancer".replace(" |", "|"),
        "ovarian|cancer|of|BRCA1|carriers",
    ]
    levels = page.evaluate(
        "[...document.querySelectorAll('#text [data-key]')].map((each) => each.style.getPropertyValue('--level'))"
    )
    assert set(levels) >= {"0", "1", "2"}  # bars that lie over each other have places of their own


def keys_in(page: Page) -> list[str]:
    found = page.evaluate("[...new Set([...document.querySelectorAll('#text [data-key]')].map((m) => m.dataset.key))]")
    assert isinstance(found, list)
    return found


def test_a_card_tells_what_is_known_of_a_mention(page: Page) -> None:
    annotate(page, "Some Mesh, nested")

    page.point_at_element(mention(page, 1))
    hovered = page.text(CARD)
    assert hovered.startswith("Name0.900“Mesh”".replace("“", "").replace("”", ""))
    assert "mesh:D003920 The Mesh 0.900" in hovered
    assert "or Second (mesh:D000001), Third (mesh:D000002)" in hovered
    page.point_at_element(f"{CARD} a")
    time.sleep(0.3)  # longer than a card stays when the mouse has left it
    page.settle()
    assert page.text(CARD) == hovered
    page.press("Escape")
    assert page.texts(CARD) == []

    page.press("j", times=2)
    assert page.text(CARD) == hovered
    page.press("Tab")  # to what follows the text
    page.evaluate("new Promise((done) => setTimeout(done, 300))")
    assert page.texts(CARD) == []


def test_a_card_of_a_nested_mention_tells_of_those_around_it(page: Page) -> None:
    annotate(page, NESTED)

    page.point_at_element("#text .m .m .m")

    assert len(page.texts(f"{CARD} .of-mention")) == 3


def test_identifiers_lead_to_their_databases(page: Page) -> None:
    annotate(page, " ".join(CONCEPTS))

    for identifier, address in CONCEPTS.values():
        page.press("j")
        link = "document.querySelector('#mention .links a')"
        assert page.texts("#mention .links:first-of-type b, #mention .links:first-of-type a")[0] == identifier
        if address:
            assert page.evaluate(f"{link}.href") == address
            assert page.evaluate(f"{link}.rel") == "noopener noreferrer"


def test_a_mention_is_corrected_with_the_mouse(page: Page) -> None:
    annotate(page, "To Bonn now")
    page.click(mention(page, 1))

    page.evaluate(
        "(() => { const label = document.getElementById('mention-label'); label.value = 'Letter';"
        " label.dispatchEvent(new Event('change')); })()"
    )
    page.click("#end-later")
    page.click("#end-later")
    page.click("#start-later")
    assert page.evaluate("document.activeElement.id") == "start-later"  # so that it can be pressed again
    page.click("#take-0")
    assert (page.texts(LABELS), marks(page)) == (["Letter 1", "Name 1"], ["To", "onn n"])
    assert page.text("#mention .links[aria-label=Identifiers]").startswith("mesh:D000001 Second")
    assert "Corrected" in page.text("#mention")
    page.click("#unlink-0")
    page.click("#identifier")
    page.write("mesh:D009999")
    page.click("#set-identifier")
    assert page.text("#mention .links[aria-label=Identifiers] a") == "mesh:D009999"
    page.click("#delete")
    assert marks(page) == ["To"]

    for _ in range(8):
        page.click("#undo")
    assert (page.texts(LABELS), marks(page)) == (["Letter 0", "Name 2"], ["To", "Bonn"])
    for _ in range(7):
        page.click("#redo")
    page.click(mention(page, 1))
    assert page.text("#mention .links[aria-label=Identifiers] a") == "mesh:D009999"


def test_ends_move_over_whole_characters(page: Page) -> None:
    annotate(page, "Bonn😀 town")

    page.press("j")
    page.press("]")
    assert marks(page) == ["Bonn😀"]
    page.press("[")
    assert marks(page) == ["Bonn"]
    page.click("#end-later")
    assert marks(page) == ["Bonn😀"]


def test_an_end_of_a_discontinuous_mention_stays_in_its_fragment(page: Page) -> None:
    annotate(page, NESTED)

    page.press("j")
    assert page.text("#mention h2") == "Breast … cancer"
    page.press("}", times=9)
    assert page.text("#mention h2") == "t … cancer"
    page.press("[", times=9)
    assert page.text("#mention h2") == "t … c"
    assert page.evaluate(
        "document.getElementById('start-later').disabled && document.getElementById('end-earlier').disabled"
    )


def test_an_identifier_without_a_prefix_is_refused(page: Page) -> None:
    annotate(page, "To Bonn now")
    page.press("j")

    page.click("#identifier")
    page.write("D009999")
    page.click("#set-identifier")

    assert page.evaluate("document.getElementById('identifier').validationMessage").startswith("a prefix, a colon")


def test_a_mention_is_added_with_the_mouse(page: Page) -> None:
    annotate(page, "in Bonn 😀 and the old town of Rome")

    page.click("#new-label")
    page.write("Place")
    drag(page, "the old", "old town")

    assert marks(page) == ["Bonn", "the old town", "Rome"]
    assert page.texts("#mention h2") == ["the old town"]
    assert page.texts(LABELS) == ["Letter 0", "Name 2", "Place 1"]


def test_a_mention_is_corrected_and_added_with_the_keyboard(page: Page) -> None:
    annotate(page, "To Bonn or an old town")

    page.press("j", times=2)
    page.press("]", times=3)
    page.press("[")
    page.press("}")
    assert marks(page) == ["To", "onn o"]
    page.press("{", times=2)
    page.press("1")
    page.press("n")
    page.press("ArrowRight", times=1)
    for kind in ("keyDown", "keyUp"):
        page.call("Input.dispatchKeyEvent", type=kind, key="ArrowRight", modifiers=8)
    page.press("Enter")
    assert marks(page) == ["To", "Bonn o", "old town"]
    for _ in range(3):
        press_with_control(page, "z")
    assert page.text("#status").startswith("2 mentions")
    press_with_control(page, "z", shift=True)
    press_with_control(page, "Z", shift=True)
    assert page.texts(LABELS) == ["Letter 1", "Name 1"]


def test_documents_are_saved_in_every_format(page: Page) -> None:
    annotate(page, "In Bonn and 😀 Paris. A")
    page.click("[data-label=Letter]")
    page.evaluate(
        "(() => { window.saved = {}; const create = URL.createObjectURL; URL.createObjectURL = (blob) => {"
        " const name = document.getElementById('format').value;"
        " blob.arrayBuffer().then((all) => { window.saved[name] = all.byteLength; });"
        " return create.call(URL, blob); }; window.names = [];"
        " HTMLAnchorElement.prototype.click = function () { window.names.push(this.download); }; })()"
    )
    formats = options_of(page, "format")

    for name in formats:
        page.evaluate(f"document.getElementById('format').value = '{name}'")
        page.click("#save")
        wait_for(page, f"'{name}' in window.saved")

    assert {"jsonl", "pubtator", "bioc-xml", "bioc-json", "pubannotation", "label-studio", "doccano"} <= set(formats)
    assert all(page.evaluate("Object.values(window.saved)"))
    assert page.texts("#problem") == []
    assert sorted(page.evaluate("window.names"))[0].startswith("1.")


@pytest.mark.parametrize("text", ['It\'s "Bonn" \\ $HOME `x` 😀\nParis', "@Bonn\nParis"])
def test_commands_to_copy_give_the_same_answer(page: Page, address: str, text: str) -> None:
    annotate(page, text)

    page.click("#python")
    python = str(page.evaluate("document.getElementById('command-text').value"))
    page.click("#curl")
    curl = str(page.evaluate("document.getElementById('command-text').value"))
    answered = subprocess.run([sys.executable, "-c", python], capture_output=True, text=True, check=True).stdout

    assert page.text("#copied") in ("Copied.", "Copy this with Ctrl+C:")
    assert "'text': 'Paris'" in answered
    assert repr(text)[1:-1].split("\\n")[0][-6:] in answered
    if shutil.which("curl"):
        found = subprocess.run(["sh", "-c", curl], capture_output=True, text=True, check=True).stdout
        assert json.loads(found)["documents"][0]["text"] == text
        assert str(json.loads(found)) == answered.strip()


def test_a_command_to_copy_goes_with_its_text(page: Page) -> None:
    annotate(page, "In Bonn")
    page.click("#curl")
    assert page.count("#command:not([hidden])") == 1

    annotate(page, "In Paris")

    assert page.count("#command:not([hidden])") == 0


def test_a_long_document_is_corrected_part_by_part(page: Page) -> None:
    sentence = "a sentence about Bonn and Paris and other towns of which there is more to say, "
    text = "\n".join(sentence * 10 for _ in range(125))
    annotate(page, text)
    wait_for(page, "document.querySelectorAll('#text [data-key]').length === 2500")

    page.press("j", times=3)
    page.evaluate(
        "(() => { window.changed = new Set();"
        " const watcher = new MutationObserver((all) => all.forEach((each) => window.changed.add(each.target)));"
        " watcher.observe(document.getElementById('text'), { childList: true, subtree: true }); })()"
    )
    started = time.monotonic()
    page.press("Delete")
    seconds = time.monotonic() - started

    assert len(text) > 98_000
    assert page.evaluate("document.querySelectorAll('.part').length") > 40
    assert page.evaluate("window.changed.size") == 1
    assert page.text("#status").startswith("2,499 mentions")
    assert seconds < 3  # a tenth of that on a machine that does nothing else


def test_hostile_text_is_shown_and_never_run(page: Page) -> None:
    text = HOSTILE + "Bonn " * 10_000
    annotate(page, text)

    assert page.text("#status").startswith("10,001 mentions")
    wait_for(page, "document.querySelectorAll('#text [data-key]').length === 10_001")
    assert text_in(page) == text
    page.press("k")  # the last one
    assert page.texts("#mention h2") == ["Bonn"]
    assert page.evaluate("window.hacked") is None
    assert page.count("#text script, #text img") == 0


def test_everything_has_a_name_for_screen_readers(page: Page) -> None:
    annotate(page, "Some Mesh and Gene")
    page.press("j", times=2)

    nodes = page.call("Accessibility.getFullAXTree")["nodes"]
    named = ("button", "link", "textbox", "combobox", "slider", "checkbox", "searchbox", "spinbutton", "progressbar")
    roles = [
        (node["role"]["value"], node.get("name", {}).get("value", "")) for node in nodes if not node.get("ignored")
    ]

    assert [role for role, name in roles if role in named and not name.strip()] == []
    spoken = [name for role, name in roles if role == "button"]
    assert "Name: Mesh 0.900; mesh:D003920 The Mesh" in spoken
    assert {"Delete the mention", "Begin one character earlier", "Take mesh:D000001"} <= set(spoken)


def test_everything_that_can_be_shown_stands_out(page: Page) -> None:
    annotate(page, NESTED)
    page.click("[data-label=Person]")
    page.click("#names")
    page.click("#curl")
    page.evaluate("document.activeElement.blur()")
    page.press("j", times=2)

    for width in (1300, 400):
        for scheme in ("light", "dark"):
            page.show_as(width=width, scheme=scheme)
            page.settle()
            assert faint_texts(page) == []
            assert page.evaluate("document.documentElement.scrollWidth") <= width


def test_a_model_about_whole_texts_predicts(page: Page) -> None:
    wait_for(page, "!document.getElementById('annotate').disabled")
    page.evaluate("document.getElementById('model').value = 'judge'; document.getElementById('input').value = 'a b c'")
    page.click("#annotate")
    wait_for(page, "!document.getElementById('prediction').hidden")

    assert page.texts("#predicted li") == ["3.000"]
    assert page.text("#predicted-by") == "judge, task counting"


def test_the_token_is_taken_from_the_address_and_removed_from_it(browser: Browser) -> None:
    app = build_application(make_service(Finder()), Access(token=TOKEN, hosts=["*"]))
    with running(app) as address:
        page = browser.open(f"{address}/")
        wait_for(page, "!document.getElementById('problem').hidden")
        refused = page.text("#problem")
        browser.events[page.session].clear()
        page.evaluate(f"void (location.hash = 'token={TOKEN}')")
        browser.wait_for("Page.loadEventFired", page.session)
        wait_for(page, "document.getElementById('about').textContent.includes('finder')")
        annotate(page, "In Bonn")
        shown, at = marks(page), page.evaluate("location.href")
        page.click("#curl")
        command = str(page.evaluate("document.getElementById('command-text').value"))
        page.evaluate("sessionStorage.clear()")
        page.close()

    assert refused.startswith("the token is missing or wrong")
    assert refused.endswith("Enter the token")
    assert (shown, at) == (["In", "Bonn"], f"{address}/")
    assert TOKEN not in command
    assert "$LINNET_TOKEN" in command


def test_a_service_that_is_gone_is_said_and_nothing_is_lost(browser: Browser) -> None:
    with running(build_application(make_service(Finder()), Access(hosts=["*"]))) as address:
        page = browser.open(f"{address}/")
        annotate(page, "In Bonn")
        page.press("j")
        page.press("Delete")
    page.click("#save")
    wait_for(page, "!document.getElementById('problem').hidden")
    said, left, commands = page.text("#problem"), marks(page), page.texts("#problem code")
    page.close()

    assert said == (
        "The server does not answer. Try: start the same linnet serve command again. "
        "What you have changed is still in this window; do not reload it. "
    )
    assert commands == ["linnet serve"]
    assert left == ["Bonn"]


def test_two_windows_cannot_overwrite_each_other(browser: Browser, tmp_path: Path) -> None:
    with open_review(write_documents(tmp_path)) as opened:
        app = build_application(make_service(Finder()), Access(hosts=["*"]), ReviewRoutes(opened, settings()))
        with running(app) as address:
            page = browser.open(f"{address}/")
            wait_for(page, "!document.getElementById('result').hidden")
            other = {"version": 0, "spans": [{"start": 2, "end": 6, "label": "Town"}]}  # as another window sends it
            asked = urllib.request.Request(f"{address}/review/0", json.dumps(other).encode())
            with urllib.request.urlopen(asked) as answer:
                assert json.load(answer)["version"] == 1
            page.press("j")
            page.press("Delete")
            page.press("a")
            wait_for(page, "!document.getElementById('problem').hidden")
            said, own = page.text("#problem"), page.count("#text [data-key]")
            page.click("#repair")
            wait_for(page, "document.querySelectorAll('#text [data-key]').length === 1")
            labels, progress = page.texts(LABELS), page.text("#progress")
            page.press("a")
            wait_for(page, "document.getElementById('progress').textContent.startsWith('Document 2')")
            with urllib.request.urlopen(f"{address}/review/0") as answer:
                kept = json.load(answer)
            page.close()

    assert said.startswith("a: another window has decided on this document since you opened it")
    assert own == 0  # what this window had is there until it opens the document again
    assert labels[-1] == "Town 1"
    assert progress.startswith("Document 1 of 2 (a), decided on.")
    assert (kept["version"], [span["label"] for span in kept["document"]["spans"]]) == (2, ["Town"])
