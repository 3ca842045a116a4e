"""Builds the site: `python -m tools.site`; the result is build/site/html/index.html."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

from tools.site.checking import find_problems
from tools.site.pages import ROOT
from tools.site.rendering import find_differences
from tools.site.staging import stage

PAGES = ROOT / "build" / "site" / "pages"
RESULT = ROOT / "build" / "site" / "html"
CELL = re.compile(r"<td\b.*?</td>", re.S)
SHIM = "https://unpkg.com/iframe-worker/shim"  # the one thing that the builder's template loads from elsewhere


def main() -> int:
    """Stage, build and check; the exit code is 1 where something is wrong with the site."""
    try:
        places = stage(PAGES)
    except FileNotFoundError as error:
        print(f"{error}\nthe site was not built")
        return 1
    program = [
        sys.executable,
        "-m",
        "zensical",
        "build",
        "--clean",
        "--strict",
        "--config-file",
        str(ROOT / "mkdocs.yml"),
    ]
    built = subprocess.run(
        program, cwd=ROOT, env={**os.environ, "NO_COLOR": "1"}, capture_output=True, text=True, check=False
    )
    if built.returncode:
        print(f"{built.stdout}{built.stderr}\nthe site was not built")
        return 1
    mend_pages(RESULT)
    problems = [*find_problems(RESULT), *find_differences(PAGES, RESULT)]
    keep_markdown(PAGES, RESULT)
    print("\n".join([*problems, f"{RESULT}: {len(places)} pages, {len(problems)} problems"]))
    return 1 if problems else 0


def mend_pages(folder: Path) -> None:
    r"""Mend what the builder leaves in its pages.

    Our own script, for searching in pages that are opened as files, stands in the place of one from elsewhere. `A|B` in
    cells is shown as it is: Markdown escapes the bar there, and the builder keeps the backslash of code.
    """
    for path in folder.rglob("*.html"):
        own = Path(os.path.relpath(folder / "assets" / "file-worker.js", path.parent)).as_posix()
        text = path.read_text(encoding="utf-8").replace(SHIM, own)
        path.write_text(CELL.sub(lambda cell: cell[0].replace(r"\|", "|"), text), encoding="utf-8")


def keep_markdown(pages: Path, folder: Path) -> None:
    """Put the Markdown of each page beside it, for programs that read `llms.txt`."""
    for path in pages.rglob("*.md"):
        shutil.copyfile(path, folder / path.relative_to(pages))


if __name__ == "__main__":
    sys.exit(main())
