"""Documents become tasks as Label Studio imports them."""

import json
from pathlib import Path

from linnet.documents.document import Argument, Document, Link, Relation, Span
from linnet.formats.annotation_tools.label_studio import LabelStudio
from linnet.formats.annotation_tools.label_studio_writing import losses_of, results_of, task_of
from tests.formats.annotation_tools.files import written


def test_a_file_is_a_list_with_a_task_on_each_line(tmp_path: Path) -> None:
    content = written(LabelStudio(), [Document("1", "a"), Document("2", "b")], tmp_path)

    assert len(content.splitlines()) == 4
    assert [each["data"] for each in json.loads(content)] == [{"id": "1", "text": "a"}, {"id": "2", "text": "b"}]


def test_mentions_with_scores_are_predictions() -> None:
    scored = Document("1", "Bonn", (Span(0, 4, "City", id="T1", score=0.5),), infons={"model": "m"})

    task = task_of(scored)

    result = {
        "id": "T1",
        "type": "labels",
        "from_name": "label",
        "to_name": "text",
        "value": {"start": 0, "end": 4, "text": "Bonn", "labels": ["City"]},
        "score": 0.5,
    }
    assert task == {
        "data": {"id": "1", "model": "m", "text": "Bonn"},
        "predictions": [{"model_version": "m", "result": [result]}],
    }


def test_links_and_infons_are_kept_with_the_region() -> None:
    span = Span(0, 4, "City", links=(Link("1", "X"), Link("2")), infons={"note": "n"})

    (result,) = results_of(Document("1", "Bonn", (span,)), labels_name="l", text_name="t")

    assert result["meta"] == {"links": [{"identifier": "1", "database": "X"}, {"identifier": "2"}], "note": "n"}
    assert (result["from_name"], result["to_name"]) == ("l", "t")


def test_losses_are_named() -> None:
    pieces = Span(0, 4, "X", ((0, 1), (3, 4)), "T1")
    whole = Span(0, 4, "X", id="T2")
    relations = (
        Relation("a", (Argument("from", "T1"), Argument("to", "T2"))),
        Relation("b", (Argument("x", "T2"), Argument("to", "T2")), infons={"c": "d"}),
    )

    lost = dict(losses_of(Document("1", "Bonn", (pieces, whole), relations, infons={"text": "x"})))

    assert {what: number for what, number in lost.items() if number} == {
        "discontinuous mentions": 1,
        "relations that do not connect two mentions of Label Studio": 1,
        "roles of arguments other than from and to": 1,
        "infons of relations": 1,
        "infons of documents called id or text": 1,
    }
