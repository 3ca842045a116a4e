"""Documents become BioC structures, and what BioC cannot hold is listed."""

from dataclasses import replace
from pathlib import Path

import pytest

from linnet.contracts import Format, WriteOptions, formats
from linnet.documents.document import Argument, Document, Link, Passage, Relation, Sentence, Span
from tests.formats.bioc.structures import BOTH, again, read


def test_a_title_and_an_abstract_come_back_and_spans_get_ids(tmp_path: Path) -> None:
    text = "Aspirin.\nIt helps."
    passages = (Passage(0, 8, {"type": "title"}), Passage(9, 18, {"type": "abstract"}))
    arguments = (Argument("entity1", "D1", True), Argument("entity2", "D2", True))
    relation = Relation("CID", arguments, infons={"novel": "No"})
    spans = (Span(0, 7, "Chemical", links=(Link("D1"),)), Span(9, 11, "Chemical", id="0"))
    document = Document("7", text, spans, (relation,), passages)

    found = [again(document, name, tmp_path) for name in BOTH]

    expected = replace(document, spans=(replace(spans[0], id="1"), spans[1]))
    assert found == [expected, expected]


@pytest.mark.parametrize("name", BOTH)
def test_a_text_without_passages_becomes_one_passage(name: str, tmp_path: Path) -> None:
    document = Document("7", "line\n\nline ", (Span(0, 4, "X", id="1"),))

    assert again(document, name, tmp_path) == replace(document, passages=(Passage(0, 11),))


@pytest.mark.parametrize("name", BOTH)
def test_text_outside_passages_is_listed_and_still_written(name: str, tmp_path: Path) -> None:
    document = Document("7", "Title\nlost\nEnd", (Span(6, 10, "X", id="1"),), passages=(Passage(0, 5), Passage(11, 14)))

    losses = list(formats.get(name).losses(document))
    found = again(document, name, tmp_path)

    assert losses == [("text outside passages", 1)]
    assert found.text == document.text
    assert found.spans == document.spans


def test_white_space_outside_passages_other_than_line_breaks_between_them_is_listed() -> None:
    document = Document("7", "Title  End\t", passages=(Passage(0, 5), Passage(7, 10)))

    assert dict(formats.get("bioc-json").losses(document)) == {"white space outside passages": 3}


def test_tokens_and_columns_are_listed_as_lost() -> None:
    sentence = Sentence(0, 3, tokens=((0, 1), (2, 3)), columns=(("NN",), ("NN",)))

    losses = formats.get("bioc-xml").losses(Document("7", "a b", sentences=(sentence,)))

    assert dict(losses) == {"token boundaries": 2, "token columns": 2}


def test_a_document_that_belongs_to_another_collection_keeps_it(tmp_path: Path) -> None:
    infons: list[dict[str, str]] = [{"collection.source": "A", "collection.key": "k"}, {"collection.source": "B"}, {}]
    documents = [Document(str(number), "", infons=each) for number, each in enumerate(infons)]

    formats.get("bioc-json").write(documents, tmp_path / "a.json", WriteOptions())

    assert [document.infons for document in read(tmp_path / "a.json", name="bioc-json")] == infons


def test_both_formats_are_registered() -> None:
    found: list[Format] = [formats.get(name) for name in BOTH]

    assert [(each.name, each.suffixes) for each in found] == [("bioc-xml", (".xml",)), ("bioc-json", (".json",))]
