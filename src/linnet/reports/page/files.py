"""How does a page become one file that needs nothing else?

Style and program are put inside, those that several pages share too, and all text reaches the browser as JSON: it is
shown as text, never as markup.
"""

import html
import json
import re
from importlib.resources import files
from pathlib import Path

from linnet.storage.files import new_file

__all__ = ["json_for_html", "write_page_file"]

HOME = "linnet.reports.page"  # of the parts that pages share
PLACE = re.compile(r"@@((?P<part>TITLE|DATA)|INCLUDE (?P<file>[\w.]+))@@")  # sought in our files, not in texts


def write_page_file(folder: Path, *, template: str, title: str, content: object, package: str = HOME) -> Path:
    """Write the page and return its path, `index.html` in the folder, which is made where it does not exist.

    Args:
        folder: where the page goes.
        template: file of the package, with places for the title, the data and shared files to include.
        title: of the page.
        content: what the page's program works on.
        package: where the template is.
    """
    parts = {"TITLE": html.escape(title), "DATA": json_for_html(content)}

    def fill(place: re.Match[str]) -> str:
        included = place["file"]
        return filled(HOME, included).removesuffix("\n") if included else parts[place["part"]]

    def filled(package: str, name: str) -> str:
        return PLACE.sub(fill, files(package).joinpath(name).read_text(encoding="utf-8"))

    path = folder / "index.html"
    with new_file(path) as file:
        file.write(filled(package, template))
    return path


def json_for_html(content: object) -> str:
    """Return JSON that no HTML parser takes for the end of its element: `<` is written as an escape."""
    text = json.dumps(content, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    return text.replace("<", "\\u003c")
