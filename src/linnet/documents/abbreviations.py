"""Abbreviations and their definitions in a text, with exact offsets.

The algorithm is that of Schwartz and Hearst (2003), "A simple algorithm for identifying abbreviation definitions in
biomedical text". A definition is `long form (SHORT)` or `SHORT (long form)` inside one sentence. The short form has two
to ten characters in at most two words, begins with a letter or digit and has a letter. The long form has at most
min(n + 5, 2n) words, n being the length of the short form. The characters of the short form are searched for from right
to left, and the first one must begin a word.

Where we deviate: if the first letters of the words before a bracket are the short form, these words are the long form
(`attenuated adenomatous polyposis coli (AAPC)`, where the original would begin at the second word). Square brackets
count like round ones. A short form has a capital or a digit, so that `a vitamin (folic acid)` defines nothing. Text
after the first comma, semicolon, `or` or `and` in a bracket is left out only if what stands before it is a short form.
A bracket that is not closed within its sentence defines nothing.
"""

import re
from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass

from linnet.documents.document import Interval
from linnet.documents.sentences import split_sentences

__all__ = ["Abbreviation", "abbreviations", "long_forms"]

SHORTEST, LONGEST, MOST_WORDS = 2, 10, 2  # of short forms
CLOSING = {"(": ")", "[": "]"}
BRACKET = re.compile(r"[()\[\]]")
SEPARATOR = re.compile(r"[,;]\s|\s(?:or|and)\s")  # `(AT, also called Louis-Bar syndrome)`
LAST_WORD = re.compile(r"\S+$")
QUOTES = "\"'“”‘’"
WORD = re.compile(r"[^\W_]+")
LONGEST_LONG_FORM = 400  # characters


@dataclass(frozen=True, slots=True)
class Abbreviation:
    """A definition in a text: both forms and the characters where they stand, end exclusive."""

    short: str
    long: str
    short_span: Interval
    long_span: Interval


def abbreviations(text: str) -> list[Abbreviation]:
    """Return the abbreviations that the text defines, in the order of their definitions.

    >>> text = "Ataxia telangiectasia (A-T) is rare."
    >>> [(each.short, each.long, each.long_span) for each in abbreviations(text)]
    [('A-T', 'Ataxia telangiectasia', (0, 21))]
    """
    if "(" not in text and "[" not in text:
        return []
    sentences = split_sentences(text)
    starts = [start for start, _ in sentences]
    found = []
    for opening, closing in _find_brackets(text):
        index = bisect_right(starts, opening) - 1
        is_within = index >= 0 and closing < sentences[index][1] and closing - opening <= LONGEST_LONG_FORM
        if not is_within:
            continue
        abbreviation = _read_definition(text, sentences[index][0], opening, closing)
        if abbreviation:
            found.append(abbreviation)
    return found


def long_forms(text: str) -> dict[str, str]:
    """Return the long form of each abbreviation that the text defines; of several definitions, the first counts."""
    return {each.short: each.long for each in reversed(abbreviations(text))}


def _find_brackets(text: str) -> Iterator[Interval]:
    """Yield the position of each opening bracket and of the one that closes it, in the order of the first."""
    pairs, opened = [], []
    for match in BRACKET.finditer(text):
        character = match.group()
        if character in CLOSING:
            opened.append(match.start())
        elif opened and CLOSING[text[opened[-1]]] == character:
            pairs.append((opened.pop(), match.start()))
    yield from sorted(pairs)


def _read_definition(text: str, sentence_start: int, opening: int, closing: int) -> Abbreviation | None:
    """Return the definition at a bracket: that of the form inside, or else that of the word before it."""
    inside = _trim(text, opening + 1, closing)
    for short in (inside, _first_part(text, inside)):
        if _is_short_form(text[slice(*short)]):
            return _match(text, short, (sentence_start, opening))
    before = LAST_WORD.search(text[max(sentence_start, opening - 2 * LONGEST) : opening].rstrip())
    if before is None:
        return None
    end = max(sentence_start, opening - 2 * LONGEST) + before.end()
    short = _trim(text, end - len(before.group()), end)
    word = text[slice(*short)]
    is_written_as_one = any(map(str.isupper, word)) and _is_short_form(word)
    return _match(text, short, inside) if is_written_as_one else None


def _trim(text: str, start: int, end: int) -> Interval:
    while start < end and (text[start].isspace() or text[start] in QUOTES):
        start += 1
    while end > start and (text[end - 1].isspace() or text[end - 1] in QUOTES):
        end -= 1
    return start, end


def _first_part(text: str, inside: Interval) -> Interval:
    separator = SEPARATOR.search(text, *inside)
    return _trim(text, inside[0], separator.start() if separator else inside[1])


def _is_short_form(form: str) -> bool:
    return (
        SHORTEST <= len(form) <= LONGEST
        and form[0].isalnum()
        and len(form.split()) <= MOST_WORDS
        and any(map(str.isalpha, form))
        and any(character.isupper() or character.isdigit() for character in form)
    )


def _match(text: str, short: Interval, region: Interval) -> Abbreviation | None:
    """Return the abbreviation if the end of the region, or its first words, hold the characters of the short form."""
    form = text[slice(*short)]
    first, end = _last_words(text, region, min(len(form) + 5, 2 * len(form)))
    start = _find_initials(form, text, first, end)
    if start is None:
        start = _find_long_form(form, text, first, end)
    if start is None:
        return None
    long = text[start:end]
    is_longer = len(long) > len(form) and form not in re.split(r"[^\w-]+", long)
    return Abbreviation(form, long, short, (start, end)) if is_longer else None


def _last_words(text: str, region: Interval, n_words: int) -> Interval:
    start, end = _trim(text, *region)
    start = max(start, end - LONGEST_LONG_FORM)
    words = list(re.finditer(r"\S+", text[start:end]))
    return (start + words[-n_words].start() if len(words) > n_words else start), end


def _find_initials(form: str, text: str, start: int, end: int) -> int | None:
    """Return where the words begin whose first letters are the short form, in the singular or plural, or None."""
    words = list(WORD.finditer(text, start, end))
    initials = "".join(word.group()[0] for word in words).lower()
    letters = "".join(filter(str.isalnum, form)).lower()
    for wanted in (letters, letters[:-1] if form.endswith("s") else ""):
        if len(wanted) > 1 and initials.endswith(wanted):
            return words[len(words) - len(wanted)].start()
    return None


def _find_long_form(form: str, text: str, start: int, end: int) -> int | None:
    """Return where the shortest long form begins that ends at `end`, or None."""
    position = end
    characters = [character for character in form.lower() if character.isalnum()]
    for index in range(len(characters) - 1, -1, -1):
        position -= 1
        while position >= start and not _fits(text, position, characters[index], is_first=index == 0, start=start):
            position -= 1
        if position < start:
            return None
    while position > start and not text[position - 1].isspace():
        position -= 1  # the whole of a word with hyphens: `3'-azido-3'-deoxythymidine (AZT)`
    is_open = text[position] in CLOSING and CLOSING[text[position]] not in text[position:end]
    return position + 1 if is_open or text[position] in QUOTES else position


def _fits(text: str, position: int, character: str, *, is_first: bool, start: int) -> bool:
    if text[position].lower() != character:
        return False
    return not is_first or position == start or not text[position - 1].isalnum()
