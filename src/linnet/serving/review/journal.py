"""Journal of a review: an append-only file in which every decision is a line, on the disk before it is confirmed.

A process that is killed while it writes leaves part of a line, which was never confirmed. It is cut off when the
journal is opened again. One process at a time has the journal open.
"""

import json
import logging
import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from linnet.errors import BadFile
from linnet.storage.durable import sync
from linnet.storage.folder_lock import lock_at_once
from linnet.storage.json_keys import load_json

__all__ = ["Journal", "open_journal"]

VERSION = 1

log = logging.getLogger(__name__)


class Journal:
    """An open journal: the entries that it had, and a way to add one."""

    def __init__(self, descriptor: int, entries: list[dict[str, Any]]) -> None:
        self._descriptor = descriptor
        self.entries = entries

    def append(self, entry: Mapping[str, Any]) -> None:
        """Add an entry; it is on the disk when this returns.

        Raises:
            OSError: if the disk is full or broken; then nothing of the entry stays in the file.
        """
        _write(self._descriptor, entry)


@contextmanager
def open_journal(path: Path, subject: Mapping[str, str], names: Mapping[str, str] | None = None) -> Iterator[Journal]:
    """Yield the journal of this path, made anew where there is none.

    Args:
        path: of the journal.
        subject: what is reviewed: hashes of the documents and of the model, say. It is the first line.
        names: of the parts of the subject, for people; they may change.

    Raises:
        BadFile: if the journal is of another review, is broken, or is open in another process.
    """
    descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_APPEND, 0o666)
    try:
        if not lock_at_once(descriptor):
            raise BadFile(f"{path}: another process has this review open", "go on there, or end it first")
        lines = _complete_lines(descriptor)
        if len(lines) == 1 and _is_of_another(_parse(lines[0], path, 1), subject):  # nothing was decided there
            os.ftruncate(descriptor, 0)
            lines = []
        if not lines:
            _write(descriptor, {"review": VERSION, **subject, "names": dict(names or {})})
            sync(path.parent)  # so that a power cut does not take the name of the file
        else:
            _check_subject(_parse(lines[0], path, 1), subject, names or {}, path)
        yield Journal(descriptor, [_parse(line, path, number) for number, line in enumerate(lines[1:], start=2)])
    finally:
        os.close(descriptor)


def _complete_lines(descriptor: int) -> list[bytes]:
    """Return the lines of the journal; what follows the last line end is cut off."""
    size = os.fstat(descriptor).st_size
    content = b""
    while len(content) < size and (part := os.pread(descriptor, size - len(content), len(content))):
        content += part
    whole = content[: content.rfind(b"\n") + 1]
    if len(whole) < size:
        os.ftruncate(descriptor, len(whole))
    return whole.splitlines()


def _write(descriptor: int, entry: Mapping[str, Any]) -> None:
    line = json.dumps(entry, ensure_ascii=False, allow_nan=False).encode() + b"\n"
    before = os.fstat(descriptor).st_size
    try:
        while line:
            line = line[os.write(descriptor, line) :]
        os.fsync(descriptor)
    except OSError:
        os.ftruncate(descriptor, before)
        raise


def _parse(line: bytes, path: Path, number: int) -> dict[str, Any]:
    try:
        entry = load_json(line.decode("utf-8"))
    except ValueError as error:
        raise _broken(path, number, str(error)) from None
    if not isinstance(entry, dict):
        raise _broken(path, number, "expected an object")
    return entry


def _broken(path: Path, number: int, why: str) -> BadFile:
    return BadFile(
        f"{path}:{number}: this is not a line of a journal ({why})", "restore the file, or name another output"
    )


def _check_subject(found: Mapping[str, Any], subject: Mapping[str, str], names: Mapping[str, str], path: Path) -> None:
    if found.get("review") != VERSION:
        raise _broken(path, 1, "expected the head of a review")
    for what, value in subject.items():
        if what not in found:
            log.warning("note: %s is of an earlier version and does not say with which %s it began", path, what)
        elif found[what] != value:
            raise BadFile(
                f"{path}: this is a review of other {what} ({_compare(found, value, names, what)})",
                "go on with the same, name another output, or add `--overwrite` to begin again without its decisions",
            )


def _is_of_another(head: Mapping[str, Any], subject: Mapping[str, str]) -> bool:
    return head.get("review") == VERSION and any(head.get(what) != value for what, value in subject.items())


def _compare(found: Mapping[str, Any], value: str, names: Mapping[str, str], what: str) -> str:
    """Return both by their names; by their hashes where the journal has none."""
    kept = found.get("names")
    if not isinstance(kept, dict) or what not in kept or what not in names:
        return f"{found.get(what)}, now {value}"
    before, now = kept[what], names[what]
    return f"{now} has changed since" if before == now else f"{before}, now {now}"
