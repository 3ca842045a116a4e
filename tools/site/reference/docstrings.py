"""Docstrings as Markdown: paragraphs, `Args:` as a list, and examples as code."""

import inspect
import re
from typing import Any

__all__ = ["render"]

SECTION = re.compile(r"^(Args|Raises|Returns|Yields|Attributes):$")
ENTRY = re.compile(r"^    (\*{0,2}\w[\w.]*): (.*)$")
HEADING = re.compile(r"^(What it computes|Expected inputs|When to prefer it|Source): ", re.M)  # of schemes and losses
PROMPT = ">>> "


def render(thing: Any) -> str:  # anything that has a docstring
    """Return the docstring of a function or class as Markdown."""
    blocks = (inspect.getdoc(thing) or "").split("\n\n")
    return "\n\n".join(_render_block(block) for block in blocks if block.strip())


def _render_block(block: str) -> str:
    first, *rest = block.split("\n")
    if first.startswith(PROMPT):
        return f"```pycon\n{block}\n```"
    section = SECTION.match(first)
    return _render_section(section[1], rest) if section else HEADING.sub(r"- **\1**: ", _escape(block))


def _render_section(title: str, lines: list[str]) -> str:
    entries: list[str] = []
    for line in lines:
        if entry := ENTRY.match(line):
            entries.append(f"`{entry[1]}`: {entry[2]}")
        elif entries:
            entries[-1] += f" {line.strip()}"
        else:
            entries.append(line.strip())
    shown = [f"- {_escape(entry)}" for entry in entries]  # whole, since code may go on in the next line
    return f"**{'Arguments' if title == 'Args' else title}**\n\n" + "\n".join(shown)


def _escape(text: str) -> str:
    parts = re.split(r"(`[^`]+`)", text)
    return "".join(part if n % 2 else re.sub(r"([*_<>\[\]])", r"\\\1", part) for n, part in enumerate(parts))
