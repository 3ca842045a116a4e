"""Compression and decompression of gzip and zstd files.

A compressed file is recognised by its first bytes, not by its name. It may consist of several gzip members or zstd
frames. A new file is compressed if its name ends in `.gz` or `.zst`.
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

__all__ = ["compress", "decompress", "unpacked_name"]

SUFFIXES = (".gz", ".zst")
GZIP, ZSTD, ZSTD_SKIPPABLE = b"\x1f\x8b", b"\x28\xb5\x2f\xfd", b"\x2a\x4d\x18"
COMPRESSED_BYTES = 1 << 12  # decompressed at once: few, because a malicious file can grow thirty thousand times
BUFFER_BYTES = 1 << 16
GZIP_LEVEL = 6  # that of the gzip command
FETCH_AGAIN = "fetch or copy the file again, and compare its size or checksum with the original's"


class _Codec(NamedTuple):
    """A compression format."""

    name: str
    new_decompressor: Callable[[], Any]  # zlib's and zstandard's decompressors have no type in common
    error: type[Exception]


def unpacked_name(path: Path) -> Path:
    """Return the path without its compression suffix.

    >>> unpacked_name(Path("pubmed.xml.gz")).name
    'pubmed.xml'
    """
    return path.with_suffix("") if path.suffix.lower() in SUFFIXES else path


def decompress(file: io.BufferedReader, name: str) -> io.BufferedReader:
    """Return a reader of the decompressed content, or the file itself if it is not compressed.

    Raises:
        BadFile: while reading, if the compressed file is cut off or damaged; the content before that is read first.
        MissingExtra: if it is a zstd file and zstandard is not installed.
    """
    codec = _detect_codec(file.peek(4)[:4], name)
    return io.BufferedReader(_Decompressed(file, name, codec), BUFFER_BYTES) if codec else file


def compress(file: BinaryIO, path: Path) -> AbstractContextManager[Any]:  # Any: a writer, of three unrelated types
    """Return a writer that compresses into the file as the path's suffix says; equal content gives equal bytes."""
    suffix = path.suffix.lower()
    if suffix == ".gz":
        return gzip.GzipFile("", "wb", GZIP_LEVEL, file, mtime=0)  # neither name nor time of the file is stored
    if suffix == ".zst":
        writer: AbstractContextManager[Any] = (
            _import_zstandard(str(path)).ZstdCompressor(write_checksum=True).stream_writer(file, closefd=False)
        )
        return writer
    return nullcontext(file)


class _Decompressed(io.RawIOBase):
    """The content of a compressed file.

    Content before a damaged place is returned first. After that every further read raises the error.
    """

    def __init__(self, file: io.BufferedReader, name: str, codec: _Codec) -> None:
        self._file, self._name, self._codec = file, name, codec
        self._decompressor: Any = None  # of the current member or frame
        self._waiting = b""  # compressed bytes: the beginning of the next member or frame
        self._content = memoryview(b"")  # decompressed, not returned yet
        self._n_decompressed = 0
        self._failure: BadFile | None = None

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: "WriteableBuffer") -> int:
        room = memoryview(buffer)
        n_read = 0
        while n_read < len(room) and (self._content or self._read_more()):
            part = self._content[: len(room) - n_read]
            room[n_read : n_read + len(part)] = part
            self._content = self._content[len(part) :]
            n_read += len(part)
        if self._failure and not n_read:
            raise self._failure
        return n_read

    def _read_more(self) -> bool:
        """Decompress the next bytes, and return whether there are any."""
        while not self._content and not self._failure:
            compressed = self._waiting or self._file.read1(COMPRESSED_BYTES)
            self._waiting = b""
            if not compressed:
                if self._decompressor:
                    self._fail("is cut off")
                return False
            if self._decompressor is None and not compressed.strip(b"\0"):
                continue  # zeros after the last member pad a block of a tape or disk
            self._feed(compressed)
        return bool(self._content)

    def _feed(self, compressed: bytes) -> None:
        self._decompressor = self._decompressor or self._codec.new_decompressor()
        try:
            self._content = memoryview(self._decompressor.decompress(compressed))
        except self._codec.error as error:
            self._fail(f"is damaged ({error})")
            return
        self._n_decompressed += len(self._content)
        if self._decompressor.eof:
            self._waiting, self._decompressor = self._decompressor.unused_data, None

    def _fail(self, how: str) -> None:
        problem = f"the {self._codec.name} file {how} after {self._n_decompressed:,} bytes of what it holds"
        self._failure = BadFile(f"{self._name}: {problem}", FETCH_AGAIN)


def _detect_codec(magic: bytes, name: str) -> _Codec | None:
    if magic.startswith(GZIP):
        return _Codec("gzip", lambda: zlib.decompressobj(wbits=31), zlib.error)
    if magic == ZSTD or (magic[1:] == ZSTD_SKIPPABLE and magic[0] >> 4 == 5):
        zstandard = _import_zstandard(name)
        return _Codec("zstd", lambda: zstandard.ZstdDecompressor().decompressobj(), zstandard.ZstdError)
    return None


def _import_zstandard(name: str) -> ModuleType:
    try:
        import zstandard
    except ImportError:
        raise missing_package("zstandard", f"{name}: zstd files need zstandard") from None
    return zstandard
