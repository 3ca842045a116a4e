"""The file `llms.txt`: a list of all pages with a sentence about each, for programs that read the site."""

import re
from collections.abc import Mapping

__all__ = ["llms_text"]

START = """# Linnet

> A toolkit for biomedical text mining: finds and links mentions of diseases, chemicals, genes and other entities with
> an embedded model, and fine-tunes, compares, evaluates, exports and serves models of your own. Python, Apache-2.0.

Every page is there as Markdown under the same name with `.md`.
"""
LINK = re.compile(r"!?\[([^\]]*)\]\([^)]*\)")
NOT_PROSE = ("#", "|", "```", "<", "!", "-", ">")


def llms_text(texts: Mapping[str, str]) -> str:
    """Return a line for each page: its title as a link, and the first sentence of its text."""
    lines = [f"- [{_title(text)}]({place}): {_first_sentence(text)}" for place, text in sorted(texts.items())]
    return START + "\n## Pages\n\n" + "\n".join(lines) + "\n"


def _title(text: str) -> str:
    found = re.search(r"^# (.*)$", text, re.M)
    return found[1].strip() if found else "untitled"


def _first_sentence(text: str) -> str:
    paragraphs = [" ".join(part.split()) for part in text.split("\n\n")]
    prose = next((part for part in paragraphs if part and not part.startswith(NOT_PROSE)), "")
    return re.split(r"(?<=[.:?]) (?=[A-Z`\[*])", LINK.sub(r"\1", prose))[0]
