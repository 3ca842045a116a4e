"""Collects the pages of the site in one folder: those of the repository, and those made from the code."""

import shutil
from collections.abc import Callable, Mapping
from pathlib import Path

from tools.site.catalogue import corpora_page, models_page, recipes_page
from tools.site.llms import llms_text
from tools.site.notebooks import notebook_page
from tools.site.pages import MOVED, ROOT, find_pages, place_of, with_site_links
from tools.site.reference.commands import commands_page
from tools.site.reference.http_api import http_page
from tools.site.reference.names import encoders_page, formats_page, losses_page, matchings_page, tasks_page
from tools.site.reference.python_api import python_page
from tools.site.reference.settings import settings_page
from tools.site.tabs import with_tabs

__all__ = ["GENERATED", "stage"]

GENERATED: Mapping[str, Callable[[], str]] = {
    "recipes.md": recipes_page,
    "corpora-table.md": corpora_page,
    "models/index.md": models_page,
    "reference/commands.md": commands_page,
    "reference/settings.md": settings_page,
    "reference/formats.md": formats_page,
    "reference/matchings.md": matchings_page,
    "reference/losses.md": losses_page,
    "reference/tasks.md": tasks_page,
    "reference/encoders.md": encoders_page,
    "reference/python.md": python_page,
    "reference/http.md": http_page,
}
ALWAYS = (
    "docs/openapi.json",
    *(path.relative_to(ROOT).as_posix() for path in sorted((ROOT / "recipes").glob("*.toml"))),
)
OWN = ("docs/assets/site.css", "docs/assets/file-worker.js")  # styles and scripts of the site


def stage(folder: Path) -> list[str]:
    """Write all pages into the folder, which is emptied first; return their places in the site."""
    shutil.rmtree(folder, ignore_errors=True)
    used = set(ALWAYS)
    texts = {place: with_tabs(with_site_links(_read(page), page, used.add)) for place, page in find_pages().items()}
    texts |= {place: make() for place, make in GENERATED.items()}
    notebooks = {place_of(name): name for name in MOVED if name.endswith(".ipynb") and (ROOT / name).is_file()}
    texts |= {place: notebook_page(ROOT / name) for place, name in notebooks.items()}
    used |= set(notebooks.values())
    for place, text in texts.items():
        _write(folder / place, text)
    _write(folder / "llms.txt", llms_text(texts, _read("mkdocs.yml").partition("\nnav:")[2]))
    for name in sorted(used):
        _copy(name, folder / place_of(name) if name not in notebooks.values() else folder / "files" / name)
    for name in OWN:
        _copy(name, folder / name.removeprefix("docs/"))
    return sorted(texts)


def _read(name: str) -> str:
    return (ROOT / name).read_text(encoding="utf-8")


def _write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")


def _copy(name: str, target: Path) -> None:
    if not (ROOT / name).is_file():
        raise FileNotFoundError(f"{name}: a page links to it, and there is no such file")
    target.parent.mkdir(parents=True, exist_ok=True)
    shutil.copyfile(ROOT / name, target)
