"""Offsets in UTF-16 code units, as JavaScript and Java count them, and in characters."""

from bisect import bisect_left

__all__ = ["Utf16Offsets"]

FIRST_OF_TWO = 0x10000  # characters from here on are two code units


class Utf16Offsets:
    """Translates the offsets of one text in both directions; a text without such characters costs nothing.

    >>> offsets = Utf16Offsets("a😀b")
    >>> offsets.to_units(2), offsets.to_characters(3), offsets.to_characters(2)
    (3, 2, None)
    """

    def __init__(self, text: str) -> None:
        wide = [] if text.isascii() else [at for at, character in enumerate(text) if ord(character) >= FIRST_OF_TWO]
        self._wide = wide  # places of characters with two code units
        self._wide_units = [at + number for number, at in enumerate(wide)]

    def to_units(self, offset: int) -> int:
        """Return the offset in code units of an offset in characters."""
        return offset + bisect_left(self._wide, offset)

    def to_characters(self, offset: int) -> int | None:
        """Return the offset in characters, or None if it lies between the two code units of a character."""
        before = bisect_left(self._wide_units, offset)
        if before and self._wide_units[before - 1] + 1 == offset:
            return None
        return offset - before
