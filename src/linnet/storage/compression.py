"""How are compressed files read as what they hold, and written?

Reading goes by the first bytes, not by the name. A file may be several gzip members or zstd frames, one behind the
other. Writing goes by the name, `.gz` or `.zst`.
"""

import gzip
import io
import zlib
from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Any, BinaryIO, NamedTuple

from linnet.errors import BadFile
from linnet.extras import missing_package

if TYPE_CHECKING:
    from _typeshed import WriteableBuffer

__all__ = ["packed", "unpacked", "unpacked_name"]

SUFFIXES = (".gz", ".zst")
GZIP, ZSTD, ZSTD_SKIPPABLE = b"\x1f\x8b", b"\x28\xb5\x2f\xfd", b"\x2a\x4d\x18"
PACKED_BYTES = 1 << 12  # unpacked at once: few, because a file made to harm grows thirty thousand times
UNPACKED_BYTES = 1 << 16
GZIP_LEVEL = 6  # the gzip command's
FETCH_AGAIN = "fetch or copy the file again, and compare its size or checksum with the original's"


class _Packing(NamedTuple):
    """A way to compress."""

    name: str
    new_piece: Callable[[], Any]  # zlib's and zstandard's decompressors have no type in common
    error: type[Exception]


def unpacked_name(path: Path) -> Path:
    """Return the path without the suffix that says how it is compressed.

    >>> unpacked_name(Path("pubmed.xml.gz")).name
    'pubmed.xml'
    """
    return path.with_suffix("") if path.suffix.lower() in SUFFIXES else path


def unpacked(file: io.BufferedReader, name: str) -> io.BufferedReader:
    """Return a reader of what the file holds, which is the file itself if it is not compressed.

    Raises:
        BadFile: while reading, where the compressed file is cut off or damaged, after all before has been read.
        MissingExtra: where it is a zstd file and zstandard is not installed.
    """
    packing = _packing_of(file.peek(4)[:4], name)
    return io.BufferedReader(_Unpacked(file, name, packing), UNPACKED_BYTES) if packing else file


def packed(file: BinaryIO, path: Path) -> AbstractContextManager[Any]:  # Any: a writer, of three unrelated types
    """Return a writer into the file that compresses as the path's suffix says; equal content gives equal bytes."""
    suffix = path.suffix.lower()
    if suffix == ".gz":
        return gzip.GzipFile("", "wb", GZIP_LEVEL, file, mtime=0)  # neither name nor time of the file is kept
    if suffix == ".zst":
        writer: AbstractContextManager[Any] = (
            _zstandard(str(path)).ZstdCompressor(write_checksum=True).stream_writer(file, closefd=False)
        )
        return writer
    return nullcontext(file)


class _Unpacked(io.RawIOBase):
    """The content of a compressed file.

    What can be unpacked is given before a failure is told, and the failure is told again whenever more is asked for.
    """

    def __init__(self, file: io.BufferedReader, name: str, packing: _Packing) -> None:
        self._file, self._name, self._packing = file, name, packing
        self._piece: Any = None  # what unpacks the member or frame under way
        self._waiting = b""  # still packed: the beginning of the next piece
        self._content = memoryview(b"")  # unpacked, not given yet
        self._n_unpacked = 0
        self._failure: BadFile | None = None

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: "WriteableBuffer") -> int:
        room = memoryview(buffer)
        n_given = 0
        while n_given < len(room) and (self._content or self._unpack()):
            part = self._content[: len(room) - n_given]
            room[n_given : n_given + len(part)] = part
            self._content = self._content[len(part) :]
            n_given += len(part)
        if self._failure and not n_given:
            raise self._failure
        return n_given

    def _unpack(self) -> bool:
        """Unpack some more; is there any?"""
        while not self._content and not self._failure:
            packed = self._waiting or self._file.read1(PACKED_BYTES)
            self._waiting = b""
            if not packed:
                if self._piece:
                    self._fail("is cut off")
                return False
            if self._piece is None and not packed.strip(b"\0"):
                continue  # zeros behind the last piece fill up a block of a tape or disk
            self._feed(packed)
        return bool(self._content)

    def _feed(self, packed: bytes) -> None:
        self._piece = self._piece or self._packing.new_piece()
        try:
            self._content = memoryview(self._piece.decompress(packed))
        except self._packing.error as error:
            self._fail(f"is damaged ({error})")
            return
        self._n_unpacked += len(self._content)
        if self._piece.eof:
            self._waiting, self._piece = self._piece.unused_data, None

    def _fail(self, how: str) -> None:
        problem = f"the {self._packing.name} file {how} after {self._n_unpacked:,} bytes of what it holds"
        self._failure = BadFile(f"{self._name}: {problem}", FETCH_AGAIN)


def _packing_of(magic: bytes, name: str) -> _Packing | None:
    if magic.startswith(GZIP):
        return _Packing("gzip", lambda: zlib.decompressobj(wbits=31), zlib.error)
    if magic == ZSTD or (magic[1:] == ZSTD_SKIPPABLE and magic[0] >> 4 == 5):
        zstandard = _zstandard(name)
        return _Packing("zstd", lambda: zstandard.ZstdDecompressor().decompressobj(), zstandard.ZstdError)
    return None


def _zstandard(name: str) -> ModuleType:
    try:
        import zstandard
    except ImportError:
        raise missing_package("zstandard", f"{name}: zstd files need zstandard") from None
    return zstandard
