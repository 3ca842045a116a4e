"""Takes pictures of the page of `linnet serve`, light and dark: python -m tools.pictures.screenshots."""

import base64
import contextlib
import json
import re
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

from tests.browser import Browser, Page, require_chromium
from tools.site.pages import ROOT

__all__ = ["TEXT", "take_screenshots"]

TEXT = (
    "A woman with psoriasis and heart failure (HF) was given methotrexate, and developed anemia. "
    "She carried the variant R144C of CYP2C9."
)
FOLDER = ROOT / "docs" / "pictures"
CHOSEN = 3  # number of the mention whose details are shown
EXAMPLE = "#examples button:nth-child(2)"
CHOSEN_IN_EXAMPLE = 11
SCHEMES = {"light": "", "dark": "-dark"}  # and what the names of the pictures get
# parts of the page that the picture leaves out: what changes mentions
BESIDE = "[aria-label=Labels], [aria-label=Save], .keys, #tip, #undo, #redo, #mention > :not(h2, .links)"
PATIENCE = 60.0  # seconds until the service must have started, or the page must have answered


def take_screenshots(folder: Path = FOLDER) -> None:
    """Write `annotated.png` (a paragraph with its mentions) and `serve.png` (the page), both also for dark pages."""
    with serving() as address, tempfile.TemporaryDirectory() as profile:
        browser = Browser(require_chromium(), Path(profile))
        try:
            for scheme, suffix in SCHEMES.items():
                page = browser.open(address, width=1000, height=760, scheme=scheme)
                annotate(page)
                (folder / f"annotated{suffix}.png").write_bytes(capture(page, "#result"))
                page.close()
                page = browser.open(address, width=1180, height=760, scheme=scheme)
                show_example(page)
                page.screenshot(folder / f"serve{suffix}.png", is_whole=False)
                page.close()
        finally:
            browser.close()


@contextlib.contextmanager
def serving() -> Iterator[str]:
    """Start the service with the embedded model and the vocabulary `demo`; the address is the value."""
    command = [sys.executable, "-m", "linnet", "serve", "--link", "demo", "--port", "0"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, cwd=ROOT) as process:
        try:
            yield _read_address(process)
        finally:
            process.terminate()


def _read_address(process: "subprocess.Popen[str]") -> str:
    assert process.stdout is not None
    said = ""
    for line in process.stdout:
        said += line
        if found := re.search(r"http://[\w.:]+", line):
            return found[0] + "/"
    raise RuntimeError(f"linnet serve did not start: {said}")


def annotate(page: Page) -> None:
    """Have the text annotated, and one mention chosen."""
    wait_for(page, "!document.getElementById('annotate').disabled")
    page.evaluate(f"document.getElementById('input').value = {json.dumps(TEXT)}")
    page.click("#annotate")
    wait_for(page, "!document.getElementById('result').hidden && document.getElementById('busy').hidden")
    page.click("#names")
    page.evaluate("document.activeElement.blur()")
    page.press("j", times=CHOSEN)
    page.evaluate(f"document.querySelectorAll({json.dumps(BESIDE)}).forEach((part) => part.remove())")
    page.settle()


def show_example(page: Page) -> None:
    """Have an example annotated, and one of its mentions in view."""
    wait_for(page, "!document.getElementById('annotate').disabled")
    page.click(EXAMPLE)
    wait_for(page, "!document.getElementById('result').hidden")
    page.press("j", times=CHOSEN_IN_EXAMPLE)
    page.evaluate("scrollTo(0, 0)")
    page.press("k")
    page.press("j")


def wait_for(page: Page, condition: str) -> None:
    """Wait until a condition holds, which depends on an answer of the service."""
    deadline = time.monotonic() + PATIENCE
    while not page.evaluate(condition):
        if time.monotonic() > deadline:
            raise RuntimeError(f"the page has not answered: {condition}")
        time.sleep(0.1)


def capture(page: Page, selector: str) -> bytes:
    """Return a picture of one element, twice as large as on the screen."""
    box = page.evaluate(
        f"(() => {{ const b = document.querySelector({json.dumps(selector)}).getBoundingClientRect();"
        " return [b.x + scrollX, b.y + scrollY, b.width, b.height]; })()"
    )
    clip = {"x": box[0] - 8, "y": box[1] - 8, "width": box[2] + 16, "height": box[3] + 16, "scale": 2}
    picture = page.call("Page.captureScreenshot", captureBeyondViewport=True, format="png", clip=clip)
    return base64.b64decode(picture["data"])


if __name__ == "__main__":
    take_screenshots()
