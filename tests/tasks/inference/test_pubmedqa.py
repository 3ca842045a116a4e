"""PubMedQA: questions with their abstracts, and the listed ids as the test split."""

import json
from collections import Counter
from pathlib import Path

import pytest

from linnet.documents.texts import TextExample
from linnet.errors import BadFile
from linnet.tasks.inference.pubmedqa import is_corpus, is_questions
from linnet.tasks.inference.task import Inference
from linnet.tasks.texts.settings import TextSettings
from tests.shared_data import SHARED, needs_shared

SETTINGS = TextSettings()
QUESTION = {"QUESTION": "Is it?", "CONTEXTS": ["It is.", "Or so."], "final_decision": "yes"}


def pubmedqa(folder: Path, questions: object, listed: object) -> Path:
    (folder / "ori_pqal.json").write_text(json.dumps(questions, indent=1), encoding="utf-8")
    (folder / "test_ground_truth.json").write_text(json.dumps(listed, indent=1), encoding="utf-8")
    return folder


def test_the_folder_is_known_by_its_two_files(tmp_path: Path) -> None:
    assert not is_corpus(tmp_path)
    assert is_corpus(pubmedqa(tmp_path, {"1": QUESTION}, {}))


@pytest.mark.parametrize(
    ("name", "text", "expected"),
    [
        ("a.json", json.dumps({"1": QUESTION}), True),
        ("a.json", json.dumps({"1": QUESTION}, indent=1), True),
        ("a.json", '{"sentence1": "P"}\n', False),
        ("a.json", "[]", False),
        ("a.jsonl", json.dumps({"1": QUESTION}), False),
    ],
)
def test_questions_are_told_from_json_lines(tmp_path: Path, name: str, text: str, expected: bool) -> None:
    (tmp_path / name).write_text(text, encoding="utf-8")

    assert is_questions(tmp_path / name) is expected


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


def test_an_object_over_several_lines_that_is_no_question_is_told_how_pairs_are_given(tmp_path: Path) -> None:
    (tmp_path / "train.json").write_text(json.dumps({"sentence1": "P"}, indent=1), encoding="utf-8")

    with pytest.raises(BadFile, match="expected an object with QUESTION and CONTEXTS") as refused:
        Inference().read(tmp_path / "train.json", SETTINGS)

    assert "other pairs are given as JSON lines" in refused.value.remedy


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


@needs_shared
def test_pubmedqa_itself_has_500_questions_in_each_split() -> None:
    found = Inference().read(SHARED / "data" / "qa" / "pubmedqa", SETTINGS)

    # its PROVENANCE.md: 1,000 (552 yes, 338 no, 110 maybe), 500 of them test (276, 169, 55)
    assert Counter(each.gold for each in found["test"]) == {"yes": 276, "no": 169, "maybe": 55}
    assert Counter(each.gold for each in found["train"]) == {"yes": 276, "no": 169, "maybe": 55}
