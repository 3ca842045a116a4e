"""Pages of the repository: where each stands in the site, and its links and pictures as they are there."""

import posixpath
import re
from collections.abc import Callable, Iterator
from pathlib import Path, PurePosixPath

__all__ = ["ROOT", "find_pages", "place_of", "with_site_links"]

ROOT = Path(__file__).resolve().parents[2]
MOVED = {
    "README.md": "index.md",
    "CHANGELOG.md": "changelog.md",
    "CODE_OF_CONDUCT.md": "conduct.md",
    "CONTRIBUTING.md": "contributing.md",
    "RELEASE.md": "releasing.md",
    "SECURITY.md": "security.md",
    "benchmarks/README.md": "benchmarks.md",
    "docs/notebooks/tour.ipynb": "notebooks/tour.md",
    "docs/tours/README.md": "tours/index.md",
    "recipes": "recipes.md",
    "src/linnet/demo/GUIDELINE.md": "annotation-guideline.md",
    "src/linnet/embedded/README.md": "models/index.md",
}  # files and folders of the repository that have another name in the site
CARD = re.compile(r"src/linnet/embedded/([a-z\d-]+)/README\.md")
CODE = re.compile(r"(^ *```.*?^ *```$|`[^`\n]+`)", re.M | re.S)
LINK = re.compile(r'(?<=\]\()([^)\s]+)(?=\))|(?<= src=")([^"]+)')
PICTURE = re.compile(
    r'<picture>\s*<source [^>]*srcset="(?P<dark>[^"]+)"[^>]*>\s*<img alt="(?P<alt>[^"]*)" src="(?P<light>[^"]+)"[^>]*>'
    r"\s*</picture>"
)


def find_pages() -> dict[str, str]:
    """Return the pages of the repository by their places in the site."""
    found = [path.relative_to(ROOT).as_posix() for path in sorted((ROOT / "docs").rglob("*.md"))]
    cards = [path.relative_to(ROOT).as_posix() for path in sorted((ROOT / "src/linnet/embedded").glob("*/README.md"))]
    moved = [name for name in MOVED if name.endswith(".md") and (ROOT / name).is_file()]
    generated = {"models/index.md"}
    return {place_of(name): name for name in (*moved, *found, *cards) if place_of(name) not in generated}


def place_of(name: str) -> str:
    """Return the place in the site of a file of the repository; what is no page stands under `files`.

    >>> place_of("docs/formats.md"), place_of("recipes/demo.toml")
    ('formats.md', 'files/recipes/demo.toml')
    """
    if name in MOVED:
        return MOVED[name]
    if card := CARD.fullmatch(name):
        return f"models/{card[1]}.md"
    inside = name.removeprefix("docs/")
    return (
        inside
        if name.startswith("docs/") and PurePosixPath(name).suffix in {".md", ".png", ".svg"}
        else f"files/{name.lstrip('.')}"
    )


def with_site_links(text: str, page: str, use: Callable[[str], None]) -> str:
    """Return the text of a page with links and pictures as they are in the site.

    A picture for light and one for dark pages, which hosting sites know as `<picture>`, become two that follow the
    reader's choice.

    Args:
        text: Markdown.
        page: file of the repository that it comes from.
        use: called with each file of the repository, other than a page, that the text links to.
    """
    text = PICTURE.sub(r"![\g<alt>](\g<light>#only-light)\n![\g<alt>](\g<dark>#only-dark)", text)
    parts = CODE.split(text)
    return "".join(part if n % 2 else LINK.sub(lambda m: _link(m[0], page, use), part) for n, part in enumerate(parts))


def _link(link: str, page: str, use: Callable[[str], None]) -> str:
    name, mark, anchor = link.partition("#")
    if "://" in link or not name or link.startswith("mailto:"):
        return link
    target = posixpath.normpath(posixpath.join(posixpath.dirname(page), name))
    place = place_of(target)
    if place not in _known_places():
        use(target)
    return posixpath.relpath(place, posixpath.dirname(place_of(page)) or ".") + mark + anchor


def _known_places() -> Iterator[str]:
    return iter({*find_pages(), *MOVED.values()})
