"""Reader of tables of MeSH: descriptors with tree numbers, and supplementary records with their descriptors."""

import re
from collections.abc import Iterator
from pathlib import Path

from linnet.errors import BadFile
from linnet.tasks.linking.vocabularies.concepts import Concept
from linnet.tasks.linking.vocabularies.readers.delimited import filled_lines, split_list
from linnet.tasks.linking.vocabularies.reading import vocabulary_readers

__all__ = ["MeshTable"]

ROW = re.compile(r"[CDQ]\d{6,9}\t[^\t]+(?:\t[^\t]*){1,3}")


class MeshTable:
    """Reads rows `id, name, synonyms` with tree numbers (descriptors) or mapped descriptors (supplementary records)."""

    name = "mesh-table"
    description = "MeSH as a table without header: `D000002<TAB>Temefos<TAB>Temephos|...<TAB>D02.705.400|...`"

    def recognises(self, head: str) -> bool:
        """Do the first lines have an identifier of MeSH and at least three columns?"""
        lines = [line for line in head.split("\n") if line.strip()][:20]
        return bool(lines) and all(map(ROW.fullmatch, lines))

    def version(self, head: str) -> str:
        """Return that the form has no place for a version."""
        return ""

    def read(self, path: Path) -> Iterator[Concept]:
        """Yield a concept for each row."""
        for number, line in filled_lines(path):
            cells = line.split("\t")
            if not ROW.fullmatch(line):
                raise BadFile(f"{path}:{number}: this is no row of MeSH", f"looked for {self.description}")
            last = split_list(cells[3]) if len(cells) > 3 else ()
            mapped = [each.lstrip("*") for each in last]
            is_supplementary = cells[0].startswith("C")
            yield Concept(
                identifier=f"mesh:{cells[0]}",
                name=cells[1].strip(),
                synonyms=split_list(cells[2]),
                parents=tuple(f"mesh:{each}" for each in mapped) if is_supplementary else (),
                trees=() if is_supplementary else last,
            )


vocabulary_readers.register("mesh-table")(MeshTable())
