"""Percent-escapes for characters that a format does not allow."""

import re

__all__ = ["WHITE_SPACE", "Escapes"]

WHITE_SPACE = "\t\n\v\f\r\x1c\x1d\x1e\x1f \x85\xa0\u1680\u2028\u2029\u202f\u205f\u3000" + "".join(
    map(chr, range(0x2000, 0x200B))
)


class Escapes:
    """Reversible escapes for certain characters, such as `%20` for a space.

    Only its own codes are decoded, so other uses of `%` stay unchanged.

    >>> Escapes(" ").encode("5 %"), Escapes(" ").decode("5%20%")
    ('5%20%', '5 %')
    """

    def __init__(self, characters: str) -> None:
        self._code_by_character = {c: "".join(f"%{byte:02X}" for byte in c.encode()) for c in characters}
        self._character_by_code = {code: c for c, code in self._code_by_character.items()}
        self._character_by_code |= {"%25": "%", "%00": ""}  # no text holds NUL, so its code stands for the empty text
        self._code = re.compile("|".join(self._character_by_code))
        self._ambiguous = re.compile("%(?=" + "|".join(code[1:] for code in self._character_by_code) + ")")

    def encode(self, text: str, only: str | None = None) -> str:
        """Return the text with all characters (or `only` some of them) escaped; never empty."""
        escaped = self._ambiguous.sub("%25", text)
        codes = self._code_by_character if only is None else {c: self._code_by_character[c] for c in only}
        return escaped.translate({ord(c): code for c, code in codes.items()}) or "%00"

    def decode(self, text: str) -> str:
        """Return the text without escapes: the inverse of `encode`."""
        return self._code.sub(lambda found: self._character_by_code[found.group()], text)
