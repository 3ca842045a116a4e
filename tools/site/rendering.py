"""Compares the built pages with CommonMark, which hosting sites read: both must see the same lists and tables."""

import re
from pathlib import Path

from markdown_it import MarkdownIt

__all__ = ["find_differences"]

ELEMENTS = ("h1", "h2", "h3", "li", "ol", "ul", "pre", "table", "tr")


def find_differences(pages: Path, built: Path) -> list[str]:
    """Return a sentence for each element that a page has more or less often than CommonMark says.

    Args:
        pages: folder with Markdown.
        built: folder with the pages as html.
    """
    reader = MarkdownIt("commonmark", {"html": True}).enable("table")
    found = []
    for path in sorted(pages.rglob("*.md")):
        name = path.relative_to(pages)
        html = (built / name).with_suffix(".html").read_text(encoding="utf-8")
        article = html.partition("<article")[2].partition("</article")[0]
        expected = reader.render(path.read_text(encoding="utf-8"))
        found += [
            f"{name}: CommonMark has {_count(tag, expected)} of <{tag}>, the site {_count(tag, article)}"
            for tag in ELEMENTS
            if _count(tag, expected) != _count(tag, article)
        ]
    return found


def _count(tag: str, html: str) -> int:
    return len(re.findall(rf"<{tag}\b", html))
