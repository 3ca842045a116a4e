"""What does a browser see of a page that we wrote?"""

import json
import shutil
import subprocess
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest

BROWSER = shutil.which("chromium") or shutil.which("google-chrome") or shutil.which("chromium-browser")
EVIL = "</script><script>document.title='broken'</script>"


class Elements(HTMLParser):
    """Which elements a browser sees, with their attributes and what stands in them."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.found: list[tuple[str, dict[str, str | None]]] = []
        self.texts: list[str] = []
        self.feed(page)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found.append((tag, dict(attrs)))
        self.texts.append("")

    def handle_data(self, data: str) -> None:
        if self.texts:
            self.texts[-1] += data

    def content(self) -> dict[str, Any]:
        place = next(n for n, (_, attributes) in enumerate(self.found) if attributes.get("id") == "data")
        content = json.loads(self.texts[place])
        assert isinstance(content, dict)
        return content


needs_browser = pytest.mark.skipif(BROWSER is None, reason="there is no Chromium to draw the page")


def drawn(folder: Path, address: str) -> str:
    """Return the page as the browser has drawn it."""
    options = [
        *("--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run"),
        *("--disable-background-networking", "--disable-component-update", "--disable-sync"),
        f"--user-data-dir={folder / 'browser'}",
    ]
    command = [str(BROWSER), *options, "--dump-dom", f"{(folder / 'index.html').as_uri()}{address}"]
    found = subprocess.run(command, capture_output=True, text=True, timeout=120, check=True).stdout
    return found.partition('<script type="application/json"')[0]
