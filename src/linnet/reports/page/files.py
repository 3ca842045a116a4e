"""Writes a web page as one self-contained file that works offline.

Style, program and content are put inside. All text reaches the browser as JSON and is shown as text, never as markup.
"""

import html
import json
import re
from importlib.resources import files
from pathlib import Path

from linnet.reports.page.programs import join_modules
from linnet.storage.files import new_file

__all__ = ["PAGE_FILE", "fill_page", "json_for_html", "read_part", "write_page_file"]

PAGE_FILE = "index.html"
PLACE = re.compile(r"@@(?:(?P<part>TITLE|DATA)|(?P<how>INCLUDE|PROGRAM) (?P<file>[\w./]+))@@")  # in our own files only


def write_page_file(folder: Path, *, page: str, title: str, content: object) -> Path:
    """Write the page and return its path, `index.html` in the folder, which is made where it does not exist.

    Args:
        folder: where the page goes.
        page: the page's folder beside this module, which has a `page.html`.
        title: of the page.
        content: what the page's program works on.
    """
    path = folder / PAGE_FILE
    with new_file(path) as file:
        file.write(fill_page(f"{page}/page.html", title=title, content=content))
    return path


def fill_page(template: str, *, title: str, content: object) -> str:
    """Return the template with its title, its content as JSON, and all files that it includes."""
    parts = {"TITLE": html.escape(title), "DATA": json_for_html(content)}

    def fill(place: re.Match[str]) -> str:
        if place["part"]:
            return parts[place["part"]]
        if place["how"] == "PROGRAM":
            return join_modules(place["file"], read_part)
        return PLACE.sub(fill, read_part(place["file"])).removesuffix("\n")

    return PLACE.sub(fill, read_part(template))


def read_part(name: str) -> str:
    """Return the text of an html, css or js file of the pages, by its path below this folder."""
    return files(__package__).joinpath(name).read_text(encoding="utf-8")


def json_for_html(content: object) -> str:
    """Return JSON that no HTML parser takes for the end of its element: `<` is written as an escape."""
    text = json.dumps(content, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    return text.replace("<", "\\u003c")
