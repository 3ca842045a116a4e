"""Expands mentions before they are searched for: abbreviations by their long forms, and composite mentions.

A composite mention names several concepts by one head: `breast and ovarian cancer` is breast cancer and ovarian cancer,
`cancer of the breast or ovary` is cancer of the breast and cancer of the ovary.
"""

import re
from collections.abc import Mapping
from types import MappingProxyType

from linnet.tasks.linking.candidates import USUAL_TOP, Candidate, CandidateFinder

__all__ = ["expand_abbreviations", "find_candidates", "name_element", "search_parts", "split_composite"]

SEPARATOR = re.compile(r"\s*,\s*(?:and/or|and|or)\s+|\s+(?:and/or|and|or|as well as)\s+|\s*,\s+|\s*/\s*", re.I)
WORD_END = r"(?![^\W_])"
WORD_START = r"(?<![^\W_])"
LINK = re.compile(r"\b(?:of|in) (?:the )?", re.I)
MOST_PARTS = 6
CHARGE = re.compile(r"\(?(?:\d?[+-]|[+-]\d)\)?$")  # of an ion
ELEMENTS = MappingProxyType(
    {
        "Ag": "silver", "Al": "aluminum", "As": "arsenic", "Au": "gold", "Br": "bromine", "Ca": "calcium",
        "Cd": "cadmium", "Cl": "chlorine", "Co": "cobalt", "Cr": "chromium", "Cu": "copper", "F": "fluorine",
        "Fe": "iron", "H": "hydrogen", "Hg": "mercury", "I": "iodine", "K": "potassium", "Li": "lithium",
        "Mg": "magnesium", "Mn": "manganese", "Na": "sodium", "Ni": "nickel", "Pb": "lead", "Pt": "platinum",
        "Rb": "rubidium", "Se": "selenium", "Sr": "strontium", "Tl": "thallium", "Zn": "zinc",
    }
)  # fmt: skip  # symbols that no vocabulary has as names
LONGEST = 200  # characters of a composite mention


def expand_abbreviations(mention: str, long_form_by_short: Mapping[str, str]) -> str:
    """Return the mention with the long forms of the abbreviations in it.

    A plural `s` after an abbreviation is allowed.

    >>> expand_abbreviations("FAP patients", {"FAP": "familial adenomatous polyposis"})
    'familial adenomatous polyposis patients'
    """
    if mention in long_form_by_short:
        return long_form_by_short[mention]
    shorts = sorted((short for short in long_form_by_short if short in mention), key=lambda short: (-len(short), short))
    if not shorts:
        return mention
    pattern = f"{WORD_START}({'|'.join(map(re.escape, shorts))})s?{WORD_END}"
    return re.sub(pattern, lambda match: long_form_by_short[match.group(1)], mention)


def find_candidates(finder: CandidateFinder, mention: str, top: int = USUAL_TOP) -> list[list[Candidate]]:
    """Return the candidates of a mention: one list, or one for each concept that a composite mention names.

    A mention is composite if no name is equal to it, and the worst of its parts is found with a better score than the
    whole. The symbol of an element (`Ca2+`) is searched by its name if nothing has the symbol as a name.
    """
    return [candidates for _, candidates in search_parts(finder, mention, top)]


def search_parts(
    finder: CandidateFinder, mention: str, top: int = USUAL_TOP, *, beside: int = 0
) -> list[tuple[str, list[Candidate]]]:
    """Return what `find_candidates` does, each list with the text that was searched for.

    Where no name is equal to that text, so many candidates `beside` the first `top` are in the list as well.
    """
    whole = finder.search(mention, top, beside=beside)
    element = name_element(mention)
    if element != mention and not (whole and whole[0].is_exact):
        named = finder.search(element, top)
        if named and named[0].is_exact:
            return [(element, named)]
    parts = () if whole and whole[0].is_exact else split_composite(mention)
    if parts:
        found = [finder.search(part, top, beside=beside) for part in parts]
        worst = min(candidates[0].score if candidates else 0.0 for candidates in found)
        if worst > (whole[0].score if whole else 0.0):
            return list(zip(parts, found, strict=True))
    return [(mention, whole)]


def name_element(mention: str) -> str:
    """Return the name of an element for its symbol, also with a charge, and other mentions as they are.

    >>> [name_element(mention) for mention in ("Ca(2+)", "K", "ca")]
    ['calcium', 'potassium', 'ca']
    """
    return ELEMENTS.get(CHARGE.sub("", mention), mention)


def split_composite(mention: str) -> tuple[str, ...]:
    """Return the mentions that a composite one stands for, or nothing if it cannot be split.

    >>> split_composite("breast and ovarian cancer")
    ('breast cancer', 'ovarian cancer')
    >>> split_composite("cancer of the breast or ovary")
    ('cancer of the breast', 'cancer of the ovary')
    """
    if len(mention) > LONGEST:
        return ()
    parts = [part for part in SEPARATOR.split(mention) if part.strip()]
    if not 1 < len(parts) <= MOST_PARTS:
        return ()
    *firsts, last = parts
    link = LINK.search(firsts[0])
    if link and not LINK.search(last):
        head = firsts[0][: link.end()]
        return (firsts[0], *(head + part for part in parts[1:]))
    words = last.split()
    if len(words) < 2 or len(words[0]) < 2:
        return tuple(parts)
    head = " ".join(words[1:])
    return (*(first if _has_head(first, head) else f"{first} {head}" for first in firsts), last)


def _has_head(part: str, head: str) -> bool:
    """Does a part end like the head of the mention, so that it needs none?"""
    own, other = part.split()[-1].lower().rstrip("s"), head.split()[-1].lower().rstrip("s")
    return own == other
