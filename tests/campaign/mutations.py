"""Random damage to files: bytes, lines, tokens, numbers, encodings, nesting."""

import gzip
import random
import re
from collections.abc import Callable, Sequence

__all__ = ["mutate"]

NUMBER = re.compile(rb"\d+")
TOKEN = re.compile(rb"[\w.-]+|[^\w\s]", re.ASCII)
NUMBERS = (
    b"0", b"-1", b"1e9", b"1e400", b"NaN", b"-Infinity", b"2147483648", b"9223372036854775808", b"0.5", b"007",
    b"1" * 25, b"9" * 400, b"9" * 5000, b"\xd9\xa3", b"true", b"null", b'"3"', b"[]",
)  # fmt: skip
PIECES = (
    b"\0", b"\x01", b"\x0b", b"\x0c", b"\x1a", b"\x1b[31m", b"\x1c", b"\x85", b"\xc2\x85", b"\xe2\x80\xa8", b"\x7f",
    b"\xef\xbb\xbf", b"\xff\xfe", b"\xc0\x80", b"\xed\xa0\x80", b"\xf4\x90\x80\x80", b"\\ud800", b"\\u0000", b"\r",
    b"\r\n", b"\n\n", b"\t", b"\t\t", b" ", b"\xc2\xa0", b'"', b"'", b"\\", b"&", b"&amp;", b"&#0;", b"&x;", b"<",
    b"</", b"<!--", b"-->", b"<![CDATA[", b"]]>", b"<?x ?>", b"{", b"}", b"[", b"]", b",", b":", b"|", b";", b"#", b"=",
    "é".encode(), "e\u0301".encode(), "\u202e".encode(), "😀".encode(), "\ufeff".encode(), b"-DOCSTART-\tO",
    b"###MEDLINE:1", b"B-X", b"I-", b"O", b"../../etc/passwd", b"%00", b"=1+1",
)  # fmt: skip


def mutate(content: bytes, draw: random.Random, others: Sequence[bytes] = ()) -> bytes:
    """Return the content with one to four random changes; `others` are files to take pieces from."""
    for _ in range(draw.choice((1, 1, 1, 2, 2, 3, 4))):
        content = draw.choice(MUTATIONS)(content, draw)
    if others and draw.random() < 0.05:
        content = _splice(content, draw.choice(others), draw)
    return content


def _splice(content: bytes, other: bytes, draw: random.Random) -> bytes:
    return content[: draw.randint(0, len(content))] + other[draw.randint(0, len(other)) :]


def _at(content: bytes, draw: random.Random) -> int:
    return draw.randint(0, len(content))


def _flip(content: bytes, draw: random.Random) -> bytes:
    changed = bytearray(content)
    for _ in range(draw.choice((1, 1, 2, 8)) if changed else 0):
        changed[draw.randrange(len(changed))] ^= 1 << draw.randrange(8)
    return bytes(changed)


def _cut_end(content: bytes, draw: random.Random) -> bytes:
    return content[: _at(content, draw)]


def _cut_start(content: bytes, draw: random.Random) -> bytes:
    return content[_at(content, draw) :]


def _cut_middle(content: bytes, draw: random.Random) -> bytes:
    first = _at(content, draw)
    return content[:first] + content[first + draw.choice((1, 2, 5, 20, 100)) :]


def _insert(content: bytes, draw: random.Random) -> bytes:
    at = _at(content, draw)
    return content[:at] + draw.choice(PIECES) * draw.choice((1, 1, 1, 2, 50)) + content[at:]


def _change_line(content: bytes, draw: random.Random) -> bytes:
    lines = content.split(b"\n")
    at, other = draw.randrange(len(lines)), draw.randrange(len(lines))
    kind = draw.randrange(5)
    if kind == 0:
        del lines[at]
    elif kind == 1:
        lines.insert(other, lines[at])
    elif kind == 2:
        lines[at], lines[other] = lines[other], lines[at]
    elif kind == 3:
        lines[at] += lines[other]
    else:
        lines.insert(at, b"")
    return b"\n".join(lines)


def _change_token(content: bytes, draw: random.Random) -> bytes:
    found = list(TOKEN.finditer(content[:20000]))
    if not found:
        return content
    one, other = draw.choice(found), draw.choice(found)
    kind = draw.randrange(4)
    new = (b"", one[0] * 2, other[0], one[0] + b" " + other[0])[kind]
    return content[: one.start()] + new + content[one.end() :]


def _change_number(content: bytes, draw: random.Random) -> bytes:
    found = list(NUMBER.finditer(content[:20000]))
    if not found:
        return content
    one = draw.choice(found)
    near = tuple(str(int(one[0][:18]) + step).encode() for step in (-1, 1, 10))
    new = draw.choice((*NUMBERS, *near, *near))
    return content[: one.start()] + new + content[one.end() :]


def _change_encoding(content: bytes, draw: random.Random) -> bytes:
    text = content.decode("utf-8", "replace")
    kind = draw.randrange(6)
    if kind == 0:
        return text.encode("utf-16")
    if kind == 1:
        return text.encode("latin-1", "replace")
    if kind == 2:
        return b"\xef\xbb\xbf" + content
    if kind == 3:
        return content.replace(b"\n", b"\r\n")
    if kind == 4:
        return content.replace(b"\n", b"\r")
    packed = gzip.compress(content, mtime=0)
    return packed if draw.random() < 0.5 else _flip(packed, draw)


def _nest(content: bytes, draw: random.Random) -> bytes:
    at, depth = _at(content, draw), draw.choice((1, 3, 60, 1200, 20000))
    opening, closing = draw.choice(((b"[", b"]"), (b'{"a":', b"}"), (b"<a>", b"</a>"), (b"a.", b""), (b"(", b")")))
    end = draw.randint(at, min(len(content), at + 200))
    return content[:at] + opening * depth + content[at:end] + closing * depth + content[end:]


def _repeat(content: bytes, draw: random.Random) -> bytes:
    at = _at(content, draw)
    piece = content[at : at + draw.choice((1, 10, 80))]
    return content[:at] + piece * draw.choice((2, 20, 2000)) + content[at:]


def _double_member(content: bytes, draw: random.Random) -> bytes:
    """Repeat a member of a JSON object or an element of XML, so that a reader which keeps one of them drops one."""
    found = list(re.finditer(rb'"\w+": ?(?:"[^"]*"|\d+|\[[^\[\]]*\])', content[:20000]))
    if found:
        one = draw.choice(found)
        return content[: one.end()] + b", " + one[0] + content[one.end() :]
    elements = list(re.finditer(rb"<(\w+)[^<>]*>[^<]*</\1>", content[:20000]))
    if not elements:
        return content
    one = draw.choice(elements)
    return content[: one.end()] + one[0] + content[one.end() :]


Mutation = Callable[[bytes, random.Random], bytes]
MUTATIONS: tuple[Mutation, ...] = (
    _flip, _flip, _cut_end, _cut_start, _cut_middle, _cut_middle, _insert, _insert, _insert, _change_line, _change_line,
    _change_line, _change_token, _change_token, _change_token, _change_number, _change_number, _change_encoding, _nest,
    _repeat, _double_member,
)  # fmt: skip
