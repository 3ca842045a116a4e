"""NLM's XML of MeSH."""

from pathlib import Path

import pytest

from linnet.errors import BadFile
from linnet.tasks.linking.vocabularies.readers.mesh_xml import MeshXml
from tests.tasks.linking.sources import write

DESCRIPTORS = """<?xml version="1.0"?>
<!DOCTYPE DescriptorRecordSet SYSTEM "https://www.nlm.nih.gov/databases/dtd/nlmdescriptorrecordset_20250101.dtd">
<DescriptorRecordSet LanguageCode = "eng"><DescriptorRecord DescriptorClass="1">
<DescriptorUI>D000002</DescriptorUI><DescriptorName><String>Temefos</String></DescriptorName>
<TreeNumberList><TreeNumber>D02.705</TreeNumber></TreeNumberList>
<ConceptList><Concept><ConceptUI>M1</ConceptUI><TermList><Term><String>Temefos</String></Term>
<Term><String>Temephos</String></Term></TermList></Concept></ConceptList></DescriptorRecord></DescriptorRecordSet>"""
SUPPLEMENTARY = """<SupplementalRecordSet><SupplementalRecord><SupplementalRecordUI>C000002</SupplementalRecordUI>
<SupplementalRecordName><String>bevonium</String></SupplementalRecordName><HeadingMappedToList><HeadingMappedTo>
<DescriptorReferredTo><DescriptorUI>*D001561</DescriptorUI></DescriptorReferredTo></HeadingMappedTo>
</HeadingMappedToList></SupplementalRecord></SupplementalRecordSet>"""


def test_descriptors_are_read(tmp_path: Path) -> None:
    (concept,) = MeshXml().read(write(tmp_path, "d", DESCRIPTORS))

    assert (concept.identifier, concept.names, concept.trees) == ("mesh:D000002", ("Temefos", "Temephos"), ("D02.705",))


def test_supplementary_records_are_read(tmp_path: Path) -> None:
    (concept,) = MeshXml().read(write(tmp_path, "s", SUPPLEMENTARY))

    assert (concept.identifier, concept.name, concept.parents) == ("mesh:C000002", "bevonium", ("mesh:D001561",))


def test_a_file_that_is_cut_off_is_refused(tmp_path: Path) -> None:
    with pytest.raises(BadFile, match="not well-formed XML"):
        list(MeshXml().read(write(tmp_path, "d", DESCRIPTORS[:-40])))


def test_a_record_without_identifier_is_refused(tmp_path: Path) -> None:
    with pytest.raises(BadFile, match="DescriptorUI"):
        list(MeshXml().read(write(tmp_path, "d", DESCRIPTORS.replace("DescriptorUI>", "UI>"))))


def test_entities_are_not_expanded(tmp_path: Path) -> None:
    secret = write(tmp_path, "secret", "do not read")
    text = DESCRIPTORS.replace('.dtd">', f'.dtd" [<!ENTITY x SYSTEM "{secret.as_uri()}">]>').replace("Temephos", "&x;")

    with pytest.raises(BadFile, match="declarations inside the DOCTYPE"):
        list(MeshXml().read(write(tmp_path, "d", text)))


def test_issue_27_a_name_with_markup_or_a_comment_is_read_whole(tmp_path: Path) -> None:
    text = DESCRIPTORS.replace("Temefos<", "Teme<!-- x --><i>fo</i>s<").replace("Temephos", "A <b>name</b> more")

    (concept,) = MeshXml().read(write(tmp_path, "d", text))

    assert concept.names == ("Temefos", "A name more")


@pytest.mark.parametrize(
    ("old", "new", "found"),
    [
        ("</DescriptorName>", "</DescriptorName><DescriptorName><String>Other</String></DescriptorName>", "2 elements"),
        ("</DescriptorUI>", "</DescriptorUI><DescriptorUI>D000003</DescriptorUI>", "2 elements"),
        ("</DescriptorRecord><", "</DescriptorRecord><Other><String>Abate</String></Other><", "other things"),
        ("Temephos", "Teme&phos;", "entit"),
        (
            "</DescriptorRecord><",
            "</DescriptorRecord><DescriptorRecordSet/><",
            "found a <DescriptorRecordSet> elsewhere",
        ),
    ],
)
def test_issue_27_what_would_be_dropped_is_refused(tmp_path: Path, old: str, new: str, found: str) -> None:
    assert old in DESCRIPTORS
    with pytest.raises(BadFile, match=found):
        list(MeshXml().read(write(tmp_path, "d", DESCRIPTORS.replace(old, new))))


def test_the_version_is_the_year() -> None:
    assert MeshXml().version('<!DOCTYPE x SYSTEM "desc2025.dtd">') == "2025"
    assert MeshXml().version(DESCRIPTORS) == "2025"
