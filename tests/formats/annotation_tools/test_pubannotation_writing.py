"""Documents become PubAnnotation objects as TextAE opens them."""

import json
from pathlib import Path

from linnet.documents.document import Argument, Document, Link, Passage, Relation, Sentence, Span
from linnet.formats.annotation_tools.pubannotation import PubAnnotation
from linnet.formats.annotation_tools.pubannotation_writing import losses_of, record_of
from tests.formats.annotation_tools.files import written

TEXT = "Aspirin causes ulcers"


def test_a_document_is_one_object_on_one_line(tmp_path: Path) -> None:
    relation = Relation("CID", (Argument("subj", "T1"), Argument("obj", "T2")), "R1")
    spans = (
        Span(0, 7, "Chemical", id="T1", links=(Link("D001241", "MESH"),), score=0.5),
        Span(15, 21, "Disease", id="T2"),
    )

    line = written(PubAnnotation(), [Document("7", TEXT, spans, (relation,), infons={"sourcedb": "PubMed"})], tmp_path)

    assert json.loads(line) == {
        "sourcedb": "PubMed",
        "sourceid": "7",
        "text": TEXT,
        "denotations": [
            {"id": "T1", "span": {"begin": 0, "end": 7}, "obj": "Chemical"},
            {"id": "T2", "span": {"begin": 15, "end": 21}, "obj": "Disease"},
        ],
        "relations": [{"id": "R1", "subj": "T1", "pred": "CID", "obj": "T2"}],
        "attributes": [
            {"id": "A1", "subj": "T1", "pred": "MESH identifier", "obj": "D001241"},
            {"id": "A2", "subj": "T1", "pred": "score", "obj": 0.5},
        ],
    }


def test_a_division_gets_its_number_back() -> None:
    record = record_of(Document("7-0", "a", infons={"divid": "0"}))

    assert (record["sourceid"], record["divid"]) == ("7", 0)


def test_ids_that_are_missing_or_taken_are_replaced() -> None:
    record = record_of(Document("7", TEXT, (Span(0, 7, "X"), Span(0, 7, "Y", id="T1"), Span(0, 7, "Z", id="T1"))))

    assert [each["id"] for each in record["denotations"]] == ["T2", "T1", "T3"]


def test_losses_are_named() -> None:
    document = Document(
        "7",
        TEXT,
        (Span(0, 7, "X", id="T1", infons={"MESH identifier": "D1"}),),
        (Relation("a", (Argument("", "T1"), Argument("", "T1"))), Relation("b", (Argument("x", "D1", True),))),
        (Passage(0, 7, {"type": "sentence"}),),
        (Sentence(0, 7, ((0, 7),)),),
        {"year": "2020"},
    )

    assert [number for _, number in losses_of(document)] == [1, 1, 1, 1, 1, 1]
