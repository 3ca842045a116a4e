"""doccano's exports are read, and files for its import are written, with its offsets."""

import json
from pathlib import Path

import pytest

from linnet.contracts import Notes
from linnet.documents.document import Argument, Document, Relation, Span
from linnet.errors import BadFile
from linnet.formats.annotation_tools.doccano import Doccano, entities_of
from linnet.formats.reading import detect_format
from tests.formats.annotation_tools.files import read, written

PLAIN = {"id": 5, "text": "Lung cancer", "label": [[0, 11, "Disease"]], "Comments": []}
TIED = {  # as doccano exports a project with relations
    "id": 6,
    "text": "Aspirin helps",
    "entities": [
        {"id": 70, "label": "Chemical", "start_offset": 0, "end_offset": 7},
        {"id": 71, "label": "Effect", "start_offset": 8, "end_offset": 13},
    ],
    "relations": [{"id": 9, "from_id": 70, "to_id": 71, "type": "has"}],
    "Comments": [],
}


def test_labels_entities_relations_and_metadata_are_read(tmp_path: Path) -> None:
    lines = "\n".join(json.dumps(each) for each in ({**PLAIN, "pmid": 12, "Comments": ["odd"]}, TIED))

    plain, tied = read(Doccano(), lines, tmp_path)

    assert plain == Document(
        "5", "Lung cancer", (Span(0, 11, "Disease"),), infons={"pmid": "12", "Comments": '["odd"]'}
    )
    assert tied.spans == (Span(0, 7, "Chemical", id="70"), Span(8, 13, "Effect", id="71"))
    assert tied.relations == (Relation("has", (Argument("from", "70"), Argument("to", "71")), "9"),)


def test_offsets_are_utf16_code_units(tmp_path: Path) -> None:
    # the text and the offsets of doccano's issue 2290
    text = "\U0001f468\U0001f3fb\u200d\U0001f692 firemen drive firetrucks"

    (document,) = read(Doccano(), {"text": text, "label": [[22, 32, "X"]]}, tmp_path)

    assert [mention for _, mention in document.mentions()] == ["firetrucks"]
    assert json.loads(written(Doccano(), [document], tmp_path))["label"] == [[22, 32, "X"]]


def test_a_file_is_written_in_one_shape(tmp_path: Path) -> None:
    plain = Document("a", "Lung cancer", (Span(0, 11, "X", id="T1"),))
    relation = Relation("same", (Argument("from", "T1"), Argument("to", "T1")))
    tied = Document("b", "Lung cancer", (Span(0, 11, "X", id="T1"),), (relation,))

    alone = written(Doccano(), [plain], tmp_path)
    both = written(Doccano(), [plain, tied], tmp_path)

    assert json.loads(alone) == {"id": "a", "label": [[0, 11, "X"]], "text": "Lung cancer"}
    first, second = map(json.loads, both.splitlines())
    assert first["entities"] == second["entities"] == entities_of(plain)
    assert (first["relations"], second["relations"]) == ([], [{"id": 1, "from_id": 1, "to_id": 1, "type": "same"}])


@pytest.mark.parametrize(
    ("record", "problem"),
    [
        ({"label": []}, "no 'text'"),
        ({"text": "a", "label": [[0, 1]]}, "expected [start, end, label]"),
        ({"text": "a", "label": [[0, 2, "X"]]}, "its text ends at 1"),
        ({"text": "a", "label": ["X"]}, "expected [start, end, label]"),
        ({"text": "😀", "label": [[0, 1, "X"]]}, "inside a character"),
        ({"text": "a", "entities": [{"label": "X", "start_offset": 0}]}, "no 'end_offset'"),
        ({"text": "a", "entities": [], "relations": [{"from_id": 1, "to_id": 2, "type": "x"}]}, "relation 'x' to '1'"),
        ({"id": 5, "text": "b", "label": []}, "a second document is called '5'"),
    ],
)
def test_a_broken_line_is_refused_with_its_number(record: dict[str, object], problem: str, tmp_path: Path) -> None:
    with pytest.raises(BadFile, match=r"corpus\.json:2: ") as caught:
        read(Doccano(), f"{json.dumps(PLAIN)}\n{json.dumps(record)}\n", tmp_path)

    assert problem in caught.value.problem


@pytest.mark.parametrize(
    ("content", "expected"), [(PLAIN, "doccano"), (TIED, "doccano"), ({**PLAIN, "label": []}, "doccano")]
)
def test_the_format_is_detected_by_its_content(content: object, expected: str, tmp_path: Path) -> None:
    path = tmp_path / "x.jsonl"
    path.write_text(json.dumps(content) + "\n")

    assert detect_format(path).name == expected


def test_labels_of_whole_texts_are_not_taken_for_spans(tmp_path: Path) -> None:
    path = tmp_path / "x.jsonl"
    path.write_text('{"id": 1, "text": "a", "label": ["good"]}\n')

    assert not Doccano().recognises(path, path.read_text())


def test_fields_without_a_value_are_noted(tmp_path: Path) -> None:
    notes = Notes()

    read(Doccano(), {**PLAIN, "pmid": None}, tmp_path, notes=notes)

    assert notes.counts == {"fields without a value left out": 1}
