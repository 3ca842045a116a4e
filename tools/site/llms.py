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
ALONE = "More"  # the section of pages that stand in none


def llms_text(texts: Mapping[str, str], navigation: str) -> str:
    """Return the pages by section: the title of each as a link, and the first sentence of its text.

    Args:
        texts: Markdown of the pages, by their places.
        navigation: of the site, as its settings have it; pages that it does not name come last.
    """
    sections: dict[str, list[str]] = {}
    section, named = ALONE, set()
    for indent, title, place in re.findall(r"^( *)- ([^:\n]+):(?: (\S+))?$", navigation, re.M):
        is_alone = bool(place) and len(indent) <= 2
        section = title if not place else section
        if place in texts:
            sections.setdefault(ALONE if is_alone else section, []).append(_line(title, place, texts[place]))
            named.add(place)
    left = [_line(_title(text), place, text) for place, text in sorted(texts.items()) if place not in named]
    if left:
        sections.setdefault(ALONE, []).extend(left)
    ordered = sorted(sections.items(), key=lambda item: item[0] == ALONE)
    return "\n\n".join([START.strip(), *(f"## {name}\n\n" + "\n".join(lines) for name, lines in ordered)]) + "\n"


def _line(title: str, place: str, text: str) -> str:
    return f"- [{title}]({place}): {_first_sentence(text)}"


def _title(text: str) -> str:
    found = re.search(r"^# (.*)$", text, re.M)
    return found[1].strip() if found else "untitled"


def _first_sentence(text: str) -> str:
    paragraphs = [" ".join(part.split()) for part in text.split("\n\n")]
    prose = next((part for part in paragraphs if part and not part.startswith(NOT_PROSE)), "")
    return re.split(r"(?<=[.:?]) (?=[A-Z`\[*])", LINK.sub(r"\1", prose))[0]
