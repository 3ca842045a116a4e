"""The Parquet table holds every mention, and appears when it is complete."""

import importlib
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from linnet.contracts import Notes, ReadOptions, WriteOptions, formats
from linnet.documents.document import Document, Link, Passage, Span
from linnet.errors import BadFile, BadSetting, MissingExtra, WouldLose
from linnet.formats.mention_tables import parquet
from linnet.formats.mention_tables.parquet import Parquet
from linnet.formats.reading import convert_documents, detect_format, format_for_output, read_documents

DOCUMENTS = [
    Document(
        "1",
        "β-thalassaemia 😀 and\nfever",
        (
            Span(0, 14, "Disease", score=0.75, links=(Link("D017086", "MESH"), Link("7"))),
            Span(21, 26, "Disease", infons={"model": "other"}),
        ),
    ),
    Document("2", "Nothing here"),
    Document("3", "Lung and breast cancer", (Span(0, 22, "Disease", fragments=((0, 4), (16, 22)), score=0.0),)),
]


def table(path: Path) -> Any:  # pyarrow has no types
    return importlib.import_module("pyarrow.parquet").read_table(path)


def rows(path: Path) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = table(path).to_pylist()
    return found


def test_every_mention_is_a_row_that_reads_back_as_it_was(tmp_path: Path) -> None:
    Parquet().write(DOCUMENTS, tmp_path / "a.parquet", WriteOptions(model="sha256:12ab"))

    first, second, third = rows(tmp_path / "a.parquet")
    assert first == {
        "document": "1",
        "start": 0,
        "end": 14,
        "label": "Disease",
        "text": "β-thalassaemia",
        "score": 0.75,
        "identifiers": "MESH:D017086|7",
        "model": "sha256:12ab",
    }
    assert (second["text"], second["score"], second["identifiers"], second["model"]) == ("fever", None, None, "other")
    assert (third["document"], third["start"], third["end"]) == ("3", 0, 22)
    assert (third["text"], third["score"]) == ("Lung cancer", 0.0)


def test_an_identifier_with_the_prefix_of_its_database_stays_as_it_is(tmp_path: Path) -> None:
    linked = Document("1", "fever", (Span(0, 5, "X", links=(Link("mesh:D005334", "MESH", "Fever", 1.0),)),))

    Parquet().write([linked], tmp_path / "a.parquet", WriteOptions())

    assert table(tmp_path / "a.parquet").to_pylist()[0]["identifiers"] == "mesh:D005334"


def test_columns_have_their_types_and_are_compressed(tmp_path: Path) -> None:
    Parquet().write(DOCUMENTS, tmp_path / "a.parquet", WriteOptions())

    kinds = {field.name: str(field.type) for field in table(tmp_path / "a.parquet").schema}
    facts = importlib.import_module("pyarrow.parquet").ParquetFile(tmp_path / "a.parquet").metadata
    assert kinds == {
        "document": "string", "start": "int32", "end": "int32", "label": "string", "text": "string",
        "score": "float", "identifiers": "string", "model": "string",
    }  # fmt: skip
    assert facts.row_group(0).column(0).compression == "ZSTD"


def test_rows_are_written_in_groups_as_documents_come(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(parquet, "ROWS_IN_GROUP", 3)
    documents = [Document(str(n), "fever", (Span(0, 5, "X"),) * 2) for n in range(4)]

    Parquet().write(iter(documents), tmp_path / "a.parquet", WriteOptions())

    facts = importlib.import_module("pyarrow.parquet").ParquetFile(tmp_path / "a.parquet").metadata
    assert [facts.row_group(n).num_rows for n in range(facts.num_row_groups)] == [3, 3, 2]
    assert [row["document"] for row in rows(tmp_path / "a.parquet")] == list("00112233")


def test_no_mention_at_all_gives_a_table_without_rows(tmp_path: Path) -> None:
    Parquet().write([Document("1", "Nothing")], tmp_path / "a.parquet", WriteOptions())

    assert table(tmp_path / "a.parquet").num_rows == 0
    assert table(tmp_path / "a.parquet").num_columns == 8


def test_the_same_documents_give_the_same_bytes(tmp_path: Path) -> None:
    for name in ("a.parquet", "b.parquet"):
        Parquet().write(DOCUMENTS, tmp_path / name, WriteOptions())

    assert (tmp_path / "a.parquet").read_bytes() == (tmp_path / "b.parquet").read_bytes()


def test_what_has_no_row_is_listed_as_lost(tmp_path: Path) -> None:
    document = Document("1", "x", passages=(Passage(0, 1, {"type": "title"}),), infons={"year": "2020", "model": "m"})

    assert {what: number for what, number in Parquet().losses(document) if number} == {
        "documents without mentions": 1,
        "texts around mentions (documents)": 1,
        "passages": 1,
        "infons": 1,
    }
    assert dict(Parquet().losses(DOCUMENTS[2]))["pieces of discontinuous mentions"] == 2
    with pytest.raises(WouldLose, match="documents without mentions: 1"):
        convert_documents(DOCUMENTS, tmp_path / "a.parquet", to=formats.get("parquet"))
    assert list(tmp_path.iterdir()) == []


def test_a_table_that_fails_half_way_leaves_nothing_behind(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(parquet, "ROWS_IN_GROUP", 1)

    def documents() -> Iterator[Document]:
        yield DOCUMENTS[0]
        raise BadFile("x:2: broken", "mend it")

    with pytest.raises(BadFile, match="x:2"):
        Parquet().write(documents(), tmp_path / "a.parquet", WriteOptions())

    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("text", ["a\ud800b", "a\0b"])
def test_characters_that_cannot_be_held_are_refused(text: str, tmp_path: Path) -> None:
    with pytest.raises(BadFile, match=r"surrogates|NUL"):
        Parquet().write([Document("1", text, (Span(0, 3, "X"),))], tmp_path / "a.parquet", WriteOptions())

    assert list(tmp_path.iterdir()) == []


def test_it_can_only_be_written(tmp_path: Path) -> None:
    Parquet().write(DOCUMENTS, tmp_path / "a.parquet", WriteOptions())

    with pytest.raises(BadFile, match="parquet can only be written"):
        detect_format(tmp_path / "a.parquet")
    with pytest.raises(BadSetting, match="parquet can only be written"):
        read_documents(tmp_path / "a.parquet", format="parquet")
    with pytest.raises(BadSetting, match="parquet can only be written"):
        Parquet().read(tmp_path / "a.parquet", ReadOptions(), Notes())


def test_it_is_not_compressed_once_more(tmp_path: Path) -> None:
    with pytest.raises(BadSetting, match="compressed inside"):
        Parquet().write(DOCUMENTS, tmp_path / "a.parquet.gz", WriteOptions())


def test_its_suffix_says_the_format() -> None:
    assert format_for_output(Path("a.parquet")).name == "parquet"


def test_without_pyarrow_the_error_says_what_to_install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pyarrow", None)

    with pytest.raises(MissingExtra, match="parquet needs pyarrow") as caught:
        Parquet().write(DOCUMENTS, tmp_path / "a.parquet", WriteOptions())

    assert "[parquet]'" in caught.value.remedy
