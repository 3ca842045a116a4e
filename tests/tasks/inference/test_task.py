"""Pairs with a label, from tables, JSON lines and PubMedQA."""

import json
from collections import Counter
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
from tests.shared_data import SHARED, needs_shared

SETTINGS = TextSettings()
QUESTION = {"QUESTION": "Is it?", "CONTEXTS": ["It is.", "Or so."], "final_decision": "yes"}


def written(path: Path, *lines: str) -> Path:
    path.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    return path


def pubmedqa(folder: Path, questions: object, listed: object) -> Path:
    (folder / "ori_pqal.json").write_text(json.dumps(questions, indent=1), encoding="utf-8")
    (folder / "test_ground_truth.json").write_text(json.dumps(listed, indent=1), encoding="utf-8")
    return folder


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


def test_pubmedqa_has_the_listed_ids_as_test_and_the_others_as_train(tmp_path: Path) -> None:
    folder = pubmedqa(tmp_path, {"1": QUESTION, "2": QUESTION | {"final_decision": "no"}}, {"2": "no"})

    found = Inference().read(folder, SETTINGS)

    assert found["train"] == [
        TextExample("1", "Is it?", "It is. Or so.", "yes", place=f"{folder}/ori_pqal.json:2")
    ]  # {, then "1"
    assert [(each.id, each.gold) for each in found["test"]] == [("2", "no")]


def test_json_files_of_pubmedqa_are_read_one_by_one_too(tmp_path: Path) -> None:
    undecided = {key: value for key, value in QUESTION.items() if key != "final_decision"}
    (tmp_path / "train_set.json").write_text(json.dumps({"1": QUESTION}), encoding="utf-8")
    (tmp_path / "test_set.json").write_text(json.dumps({"1": undecided}, indent=4), encoding="utf-8")

    found = Inference().read(tmp_path, SETTINGS)

    assert {name: [each.gold for each in split] for name, split in found.items()} == {"train": ["yes"], "test": [None]}


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


def test_an_object_over_several_lines_that_is_no_question_is_told_how_pairs_are_given(tmp_path: Path) -> None:
    (tmp_path / "train.json").write_text(json.dumps({"sentence1": "P"}, indent=1), encoding="utf-8")

    with pytest.raises(BadFile, match="expected an object with QUESTION and CONTEXTS") as refused:
        Inference().read(tmp_path / "train.json", SETTINGS)

    assert "other pairs are given as JSON lines" in refused.value.remedy


def test_rows_of_two_files_of_one_name_have_names_of_their_own(tmp_path: Path) -> None:
    for folder in ("a", "b"):
        (tmp_path / folder).mkdir()
        written(tmp_path / folder / "train.tsv", "P\tH\tneutral")
    files = {"train": ("a/train.tsv", "b/train.tsv")}

    found = Inference().read(tmp_path, TextSettings(files=files))

    assert [each.id for each in found["train"]] == ["a/train.tsv:1", "b/train.tsv:1"]


@pytest.mark.parametrize(
    ("listed", "problem"),
    [
        ({"1": "yes", "3": "no"}, r"test_ground_truth.json:3: the test id '3' is not in ori_pqal.json"),
        ({"1": "no"}, r"test_ground_truth.json:2: the label of '1' is 'no', but 'yes' at .*ori_pqal.json:2"),
        ([], "expected an object with an entry for each PMID"),
    ],
)
def test_a_test_list_that_does_not_fit_is_refused(tmp_path: Path, listed: object, problem: str) -> None:
    with pytest.raises(BadFile, match=problem):
        Inference().read(pubmedqa(tmp_path, {"1": QUESTION}, listed), SETTINGS)


@pytest.mark.parametrize(
    ("entry", "problem"),
    [
        ("yes", "question '1' is 'yes', expected an object"),
        (QUESTION | {"QUESTION": " "}, "QUESTION is ' ', expected a text"),
        (QUESTION | {"CONTEXTS": "It is."}, "CONTEXTS is 'It is.', expected a list of texts"),
        (QUESTION | {"CONTEXTS": []}, "CONTEXTS is empty"),
        (QUESTION | {"final_decision": 1}, "final_decision is 1, expected yes, no or maybe"),
        (QUESTION | {"final_decision": "Yes"}, "final_decision is 'Yes', expected yes, no or maybe"),
        (QUESTION | {"final_decision": "yes "}, "final_decision is 'yes ', expected yes, no or maybe"),
    ],
)
def test_bad_questions_are_refused_with_their_line(tmp_path: Path, entry: object, problem: str) -> None:
    with pytest.raises(BadFile, match=f"ori_pqal.json:2: question '1'.*{problem}|ori_pqal.json:2: {problem}"):
        Inference().read(pubmedqa(tmp_path, {"1": entry}, {}), SETTINGS)


def test_a_pmid_that_stands_twice_is_refused_with_both_lines(tmp_path: Path) -> None:
    folder = pubmedqa(tmp_path, {"1": QUESTION}, {"1": "yes"})
    entry = json.dumps(QUESTION)
    (folder / "ori_pqal.json").write_text(f'{{\n"1": {entry},\n"1": {entry}\n}}', encoding="utf-8")

    with pytest.raises(BadFile, match=r"the key '1' stands twice in one object \(lines 2 and 3\)"):
        Inference().read(folder, SETTINGS)


def test_broken_json_is_refused_with_its_line(tmp_path: Path) -> None:
    folder = pubmedqa(tmp_path, {}, {})
    (folder / "ori_pqal.json").write_text('{\n"1": }', encoding="utf-8")

    with pytest.raises(BadFile, match=r"ori_pqal.json:2: broken JSON"):
        Inference().read(folder, SETTINGS)


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


@needs_shared
def test_pubmedqa_itself_has_500_questions_in_each_split() -> None:
    found = Inference().read(SHARED / "data" / "qa" / "pubmedqa", SETTINGS)

    # its PROVENANCE.md: 1,000 (552 yes, 338 no, 110 maybe), 500 of them test (276, 169, 55)
    assert Counter(each.gold for each in found["test"]) == {"yes": 276, "no": 169, "maybe": 55}
    assert Counter(each.gold for each in found["train"]) == {"yes": 276, "no": 169, "maybe": 55}
