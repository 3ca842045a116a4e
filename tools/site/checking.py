"""Checks of the built site: every link and anchor leads somewhere, and nothing is loaded from elsewhere."""

import posixpath
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote

__all__ = ["find_problems"]

LOADS = {"script": "src", "img": "src", "iframe": "src", "source": "srcset", "link": "href"}  # without a click
WITHOUT_REQUEST = {"canonical", "next", "prev", "edit", "alternate"}  # relations of `link` that load nothing


class Page(HTMLParser):
    """Anchors of a page, what it links to, and what it loads."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.anchors: set[str] = set()
        self.links: list[str] = []
        self.loads: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Collect what a tag names, links to and loads."""
        values = {name: value or "" for name, value in attrs}
        self.anchors |= {values[name] for name in ("id", "name") if name in values}
        if tag == "a" and "href" in values:
            self.links.append(values["href"])
        target = values.get(LOADS.get(tag, ""))
        if target is not None and not WITHOUT_REQUEST & set(values.get("rel", "").split()):
            self.loads.append(target)


def find_problems(folder: Path) -> list[str]:
    """Return a sentence for each link that leads nowhere, and for each file that is loaded from elsewhere."""
    pages = {
        path.relative_to(folder).as_posix(): Page(path.read_text(encoding="utf-8")) for path in folder.rglob("*.html")
    }
    problems = [problem for name, page in sorted(pages.items()) for problem in _problems_of(name, page, pages, folder)]
    return list(dict.fromkeys(problems))


def _problems_of(name: str, page: Page, pages: dict[str, Page], folder: Path) -> Iterator[str]:
    for target in page.loads:
        if "//" in target and not target.startswith("data:"):
            yield f"{name}: loads {target}, which is not part of the site"
    for target in (*page.links, *page.loads):
        if _is_elsewhere(target) or name == "404.html":
            continue
        path, _, anchor = target.partition("#")
        place = posixpath.normpath(posixpath.join(posixpath.dirname(name), unquote(path))) if path else name
        place = f"{place}/index.html".removeprefix("./") if (folder / place).is_dir() else place
        if not (folder / place).is_file():
            yield f"{name}: {target} leads nowhere"
        elif (
            anchor and place in pages and not anchor.startswith("only-") and unquote(anchor) not in pages[place].anchors
        ):
            yield f"{name}: {target} names an anchor that is not there"


def _is_elsewhere(target: str) -> bool:
    return target.startswith(("http://", "https://", "mailto:", "data:", "javascript:"))
