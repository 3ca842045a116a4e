"""Large XML files are read element by element, and safely."""

import gzip
from pathlib import Path

import pytest
from lxml import etree

from linnet.contracts import Notes
from linnet.errors import BadFile
from linnet.formats import xml_stream
from linnet.formats.xml_stream import has_root, local_name, read_elements, read_prolog


def read(path: Path, content: str, notes: Notes | None = None) -> list[str]:
    path.write_text(content, encoding="utf-8")
    return [
        f"{local_name(element)}:{element.text}"
        for element in read_elements(path, root="set", tags=("item", "other"), notes=notes or Notes())
    ]


def test_elements_inside_the_root_are_yielded_in_order(tmp_path: Path) -> None:
    content = "<?xml version='1.0'?>\n<!-- a --><set><item>1</item><other>2</other><item>3</item></set>"

    assert read(tmp_path / "a.xml", content) == ["item:1", "other:2", "item:3"]


def test_other_elements_are_left_out_and_noted(tmp_path: Path) -> None:
    notes = Notes()

    found = read(tmp_path / "a.xml", "<set><head/><item>1</item><note/><note/></set>", notes)

    assert found == ["item:1"]
    assert notes.counts == {"elements left out (<head>)": 1, "elements left out (<note>)": 2}


def test_namespaces_do_not_matter(tmp_path: Path) -> None:
    assert read(tmp_path / "a.xml", "<x:set xmlns:x='urn:a'><x:item>1</x:item></x:set>") == ["item:1"]
    assert read(tmp_path / "a.xml", "<set xmlns='urn:a'><item>1</item></set>") == ["item:1"]


@pytest.mark.parametrize("chunk", [16, 64])
def test_elements_before_the_damage_are_yielded(chunk: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(xml_stream, "CHUNK", chunk)
    path = tmp_path / "a.xml"
    path.write_text("<set>\n" + "<item>1</item>\n" * 9 + "<item>2</set>", encoding="utf-8")
    found: list[etree._Element] = []

    with pytest.raises(BadFile, match=r"a\.xml:11 \(from byte \d+\): this is not well-formed XML"):
        found.extend(read_elements(path, root="set", tags=("item",), notes=Notes()))

    assert len(found) == 9


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("<other/>", "a.xml:1: expected a <set>, found <other>"),
        ("no xml", "a.xml:1: expected a <set>, found 'no xml'"),
        ("<!DOCTYPE set [<!ENTITY a 'b'>]>\n<set>&a;</set>", "a.xml:1: found declarations inside the DOCTYPE"),
        ("<set><item>&a;</item></set>", "Entity 'a' not defined"),
        ("<set><deep><item>1</item></deep></set>", "found a <item> elsewhere than directly inside"),
        ("<set><item>1</item><set/></set>", "found a <set> elsewhere than directly inside"),  # issue 27
        ("<set><item>a\0b</item></set>", "a.xml:1: found a NUL character"),
        ("<?xml version='1.0' encoding='latin-1'?><set><item>ü</item></set>", "declares the encoding 'latin-1'"),
    ],
)
def test_what_is_unsafe_or_wrong_is_refused(content: str, message: str, tmp_path: Path) -> None:
    with pytest.raises(BadFile) as refused:
        read(tmp_path / "a.xml", content)

    assert message in refused.value.problem


def test_a_compressed_file_is_read_like_any_other(tmp_path: Path) -> None:
    path = tmp_path / "a.xml"
    path.write_bytes(gzip.compress(b"<set><item>1</item></set>"))

    (element,) = read_elements(path, root="set", tags=("item",), notes=Notes())

    assert local_name(element) == "item"


@pytest.mark.parametrize(
    ("head", "expected"),
    [
        ("<set>", True),
        ("<?xml version='1.0'?>\n<!-- a -->\n<!DOCTYPE set SYSTEM 'a.dtd'>\n<x:set a='b'>", True),
        ("<!DOCTYPE set [<!ENTITY", True),  # recognised, so that its reader refuses it
        ("<settings>", False),
        ("{}", False),
        ("", False),
    ],
)
def test_the_first_element_is_found_in_the_head(head: str, expected: bool) -> None:
    assert has_root(head, "set") is expected


@pytest.mark.parametrize(
    ("head", "expected"),
    [
        ("<set/>", ("set", "utf-8")),
        ("<?xml version='1.0' encoding='ISO-8859-1'?><x:set>", ("x:set", "iso-8859-1")),
        ("text", ("", "utf-8")),
    ],
)
def test_the_prolog_has_the_first_element_and_the_encoding(head: str, expected: tuple[str, str]) -> None:
    assert read_prolog(head, Path("a.xml")) == expected
