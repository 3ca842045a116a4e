"""Reads the documents of a job, refuses ids that occur twice, and counts what is read."""

import re
from collections.abc import Callable, Iterator

from linnet.annotation.blocks import Failure
from linnet.annotation.file_list import Spooled
from linnet.annotation.inputs import InputFile, checks_ids, read_leniently
from linnet.annotation.pipeline import Progress
from linnet.contracts import Notes, ReadOptions
from linnet.documents.document import Document
from linnet.formats.unique_ids import IdSet
from linnet.settings.annotation import AnnotateSettings
from linnet.storage.files import watching_bytes

__all__ = ["Files", "count_inputs", "read_inputs"]

SURROGATE = re.compile("[\ud800-\udfff]")  # bytes of a file name that are not UTF-8
Files = list[InputFile] | Spooled[InputFile]


def read_inputs(
    files: Files, notes: Notes, settings: AnnotateSettings, watcher: Callable[[float], None] | None
) -> Iterator[Document | Failure]:
    """Yield the documents of all files, and failures for those that cannot be read."""
    ids = None if len(files) == 1 and all(map(checks_ids, files)) else IdSet()
    options = ReadOptions(repair=settings.repair)
    count = _report_share(files, watcher)
    for file in files:
        for found in _count_bytes(read_leniently(file, notes, options), count):
            each = found
            if isinstance(each, Document) and (problem := _find_id_problem(each.id, ids)):
                each = Failure(each.id, f"{file.path}: {problem}")
            if isinstance(each, Failure):
                if settings.strict:
                    raise each.as_error()
            elif each.spans:
                notes.add("mentions of the input, replaced by predicted ones", each.id, len(each.spans))
            yield each


def _find_id_problem(name: str, ids: IdSet | None) -> str:
    """Return why a document cannot have this id, and add it to the ids that occur."""
    if not name.isascii() and SURROGATE.search(name):
        return "the id is made of a name that is not UTF-8; rename the file"
    return "a document with this id came before" if ids is not None and not ids.add(name) else ""


def count_inputs(documents: Iterator[Document | Failure], progress: Progress | None) -> Iterator[Document | Failure]:
    """Yield the documents as they come, and tell the progress of each."""
    for each in documents:
        if progress is not None:
            progress.find(1)
        yield each


def _report_share(files: Files, watcher: Callable[[float], None] | None) -> Callable[[int], None] | None:
    """Return a function that reports the share of the bytes that is read; None where the size is not known."""
    if watcher is None or not all(file.problem or file.path.is_file() for file in files):  # standard input has no size
        return None
    n_bytes, whole = 0, max(1, sum(file.path.stat().st_size for file in files if not file.problem))

    def count_more(more: int) -> None:
        nonlocal n_bytes
        n_bytes += more
        watcher(min(1.0, n_bytes / whole))

    return count_more


def _count_bytes(
    documents: Iterator[Document | Failure], count: Callable[[int], None] | None
) -> Iterator[Document | Failure]:
    """Yield the documents of a file and count its bytes as they are read; the first document opens it."""
    with watching_bytes(count):
        first = next(documents, None)
    if first is not None:
        yield first
    yield from documents
