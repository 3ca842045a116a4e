"""Reads the documents of a job, refuses ids that occur twice, and counts what is read."""

import re
from collections.abc import Callable, Iterator
from itertools import islice

from linnet.annotation.blocks import Failure
from linnet.annotation.pipeline import Progress
from linnet.annotation.steps import GIVEN
from linnet.contracts import Notes, ReadOptions
from linnet.documents.document import Document
from linnet.errors import BadFile
from linnet.formats.inputs.file_list import Spooled
from linnet.formats.inputs.lenient import checks_ids, read_leniently
from linnet.formats.inputs.named_fields import NamedFields
from linnet.formats.inputs.reading import InputFile
from linnet.formats.unique_ids import IdSet
from linnet.settings.annotation import AnnotateSettings
from linnet.storage.files import watching_bytes

__all__ = ["JSON_FIELDS", "Files", "choose_format", "count_inputs", "name_fields", "read_inputs"]

MOST_FAILURES = 100  # at the beginning of the input, for the same reason
FEWEST_FAILURES = 3  # for the same reason, of an input with nothing else
JSON_FIELDS = (
    "if the lines have other names for id and text, give them with `--id-field` and `--text-field`; the docs (formats, "
    "jsonl) have the fields of Linnet's own format"
)
NUMBER = re.compile(r"\d+")

SURROGATE = re.compile("[\ud800-\udfff]")  # bytes of a file name that are not UTF-8
Files = list[InputFile] | Spooled[InputFile]


def read_inputs(
    files: Files, notes: Notes, settings: AnnotateSettings, watcher: Callable[[float], None] | None
) -> Iterator[Document | Failure]:
    """Yield the documents of all files, and failures for those that cannot be read, `limit` at most.

    Raises:
        BadFile: if all of several fail for the same reason.
    """
    hopeless = _HopelessInput(settings.source)
    yield from islice(_read_all(files, notes, settings, watcher, hopeless), settings.limit)
    hopeless.refuse_all()


def _read_all(
    files: Files,
    notes: Notes,
    settings: AnnotateSettings,
    watcher: Callable[[float], None] | None,
    hopeless: "_HopelessInput",
) -> Iterator[Document | Failure]:
    ids = None if len(files) == 1 and all(map(checks_ids, files)) else IdSet()
    options, fields = ReadOptions(repair=settings.repair), name_fields(settings)
    count = _report_share(files, watcher)
    for file in files:
        for found in _count_bytes(read_leniently(file, notes, options, fields=fields), count):
            each = found
            if isinstance(each, Document) and (problem := _find_id_problem(each.id, ids)):
                each = Failure(each.id, f"{file.path}: {problem}")
            if isinstance(each, Failure):
                if settings.strict:
                    raise each.as_error()
                hopeless.add(each, file)
            else:
                hopeless.is_over = True
                _note_replaced(each, notes, settings)
            yield each


def name_fields(settings: AnnotateSettings) -> NamedFields | None:
    """Return the names of the fields of JSON lines, if they were given."""
    return NamedFields(settings.text_field, settings.id_field) if settings.text_field else None


def choose_format(settings: AnnotateSettings) -> str | None:
    """Return the format of the input, if it is known: names of fields are those of JSON lines."""
    return "jsonl" if settings.text_field else settings.source_format


class _HopelessInput:
    """Counts failures at the beginning of an input, and stops a job in which nothing else is to be expected."""

    def __init__(self, source: str) -> None:
        self.source, self.n_failed, self.kind, self.is_over = source, 0, "", False
        self.reason, self.format = "", ""

    def add(self, failure: Failure, file: InputFile) -> None:
        """Count a failure.

        Raises:
            BadFile: if it is the last of many, all for the same reason, before any document.
        """
        if self.is_over:
            return
        kind = NUMBER.sub("#", failure.reason.replace(str(file.path), ""))
        self.is_over = bool(self.n_failed) and kind != self.kind
        self.n_failed, self.kind, self.reason, self.format = self.n_failed + 1, kind, failure.reason, file.format
        if self.n_failed == MOST_FAILURES:
            self.refuse(f"the first {MOST_FAILURES:,} documents all")

    def refuse_all(self) -> None:
        """Raise an error if the input had several documents, and all failed for the same reason."""
        if self.n_failed >= FEWEST_FAILURES:
            self.refuse(f"all {self.n_failed:,} documents")

    def refuse(self, which: str) -> None:
        """Raise an error if all documents so far failed for the same reason."""
        if not self.is_over:
            raise BadFile(
                f"{self.source}: {which} fail for the same reason: {self.reason}",
                JSON_FIELDS if self.format == "jsonl" else "mend them, or name the format of the input (`--from`)",
            )


def _note_replaced(document: Document, notes: Notes, settings: AnnotateSettings) -> None:
    """Count what the output does not take over from the input."""
    if settings.model != GIVEN:
        if document.spans:
            notes.add("mentions of the input, replaced by predicted ones", document.id, len(document.spans))
    elif not settings.keep_links and (n_links := sum(len(span.links) for span in document.spans)):
        notes.add("links of the input, replaced by new ones (`--keep-links` keeps them)", document.id, n_links)


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
