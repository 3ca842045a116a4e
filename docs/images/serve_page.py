"""Makes the picture of the page of `linnet serve`: python docs/images/serve_page.py, from the root of the project.

It needs the extra `serve` and Chromium, as the tests of web pages do.
"""

import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))
PICTURE = Path(__file__).with_name("serve.png")
SIZE = {"width": 1180, "height": 760}
N_STEPS = 11  # to the mention whose card is shown


def main() -> None:
    """Start the service, annotate an example, go to a mention, and keep what is in view."""
    from tests.browser import Browser, require_chromium
    from tests.serving.http.page_actions import wait_for

    command = [sys.executable, "-m", "linnet", "serve", "--port", "0", "--link", "demo"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as service, tempfile.TemporaryDirectory() as name:
        browser = Browser(require_chromium(), Path(name))
        try:
            assert service.stdout is not None
            page = browser.open(service.stdout.readline().split()[0], **SIZE)
            wait_for(page, "!document.getElementById('annotate').disabled")
            page.click("#examples button:nth-child(2)")
            wait_for(page, "!document.getElementById('result').hidden")
            page.press("j", times=N_STEPS)
            page.evaluate("scrollTo(0, 0)")
            page.press("k")
            page.press("j")
            page.screenshot(PICTURE, is_whole=False)
        finally:
            browser.close()
            service.terminate()


if __name__ == "__main__":
    main()
