"""Reader of plain tables: a header with `id`, `name` and optional further columns, and tabs, commas or semicolons."""

from collections.abc import Iterable, Iterator, Sequence
from difflib import get_close_matches
from pathlib import Path

from linnet.documents.counted import counted
from linnet.errors import BadFile
from linnet.tasks.linking.vocabularies.concepts import Concept
from linnet.tasks.linking.vocabularies.curies import normalise_identifier
from linnet.tasks.linking.vocabularies.readers.delimited import (
    find_separator,
    read_header,
    rows_with_header,
    split_list,
)
from linnet.tasks.linking.vocabularies.reading import read_start, vocabulary_readers

__all__ = ["Table"]

LISTS = ("synonyms", "xrefs", "equivalents", "parents", "retired")  # values separated by |
SEMICOLON = "; "  # between values, as many other tables have it
MOST_SHOWN = 60  # characters of an example
NEEDED = frozenset(("id", "name"))
COLUMNS = ("id", "name", *LISTS, "species")


class Table:
    """Reads tables such as users make of their own lists."""

    name = "table"
    description = (
        "a header `id<TAB>name` (or `id,name`, `id;name`), optionally with `synonyms`, `xrefs`, `parents`, `retired` "
        "(values separated by |)"
    )

    def recognises(self, head: str) -> bool:
        """Does the header name an identifier and a name?"""
        return set(read_header(head, find_separator(head, NEEDED))) >= NEEDED

    def version(self, head: str) -> str:
        """Return that the form has no place for a version."""
        return ""

    def find_doubts(self, concepts: Sequence[Concept]) -> list[str]:
        """Return a sentence about the cells of synonyms that are one name, and look like several."""
        found = [each.synonyms[0] for each in concepts if len(each.synonyms) == 1 and SEMICOLON in each.synonyms[0]]
        if not found:
            return []
        what = f"{counted(len(found), 'cell')} of synonyms {'is' if len(found) == 1 else 'are'}"
        example = found[0] if len(found[0]) <= MOST_SHOWN else f"{found[0][:MOST_SHOWN]}..."
        return [
            f"{what} one name with semicolons inside, such as {example!r}; separate synonyms with a vertical bar (|)"
        ]

    def read(self, path: Path) -> Iterator[Concept]:
        """Yield a concept for each row."""
        for number, row in rows_with_header(path, find_separator(read_start(path), NEEDED)):
            if not row.keys() >= NEEDED:
                raise BadFile(f"{path}:1: the header has no columns `id` and `name`", f"looked for {self.description}")
            _refuse_unknown(row.keys(), path)
            if not row["id"].strip():
                raise BadFile(f"{path}:{number}: the row has no id", "give every concept an identifier")
            lists = {key: split_list(row.get(key, "")) for key in LISTS}
            yield Concept(
                identifier=normalise_identifier(row["id"]),
                name=row["name"].strip(),
                synonyms=lists["synonyms"],
                equivalents=tuple(map(normalise_identifier, lists["equivalents"])),
                cross_references=tuple(map(normalise_identifier, lists["xrefs"])),
                parents=tuple(map(normalise_identifier, lists["parents"])),
                retired=tuple(map(normalise_identifier, lists["retired"])),
                species=row.get("species", "").strip(),
            )


def _refuse_unknown(columns: Iterable[str], path: Path) -> None:
    """Refuse a column that would be dropped, such as a misspelt one."""
    for column in columns:
        if column not in COLUMNS:
            (nearest,) = get_close_matches(column, COLUMNS, 1) or ("",)
            meant = f"; did you mean {nearest!r}?" if nearest else ""
            raise BadFile(
                f"{path}:1: unknown column {column!r}{meant}",
                f"rename it, or take it out of the file; known columns: {', '.join(COLUMNS)}",
            )


vocabulary_readers.register("table")(Table())
