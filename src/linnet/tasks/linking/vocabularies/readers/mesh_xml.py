"""Reader of NLM's XML files of MeSH: `desc2025.xml` and `supp2025.xml`."""

import re
from collections.abc import Iterator
from pathlib import Path

from lxml import etree

from linnet.errors import BadFile
from linnet.storage.files import open_bytes
from linnet.storage.limits import LimitedSize
from linnet.tasks.linking.vocabularies.concepts import Concept
from linnet.tasks.linking.vocabularies.reading import vocabulary_readers

__all__ = ["MeshXml"]

ROOT = re.compile(r"<(?:Descriptor|Supplemental)RecordSet\b")
YEAR = re.compile(r"\b(?:desc|supp)(\d{4})|recordset_(\d{4})\d{4}\.dtd")
RECORDS = {"DescriptorRecord": "Descriptor", "SupplementalRecord": "SupplementalRecord"}
BLOCK = 1 << 16  # bytes


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
        parser = etree.XMLPullParser(events=("end",), tag=list(RECORDS), resolve_entities=False, no_network=True)
        size = LimitedSize(f"{path}: record")
        with open_bytes(path) as file:
            try:
                while block := file.read(BLOCK):
                    size.add(len(block))
                    parser.feed(block)
                    for _, record in parser.read_events():
                        if not isinstance(record, etree._Element):
                            continue
                        yield _read_record(record, path)
                        size.restart()
                        _forget(record)
                parser.close()
            except etree.XMLSyntaxError as error:
                line = error.lineno
                raise BadFile(f"{path}:{line}: this is no whole XML file ({error.msg})", "fetch it again") from None


def _read_record(record: etree._Element, path: Path) -> Concept:
    kind = RECORDS[record.tag]
    identifier = record.findtext(f"{kind}UI")
    name = record.findtext(f"{kind}Name/String")
    if not identifier or not name:
        place = f"{path}:{record.sourceline}"
        raise BadFile(f"{place}: the record has no {kind}UI or {kind}Name", "fetch the file again")
    mapped = record.findall("HeadingMappedToList/HeadingMappedTo/DescriptorReferredTo/DescriptorUI")
    return Concept(
        identifier=f"mesh:{identifier.strip()}",
        name=name.strip(),
        synonyms=tuple(term.text.strip() for term in record.iterfind(".//TermList/Term/String") if term.text),
        parents=tuple(f"mesh:{(each.text or '').strip().lstrip('*')}" for each in mapped),
        trees=tuple((number.text or "").strip() for number in record.iterfind("TreeNumberList/TreeNumber")),
    )


def _forget(record: etree._Element) -> None:
    """Free the memory of a record and of those before it."""
    record.clear()
    while record.getprevious() is not None:
        parent = record.getparent()
        if parent is None:
            return
        del parent[0]


vocabulary_readers.register("mesh-xml")(MeshXml())
