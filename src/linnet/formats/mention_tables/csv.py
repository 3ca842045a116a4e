"""CSV format: a table for spreadsheets with one row per mention.

The columns are those of `MentionRow`: `document`, `start`, `end`, `label`, `text`, `score`, `identifiers`, `names` and
`model`; what a mention does not have is an empty cell. Cells that a spreadsheet would compute are escaped. Texts and
all other parts of the documents are not written.
"""

from collections.abc import Iterable, Iterator
from dataclasses import fields
from operator import attrgetter
from pathlib import Path

from linnet.contracts import Notes, ReadOptions, WriteOptions, formats, readable_formats
from linnet.documents.document import Document
from linnet.errors import BadSetting
from linnet.formats.mention_tables.rows import MentionRow, losses_of_rows, mention_rows
from linnet.storage.cells import write_table

__all__ = ["Csv"]

COLUMNS = tuple(field.name for field in fields(MentionRow))


class Csv:
    """A table of mentions for spreadsheets."""

    name = "csv"
    suffixes: tuple[str, ...] = (".csv",)
    description = "CSV: a table with one row per mention, for spreadsheets; can only be written"
    can_read = False

    def recognises(self, path: Path, head: str) -> bool:
        """Recognise nothing, because the format cannot be read."""
        return False

    def read(self, path: Path, options: ReadOptions, notes: Notes) -> Iterator[Document]:
        """Refuse: the table does not hold the documents."""
        raise BadSetting("csv can only be written", f"read one of {', '.join(readable_formats())}")

    def losses(self, document: Document) -> Iterator[tuple[str, int]]:
        """Yield what a row per mention cannot hold."""
        yield from losses_of_rows(document)
        yield "scores of concepts", sum(link.score is not None for span in document.spans for link in span.links)

    def write(self, documents: Iterable[Document], path: Path, options: WriteOptions) -> None:
        """Write the mentions as they come."""
        rows = map(attrgetter(*COLUMNS), mention_rows(documents, path, options))
        write_table(path, COLUMNS, (["" if value is None else str(value) for value in row] for row in rows))


formats.register("csv")(Csv())
