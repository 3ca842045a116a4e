"""Finds where answers stand in a text, as whole words.

A combining mark, such as an accent with a code point of its own, is a part of the word.
"""

import re
import unicodedata
from collections.abc import Iterable

__all__ = ["find_answers", "is_in_word", "is_mark", "strip_blanks"]


def find_answers(text: str, answers: Iterable[str]) -> tuple[tuple[int, int], ...]:
    """Return start and end of each place where one of the answers stands, in the order of the text.

    Case does not matter, other characters do. Only whole words count, and whole numbers: neither `ALS` in `SALSA` nor
    `4` in `1.4` is found. Longer answers are looked for first; what stands inside or across one of them is no place of
    its own.

    >>> find_answers("PD-L1, also called PD-L1 ligand", ["pd-l1", "PD-L1 ligand"])
    ((0, 5), (19, 31))
    """
    found: list[tuple[int, int]] = []
    marks = "" if text.isascii() else "".join(sorted({character for character in text if is_mark(character)}))
    wanted = {stripped for answer in answers if (stripped := answer.strip())}
    for answer in sorted(wanted, key=lambda each: (-len(each), each)):
        for match in _pattern(answer, marks).finditer(text):
            if all(match.end() <= start or end <= match.start() for start, end in found):
                found.append(match.span())
    return tuple(sorted(found))


def strip_blanks(text: str, start: int, end: int) -> tuple[int, int]:
    """Return start and end of a stretch without the blanks at its ends.

    >>> strip_blanks("We gave aspirin .", 7, 16)
    (8, 15)
    """
    whole = text[start:end]
    bare = whole.lstrip()
    start += len(whole) - len(bare)
    return start, start + len(bare.rstrip())


def is_mark(character: str) -> bool:
    """Is it a character that changes the one before it?"""
    return unicodedata.category(character).startswith("M")


def is_in_word(characters: str) -> bool:
    """Are these letters, digits and marks only?"""
    return all(character.isalnum() or is_mark(character) for character in characters)


def _pattern(answer: str, marks: str) -> re.Pattern[str]:
    letter = rf"[\w{marks}]"
    before = f"(?<!{letter})" if re.match(letter, answer) else ""
    after = f"(?!{letter})" if re.search(rf"{letter}\Z", answer) else ""
    if answer[0].isdecimal():
        before += r"(?<!\d[.,])"
    if answer[-1].isdecimal():
        after += r"(?![.,]\d)"
    return re.compile(before + re.escape(answer) + after, re.IGNORECASE)
