"""Concepts with and without a prefix in brat files."""

from dataclasses import replace
from pathlib import Path

import pytest

from linnet.contracts import Notes, ReadOptions, WriteOptions
from linnet.documents.document import Document, Link, Span
from linnet.errors import BadFile
from linnet.formats.brat.folders import Brat

TEXT = "Myopathy and cancer."


def linked(*links: Link) -> Document:
    return Document(id="d", text=TEXT, spans=(Span(0, 8, "Disease", id="T1", links=links),))


def written_and_read(folder: Path, document: Document) -> tuple[list[str], Document]:
    Brat().write([document], folder / "brat", WriteOptions())
    (read,) = Brat().read(folder / "brat", ReadOptions(), Notes())
    lines = (folder / "brat" / "d.ann").read_text(encoding="utf-8").splitlines()
    return [line for line in lines if line.startswith("N")], read


def test_the_prefix_of_a_linker_is_written_once_and_read_back(tmp_path: Path) -> None:
    document = linked(Link("mesh:D009223", "MESH"))

    lines, read = written_and_read(tmp_path, document)

    assert lines == ["N1\tReference T1 MESH:D009223\tMyopathy"]
    assert read == document


@pytest.mark.parametrize(
    "links",
    [
        (Link("D009223", "MESH"),),
        (Link("D009223", "MESH"), Link("mesh:D009223", "MESH")),
        (Link("mesh:D1", "MESH"), Link("MESH:D1", "MESH")),
        (Link("mesh:mesh:D1", "MESH"),),
        (Link("mesh:", "MESH"),),
        (Link(":D1"), Link("id:5", "ID"), Link("omim:1", "OMIM")),
    ],
)
def test_other_identifiers_stay_what_they_are(tmp_path: Path, links: tuple[Link, ...]) -> None:
    document = linked(*links)

    assert written_and_read(tmp_path, document)[1] == document


def test_the_name_of_a_concept_is_found_under_its_whole_identifier(tmp_path: Path) -> None:
    document = linked(Link("mesh:D009223", "MESH"))
    names = {"name of MESH:mesh:D009223": "Myotonic Dystrophy"}
    document = replace(document, spans=(replace(document.spans[0], infons=names),))

    lines, read = written_and_read(tmp_path, document)

    assert lines == ["N1\tReference T1 MESH:D009223\tMyotonic Dystrophy"]
    assert read == document


def test_doubled_prefixes_of_older_files_are_read(tmp_path: Path) -> None:
    (tmp_path / "d.txt").write_text(TEXT, encoding="utf-8")
    content = "T1\tDisease 0 8\tMyopathy\nN1\tReference T1 MESH:mesh:D009223\tMyopathy\n"
    (tmp_path / "d.ann").write_text(content, encoding="utf-8")

    assert list(Brat().read(tmp_path, ReadOptions(), Notes())) == [linked(Link("mesh:D009223", "MESH"))]


def test_a_note_that_holds_no_prefixes_is_refused(tmp_path: Path) -> None:
    (tmp_path / "d.txt").write_text(TEXT, encoding="utf-8")
    (tmp_path / "d.ann").write_text('#1\tPrefixes -\t["mesh"]\n', encoding="utf-8")

    with pytest.raises(BadFile, match="expected the prefixes"):
        list(Brat().read(tmp_path, ReadOptions(), Notes()))
