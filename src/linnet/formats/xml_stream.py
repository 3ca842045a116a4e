"""Streaming reader for large XML files, element by element and without external entities.

Nothing is downloaded, no DTD is loaded, and files that declare or use entities of their own are refused. Namespaces are
ignored. Of a damaged file, all elements before the damage are read.
"""

import io
import re
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Literal

from lxml import etree

from linnet.contracts import Notes
from linnet.errors import BadFile
from linnet.storage.files import SAVE_AS_UTF8, check_text, open_bytes, read_head
from linnet.storage.limits import LimitedSize

__all__ = ["check_encoding", "forget", "has_root", "local_name", "new_parser", "read_elements", "read_prolog"]

CHUNK = 1 << 16  # characters
# white space, comments and instructions; the DOCTYPE up to its end or to declarations inside; the first element
MISC = r"(?:\s++|<\?.*?\?>|<!--.*?-->)*+"
PROLOG = re.compile(
    rf"(?P<declaration><\?xml\s[^>]*\?>)?{MISC}"
    rf"(?:<!DOCTYPE(?:[^\[\]<>\"']|\"[^\"]*\"|'[^']*')*+(?P<stop>[\[>]))?{MISC}(?:<(?P<root>[^\s/>!?]+))?",
    re.DOTALL,
)
UNICODE = {"utf-8", "utf8"}
ENCODING = re.compile(r"encoding\s*=\s*[\"']([^\"']*)")
NO_ENTITIES = "XML entities are not expanded: remove the declaration, and write the characters themselves"
WELL_FORMED = "the file is cut off or damaged here: fetch or write it again, or correct it with `xmllint`"
BYTE_ORDER_MARK = b"\xef\xbb\xbf"


def has_root(head: str, root: str) -> bool:
    """Is this the name of the first element, or of the root in a DOCTYPE with declarations inside?"""
    found = PROLOG.match(head)
    if found is None:
        return False
    announced = found["stop"] == "[" and f"DOCTYPE {root}" in found.group()
    return announced or _without_prefix(found["root"] or "") == root


def local_name(element: etree._Element) -> str:
    """Return the element's name without its namespace."""
    return str(element.tag).rpartition("}")[2]


def read_elements(
    path: Path, *, root: str, tags: tuple[str, ...], notes: Notes, is_alone_allowed: bool = False
) -> Iterator[etree._Element]:
    """Yield the elements of these names inside the root; each is freed when the next is requested.

    Other elements directly inside the root are left out and noted.

    Args:
        path: of the file.
        root: name of the first element.
        tags: names of the elements to yield.
        notes: collects what is left out.
        is_alone_allowed: may one of the elements be the root itself?
    """
    parser = new_parser(("end",), [f"{{*}}{tag}" for tag in (root, *tags)])
    roots = (root, *tags) if is_alone_allowed else (root,)
    fed, size = _FedChunks(), LimitedSize(str(path))
    with open_bytes(path) as file:
        for chunk in _read_chunks(file, path, roots):
            failure = _feed(parser, chunk, path, fed)
            size.add(len(chunk))
            for element in _take_elements(parser, path, tags, notes):
                size.restart()
                yield element
            if failure:
                raise failure
    failure = _feed(parser, b"", path, fed)
    yield from _take_elements(parser, path, tags, notes)
    if failure:
        raise failure


def new_parser(events: Sequence[Literal["start", "end"]], tags: Sequence[str]) -> etree.XMLPullParser:
    """Return a parser for these events of these elements, which loads no files and expands no entities."""
    return etree.XMLPullParser(
        events=tuple(events),
        tag=tuple(tags),
        encoding="utf-8",
        resolve_entities=False,
        load_dtd=False,
        no_network=True,
        remove_comments=True,
        remove_pis=True,
        huge_tree=True,  # safe, because without declarations a file cannot expand its text
    )


def read_prolog(head: str, path: Path) -> tuple[str, str]:
    """Return the name of the first element ("" if there is none) and the declared encoding in lower case.

    Raises:
        BadFile: for a DOCTYPE with declarations inside, which could define entities.
    """
    found = PROLOG.match(head)
    if found is None:
        return "", "utf-8"
    if found["stop"] == "[":
        line = head.count("\n", 0, found.end("stop")) + 1
        raise BadFile(f"{path}:{line}: found declarations inside the DOCTYPE", NO_ENTITIES)
    declared = ENCODING.search(found["declaration"] or "")
    return found["root"] or "", declared[1].lower() if declared else "utf-8"


def check_encoding(chunk: bytes | str, encoding: str, path: Path) -> None:
    """Refuse a file that declares another encoding than UTF-8, unless it is ASCII."""
    if encoding not in UNICODE and not chunk.isascii():
        raise BadFile(
            f"{path}: declares the encoding {encoding!r} and holds other than ASCII characters",
            f'{SAVE_AS_UTF8}, and declare encoding="UTF-8"',
        )


def forget(element: etree._Element, root: etree._Element) -> None:
    """Free the memory of the element and all before it; the empty element stays, because the parser needs it."""
    element.clear()
    while element.getprevious() is not None:
        del root[0]


class _FedChunks:
    """The last two chunks that the parser was fed, and where they begin."""

    def __init__(self) -> None:
        self.last, self.before_last = b"", b""
        self.n_bytes = 0  # before the two
        self.n_lines = 0

    def add(self, chunk: bytes) -> None:
        """Add the next chunk."""
        self.n_bytes += len(self.before_last)
        self.n_lines += self.before_last.count(b"\n")
        self.before_last, self.last = self.last, chunk

    def find_line_start(self, line: int) -> int:
        """Return the byte at which the line, counted from 1, begins, or the first byte of the two chunks."""
        chunks = self.before_last + self.last
        at = 0
        for _ in range(line - 1 - self.n_lines):
            at = chunks.find(b"\n", at) + 1 or at
        return self.n_bytes + at


def _read_chunks(file: io.BufferedReader, path: Path, roots: tuple[str, ...]) -> Iterator[bytes]:
    """Yield the file in chunks, after a check of the first element and of entity declarations."""
    chunk = read_head(file, CHUNK).removeprefix(BYTE_ORDER_MARK)
    encoding = _check_root(chunk.decode("utf-8", "replace"), path, roots)
    n_lines = 0
    while chunk:
        before, nul, _ = chunk.partition(b"\0")
        check_encoding(before, encoding, path)
        if before:
            yield before
        n_lines += before.count(b"\n")
        check_text(nul.decode(), f"{path}:{n_lines + 1}")
        chunk = file.read1(CHUNK)


def _check_root(head: str, path: Path, roots: tuple[str, ...]) -> str:
    """Return the declared encoding, after a check of the first element."""
    name, encoding = read_prolog(head, path)
    if _without_prefix(name) not in roots:
        first = f"<{name}>" if name else repr(head[:40])
        expected = " or ".join(f"<{root}>" for root in roots)
        raise BadFile(f"{path}:1: expected a {expected}, found {first}", "name the format that the file is in")
    return encoding


def _without_prefix(name: str) -> str:
    return name.rpartition(":")[2]


def _feed(parser: etree.XMLPullParser, chunk: bytes, path: Path, fed: _FedChunks) -> BadFile | None:
    """Parse the chunk, or finish if it is empty; return the error, also one that lxml would ignore."""
    fed.add(chunk)
    try:
        if chunk:
            parser.feed(chunk)
        else:
            parser.close()
    except etree.XMLSyntaxError as error:
        failure: etree.XMLSyntaxError | None = error
    else:
        failure = None
    for entry in parser.feed_error_log:
        if "UNDECLARED_ENTITY" in entry.type_name:  # the parser continues with a text that must not be used
            raise BadFile(f"{_locate(entry.line, path, fed)}: {entry.message}", NO_ENTITIES)
        if "ENCODING" in entry.type_name:
            return BadFile(f"{_locate(entry.line, path, fed)}: this is not UTF-8 text ({entry.message})", SAVE_AS_UTF8)
        if entry.level >= etree.ErrorLevels.ERROR:
            return _syntax_error(entry.line, entry.message, path, fed)
    return _syntax_error(failure.lineno or 1, failure.msg or "", path, fed) if failure else None


def _syntax_error(line: int, message: str, path: Path, fed: _FedChunks) -> BadFile:
    return BadFile(f"{_locate(line, path, fed)}: this is not well-formed XML ({message})", WELL_FORMED)


def _locate(line: int, path: Path, fed: _FedChunks) -> str:
    return f"{path}:{line} (from byte {fed.find_line_start(line):,})"


def _take_elements(
    parser: etree.XMLPullParser, path: Path, tags: tuple[str, ...], notes: Notes
) -> Iterator[etree._Element]:
    for _, element in parser.read_events():
        if not isinstance(element, etree._Element):  # never the case for these events
            continue
        parent = element.getparent()
        if parent is None and local_name(element) in tags:
            yield element  # the whole file
            continue
        if parent is None:
            _note_others(element, path, tags, notes)
            continue
        name = local_name(element)
        if parent.getparent() is not None or name not in tags:  # a second root inside the first is none of the tags
            raise BadFile(f"{path}: found a <{name}> elsewhere than directly inside the first element", WELL_FORMED)
        _note_others(element.itersiblings(preceding=True), path, tags, notes)
        yield element
        forget(element, parent)


def _note_others(siblings: Iterable[etree._Element], path: Path, tags: tuple[str, ...], notes: Notes) -> None:
    for sibling in siblings:
        if local_name(sibling) not in tags:
            notes.add(f"elements left out (<{local_name(sibling)}>)", str(path))
