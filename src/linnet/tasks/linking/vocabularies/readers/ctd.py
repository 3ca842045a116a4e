"""Reader of CTD's vocabularies of diseases and chemicals (tab-separated, `#` before the header)."""

import re
from collections.abc import Iterator
from pathlib import Path

from linnet.errors import BadFile
from linnet.tasks.linking.vocabularies.concepts import Concept
from linnet.tasks.linking.vocabularies.curies import normalise_identifier
from linnet.tasks.linking.vocabularies.readers.delimited import filled_lines, refuse_second_column, split_list
from linnet.tasks.linking.vocabularies.reading import vocabulary_readers

__all__ = ["Ctd"]

HEADER = re.compile(r"^# ?(Disease|Chemical)Name\t(?:Disease|Chemical)ID\t.*", re.M)
REPORT = re.compile(r"^# Report created: (.+)$", re.M)


class Ctd:
    """Reads `CTD_diseases.tsv` and `CTD_chemicals.tsv`."""

    name = "ctd"
    description = "CTD: a comment line `# DiseaseName<TAB>DiseaseID...` or `# ChemicalName<TAB>ChemicalID...`"

    def recognises(self, head: str) -> bool:
        """Is there the header of CTD in a comment?"""
        return HEADER.search(head) is not None

    def version(self, head: str) -> str:
        """Return the date of the report."""
        found = REPORT.search(head)
        return found.group(1).strip() if found else ""

    def read(self, path: Path) -> Iterator[Concept]:
        """Yield a concept for each row."""
        columns: list[str] = []
        for number, line in filled_lines(path):
            header = HEADER.match(line)
            if header:
                columns = [cell.strip().removeprefix(header.group(1)) for cell in line.lstrip("# ").split("\t")]
                refuse_second_column(columns, f"{path}:{number}")
            elif not line.startswith("#"):
                cells = line.split("\t")
                if len(cells) > len(columns):
                    raise BadFile(
                        f"{path}:{number}: has {len(cells)} cells, the header has {len(columns)}",
                        "fetch the file again",
                    )
                yield self._parse(dict(zip(columns, cells, strict=False)), f"{path}:{number}")

    def _parse(self, row: dict[str, str], place: str) -> Concept:
        if not row.get("ID", "").strip() or not row.get("Name", "").strip():
            raise BadFile(f"{place}: the row has no name or no identifier", f"looked for {self.description}")
        return Concept(
            identifier=normalise_identifier(row["ID"]),
            name=row["Name"].strip(),
            synonyms=split_list(row.get("Synonyms", "")),
            equivalents=tuple(map(normalise_identifier, split_list(row.get("AltDiseaseIDs", row.get("AltIDs", ""))))),
            parents=tuple(map(normalise_identifier, split_list(row.get("ParentIDs", "")))),
            trees=tuple(number.partition("/")[0] for number in split_list(row.get("TreeNumbers", ""))),
        )


vocabulary_readers.register("ctd")(Ctd())
