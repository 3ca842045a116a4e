"""Label Studio's exports are read, whatever a task has, and refused with their place if they are broken."""

import json
from pathlib import Path

import pytest

from linnet.contracts import Notes
from linnet.documents.document import Argument, Link, Relation, Span
from linnet.errors import BadFile
from linnet.formats.annotation_tools.label_studio import LabelStudio, text_of_task
from linnet.formats.reading import detect_format
from tests.formats.annotation_tools.files import read


def region(start: int, end: int, text: str | None, **more: object) -> dict[str, object]:
    value = {"start": start, "end": end, "labels": ["City"], **({} if text is None else {"text": text})}
    return {
        "id": "a",
        "from_name": "label",
        "to_name": "text",
        "type": "labels",
        "origin": "manual",
        "value": value,
        **more,
    }


def task(*results: object, text: str = "In Bonn", **more: object) -> dict[str, object]:
    return {"id": 3, "data": {"text": text}, "annotations": [{"id": 1, "result": list(results)}], "meta": {}, **more}


def test_a_task_of_an_export_is_a_document(tmp_path: Path) -> None:
    relation = {"type": "relation", "from_id": "a", "to_id": "b", "direction": "left", "labels": ["same"]}
    tagged = region(0, 2, "In", id="b", meta={"text": ["unsure"], "links": [{"identifier": "1", "database": "X"}]})

    (document,) = read(LabelStudio(), [task(region(3, 7, "Bonn"), tagged, relation)], tmp_path)

    assert document.id == "3"
    assert document.spans == (
        Span(3, 7, "City", id="a"),
        Span(0, 2, "City", id="b", links=(Link("1", "X"),), infons={"text": '["unsure"]'}),
    )
    assert document.relations == (Relation("same", (Argument("from", "b"), Argument("to", "a"))),)


def test_predictions_are_read_where_nobody_has_annotated(tmp_path: Path) -> None:
    predictions = [{"model_version": "m1", "result": [region(3, 7, "Bonn", score=0.5)]}]

    (document,) = read(LabelStudio(), [{"data": {"text": "In Bonn"}, "predictions": predictions}], tmp_path)

    assert document.spans[0].score == 0.5
    assert document.infons == {"model": "m1"}


def test_one_of_several_annotations_is_read_and_the_others_are_noted(tmp_path: Path) -> None:
    annotations = [
        {"result": [], "was_cancelled": True},
        {"result": [region(0, 2, "In")]},
        {"result": [region(3, 7, "Bonn")], "ground_truth": True},
    ]
    notes = Notes()

    (document,) = read(
        LabelStudio(), [{"data": {"text": "In Bonn"}, "annotations": annotations}], tmp_path, notes=notes
    )

    assert [span.start for span in document.spans] == [3]
    assert notes.counts == {"further annotations of one task left out": 1}


@pytest.mark.parametrize(("start", "end"), [(12, 22), (13, 23)])  # in characters, and as in Label Studio's issue 1347
def test_offsets_of_old_and_new_versions_are_read(start: int, end: int, tmp_path: Path) -> None:
    (document,) = read(
        LabelStudio(), [task(region(start, end, "annotation"), text="💩This is an annotation.")], tmp_path
    )

    assert [mention for _, mention in document.mentions()] == ["annotation"]


def test_several_labels_of_a_region_are_several_mentions(tmp_path: Path) -> None:
    both = region(3, 7, None)
    both["value"] = {"start": 3, "end": 7, "labels": ["A", "B"]}

    (document,) = read(LabelStudio(), [task(both)], tmp_path)

    assert [(span.id, span.label) for span in document.spans] == [("a", "A"), ("a.1", "B")]


def test_results_of_other_kinds_are_noted(tmp_path: Path) -> None:
    notes = Notes()

    read(LabelStudio(), [task({"type": "choices", "value": {"choices": ["x"]}})], tmp_path, notes=notes)

    assert notes.counts == {"results of type 'choices' left out": 1}


def test_the_text_may_have_another_name() -> None:
    assert text_of_task({"abstract": "x", "year": 2020}) == ("abstract", "x")
    with pytest.raises(ValueError, match="2 texts"):
        text_of_task({"abstract": "x", "title": "y"})


def test_a_text_that_differs_is_repaired_on_request(tmp_path: Path) -> None:
    notes = Notes()

    (document,) = read(LabelStudio(), [task(region(3, 7, "Köln"))], tmp_path, notes=notes, repair=True)

    assert document.spans[0].start == 3
    assert list(notes.counts) == ["regions whose text differs from the text at their offsets, which were used"]


@pytest.mark.parametrize(
    ("broken", "problem"),
    [
        ({"annotations": []}, "no 'data'"),
        ({"data": []}, "'data' is no object"),
        ({"data": {}}, "0 texts"),
        (task(region(3, 7, "Köln")), "a region has 'Köln', and 'Bonn' is the text"),
        (task(region(3, 90, None)), "its text ends at 7"),
        (task(region(3, 7, "Bonn", value={"start": 3})), "no 'end'"),
        (task(region(3, 7, "Bonn", score="high")), "the score is"),
        (task({"type": "relation", "from_id": "a", "to_id": "b"}), "relation '' to 'a'"),
        ("text", "expected a task of Label Studio"),
    ],
)
def test_a_broken_task_is_refused_with_its_line(broken: object, problem: str, tmp_path: Path) -> None:
    with pytest.raises(BadFile, match=r"corpus\.json:2: ") as caught:
        read(LabelStudio(), f"[{json.dumps(task() | {'id': 1})},\n{json.dumps(broken)}]", tmp_path)

    assert problem in caught.value.problem


def test_the_format_is_detected_by_its_content(tmp_path: Path) -> None:
    for number, content in enumerate(([task()], task(), [{"annotations": [], "id": 1, "data": {"text": "a"}}])):
        path = tmp_path / f"{number}.json"
        path.write_text(json.dumps(content))
        assert detect_format(path).name == "label-studio"
