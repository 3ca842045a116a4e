"""Reads the elements of a page that we wrote, and holds texts that want to break one."""

import json
from html.parser import HTMLParser
from typing import Any

EVIL = "</script><script>document.title='broken'</script>"
HOSTILE = (
    EVIL,
    "<img src=x onerror=\"document.title='broken'\"><!-- <b>bold</b> &amp; &#60;",
    "\u202eright to left\u202c \u05e9\u05dc\u05d5\u05dd \u0645\u0631\u062d\u0628\u0627",
    "zero\u200bwidth\u200d\u2060\ufeff e\u0301\u0302 \u2028 \U0001f9ec",
    "W" * 600,
    "@@DATA@@ ${data} `code` \\u003c %00 'quoted' \"twice\"",
)


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
