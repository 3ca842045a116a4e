"""Reader of NLM's XML files of MeSH: `desc2025.xml` and `supp2025.xml`."""

import re
from collections.abc import Iterator
from pathlib import Path

from lxml import etree

from linnet.contracts import Notes
from linnet.errors import BadFile
from linnet.formats.xml_sections import read_text
from linnet.formats.xml_stream import local_name, read_elements
from linnet.tasks.linking.vocabularies.concepts import Concept
from linnet.tasks.linking.vocabularies.reading import read_start, vocabulary_readers

__all__ = ["MeshXml"]

ROOT = re.compile(r"<((?:Descriptor|Supplemental)RecordSet)\b")
YEAR = re.compile(r"\b(?:desc|supp)(\d{4})|recordset_(\d{4})\d{4}\.dtd")
RECORDS = {"DescriptorRecord": "Descriptor", "SupplementalRecord": "SupplementalRecord"}
FETCH_AGAIN = "fetch the file again"


class MeshXml:
    """Reads descriptors and supplementary records one by one; entities are not expanded."""

    name = "mesh-xml"
    description = "MeSH as NLM's XML: `<DescriptorRecordSet` or `<SupplementalRecordSet`"

    def recognises(self, head: str) -> bool:
        """Is there the first element of a file of MeSH?"""
        return ROOT.search(head) is not None

    def version(self, head: str) -> str:
        """Return the year that the document type names."""
        found = YEAR.search(head)
        return (found.group(1) or found.group(2)) if found else ""

    def read(self, path: Path) -> Iterator[Concept]:
        """Yield a concept for each record."""
        root = ROOT.search(read_start(path))
        others = Notes()
        for record in read_elements(
            path, root=root.group(1) if root else "DescriptorRecordSet", tags=tuple(RECORDS), notes=others
        ):
            yield _read_record(record, path)
        if others.counts:
            raise BadFile(f"{path}: holds other things than records: {'; '.join(others.sentences())}", FETCH_AGAIN)


def _read_record(record: etree._Element, path: Path) -> Concept:
    kind = RECORDS[local_name(record)]
    place = f"{path}:{record.sourceline}"
    mapped = record.iterfind("HeadingMappedToList/HeadingMappedTo/DescriptorReferredTo/DescriptorUI")
    return Concept(
        identifier=f"mesh:{_read_only(record, f'{kind}UI', place)}",
        name=_read_only(record, f"{kind}Name/String", place),
        synonyms=tuple(read_text(term) for term in record.iterfind(".//TermList/Term/String")),
        parents=tuple(f"mesh:{read_text(each).lstrip('*')}" for each in mapped),
        trees=tuple(read_text(number) for number in record.iterfind("TreeNumberList/TreeNumber")),
    )


def _read_only(record: etree._Element, name: str, place: str) -> str:
    """Return the text of the only element of this name."""
    texts = [read_text(element) for element in record.iterfind(name)]
    if len(texts) != 1 or not texts[0]:
        raise BadFile(f"{place}: the record has {len(texts)} elements {name}, expected one with a text", FETCH_AGAIN)
    return texts[0]


vocabulary_readers.register("mesh-xml")(MeshXml())
