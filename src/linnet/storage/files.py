"""Safe reading and atomic writing of files and folders.

Text is UTF-8 with or without a byte-order mark. Only LF and CR LF end a line; U+2028, U+0085 and the like are
ordinary characters. Files compressed with gzip or zstd are decompressed while they are read, whatever their names;
files named `.gz` or `.zst` are written compressed. A new file appears under its name when it is complete and
on the disk.
"""

import errno
import io
import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO, TextIO, cast

from linnet.errors import BadFile, BadSetting
from linnet.storage.compression import compress, decompress
from linnet.storage.durable import make_folder, rename_durably, replacing
from linnet.storage.folder_lock import lock_file
from linnet.storage.leftovers import remove_leftovers
from linnet.storage.limits import LimitedLines, LineTooLong, find_long_line, longest_document, refuse_long, split_lines
from linnet.storage.removal import remove_remains
from linnet.storage.sources import STANDARD_INPUT, open_source, peek_standard_input, watching_bytes

__all__ = [
    "STANDARD_INPUT",
    "cache_folder",
    "check_overwrite",
    "check_path",
    "check_text",
    "new_binary_file",
    "new_file",
    "new_folder",
    "open_bytes",
    "open_text",
    "peek_standard_input",
    "read_head",
    "read_lines",
    "read_text",
    "resolve_path",
    "watching_bytes",
    "without_line_end",
    "writing",
]

SAVE_AS_UTF8 = "save the file as UTF-8 text, e.g. `iconv -f latin1 -t utf-8 OLD > NEW` (`-f utf-16` if it is UTF-16)"


def cache_folder() -> Path:
    """Return the cache folder for downloaded and converted files; it need not exist yet.

    It is `LINNET_CACHE` if that is set, else `linnet` in `XDG_CACHE_HOME` or in `~/.cache`.
    """
    own, shared = os.environ.get("LINNET_CACHE", ""), os.environ.get("XDG_CACHE_HOME", "")
    if own:
        return Path(own).absolute()  # a command may change the working directory
    if Path(shared).is_absolute():  # the XDG specification says to ignore other values
        return Path(shared) / "linnet"
    try:
        return Path.home() / ".cache" / "linnet"
    except RuntimeError:
        raise BadSetting("there is no home folder to keep files in", "name a folder with LINNET_CACHE") from None


def check_path(path: Path) -> None:
    """Refuse a path that the system cannot access: a name that is too long, circular links, a closed folder."""
    resolve_path(path)
    try:
        if path.is_dir():
            next(path.iterdir(), None)
    except (OSError, RuntimeError, ValueError) as error:
        raise _inaccessible(path, error) from None


def resolve_path(path: Path) -> Path:
    """Return the absolute path without links, or refuse one that the system cannot access, such as circular links."""
    try:
        return path.resolve()
    except (OSError, RuntimeError, ValueError) as error:
        raise _inaccessible(path, error) from None


@contextmanager
def open_bytes(path: Path) -> Iterator[io.BufferedReader]:
    """Open a file (or `STANDARD_INPUT`) for reading its bytes, decompressed if it is compressed.

    Problems with opening and reading it become `BadFile`.
    """
    try:
        with open_source(path) as file:
            yield decompress(file, str(path))
    except OSError as error:
        raise BadFile(f"{path}: cannot be read ({error.strerror})", "check the name and the permissions") from None


@contextmanager
def open_text(path: Path, *, in_lines: bool = True) -> Iterator[TextIO]:
    """Open a text file for reading; problems with opening and reading it become `BadFile`.

    Args:
        path: of the file, or `STANDARD_INPUT`.
        in_lines: is a line above the limit refused? A caller that says no has to limit what it keeps in memory.
    """
    try:
        with (
            open_bytes(path) as content,
            LimitedLines(content, longest_document() if in_lines else None) as limited,
            io.TextIOWrapper(cast("io.BufferedReader", limited), encoding="utf-8-sig", newline="\n") as file,
        ):
            yield file
    except LineTooLong:
        place = "" if path is STANDARD_INPUT else _find_long_line(path)
        raise refuse_long(f"{path}{place}", "a line") from None
    except UnicodeDecodeError as error:
        place = "" if path is STANDARD_INPUT else _find_bad_byte(path)
        raise BadFile(f"{path}{place}: this is not UTF-8 text ({error.reason})", SAVE_AS_UTF8) from None


def read_head(file: io.BufferedReader, size: int) -> bytes:
    """Return up to `size` bytes; if the file is damaged after some of them, the next read raises the error."""
    head = b""
    try:
        while len(head) < size and (more := file.read1(size - len(head))):
            head += more
    except BadFile:
        if not head:
            raise
    return head


def read_lines(path: Path) -> Iterator[tuple[int, str]]:
    """Yield the lines of a text file, numbered from 1 and without line ends."""
    with open_text(path) as file:
        for number, line in enumerate(file, 1):
            if "\0" in line:
                check_text(line, f"{path}:{number}")
            yield number, without_line_end(line)


def read_text(path: Path) -> str:
    """Return the whole content of a text file, unchanged."""
    limit = longest_document()
    with open_text(path, in_lines=False) as file:
        text = file.read(limit + 1)
    if len(text) > limit:
        raise refuse_long(str(path), "the file")
    check_text(text, str(path))
    return text


def check_text(text: str, place: str) -> None:
    """Refuse the NUL character: it marks binary files, and XML and many tools do not allow it."""
    if "\0" in text:
        number = text.count("\n", 0, text.index("\0")) + 1 if "\n" in text.rstrip("\n") else 0
        where = f"{place}:{number}" if number else place
        raise BadFile(f"{where}: found a NUL character", "give a text file; this one looks binary or UTF-16")


def without_line_end(line: str) -> str:
    """Return the line without its final LF or CR LF."""
    if line.endswith("\n"):
        return line[:-2] if line.endswith("\r\n") else line[:-1]
    return line


@contextmanager
def writing(path: Path) -> Iterator[None]:
    """Turn an `OSError` while a file or folder is written into `BadFile`."""
    try:
        yield
    except OSError as error:
        is_too_long = error.errno == errno.ENAMETOOLONG
        remedy = "give a shorter name" if is_too_long else "check the folder's permissions and the space left"
        raise BadFile(f"{path}: cannot be written ({error.strerror or error})", remedy) from None


@contextmanager
def new_file(path: Path) -> Iterator[TextIO]:
    """Open a text file for writing that appears, or replaces an old one, only if no error occurs.

    A file named `.gz` or `.zst` is written compressed; the same text gives the same bytes.
    """
    with (
        new_binary_file(path) as file,
        compress(file, path) as content,
        io.TextIOWrapper(content, encoding="utf-8", newline="\n") as text,
    ):
        yield text


@contextmanager
def new_binary_file(path: Path) -> Iterator[BinaryIO]:
    """Open a file for writing bytes that appears, or replaces an old one, only if no error occurs."""
    if str(path) == "-":
        raise BadSetting("`-` is standard output, and no file can be written there", "name a file")
    try:
        with writing(path):
            if path.exists() and not path.is_file():
                raise BadFile(f"{path}: is not a regular file, so it cannot be replaced", "name a file to write")
            with replacing(path) as part, part.open("wb") as file:
                yield file
    except UnicodeEncodeError as error:
        found = error.object[error.start : error.end]
        raise BadFile(
            f"{path}: cannot be written, the text holds {found!r}, which no encoding can hold",
            "remove lone surrogates from the input; they are broken characters",
        ) from None


@contextmanager
def new_folder(path: Path, *, overwrite: bool = False) -> Iterator[Path]:
    """Yield an empty folder to fill, which is renamed to `path` only if no error occurs."""
    if path.is_file():
        raise BadFile(f"{path}: is a file", "name a folder to write")
    if path.is_dir() and any(path.iterdir()) and not overwrite:
        raise BadFile(f"{path}: exists already and is not empty", "name a new folder, or remove this one first")
    with writing(path):
        make_folder(path.parent)
        part = Path(tempfile.mkdtemp(prefix=f".{path.name}.", suffix=".part", dir=path.parent))
        try:
            with lock_file(part, create=False):
                part.chmod(0o755)  # mkdtemp creates a private folder
                yield part
                rename_durably(part, path, replace_folder=True)
        finally:
            remove_remains(part)
        remove_leftovers(path, folders=True)


def check_overwrite(target: Path, *, source: Path, is_older: bool, overwrite: bool, what: str, original: str) -> None:
    """Refuse to replace a folder if that would destroy anything but an older result.

    Args:
        target: the folder to write or replace.
        source: what the result is made from; it may not lie in the target.
        is_older: does the target hold an older result and nothing else?
        overwrite: may an older result be replaced?
        what: the result in words, for messages.
        original: the source in words, for messages.
    """
    check_path(source)
    check_path(target)
    here, there = source.resolve(), target.resolve()
    if there in (here, *here.parents):
        raise BadSetting(f"{target}: the {what} would replace the {original} itself", "name another folder")
    if is_older and not overwrite:
        raise BadFile(f"{target}: exists already, an older {what}", "replace it (`--overwrite`), or name a new one")
    if overwrite and target.is_dir() and any(target.iterdir()) and not is_older:
        raise BadFile(f"{target}: holds no {what}, or more than that, so it is not replaced", "name another folder")


def _inaccessible(path: Path, error: Exception) -> BadFile:
    reason = (error.strerror if isinstance(error, OSError) else None) or error
    return BadFile(f"{path}: cannot be accessed ({reason})", "check the name and the permissions")


def _find_bad_byte(path: Path) -> str:
    """Return ":LINE" of the first byte that is not UTF-8; the decoder knows only the position in its buffer."""
    with open_bytes(path) as file:
        for number, line in enumerate(split_lines(file), 1):
            try:
                (line or b"").decode("utf-8")
            except UnicodeDecodeError:
                return f":{number}"
    return ""


def _find_long_line(path: Path) -> str:
    with open_bytes(path) as file:
        return f":{find_long_line(file)}"
