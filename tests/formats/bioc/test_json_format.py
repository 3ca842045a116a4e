"""BioC JSON is read in little memory and in all its shapes, and refused if it is broken."""

import json
from pathlib import Path

import pytest

from linnet.contracts import Notes, ReadOptions, WriteOptions
from linnet.documents.document import Document
from linnet.errors import BadFile
from linnet.formats.bioc.json_format import BioCJSON
from tests.memory import memory_of_reading

ONE = {"id": "1", "infons": {}, "passages": [{"offset": 0, "text": "aspirin"}]}
TWO = {**ONE, "id": "2"}


def read(content: object, folder: Path, *, notes: Notes | None = None) -> list[Document]:
    path = folder / "a.json"
    path.write_text(content if isinstance(content, str) else json.dumps(content, indent=1), encoding="utf-8")
    return list(BioCJSON().read(path, ReadOptions(), notes or Notes()))


def test_what_a_collection_says_may_stand_behind_its_documents(tmp_path: Path) -> None:
    content = {"source": "A", "documents": [ONE, TWO], "infons": {"tool": "t"}, "date": "", "key": 3}

    found = read(content, tmp_path)

    infons = {"collection.source": "A", "collection.infon.tool": "t", "collection.key": "3"}
    assert [document.infons for document in found] == [infons, infons]


def test_a_list_of_collections_is_read(tmp_path: Path) -> None:
    content = [{"documents": [ONE], "source": "A"}, {"documents": []}, {"source": "B", "documents": [TWO]}]

    found = read(content, tmp_path)

    assert [(each.id, each.infons) for each in found] == [
        ("1", {"collection.source": "A"}),
        ("2", {"collection.source": "B"}),
    ]


def test_a_single_document_is_read(tmp_path: Path) -> None:
    (found,) = read(ONE, tmp_path)

    assert (found.id, found.text, found.infons) == ("1", "aspirin", {})


def test_nan_does_no_harm(tmp_path: Path) -> None:
    notes = Notes()

    (found,) = read('{"documents": [{"id": "1", "passages": [], "weight": NaN}]}', tmp_path, notes=notes)

    assert found == Document("1", "")
    assert list(notes.counts) == ["fields that BioC does not know left out (document: 'weight')"]


BROKEN = {
    "key twice": ('{"documents": [\n{"id": "0", "id": "1", "passages": []}]}', "a.json:2: the key 'id' stands twice"),
    "key twice inside": (
        json.dumps({**ONE, "passages": [{"offset": 0}]}).replace(
            '"offset": 0', '"offset": 0, "text": "a", "text": "b"'
        ),
        "the key 'text' stands twice in one object",
    ),
    "documents twice": (
        '{"documents": [{"id": "1", "passages": []}],\n"documents": [{"id": "2", "passages": []}]}',
        "a.json:2: the key 'documents' stands twice in one object",
    ),
    "cut off": ('{\n"documents": [\n{"id": "1", "passages": []},\n{"id": "2", "pass', "a.json:4: this is not JSON"),
    "cut off between": ('{"documents": [\n{"id": "1", "passages": []},\n', "a.json:3: this is not JSON"),
    "cut off at the end": ('{"documents": [\n{"id": "1", "passages": []}]', "a.json:2: expected '}', found 'the end"),
    "no comma": ('{"documents": [{"id": "1", "passages": []}\n{"id"', "a.json:2: expected ']', found '{'"),
    "more behind": ('{"documents": []}\n{}', "a.json:2: expected the end of the file, found '{'"),
    "empty": ("", "a.json:1: expected '{', found 'the end of the file'"),
    "another object": ('{"id": "1", "text": "a"}', "a.json:1: found an object with ['id', 'text']"),
    "a number": ('{"documents": [7]}', "a.json:1: expected a document, found 7"),
    "no list": ('{"documents": {}}', "expected '[', found '{'"),
    "no quotes": ("{documents: []}", "expected a key in double quotes, found 'd'"),
    "NUL": ('{\n"documents": [\0', "a.json:2: found a NUL character"),
    "escaped NUL": (json.dumps({**ONE, "passages": [{"offset": 0, "text": "\0"}]}), "found a NUL character"),
    "nested": ('{"documents": [' + "[" * 100_000, "a.json:1: this JSON cannot be decoded"),
    "raw line break": ('{"source": "a\n', "a.json:1: this is not JSON (Invalid control character at)"),
}


@pytest.mark.parametrize("case", BROKEN)
def test_broken_files_are_refused_with_their_line(case: str, tmp_path: Path) -> None:
    text, message = BROKEN[case]

    with pytest.raises(BadFile) as caught:
        read(text, tmp_path)

    assert message in caught.value.problem


def test_a_nul_character_is_not_written(tmp_path: Path) -> None:
    with pytest.raises(BadFile, match="document '1': found a NUL character"):
        BioCJSON().write([Document("1", "a\0")], tmp_path / "a.json", WriteOptions())

    assert list(tmp_path.iterdir()) == []


@pytest.mark.long
def test_a_long_file_needs_little_memory(tmp_path: Path) -> None:
    path = tmp_path / "long.json"
    text = "aspirin " * 500
    with path.open("w", encoding="utf-8") as file:
        file.write('{"documents": [')
        for number in range(2000):
            document = {"id": number, "passages": [{"offset": 0, "text": text}]}
            file.write(("," if number else "") + json.dumps(document))
        file.write('], "source": "behind"}')

    taken = memory_of_reading("bioc-json", path)

    assert taken.n_documents == 2000
    assert path.stat().st_size > 8_000_000
    assert taken.python_peak < 2_000_000


@pytest.mark.parametrize(
    ("head", "is_bioc"),
    [
        ('{"source": "", "documents": [', True),
        ('\n[ {"documents": [{"id"', True),
        ('{"id": "1", "infons": {}, "passages": [{"offset": 0, "text": "a', True),
        ('{"id": "1", "text": "a", "passages": []}\n', False),
        ('{"id": "1", "passages": [], "text": "a"}\n', False),
        ('{"id": "1", "text": "', False),
        ("[documents]", False),
        ("{}", False),
        ("B-documents\tO", False),
        ("", False),
    ],
)
def test_a_collection_is_recognised(head: str, is_bioc: bool) -> None:
    assert BioCJSON().recognises(Path("a"), head) is is_bioc
