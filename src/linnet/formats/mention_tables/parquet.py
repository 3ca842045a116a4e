"""Parquet format: a table with one row per mention.

The columns are `document` (its id), `start`, `end`, `label`, `text`, `score` (32-bit, empty if there is none),
`identifiers` (`D003920`, or `MESH:D003920` if the vocabulary is known, several joined by `|`) and `model` (the
fingerprint of the model). Texts and all other parts of the documents are not written.
"""

import importlib
from collections.abc import Iterable, Iterator
from itertools import islice
from pathlib import Path
from typing import Any

from linnet.contracts import Notes, ReadOptions, WriteOptions, formats, readable_formats
from linnet.documents.document import Document
from linnet.errors import BadSetting
from linnet.extras import missing_package
from linnet.formats.link_details import lost_link_details
from linnet.formats.mention_tables.rows import losses_of_rows, mention_rows
from linnet.storage.compression import unpacked_name
from linnet.storage.files import new_binary_file

__all__ = ["Parquet"]

ROWS_IN_GROUP = 50_000  # some ten megabytes of memory
COLUMNS = (
    ("document", "string"), ("start", "int32"), ("end", "int32"), ("label", "string"), ("text", "string"),
    ("score", "float32"), ("identifiers", "string"), ("model", "string"),
)  # fmt: skip


class Parquet:
    """A table of mentions."""

    name = "parquet"
    suffixes: tuple[str, ...] = (".parquet",)
    description = "Parquet: a table with one row per mention, without the texts around them; can only be written"
    can_read = False

    def recognises(self, path: Path, head: str) -> bool:
        """Recognise nothing, because the format cannot be read."""
        return False

    def read(self, path: Path, options: ReadOptions, notes: Notes) -> Iterator[Document]:
        """Refuse: the table does not hold the documents."""
        raise BadSetting("parquet can only be written", f"read one of {', '.join(readable_formats())}")

    def losses(self, document: Document) -> Iterator[tuple[str, int]]:
        """Yield what a row per mention cannot hold."""
        yield from losses_of_rows(document)
        yield from lost_link_details(document.spans)

    def write(self, documents: Iterable[Document], path: Path, options: WriteOptions) -> None:
        """Write the mentions as they come, in groups of rows."""
        arrow, parquet = _import_library("pyarrow"), _import_library("pyarrow.parquet")
        if unpacked_name(path) != path:
            raise BadSetting(f"{path}: parquet files are compressed inside", f"call it {unpacked_name(path).name}")
        schema = arrow.schema([(name, arrow.type_for_alias(kind)) for name, kind in COLUMNS])
        rows = ([getattr(row, name) for name, _ in COLUMNS] for row in mention_rows(documents, path, options))
        with new_binary_file(path) as file, parquet.ParquetWriter(file, schema, compression="zstd") as writer:
            while group := list(islice(rows, ROWS_IN_GROUP)):
                columns = zip(schema, zip(*group, strict=True), strict=True)
                writer.write_table(arrow.table([arrow.array(values, field.type) for field, values in columns], schema))


formats.register("parquet")(Parquet())


def _import_library(name: str) -> Any:  # a module, which has no type stubs
    try:
        return importlib.import_module(name)
    except ImportError:
        raise missing_package("pyarrow", "parquet needs pyarrow") from None
