"""Relations: every form is read, what cannot be is refused, and new texts are read as those of training."""

import json
from collections import Counter
from pathlib import Path

import pytest

from linnet.contracts import Notes, WriteOptions, formats, tasks
from linnet.documents.document import Argument, Document, Link, Relation, Span
from linnet.documents.texts import TextExample
from linnet.errors import BadFile
from linnet.tasks.relations.settings import RelationSettings
from linnet.tasks.relations.task import Relations, negative_labels, read_relations
from linnet.tasks.texts.kinds import CLASSIFICATION
from linnet.tasks.texts.task import Decision, TextTask
from tests.shared_data import SHARED, needs_shared

DATA = SHARED / "data"
TASK = Relations()
SETTINGS = RelationSettings()
ROW = "@GENE$ in @DISEASE$\t1\n"
TEXT = "Aspirin causes ataxia."
SPANS = (Span(0, 7, "Chemical", id="T1", links=(Link("C1"),)), Span(15, 21, "Disease", id="T2", links=(Link("D1"),)))
MARKED = "@ * chemical * Aspirin @ causes # ^ disease ^ ataxia #."


def write_documents(path: Path, format: str, *, is_concept: bool) -> Path:
    targets = ("C1", "D1") if is_concept else ("T1", "T2")
    arguments = tuple(
        Argument(role, target, is_concept)
        for role, target in zip(("entity1", "entity2") if is_concept else ("Arg1", "Arg2"), targets, strict=True)
    )
    found = Document("9", TEXT, SPANS, (Relation("CID", arguments, "R1"),))
    formats.get(format).write([found], path, WriteOptions())
    return path


@pytest.mark.parametrize(
    ("name", "format", "is_concept"),
    [
        ("train.pubtator", "pubtator", True),
        ("train.xml", "bioc-xml", True),
        ("train.json", "bioc-json", False),
        ("train.jsonl", "jsonl", True),
        ("train.jsonl", "jsonl", False),
        ("train", "brat", False),
    ],
)
def test_documents_of_each_format_give_the_pair(tmp_path: Path, name: str, format: str, is_concept: bool) -> None:
    write_documents(tmp_path / name, format, is_concept=is_concept)

    (found,) = TASK.read(tmp_path, SETTINGS)["train"]

    assert (found.first, found.gold) == (MARKED, "CID")
    assert found.id == ("9:C1-D1" if is_concept else "9:T1-T2")


def test_tables_give_their_splits(tmp_path: Path) -> None:
    (tmp_path / "train.tsv").write_text(ROW, encoding="utf-8")
    (tmp_path / "test.tsv").write_text(f"index\tsentence\tlabel\n0\t{ROW}", encoding="utf-8")

    found = TASK.read(tmp_path, SETTINGS)

    assert {name: [(each.id, each.gold) for each in examples] for name, examples in found.items()} == {
        "train": [("train.tsv:1", "1")],
        "test": [("0", "1")],
    }


def test_json_lines_with_ids_and_marked_pairs_are_a_table(tmp_path: Path) -> None:
    path = tmp_path / "new.jsonl"
    path.write_text(json.dumps({"id": "7", "text": "<< a >> of [[ b ]]"}) + "\n", encoding="utf-8")

    (found,) = TASK.read(path, SETTINGS)["all"]

    assert (found.id, found.gold, found.spans) == ("7", None, ((0, 7), (11, 18)))


def test_files_may_be_named(tmp_path: Path) -> None:
    for name in ("a.tsv", "b.tsv"):
        (tmp_path / name).write_text(ROW, encoding="utf-8")

    found = TASK.read(tmp_path, RelationSettings(files={"train": ("a.tsv", "b.tsv")}))

    assert [each.id for each in found["train"]] == ["a.tsv:1", "b.tsv:1"]


def test_tables_beside_documents_are_refused(tmp_path: Path) -> None:
    write_documents(tmp_path / "train.pubtator", "pubtator", is_concept=True)
    (tmp_path / "test.tsv").write_text(ROW, encoding="utf-8")

    with pytest.raises(BadFile, match=r"train.pubtator holds documents, but .*test.tsv rows of a table"):
        TASK.read(tmp_path, SETTINGS)


def test_a_document_in_two_files_of_a_split_is_refused(tmp_path: Path) -> None:
    for name in ("a.pubtator", "b.pubtator"):
        write_documents(tmp_path / name, "pubtator", is_concept=True)

    with pytest.raises(BadFile, match=r"b.pubtator: the document id '9' stands at .*a.pubtator already"):
        TASK.read(tmp_path, RelationSettings(files={"train": ("a.pubtator", "b.pubtator")}))


def test_what_the_reader_of_documents_notes_is_passed_on(tmp_path: Path) -> None:
    path = write_documents(tmp_path / "new.json", "bioc-json", is_concept=False)
    path.write_text(path.read_text(encoding="utf-8").replace('"CID"', "null"), encoding="utf-8")
    notes = Notes()

    (found,) = TASK.read(path, RelationSettings(pairs=("Chemical-Disease",)), notes)["all"]

    assert found.gold is None
    assert any("infons without a value left out" in note for note in notes.sentences())
    assert any(note.startswith("relations without a type, left out") for note in notes.sentences())


def test_what_is_left_out_is_noted(tmp_path: Path) -> None:
    write_documents(tmp_path / "train.jsonl", "jsonl", is_concept=True)
    line = (tmp_path / "train.jsonl").read_text(encoding="utf-8")
    (tmp_path / "test.jsonl").write_text(line.replace('"concept": "D1"', '"concept": "D9"'), encoding="utf-8")
    notes = Notes()

    TASK.read(tmp_path, SETTINGS, notes)

    (message,) = notes.sentences()
    assert "relations of test that no pair stands for, missed in every score (an argument that is no mention" in message
    assert "annotate a mention of it, or mend or remove the relation" in message
    assert f"{tmp_path / 'test.jsonl'}: document '9', relation 'CID' of C1 and D9" in message


def test_the_kind_is_one_of_several_labels() -> None:
    assert TASK.kind([TextExample("1", "a", gold="x")], SETTINGS) is CLASSIFICATION


def test_each_pair_gets_its_likeliest_label_and_keeps_its_details() -> None:
    example = TextExample("1", "a of b", gold="x", spans=((0, 1), (5, 6)), details={"document": "7"})

    (found,) = TASK.decide([example], [{"x": 0.25, "none": 0.75}], Decision(CLASSIFICATION, {}), SETTINGS)

    assert (found.gold, found.predicted, found.score, found.details) == ("x", "none", 0.75, {"document": "7"})


def test_types_of_training_are_kept_for_new_documents() -> None:
    examples = [
        TextExample("1", "a", gold="x", details={"types": name, "document": "1"}) for name in ("B-C", "A-B", "B-C")
    ]

    assert Relations().complete_settings(SETTINGS, examples).pairs == ("A-B", "B-C")
    assert Relations().complete_settings(RelationSettings(pairs=("X-Y",)), examples).pairs == ("X-Y",)
    assert Relations().complete_settings(SETTINGS, [TextExample("1", "a")]).pairs == ()  # a table's


def test_new_documents_are_paired_as_those_of_training(tmp_path: Path) -> None:
    write_documents(tmp_path / "train.jsonl", "jsonl", is_concept=False)  # between mentions, which have concepts too
    formats.get("jsonl").write([Document("9", TEXT, SPANS)], tmp_path / "new.jsonl", WriteOptions())
    settled = TASK.complete_settings(SETTINGS, TASK.read(tmp_path / "train.jsonl", SETTINGS)["train"])

    (found,) = TASK.read(tmp_path / "new.jsonl", settled)["all"]

    assert settled.unit == "mention"
    assert found.id == "9:T1-T2"


def test_a_model_of_before_finds_out_what_is_paired(tmp_path: Path) -> None:
    formats.get("jsonl").write([Document("9", TEXT, SPANS)], tmp_path / "new.jsonl", WriteOptions())

    (found,) = TASK.read(tmp_path / "new.jsonl", RelationSettings(pairs=("Chemical-Disease",)))["all"]

    assert found.id == "9:C1-D1"


@pytest.mark.parametrize("split", ["train", "devel", "test"])
def test_texts_without_marks_are_refused_in_every_split_where_marks_are_read(tmp_path: Path, split: str) -> None:
    for name in ("train", "devel", "test"):
        (tmp_path / f"{name}.tsv").write_text("a\t1\nb\t0\n" if name == split else ROW, encoding="utf-8")

    with pytest.raises(BadFile, match=rf"{split}.tsv:1: found none of the two mentions in 'a'") as refused:
        TASK.read(tmp_path, SETTINGS)
    assert '`text.pooling = "cls"`' in refused.value.remedy
    assert len(TASK.read(tmp_path, RelationSettings(pooling="cls"))[split]) == 2


def test_texts_from_python_without_marks_are_refused() -> None:
    text = TASK.prepare_text(TextExample("1", "aspirin"), SETTINGS)

    with pytest.raises(BadFile, match="text 1: found none of the two mentions in 'aspirin'"):
        TASK.decide([text], [{"x": 1.0}], Decision(CLASSIFICATION, {}), SETTINGS)


def test_the_task_is_registered() -> None:
    assert tasks.get("relations").name == "relations"
    assert isinstance(TASK, TextTask)
    assert TASK.pooling == "markers"


@needs_shared
def test_the_folds_of_gad_hold_what_was_published() -> None:
    folds = [TASK.read(DATA / "relations" / "gad" / str(number), SETTINGS) for number in range(1, 11)]

    labels = Counter(example.gold for fold in folds for example in fold["test"])
    assert labels == {"1": 2801, "0": 2529}  # PROVENANCE.md
    assert (len(folds[0]["train"]), len(folds[0]["test"])) == (4796, 534)
    assert all(len(example.spans) == 2 for fold in folds for split in fold.values() for example in split)


@needs_shared
@pytest.mark.parametrize(
    ("folder", "sizes"),  # PROVENANCE.md
    [
        ("gad/blurb", {"train": 4261, "devel": 535, "test": 534}),
        ("chemprot", {"train": 4169, "devel": 2427, "test": 3469}),
    ],
)
def test_published_tables_are_read_whole(folder: str, sizes: dict[str, int]) -> None:
    found = TASK.read(DATA / "relations" / folder, SETTINGS)

    assert {name: len(examples) for name, examples in found.items()} == sizes
    assert all(len(example.spans) == 2 for examples in found.values() for example in examples)


@needs_shared
def test_chemprot_has_13_labels_and_none_is_negative() -> None:
    found = TASK.read(DATA / "relations" / "chemprot", SETTINGS)
    labels = {str(example.gold) for examples in found.values() for example in examples}

    assert len(labels) == 13
    assert negative_labels(labels, SETTINGS) == set()
    for example in (each for examples in found.values() for each in examples):
        first, second = (example.first[start:end] for start, end in example.spans)
        assert (first[:3], first[-3:], second[:3], second[-3:]) == ("<< ", " >>", "[[ ", " ]]")


@needs_shared
def test_pairs_of_bc5cdr_hold_every_relation_of_the_documents() -> None:
    names = {"train": ("CDR_TrainingSet.PubTator.txt",), "test": ("CDR_TestSet.PubTator.txt",)}
    settings = RelationSettings(level="document", files=names, negatives=2)

    found = read_relations(DATA / "linking" / "bc5cdr", settings)

    learned = Counter(example.gold for example in TASK.sample_training(found.splits["train"], settings))
    assert learned == {"CID": 1038, "none": 2076}  # PROVENANCE.md; two without a relation for each with one
    assert Counter(example.gold for example in found.splits["test"])["CID"] == 1066
    assert not any(found.unreached.values())
    for examples in found.splits.values():
        assert len({example.id for example in examples}) == len(examples)
        for example in examples:
            subject, object = (example.first[start:end] for start, end in example.spans)
            assert subject.startswith("@ * chemical * ")
            assert subject.endswith(" @")
            assert object.startswith("# ^ disease ^ ")
            assert object.endswith(" #")
