"""Streaming reader for JSON files that are larger than the memory.

The outer objects and lists are read member by member; the value of a member is decoded as soon as the buffer holds all
of it. The buffer holds little more than the largest such value.
"""

import io
import json
import re
from collections.abc import Iterator
from typing import TextIO

from linnet.errors import BadFile
from linnet.storage.files import check_text
from linnet.storage.json_keys import DECODER, DoubledKey
from linnet.storage.limits import longest_document, refuse_long

__all__ = ["JsonStream", "read_first_object"]

CHUNK = 1 << 16  # characters
WHITE_SPACE = re.compile(r"[ \t\n\r]*")
LONGEST_LITERAL = len("-Infinity")
LOOK_AHEAD = len("e+0")  # characters that decide whether a number has ended
REPAIR_JSON = "the file is cut off or damaged here: fetch or write it again, or correct it with a JSON checker"


class JsonStream:
    """A position in a JSON file, and methods that read on from there."""

    def __init__(self, file: TextIO, name: str, *, chunk: int = CHUNK) -> None:
        self._file = file
        self._name = name
        self._chunk = chunk
        self._buffer = ""
        self._position = 0
        self._longest = longest_document()
        self._lines_before = 0  # line breaks in what the buffer no longer holds

    @property
    def place(self) -> str:
        """The file and line of the current position."""
        return self._place(self._position)

    def peek(self) -> str:
        """Return the next character that is not white space, or "" at the end of the file."""
        while True:
            found = WHITE_SPACE.match(self._buffer, self._position)
            self._position = found.end() if found else self._position
            if self._position < len(self._buffer):
                return self._buffer[self._position]
            if not self._read_more():
                return ""

    def members(self) -> Iterator[str]:
        """Yield the keys of the next object; the caller reads the value after each."""
        self._expect("{")
        seen: set[str] = set()
        is_more = self.peek() != "}"
        while is_more:
            if self.peek() != '"':
                raise self._syntax_error("a key in double quotes")
            place, key = self.place, str(self.value())
            if key in seen:
                raise BadFile(f"{place}: {DoubledKey(key)}", "keep one of them, or rename one")
            seen.add(key)
            self._expect(":")
            yield key
            is_more = self.peek() == ","
            if is_more:
                self._expect(",")
        self._expect("}")

    def elements(self) -> Iterator[str]:
        """Yield the place of each element of the next list; the caller reads its value."""
        self._expect("[")
        is_more = self.peek() != "]"
        while is_more:
            self.peek()
            yield self.place
            is_more = self.peek() == ","
            if is_more:
                self._expect(",")
        self._expect("]")

    def value(self) -> object:
        """Return the next value, decoded."""
        self.peek()
        while True:
            try:
                value: object
                value, end = DECODER.raw_decode(self._buffer, self._position)
            except json.JSONDecodeError as error:
                if self._may_be_cut_off(error) and self._read_more():
                    continue
                raise BadFile(f"{self._place(error.pos)}: this is not JSON ({error.msg})", REPAIR_JSON) from None
            except DoubledKey as double:
                raise BadFile(f"{self.place}: {double}", "keep one of them, or rename one") from None
            except (RecursionError, ValueError) as error:  # nested too deeply, or a number of thousands of digits
                raise BadFile(f"{self.place}: this JSON cannot be decoded ({error})", REPAIR_JSON) from None
            if end + LOOK_AHEAD > len(self._buffer) and self._read_more():
                continue  # a number may continue there
            self._position = end
            return value

    def end(self) -> None:
        """Refuse anything after the last value."""
        if self.peek():
            raise self._syntax_error("the end of the file")

    def _expect(self, expected: str) -> None:
        if self.peek() != expected:
            raise self._syntax_error(repr(expected))
        self._position += 1

    def _read_more(self) -> bool:
        """Read on, at least as much as is in the buffer, so that a long value is not decoded too often."""
        kept = self._buffer[self._position :]
        if len(kept) > self._longest:
            raise refuse_long(self.place, "a document or another value")
        new = self._file.read(max(self._chunk, len(kept)))
        if not new:
            return False
        self._lines_before += self._buffer.count("\n", 0, self._position)
        self._buffer, self._position = kept + new, 0
        if "\0" in new:
            check_text("\0", self._place(self._buffer.index("\0")))
        return True

    def _may_be_cut_off(self, error: json.JSONDecodeError) -> bool:
        """May the error be due to the end of the buffer? Other errors must not make us read the whole file."""
        return error.msg.startswith("Unterminated string") or error.pos >= len(self._buffer) - LONGEST_LITERAL

    def _place(self, position: int) -> str:
        return f"{self._name}:{self._lines_before + self._buffer.count(chr(10), 0, position) + 1}"

    def _syntax_error(self, expected: str) -> BadFile:
        found = self.peek()
        return BadFile(f"{self.place}: expected {expected}, found {found or 'the end of the file'!r}", REPAIR_JSON)


def read_first_object(head: str) -> dict[str, object]:
    """Return the first object of a text, or of a list in it, as far as the text goes.

    A value that is cut off is an empty one of its type, or None.
    """
    stream = JsonStream(io.StringIO(head), "")
    found: dict[str, object] = {}
    try:
        for _ in stream.elements() if stream.peek() == "[" else ("",):
            for key in stream.members():
                found[key] = {"{": {}, "[": [], '"': ""}.get(stream.peek())
                found[key] = stream.value()
            break
    except BadFile:
        pass  # the text ends within a value, or this is not JSON; what was read so far decides
    return found
