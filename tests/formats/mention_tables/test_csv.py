"""The CSV table has a row for each mention, and no formulas."""

import gzip
from pathlib import Path

import pytest

from linnet.contracts import Notes, ReadOptions, WriteOptions
from linnet.documents.document import Document, Link, Span
from linnet.errors import BadFile, BadSetting
from linnet.formats.mention_tables.csv import Csv
from linnet.formats.reading import convert_documents, detect_format, format_for_output, read_documents
from linnet.storage.cells import read_rows

LINKED = Span(0, 5, "Disease", score=0.75, links=(Link("mesh:D005334", "MESH", "Fever", 0.9), Link("7", name="Seven")))
DOCUMENTS = [
    Document("1", "fever, and =1+1", (LINKED, Span(11, 15, "Chemical", infons={"model": "other"}))),
    Document("2", "Nothing here"),
]


def test_every_mention_is_a_row(tmp_path: Path) -> None:
    Csv().write(DOCUMENTS, tmp_path / "a.csv", WriteOptions(model="sha256:12ab"))

    assert (tmp_path / "a.csv").read_text(encoding="utf-8").splitlines() == [
        "document,start,end,label,text,score,identifiers,names,model",
        "1,0,5,Disease,fever,0.75,mesh:D005334|7,Fever|Seven,sha256:12ab",
        "1,11,15,Chemical,'=1+1,,,,other",
    ]


def test_formulas_are_read_back_as_they_were(tmp_path: Path) -> None:
    Csv().write(DOCUMENTS, tmp_path / "a.csv", WriteOptions())

    assert [row["text"] for row in read_rows(tmp_path / "a.csv")] == ["fever", "=1+1"]


def test_commas_quotes_and_line_ends_stay_inside_their_cells(tmp_path: Path) -> None:
    text = 'acid, "so called"\nacid'

    Csv().write([Document("1", text, (Span(0, len(text), "X"),))], tmp_path / "a.csv", WriteOptions())

    assert [row["text"] for row in read_rows(tmp_path / "a.csv")] == [text]


def test_a_compressed_table_is_a_table(tmp_path: Path) -> None:
    for name in ("a.csv.gz", "a.csv"):
        convert_documents(DOCUMENTS, tmp_path / name, to=Csv(), is_lossy=True)

    assert gzip.decompress((tmp_path / "a.csv.gz").read_bytes()) == (tmp_path / "a.csv").read_bytes()


def test_what_has_no_row_is_listed_as_lost() -> None:
    losses = [{what: number for what, number in Csv().losses(each) if number} for each in DOCUMENTS]

    assert losses == [
        {"texts around mentions (documents)": 1, "scores of concepts": 1},
        {"texts around mentions (documents)": 1, "documents without mentions": 1},
    ]


def test_two_documents_with_one_id_are_refused_and_leave_nothing(tmp_path: Path) -> None:
    with pytest.raises(BadFile):
        Csv().write([DOCUMENTS[0]] * 2, tmp_path / "a.csv", WriteOptions())

    assert not list(tmp_path.iterdir())


def test_it_can_only_be_written(tmp_path: Path) -> None:
    Csv().write(DOCUMENTS, tmp_path / "a.csv", WriteOptions())

    with pytest.raises(BadSetting, match="csv can only be written"):
        read_documents(tmp_path / "a.csv", format="csv")
    with pytest.raises(BadSetting, match="csv can only be written"):
        Csv().read(tmp_path / "a.csv", ReadOptions(), Notes())
    assert format_for_output(tmp_path / "b.csv").name == "csv"
    with pytest.raises(BadFile):
        detect_format(tmp_path / "a.csv")
