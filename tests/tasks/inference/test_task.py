"""Pairs with a label, from tables, JSON lines and PubMedQA."""

import json
from pathlib import Path

import pytest

from linnet.contracts import Notes, tasks
from linnet.documents.texts import Prediction, TextExample
from linnet.errors import BadFile
from linnet.metrics.texts.resampled import plain_value
from linnet.tasks.inference.task import Inference
from linnet.tasks.texts.kinds import CLASSIFICATION
from linnet.tasks.texts.settings import TextSettings
from linnet.tasks.texts.task import Decision, TextTask

SETTINGS = TextSettings()


def written(path: Path, *lines: str) -> Path:
    path.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    return path


def only(splits: dict[str, list[TextExample]]) -> list[TextExample]:
    (examples,) = splits.values()
    return examples


def test_the_task_is_registered_and_follows_the_protocol() -> None:
    assert isinstance(tasks.get("inference"), TextTask)


def test_a_header_names_the_columns(tmp_path: Path) -> None:
    rows = ("label\tpremise\thypothesis", 'entailment\tHe has "fever".\tHe is ill.')

    (found,) = only(Inference().read(written(tmp_path / "train.tsv", *rows), SETTINGS))

    assert (found.first, found.second, found.gold) == ('He has "fever".', "He is ill.", "entailment")
    assert (found.id, found.place) == ("train.tsv:2", f"{tmp_path}/train.tsv:2")


@pytest.mark.parametrize(
    ("rows", "id"),
    [
        (("sentence1\tsentence2\tlabel", "P\tH\tneutral"), "all.tsv:2"),  # GLUE
        (("gold_label\tsentence1\tsentence2\tpairID", "neutral\tP\tH\t7c"), "7c"),  # SNLI's tables
        (("P\tH\tneutral",), "all.tsv:1"),
        (("7\tP\tH\tneutral",), "7"),
    ],
)
def test_the_usual_tables_are_read(tmp_path: Path, rows: tuple[str, ...], id: str) -> None:
    splits = Inference().read(written(tmp_path / "all.tsv", *rows), SETTINGS)

    assert [(each.id, each.first, each.second, each.gold) for each in splits["all"]] == [(id, "P", "H", "neutral")]


def test_csv_is_read_with_quotes(tmp_path: Path) -> None:
    path = written(tmp_path / "test.csv", "premise,hypothesis,label", '"One, two","three",neutral')

    (found,) = Inference().read(path, SETTINGS)["test"]

    assert found.first == "One, two"


def test_columns_of_other_names_are_read_where_they_are_named(tmp_path: Path) -> None:
    path = written(tmp_path / "test.tsv", "a\tb\tc", "P\tH\tno")

    (found,) = only(Inference().read(path, TextSettings(columns={"premise": "a", "hypothesis": "b", "label": "c"})))

    assert (found.first, found.second, found.gold) == ("P", "H", "no")


def test_mednli_is_read_and_pairs_without_consensus_are_counted(tmp_path: Path) -> None:
    def line(id: str, label: str) -> str:
        return json.dumps({"sentence1": "P", "sentence2": "H", "gold_label": label, "pairID": id})

    for split in ("train", "dev", "test"):
        written(tmp_path / f"mli_{split}_v1.jsonl", line("a", "entailment"), line("b", "-"))
    notes = Notes()

    found = Inference().read(tmp_path, SETTINGS, notes)

    assert {name: [(each.id, each.gold) for each in split] for name, split in found.items()} == {
        name: [("a", "entailment")] for name in ("train", "devel", "test")
    }
    assert notes.counts == {"pairs without an agreed label (`-`), left out": 3}


def test_pairs_without_a_label_column_have_no_gold(tmp_path: Path) -> None:
    (found,) = only(Inference().read(written(tmp_path / "new.tsv", "premise\thypothesis", "P\tH"), SETTINGS))

    assert found.gold is None


@pytest.mark.parametrize(
    ("name", "rows", "problem"),
    [
        ("a.tsv", ("P\tH\tyes", "P\tH"), "a.tsv:2: found 2 columns, expected 3"),
        ("a.tsv", ("P\tH\tyes", " \tH\tyes"), "a.tsv:2: 'premise' is empty"),
        ("a.tsv", ("P\tH\tyes", "P\tH\t"), "a.tsv:2: 'label' is empty"),
        ("a.tsv", ("1\tP\tH\tyes", "1\tP\tH\tno"), r"a.tsv:2: the id '1' stands at .*a.tsv:1 already"),
        ("a.jsonl", ('{"premise": "P", "label": "yes"}',), "a.jsonl:1: 'hypothesis' is missing"),
        (
            "a.jsonl",
            ('{"premise": "P", "hypothesis": "H", "label": "a"}', '{"premise": "P", "hypothesis": "H"}'),
            "a.jsonl:2: 'label' is missing",
        ),
        (
            "a.jsonl",
            ('{"premise": "P", "hypothesis": "H", "label": 1.5}',),
            "a.jsonl:1: 'label' is 1.5, expected a text",
        ),
    ],
)
def test_bad_rows_are_refused_with_their_line(tmp_path: Path, name: str, rows: tuple[str, ...], problem: str) -> None:
    with pytest.raises(BadFile, match=problem):
        Inference().read(written(tmp_path / name, *rows), SETTINGS)


def test_json_lines_under_the_name_json_are_json_lines(tmp_path: Path) -> None:
    line = json.dumps({"sentence1": "P", "sentence2": "H", "gold_label": "neutral"})

    (found,) = only(Inference().read(written(tmp_path / "train.json", line), SETTINGS))

    assert found.gold == "neutral"


def test_a_json_array_of_pairs_is_refused_for_what_it_is(tmp_path: Path) -> None:
    pairs = [{"sentence1": "P", "sentence2": "H", "gold_label": "neutral"}]
    (tmp_path / "train.json").write_text(json.dumps(pairs, indent=1), encoding="utf-8")

    with pytest.raises(BadFile, match=r"train.json:1: found a JSON array, expected an object") as refused:
        Inference().read(tmp_path / "train.json", SETTINGS)

    assert refused.value.remedy.startswith("give one object on each line")


def test_rows_of_two_files_of_one_name_have_names_of_their_own(tmp_path: Path) -> None:
    for folder in ("a", "b"):
        (tmp_path / folder).mkdir()
        written(tmp_path / folder / "train.tsv", "P\tH\tneutral")
    files = {"train": ("a/train.tsv", "b/train.tsv")}

    found = Inference().read(tmp_path, TextSettings(files=files))

    assert [each.id for each in found["train"]] == ["a/train.tsv:1", "b/train.tsv:1"]


def test_the_most_probable_label_is_the_prediction() -> None:
    pair = TextExample("1", "P", "H", "yes", place="x:1")

    assert Inference().kind([pair], SETTINGS) is CLASSIFICATION
    assert Inference().decide([pair], [{"yes": 0.3, "no": 0.7}], Decision(CLASSIFICATION, {}), SETTINGS) == [
        Prediction("1", "P\nH", "yes", "no", "1", 0.7)
    ]


def test_accuracy_comes_first_and_macro_f1_counts_all_labels() -> None:
    pairs = [("yes", "yes"), ("yes", "no"), ("no", "no"), ("maybe", "no"), (None, "yes")]
    predictions = [Prediction(str(at), "", gold, predicted) for at, (gold, predicted) in enumerate(pairs)]

    metrics = Inference().metrics(predictions, SETTINGS)

    # 2 of the 4 known are right; F1 of yes 2/(1+2), no 2/(3+1), maybe 0: their mean is (2/3 + 1/2) / 3
    assert metrics[0].name == "accuracy"
    value = {metric.name: plain_value(metric) for metric in metrics}
    assert value["accuracy"] == pytest.approx(0.5)
    assert value["macro_f1"] == pytest.approx((2 / 3 + 1 / 2) / 3)
