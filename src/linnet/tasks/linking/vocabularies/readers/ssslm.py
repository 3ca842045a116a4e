"""Reader of SSSLM tables (Simple Standard for Sharing Literal Mappings): one name of a concept in each row."""

from collections.abc import Iterator
from pathlib import Path

from linnet.errors import BadFile
from linnet.tasks.linking.vocabularies.concepts import Concept
from linnet.tasks.linking.vocabularies.curies import normalise_identifier
from linnet.tasks.linking.vocabularies.readers.delimited import read_header, rows_with_header
from linnet.tasks.linking.vocabularies.reading import vocabulary_readers

__all__ = ["Ssslm"]

LABEL = "rdfs:label"


class Ssslm:
    """Reads SSSLM tables; rows of one concept may stand anywhere."""

    name = "ssslm"
    description = "SSSLM: tabs and a header with `text` and `curie`, optionally `name`, `predicate` and `taxon`"

    def recognises(self, head: str) -> bool:
        """Does the header name a text and a CURIE?"""
        return {"text", "curie"} <= set(read_header(head))

    def version(self, head: str) -> str:
        """Return that the form has no place for a version."""
        return ""

    def read(self, path: Path) -> Iterator[Concept]:
        """Yield the concepts in the order of their first rows; the preferred name is the label or the column `name`."""
        names: dict[str, list[str]] = {}
        label_by_identifier: dict[str, str] = {}
        species: dict[str, str] = {}
        for number, row in rows_with_header(path):
            if not {"text", "curie"} <= row.keys():
                raise BadFile(
                    f"{path}:1: the header has no columns `text` and `curie`", f"looked for {self.description}"
                )
            identifier = normalise_identifier(row["curie"])
            if not identifier:
                raise BadFile(f"{path}:{number}: the row has no curie", f"looked for {self.description}")
            names.setdefault(identifier, []).append(row["text"].strip())
            label = row["text"] if row.get("predicate") == LABEL else row.get("name", "")
            if label.strip():
                label_by_identifier.setdefault(identifier, label.strip())
            species[identifier] = row.get("taxon", "").strip().rpartition(":")[2] or species.get(identifier, "")
        for identifier, texts in names.items():
            preferred = label_by_identifier.get(identifier, texts[0])
            yield Concept(identifier, preferred, tuple(texts), species=species[identifier])


vocabulary_readers.register("ssslm")(Ssslm())
