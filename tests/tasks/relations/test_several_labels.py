"""Pairs with several relations: read from tables and documents, learned, scored and written."""

import json
from pathlib import Path

import pytest

from linnet.contracts import Notes, WriteOptions, formats
from linnet.documents.document import Argument, Document, Relation, Span
from linnet.documents.texts import Prediction
from linnet.errors import BadFile, BadSetting
from linnet.formats.reading import read_documents
from linnet.metrics.texts.resampled import evaluate_metrics
from linnet.tasks.relations.settings import RelationSettings
from linnet.tasks.relations.several_labels import several_metrics
from linnet.tasks.relations.task import Relations, read_relations
from linnet.tasks.texts.kinds import MULTI_LABEL
from tests import tiny
from tests.cli.running import run

TEXT = "@treatment$ for @problem$ ."
# as BLUE writes i2b2 2010: a row for each relation of a pair, the same index and sentence
ROWS = f"index\tsentence\tlabel\nd.1.2\t{TEXT}\tTrAP\nd.1.2\t{TEXT}\tTrIP\nd.1.3\tno {TEXT}\tfalse\n"
TASK = Relations()


def corpus(folder: Path, **splits: str) -> Path:
    folder.mkdir(exist_ok=True)
    for name, rows in splits.items():
        (folder / f"{name}.tsv").write_text(rows, encoding="utf-8")
    return folder


def test_rows_of_one_pair_are_one_example_with_several_labels(tmp_path: Path) -> None:
    single = ROWS.split("\n")
    folder = corpus(tmp_path / "c", train=ROWS, test="\n".join([single[0], single[1], ""]))

    splits = read_relations(folder, RelationSettings()).splits

    assert [example.gold for example in splits["train"]] == [("TrAP", "TrIP"), ()]
    assert [example.gold for example in splits["test"]] == [("TrAP",)]  # what holds for one split holds for all
    settled = TASK.complete_settings(RelationSettings(), splits["train"])
    assert (settled.labels, settled.several_labels) == (("TrAP", "TrIP"), True)
    assert TASK.kind(splits["train"], settled) is MULTI_LABEL


def test_a_row_that_says_the_same_again_is_counted(tmp_path: Path) -> None:
    notes = Notes()
    folder = corpus(tmp_path / "c", train=ROWS + f"d.1.2\t{TEXT}\tTrAP\n")

    splits = TASK.read(folder, RelationSettings(), notes)

    assert [example.gold for example in splits["train"]] == [("TrAP", "TrIP"), ()]
    assert notes.counts["rows that say the same of a pair again, left out"] == 1


def test_a_table_without_such_pairs_has_one_label_each(tmp_path: Path) -> None:
    rows = f"index\tsentence\tlabel\n1\t{TEXT}\tTrAP\n2\t{TEXT}\tfalse\n"
    folder = corpus(tmp_path / "c", train=rows)

    assert [each.gold for each in read_relations(folder, RelationSettings()).splits["train"]] == ["TrAP", "false"]
    several = read_relations(folder, RelationSettings(several_labels=True)).splits["train"]
    assert [each.gold for each in several] == [("TrAP",), ()]


@pytest.mark.parametrize(
    ("settings", "error", "message"),
    [
        (
            RelationSettings(several_labels=False),
            BadFile,
            "'d.1.2' has the labels TrAP, TrIP, and `text.several_labels`",
        ),
        (RelationSettings(pairs=(), labels=("TrAP", "false")), BadFile, "the model has learned one label of each pair"),
        (RelationSettings(negative="TrAP"), BadFile, "of which TrAP says that there is none"),
        (RelationSettings(negative="flase"), BadSetting, "'flase', which is no label of the training split"),
    ],
)
def test_labels_that_do_not_fit_are_refused(
    tmp_path: Path, settings: RelationSettings, error: type[Exception], message: str
) -> None:
    with pytest.raises(error, match=message):
        read_relations(corpus(tmp_path / "c", train=ROWS), settings)


def test_micro_f1_counts_each_label_of_each_pair() -> None:
    predictions = [
        Prediction("1", "", ("A", "B"), ("A",)),
        Prediction("2", "", (), ("B",)),
        Prediction("3", "", ("A",), ("A",)),
    ]

    metrics = evaluate_metrics(several_metrics(predictions, RelationSettings()), n_resamples=0)

    assert metrics["micro_f1"].value == pytest.approx(4 / 6)  # by hand: 2 right, 3 predicted, 3 gold
    assert list(metrics) == ["micro_f1", "macro_f1", "subset_accuracy"]


def test_a_model_learns_and_answers_several_labels(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    rows = "index\tsentence\tlabel\n" + "".join(
        f"{number}.1\t{TEXT}\tTrAP\n{number}.1\t{TEXT}\tTrIP\n{number}.2\tno {TEXT}\tfalse\n" for number in range(8)
    )
    folder = corpus(tmp_path / "c", train=rows, dev=rows, test=rows)
    training = ("--epochs", 1, "--max-length", 64, "--encoder", tiny.encoder(), "--output", tmp_path / "run")

    trained = run(capsys, "train", "--task", "relations", "--data", folder, *training, "--json")
    scored = run(capsys, "evaluate", tmp_path / "run", folder, "--json")
    answered = run(capsys, "predict", tmp_path / "run", folder / "test.tsv", "--output", tmp_path / "out.jsonl")

    assert trained.code == scored.code == answered.code == 0, trained.err + scored.err + answered.err
    assert json.loads(trained.out)["metric"] == json.loads(scored.out)["metric"] == "micro_f1"
    assert json.loads(scored.out)["examples"] == 16
    lines = (tmp_path / "out.jsonl").read_text(encoding="utf-8").splitlines()
    assert len(lines) == 16
    assert all(isinstance(json.loads(line)["predicted"], list) for line in lines)


def document(name: str, *labels: str) -> Document:
    spans = (Span(0, 15, "Disease", id="T1"), Span(33, 43, "Chemical", id="T2"))
    arguments = (Argument("Arg1", "T2"), Argument("Arg2", "T1"))
    relations = tuple(Relation(label, arguments, f"R{number}") for number, label in enumerate(labels, 1))
    return Document(name, "cystic fibrosis was treated with folic acid .", spans, relations)


def test_documents_give_several_labels_where_the_recipe_says_so(tmp_path: Path) -> None:
    formats.get("jsonl").write([document("1", "x", "y"), document("2")], tmp_path / "train.jsonl", WriteOptions())

    usual = read_relations(tmp_path, RelationSettings())
    several = read_relations(tmp_path, RelationSettings(several_labels=True))

    assert [each.gold for each in usual.splits["train"]] == ["x", "none", "y"]  # the second is not reached
    assert "`text.several_labels = true` learns them all" in usual.notes.sentences()[-1]
    assert [each.gold for each in several.splits["train"]] == [("x", "y"), ()]


def test_documents_are_written_with_all_predicted_relations(tmp_path: Path) -> None:
    path = tmp_path / "train.jsonl"
    formats.get("jsonl").write([document("1", "x", "y"), document("2")], path, WriteOptions())
    settings = RelationSettings(several_labels=True)
    examples = read_relations(tmp_path, settings).splits["train"]
    predictions = [Prediction(each.id, "", each.gold, each.gold or (), details=each.details) for each in examples]

    first, second = TASK.with_predictions(path, predictions, settings)

    assert [relation.label for relation in first.relations] == ["x", "y"]
    assert second.relations == ()
    assert [each.id for each in read_documents(path)] == ["1", "2"]
