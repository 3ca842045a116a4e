"""Markers around the two mentions of a pair in a text, ours and those of other corpora.

Ours are the typed markers of Zhou and Chen (2022, "typed entity marker (punct)"): `@ * type * mention @` around the
subject and `# ^ type ^ mention #` around the object. They are made of ordinary characters, so that no encoder needs new
tokens, and the type is written in words (`GeneOrGeneProduct` as `gene or gene product`).

Others replace the mentions (`@GENE$`, `@drug$`, `BC6ENTC`) or put them between `<< >>` and `[[ ]]`.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from linnet.documents.document import Interval

__all__ = ["Marker", "mark", "marked_pair", "type_words"]

PLACEHOLDER = re.compile(r"@[A-Za-z][A-Za-z0-9_]*(?:-[A-Za-z][A-Za-z0-9_]*)?\$|\bBC6ENT[A-Z]\b")
ADDRESS = re.compile(r"\w@[a-z]")  # me@home$ is no placeholder
# From the last opening: texts have these signs for other things too (`n << 5`, `[[(1S)-...]`), mostly without spaces.
FIRST = (re.compile(r"<< (?:(?!<< ).)+? >>", re.DOTALL), re.compile(r"<<(?:(?!<<).)+?>>", re.DOTALL))
SECOND = (re.compile(r"\[\[ (?:(?!\[\[ ).)+? \]\]", re.DOTALL), re.compile(r"\[\[(?:(?!\[\[).)+?\]\]", re.DOTALL))
WORD = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[^\W\d_A-Z]+|\d+")  # GENE-N: gene n; GeneOrGeneProduct: gene or gene product
N_PAIR = 2


@dataclass(frozen=True, slots=True)
class Marker:
    """A mention to be marked."""

    start: int
    end: int
    label: str
    is_subject: bool

    @property
    def before(self) -> str:
        """What is put before the mention."""
        words = type_words(self.label)
        return f"@ * {words} * " if self.is_subject else f"# ^ {words} ^ "

    @property
    def after(self) -> str:
        """What is put behind the mention."""
        return " @" if self.is_subject else " #"


def type_words(label: str) -> str:
    """Return a type in words of lower case.

    >>> type_words("DiseaseOrPhenotypicFeature"), type_words("GENE-N")
    ('disease or phenotypic feature', 'gene n')
    """
    return " ".join(WORD.findall(label)).lower() or label


def mark(text: str, marks: Sequence[Marker]) -> tuple[str, list[Interval]]:
    """Return the text with its marked mentions, and where each of them stands now, its markers included.

    Mentions may lie in each other, cross, or be the same stretch; nothing else of the text is changed.

    >>> marked, places = mark("Aspirin helps.", [Marker(0, 7, "Chemical", True)])
    >>> marked, places
    ('@ * chemical * Aspirin @ helps.', [(0, 24)])
    """
    # at one place, what ends comes before what starts; the longer mention is the outer one, else the first
    ends = [(each.end, 0, -each.start, -number, number) for number, each in enumerate(marks)]
    starts = [(each.start, 1, -each.end, number, number) for number, each in enumerate(marks)]
    pieces: list[str] = []
    start_of, end_of = [0] * len(marks), [0] * len(marks)
    reach = length = 0
    for place, is_start, _, _, number in sorted(ends + starts):
        piece = marks[number].before if is_start else marks[number].after
        pieces += [text[reach:place], piece]
        length += place - reach
        if is_start:
            start_of[number] = length
        length += len(piece)
        if not is_start:
            end_of[number] = length
        reach = place
    return "".join([*pieces, text[reach:]]), list(zip(start_of, end_of, strict=True))


def marked_pair(text: str) -> tuple[Interval, ...]:
    """Return where a pair stands that others marked: two stretches, one where half of it is missing, or none.

    Of placeholders these are the first and the next of another kind, or the next at all where there is one kind; one
    such as `@CHEM-GENE$` stands for both. Of brackets the first is what stands in `<< >>` and the second what stands in
    `[[ ]]`, brackets included.

    >>> marked_pair("@GENE$ in @DISEASE$"), marked_pair("[[ a ]] of << b >>"), marked_pair("@GENE$ alone")
    (((0, 6), (10, 19)), ((11, 18), (0, 7)), ((0, 6),))
    """
    placeholders = list(PLACEHOLDER.finditer(text))
    if len(placeholders) == 1 and ADDRESS.search(text):
        placeholders = []
    if len(placeholders) >= N_PAIR:
        first, *others = placeholders
        second = next((each for each in others if each.group() != first.group()), others[0])
        return first.span(), second.span()
    brackets = tuple(found.span() for patterns in (FIRST, SECOND) if (found := _first_found(patterns, text)))
    if len(brackets) == N_PAIR:
        return brackets
    if placeholders and "-" in placeholders[0].group():
        return placeholders[0].span(), placeholders[0].span()
    return tuple(found.span() for found in placeholders) or brackets


def _first_found(patterns: Sequence[re.Pattern[str]], text: str) -> re.Match[str] | None:
    return next((found for pattern in patterns if (found := pattern.search(text))), None)
