r"""Removal of markup from a line of text: entities, tags, formula code and reference marks.

The rules apply in this order, and each counts what it removes or replaces:

- *entities* (`&lt;`, `&#233;`, also double-escaped ones) become the character they stand for;
- *tags*: comments, end tags, tags with attributes, and tags without attributes whose name is known from HTML or JATS
  (`a <b and c> d` stays). A tag that was cut in two leaves its attributes (`id="Par1">`), which are removed too;
- *formula code*: what publishers' converters leave of LaTeX documents (`\documentclass...\end{document}` and the
  like);
- *reference marks*: `[12]`, `[3, 5-7]`, but not after a number (`45 [34-56]` is a range) nor before a letter or hyphen
  (`[1]benzothiophene` is a name).
"""

import html
import re
from collections import Counter

__all__ = ["ENTITIES", "FORMULA_CODE", "REFERENCE_MARKS", "TAGS", "remove_markup"]

ENTITIES, TAGS, FORMULA_CODE, REFERENCE_MARKS = "entities", "tags", "formula code", "reference marks"

KNOWN_TAGS = """a abstract b bdi big blockquote body bold br caption center cite code dd disp-formula div dl dt em
ext-link fig font fn h1 h2 h3 h4 h5 h6 head hr html i img inline-formula inline-graphic italic label li link list
list-item mark mml:math monospace named-content ol overline p pre q roman s sans-serif sc sec small span strike strong
styled-content sub sup table tbody td tex-math tfoot th thead title tr tt u ul underline uri xref""".split()
ATTRIBUTE = r"""[A-Za-z][\w:.-]{0,40}\s?=\s?(?:"[^"<>]{0,300}"|'[^'<>]{0,300}')"""
ENTITY = re.compile(r"&(?:#[0-9]{1,7}|#[xX][0-9a-fA-F]{1,6}|[A-Za-z][A-Za-z0-9]{1,30});")
TAG = re.compile(
    r"<!--.{0,2000}?-->"  # bounded, like all patterns here: unbounded ones take quadratic time on hostile lines
    r"|</[A-Za-z][\w:.-]{0,40}\s*>"
    rf"|<[A-Za-z][\w:.-]{{0,40}}(?:\s+{ATTRIBUTE}){{1,20}}\s*/?>"
    rf"|<(?:{'|'.join(KNOWN_TAGS)})\s*/?>",
    re.IGNORECASE,
)
CUT_TAG = re.compile(rf"(?<![\w<]){ATTRIBUTE}(?:\s+{ATTRIBUTE}){{0,20}}\s*/?>")
FORMULA = re.compile(
    r"\\documentclass\b.{0,5000}?\\end\{document\}"
    r"|\\(?:documentclass|usepackage|setlength|begin|end)(?:\[[^\[\]]{0,40}\])?(?:\{[^{}]{0,60}\})+"
)
NUMBERS = r"[0-9]{1,3}(?:\s?[,;–-]\s?[0-9]{1,3})*"
REFERENCE = re.compile(rf"(?<![0-9%\s])\s?\[{NUMBERS}\](?![\w-])")


def remove_markup(line: str, counts: Counter[str]) -> str:
    """Return the line without markup, and add what was removed to the counts.

    >>> counts = Counter()
    >>> remove_markup('id="Par1">Rates fell <i>in vivo</i> (p&lt;0.05) [3, 4].', counts)
    'Rates fell in vivo (p<0.05).'
    >>> sorted(counts.items())
    [('entities', 1), ('reference marks', 1), ('tags', 3)]
    """
    if "&" in line:
        line = _replace_entities(line, counts)
    if "<" in line:
        line = _replace(TAG, "", line, TAGS, counts)
    if ">" in line and "=" in line:
        line = _replace(CUT_TAG, "", line, TAGS, counts)
    if "\\" in line:
        line = _replace(FORMULA, " ", line, FORMULA_CODE, counts)
    if "[" in line:
        line = _replace(REFERENCE, "", line, REFERENCE_MARKS, counts)
    return line


def _replace_entities(line: str, counts: Counter[str]) -> str:
    for _ in range(2):  # `&amp;lt;` was escaped twice
        line, number = ENTITY.subn(lambda entity: html.unescape(entity.group()), line)
        if not number:
            break
        counts[ENTITIES] += number
    return line


def _replace(pattern: re.Pattern[str], by: str, line: str, rule: str, counts: Counter[str]) -> str:
    replaced, number = pattern.subn(by, line)
    if number:
        counts[rule] += number
    return replaced
