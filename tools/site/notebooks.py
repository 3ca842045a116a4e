"""Notebooks as pages: text, code, and the outputs that are kept in the file."""

import json
from pathlib import Path
from typing import Any

__all__ = ["notebook_page"]


def notebook_page(path: Path) -> str:
    """Return a notebook as Markdown, with a link to the file."""
    cells = json.loads(path.read_text(encoding="utf-8"))["cells"]
    title, *rest = (_render(cell) for cell in cells)
    link = f"This page is the notebook [{path.name}](../files/docs/notebooks/{path.name}), with the outputs of one run."
    return "\n\n".join(part for part in (title, link, *rest) if part) + "\n"


def _render(cell: dict[str, Any]) -> str:  # Any: JSON
    source = "".join(cell["source"]).strip()
    if cell["cell_type"] == "markdown":
        return source
    outputs = [_output(each) for each in cell.get("outputs", ())]
    return "\n\n".join([f"```python\n{source}\n```", *(each for each in outputs if each)])


def _output(output: dict[str, Any]) -> str:
    text = output.get("text") or output.get("data", {}).get("text/plain") or ""
    shown = "".join(text).rstrip()
    return f"```text\n{shown}\n```" if shown else ""
