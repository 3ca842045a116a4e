"""BioC XML is read safely and in little memory, and written without loss."""

from pathlib import Path

import pytest

from linnet.contracts import Notes, ReadOptions, WriteOptions
from linnet.documents.document import Document, Link, Passage, Span
from linnet.errors import BadFile
from linnet.formats.bioc.xml_format import BioCXML
from tests.memory import memory_of_reading

DOCTYPE = '<?xml version="1.0" encoding="UTF-8"?>\n<!DOCTYPE collection SYSTEM "BioC.dtd">\n'
HEADER = "<source>PubMed</source><date>2020</date><key>a.key</key>"
PASSAGE = "<passage><infon key='type'>title</infon><offset>0</offset><text>aspirin</text></passage>"


def collection(content: str, *, before: str = DOCTYPE) -> str:
    return f"{before}<collection>{HEADER}\n{content}\n</collection>\n"


def document(passages: str = PASSAGE, name: str = "1") -> str:
    return f"<document><id>{name}</id>{passages}</document>"


def read(text: str, folder: Path, *, notes: Notes | None = None) -> list[Document]:
    path = folder / "a.xml"
    path.write_bytes(text.encode("utf-8"))
    return list(BioCXML().read(path, ReadOptions(), notes or Notes()))


def again(written: Document, folder: Path) -> Document:
    BioCXML().write([written], folder / "b.xml", WriteOptions())
    (found,) = BioCXML().read(folder / "b.xml", ReadOptions(), Notes())
    return found


def test_an_official_looking_file_is_read_without_its_dtd(tmp_path: Path) -> None:
    (found,) = read(collection(document()), tmp_path)

    infons = {"collection.source": "PubMed", "collection.date": "2020", "collection.key": "a.key"}
    assert found == Document("1", "aspirin", passages=(Passage(0, 7, {"type": "title"}),), infons=infons)


def test_comments_sections_and_references_are_text(tmp_path: Path) -> None:
    passage = "<passage><offset>0</offset><text>a<!-- b -->&lt;<![CDATA[&c;]]>&#xe9;<?pi?>&#13;\r\n\r</text></passage>"

    (found,) = read("\ufeff" + collection(document(passage)), tmp_path)

    assert found.text == "a<&c;é\r\n\n"


ENTITIES = {
    "billion laughs": collection(
        document("<passage><offset>0</offset><text>&b;</text></passage>"),
        before='<!DOCTYPE collection [<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;">]>',
    ),
    "external": collection(document(), before='<!DOCTYPE collection [<!ENTITY a SYSTEM "file:///etc/hostname">]>'),
    "parameter": collection(
        document(), before='<!DOCTYPE collection SYSTEM "BioC.dtd" [<!ENTITY % a SYSTEM "http://localhost/a"> %a;]>'
    ),
    "behind a comment": collection(
        document(), before='<!-- > --><!DOCTYPE collection SYSTEM "]>" [<!-- ]><collection> --><!ENTITY a "b">]>'
    ),
    "undefined in text": collection(document("<passage><offset>0</offset><text>&nbsp;</text></passage>")),
    "undefined in an attribute": collection(document("<infon key='a&nbsp;b'>c</infon>" + PASSAGE)),
    "undefined without a DTD": collection(document("<infon key='a&nbsp;b'>c</infon>" + PASSAGE), before=""),
}


@pytest.mark.parametrize("case", ENTITIES)
def test_entities_are_refused(case: str, tmp_path: Path) -> None:
    with pytest.raises(BadFile) as caught:
        read(ENTITIES[case], tmp_path)

    assert "a.xml:" in caught.value.problem
    assert caught.value.remedy.startswith("XML entities are not expanded: remove the declaration")


BROKEN = {
    "cut off": (collection(document())[:-30], "a.xml:4: this is not well-formed XML"),
    "cut off in the header": (DOCTYPE + "<collection><source>a", "not well-formed"),
    "mismatched": (collection(document("<passage></text>")), "a.xml:4: this is not well-formed XML"),
    "after the end": (collection(document()) + "<collection/>", "a.xml:6: this is not well-formed XML"),
    "control character": (collection(document("\x01")), "not well-formed"),
    "NUL": (collection(document("\0")), "a.xml:4: found a NUL character"),
    "empty": ("", "a.xml:1: expected a BioC <collection>, found ''"),
    "another root": ("<!-- x --><PubmedArticleSet/>", "expected a BioC <collection>, found <PubmedArticleSet>"),
    "another encoding": (
        collection(document("é"), before='<?xml version="1.0" encoding="latin1"?>'),
        "declares the encoding 'latin1'",
    ),
    "nested document": (collection(f"<group>{document()}</group>"), "expected a <document> directly inside"),
    "late header": (collection(document() + "<source/>" + document(name="2")), "found <source>"),
    "late end": (collection(document() + "<source/>"), "expected only documents after the first document"),
    "two texts": (collection(document(PASSAGE.replace("<offset>", "<text/><offset>"))), "only one <text> in <passage>"),
    "markup in text": (
        collection(document(PASSAGE.replace("asp", "<b>asp</b>"))),
        "inside <text>, found <b>",
    ),
    "stray text": (collection(document("stray")), "found the text 'stray' directly inside <document>"),
    "no key": (collection(document("<infon>a</infon>")), "a key with every infon"),
    "two infons": (collection(document("<infon key='a'>1</infon><infon key='a'>2</infon>")), "the key 'a'"),
    "no number": (collection(document(PASSAGE.replace(">0<", ">zero<"))), "under 'offset', found \"zero\""),
}


@pytest.mark.parametrize("case", BROKEN)
def test_broken_files_are_refused_with_their_line(case: str, tmp_path: Path) -> None:
    text, message = BROKEN[case]

    with pytest.raises(BadFile) as caught:
        read(text, tmp_path)

    assert message in caught.value.problem


def test_documents_before_the_damage_are_given(tmp_path: Path) -> None:
    path = tmp_path / "a.xml"
    many = "".join(document(name=str(number)) for number in range(2000))
    path.write_text(collection(many)[:-20], encoding="utf-8")
    found: list[Document] = []

    with pytest.raises(BadFile):
        found.extend(BioCXML().read(path, ReadOptions(), Notes()))

    assert found[0].id == "0"


def test_an_ascii_file_may_declare_any_encoding(tmp_path: Path) -> None:
    (found,) = read(collection(document(), before='<?xml version="1.0" encoding="ISO-8859-1"?>'), tmp_path)

    assert found.text == "aspirin"


def test_repeated_concepts_are_joined_and_unknown_elements_noted(tmp_path: Path) -> None:
    annotation = (
        "<annotation id='a'><infon key='type'>X</infon><infon key='MESH'>D1</infon><infon key='MESH'>D2</infon>"
        "<colour>red</colour><location offset='0' length='7'/></annotation></passage>"
    )
    notes = Notes()

    (found,) = read(collection(document(PASSAGE.replace("</passage>", annotation))), tmp_path, notes=notes)

    assert found.spans == (Span(0, 7, "X", id="a", links=(Link("D1|D2", "MESH"),)),)
    assert list(notes.counts) == ["fields that BioC does not know left out (annotation: 'colour')"]


def test_control_characters_are_listed_and_become_spaces(tmp_path: Path) -> None:
    text = "a\x02\x0b\ufffe\ud800b\x7f\x85\tc\r"
    written = Document("1", text, (Span(0, 6, "X\x01", id="2"),))

    losses = list(BioCXML().losses(written))
    found = again(written, tmp_path)

    assert losses == [("control characters that XML cannot hold", 5)]
    assert found.text == "a    b\x7f\x85\tc\r"
    assert found.spans == (Span(0, 6, "X ", id="2"),)


def test_white_space_in_attributes_comes_back(tmp_path: Path) -> None:
    written = Document("1", "a", (Span(0, 1, "X", id=" \t\r\n ", infons={" \n\r\t": ""}),), passages=(Passage(0, 1),))

    assert again(written, tmp_path) == written


@pytest.mark.long
def test_a_long_file_needs_little_memory(tmp_path: Path) -> None:
    path = tmp_path / "long.xml"
    passage = PASSAGE.replace("aspirin", "aspirin " * 500)
    with path.open("w", encoding="utf-8") as file:
        file.write(f"{DOCTYPE}<collection>{HEADER}\n")
        file.writelines(document(passage, str(number)) + "\n" for number in range(3000))
        file.write("</collection>")

    taken = memory_of_reading("bioc-xml", path)

    assert taken.n_documents == 3000
    assert path.stat().st_size > 12_000_000
    assert taken.python_peak < 2_000_000
    # the tree itself lives outside Python, where only the size of the process shows it
    assert taken.process_growth < 4_000_000
