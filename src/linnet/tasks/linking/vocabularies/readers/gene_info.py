"""Reader of NCBI Gene's `gene_info` tables."""

from collections.abc import Iterator
from pathlib import Path

from linnet.errors import BadFile
from linnet.tasks.linking.vocabularies.concepts import Concept
from linnet.tasks.linking.vocabularies.curies import normalise_identifier
from linnet.tasks.linking.vocabularies.readers.delimited import filled_lines, split_list
from linnet.tasks.linking.vocabularies.reading import vocabulary_readers

__all__ = ["GeneInfo"]

HEADER = "#tax_id\tGeneID\tSymbol\tLocusTag\tSynonyms"
FEWEST = 14  # columns, up to `Other_designations`


class GeneInfo:
    """Reads genes: the symbol is the preferred name; synonyms and descriptions are further names."""

    name = "gene_info"
    description = "NCBI gene_info: a header that begins with `#tax_id<TAB>GeneID<TAB>Symbol`"

    def recognises(self, head: str) -> bool:
        """Does the file begin with the header of gene_info?"""
        return head.startswith(HEADER)

    def version(self, head: str) -> str:
        """Return that the form has no place for a version."""
        return ""

    def read(self, path: Path) -> Iterator[Concept]:
        """Yield a concept for each gene."""
        for number, line in filled_lines(path):
            if line.startswith("#"):
                continue
            cells = line.split("\t")
            if len(cells) < FEWEST or not cells[1].isdecimal():
                raise BadFile(f"{path}:{number}: this is no row of gene_info", f"looked for {self.description}")
            further = [cells[8], cells[10], cells[11], *split_list(cells[13])]
            yield Concept(
                identifier=f"ncbigene:{cells[1]}",
                name=cells[2],
                synonyms=(*split_list(cells[4]), *(name for name in further if name != "-")),
                cross_references=tuple(map(normalise_identifier, split_list(cells[5]))),
                species=cells[0],
            )


vocabulary_readers.register("gene_info")(GeneInfo())
