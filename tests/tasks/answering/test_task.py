"""Predicted answers to questions from files of three formats, and their scores."""

import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from linnet.contracts import Notes, tasks
from linnet.documents.texts import Answer, Plain, Prediction, TextExample
from linnet.errors import BadFile
from linnet.metrics.texts.resampled import Metric, plain_value
from linnet.tasks.answering.settings import AnsweringSettings
from linnet.tasks.answering.task import Answering
from linnet.tasks.texts.kinds import CLASSIFICATION, SPANS
from linnet.tasks.texts.task import Decision, TextTask
from tests.shared_data import SHARED, needs_shared

FACTOID, LIST, YESNO = (
    AnsweringSettings(questions="factoid"), AnsweringSettings(questions="list"), AnsweringSettings(questions="yesno"),
)  # fmt: skip
BIOASQ = SHARED / "data" / "qa" / "bioasq"
YEARS = {"train": ("4B_golden.json", "5B_golden.json"), "test": ("6B_golden.json",)}


def golden(path: Path, id: str, type: str, answer: object) -> None:
    snippets = [{"text": "It is NGF."}, {"text": "Yes."}]
    question = {"id": id, "type": type, "body": "What?", "exact_answer": answer, "snippets": snippets}
    path.write_text(json.dumps({"questions": [question]}), encoding="utf-8")


def squad(path: Path, id: str, question: str, answer: str = "NGF") -> None:
    entry = {"id": id, "question": question, "answers": [{"text": answer, "answer_start": 6}]}
    content = {"data": [{"paragraphs": [{"context": f"It is {answer}.", "qas": [entry]}]}]}
    path.write_text(json.dumps(content), encoding="utf-8")


def values(metrics: list[Metric]) -> dict[str, float]:
    return {metric.name: plain_value(metric) for metric in metrics}


def predictions(*pairs: tuple[Plain | None, Plain]) -> list[Prediction]:
    return [Prediction(str(at), "", gold, predicted) for at, (gold, predicted) in enumerate(pairs)]


def test_the_task_is_registered_and_follows_the_protocol() -> None:
    assert isinstance(tasks.get("answering"), TextTask)


def test_several_golden_files_make_one_split(tmp_path: Path) -> None:
    for name, id in (("4B.json", "a"), ("5B.json", "b"), ("6B.json", "c")):
        golden(tmp_path / name, id, "factoid", [["NGF"]])
    files = {"train": ("4B.json", "5B.json"), "test": ("6B.json",)}

    found = Answering().read(tmp_path, AnsweringSettings(files=files))

    assert {name: [each.id for each in split] for name, split in found.items()} == {
        "train": ["a_1", "a_2", "b_1", "b_2"],
        "test": ["c_1", "c_2"],
    }
    assert [each.id for each in found["train"] if each.spans] == ["a_1", "b_1"]


def test_the_same_question_in_two_files_of_a_split_is_refused(tmp_path: Path) -> None:
    for name in ("4B.json", "5B.json"):
        golden(tmp_path / name, "a", "factoid", [["NGF"]])

    with pytest.raises(BadFile, match=r"5B.json:1: the question id 'a' stands at .*4B.json:1 already"):
        Answering().read(tmp_path, AnsweringSettings(files={"train": ("4B.json", "5B.json")}))


def test_a_golden_question_that_stands_in_two_splits_is_refused_with_both_places(tmp_path: Path) -> None:
    for name in ("train.json", "test.json"):
        golden(tmp_path / name, "a", "factoid", [["NGF"]])

    with pytest.raises(BadFile, match=r"test.json:1: the question id 'a' stands at .*train.json:1 already"):
        Answering().read(tmp_path, FACTOID)


def test_a_question_of_a_table_that_stands_in_two_splits_is_refused_with_both_places(tmp_path: Path) -> None:
    (tmp_path / "train.tsv").write_text("a\tIs it?\tIt is.\tyes\nb\tIs it?\tNo.\tno\n", encoding="utf-8")
    (tmp_path / "test.tsv").write_text("b\tIs it?\tNo.\tno\n", encoding="utf-8")

    with pytest.raises(BadFile, match=r"test.tsv:1: the question id 'b' stands at .*train.tsv:2 already"):
        Answering().read(tmp_path, YESNO)


def test_rows_without_an_id_are_not_taken_for_the_same_question(tmp_path: Path) -> None:
    files = {name: (f"{name}/yesno.tsv",) for name in ("train", "test")}
    for name in files:
        (tmp_path / name).mkdir()
        (tmp_path / name / "yesno.tsv").write_text(f"Is it {name}?\tIt is.\tyes\n", encoding="utf-8")

    found = Answering().read(tmp_path, AnsweringSettings(questions="yesno", files=files))

    assert [len(split) for split in found.values()] == [1, 1]


@pytest.mark.parametrize(("asked", "is_same"), [("What?", True), ("Who?", False)])
def test_the_texts_of_a_question_must_not_stand_in_two_splits(tmp_path: Path, asked: str, is_same: bool) -> None:
    squad(tmp_path / "train.json", "q_001", "What?")
    squad(tmp_path / "test.json", "q_002", asked)

    if is_same:
        with pytest.raises(BadFile, match=r"test.json:1: the question 'q' stands at .*train.json:1 already, in the tr"):
            Answering().read(tmp_path, FACTOID)
    else:
        assert set(Answering().read(tmp_path, FACTOID)) == {"train", "test"}


@pytest.mark.parametrize(
    ("asked", "groups", "golds"),
    [
        ("Who?", ["q_1", "q_2"], [(("NGF",),), (("p53",),)]),
        ("What?", ["q", "q"], [(("NGF", "p53"),), (("NGF", "p53"),)]),
    ],
)
def test_the_texts_of_one_question_may_stand_in_several_files_of_a_split(
    tmp_path: Path, asked: str, groups: list[str], golds: list[Plain]
) -> None:
    squad(tmp_path / "a.json", "q_1", "What?")
    squad(tmp_path / "b.json", "q_2", asked, "p53")

    found = Answering().read(tmp_path, AnsweringSettings(files={"test": ("a.json", "b.json")}))["test"]

    assert ([each.group for each in found], [each.gold for each in found]) == (groups, golds)


@pytest.mark.parametrize(
    ("gold", "settings", "expected"),
    [
        ((), FACTOID, True),
        ((("NGF",),), FACTOID, False),
        (None, LIST, False),
        ((), AnsweringSettings(answerable_only=True), False),  # nothing is learned from such questions then
        ((), AnsweringSettings(no_answer=False), False),
        ((("NGF",),), AnsweringSettings(no_answer=True), True),
        ("yes", YESNO, None),
    ],
)
def test_the_training_data_say_whether_none_may_be_the_answer(
    gold: Plain | None, settings: AnsweringSettings, expected: bool | None
) -> None:
    training = [TextExample("a", "What?", "p53", (("p53",),)), TextExample("b", "What?", "It is NGF.", gold)]

    assert Answering().complete_settings(settings, training).no_answer is expected


def test_training_and_devel_may_stand_in_a_third_file_once_more(tmp_path: Path) -> None:
    for name, id in (("train.json", "a"), ("devel.json", "b"), ("train_dev.json", "a")):
        golden(tmp_path / name, id, "factoid", [["NGF"]])

    assert set(Answering().read(tmp_path, FACTOID)) == {"train", "devel", "train_dev"}


def test_yesno_questions_of_a_golden_file_are_pairs(tmp_path: Path) -> None:
    golden(tmp_path / "golden.json", "a", "yesno", "yes")

    (found,) = Answering().read(tmp_path / "golden.json", YESNO)["all"]

    assert (found.id, found.second, found.gold) == ("a", "It is NGF. Yes.", "yes")


def test_yesno_questions_of_blurb_are_pairs(tmp_path: Path) -> None:
    (tmp_path / "train.tsv").write_text("a\tIs it?\tIt is.\tyes\n", encoding="utf-8")

    found = Answering().read(tmp_path / "train.tsv", YESNO)

    assert found == {"train": [TextExample("a", "Is it?", "It is.", "yes", place=f"{tmp_path}/train.tsv:1")]}


def test_squad_files_are_read(tmp_path: Path) -> None:
    squad(tmp_path / "dev.json", "a", "What?")

    (found,) = Answering().read(tmp_path, FACTOID)["devel"]

    assert (found.spans, found.gold) == (((6, 9),), (("NGF",),))
    with pytest.raises(BadFile, match=r"dev.json: a SQuAD-style file has stretches of text as answers"):
        Answering().read(tmp_path, YESNO)


@pytest.mark.parametrize(
    ("name", "text", "settings", "problem"),
    [
        ("a.json", "[]", FACTOID, r"a.json: expected an object with `questions` \(BioASQ\) or `data` \(SQuAD\)"),
        ("a.json", "{\n", FACTOID, "a.json:2: broken JSON"),
        ("a.json", '{"data": [], "data": []}', FACTOID, "a.json: the key 'data' stands twice"),
        ("a.tsv", "a\tQ\tC\tyes\n", LIST, "a.tsv: list questions stand in JSON files"),
        ("a.tsv", "a\tQ\tC\tmaybe\n", YESNO, "a.tsv:1: the label is 'maybe', expected yes or no"),
        ("a.tsv", "a\tQ\tC\tyes\na\tQ\tC\tno\n", YESNO, "a.tsv:2: the id 'a' stands at .*a.tsv:1 already"),
        ("a.tsv", "a\tQ\tC\tyes\nb\tQ\tC\n", YESNO, "a.tsv:2: found 3 columns, expected 4"),
        ("a.tsv", "a\tQ\t \tyes\n", YESNO, "a.tsv:1: 'context' is empty"),
    ],
)
def test_bad_files_are_refused_with_their_line(
    tmp_path: Path, name: str, text: str, settings: AnsweringSettings, problem: str
) -> None:
    (tmp_path / name).write_text(text, encoding="utf-8")

    with pytest.raises(BadFile, match=problem):
        Answering().read(tmp_path / name, settings)


def test_the_kind_is_what_the_questions_ask_for() -> None:
    assert [Answering().kind([], settings) for settings in (FACTOID, LIST, YESNO)] == [SPANS, SPANS, CLASSIFICATION]


def test_yesno_questions_are_decided_one_by_one_and_others_by_question() -> None:
    pair = TextExample("a", "Is it?", "It is.", "yes")
    snippets = [TextExample(f"q_{at}", "What?", "NGF", (("NGF",),), "q") for at in (1, 2)]
    answer = (Answer("NGF", 0, 3, 0.4),)

    (yes,) = Answering().decide([pair], [{"yes": 0.8, "no": 0.2}], Decision(CLASSIFICATION, {}), YESNO)
    (factoid,) = Answering().decide(snippets, [answer, answer], Decision(SPANS, {}), FACTOID)

    assert (yes.predicted, yes.score) == ("yes", 0.8)
    assert (factoid.id, factoid.predicted, factoid.score) == ("q", ("NGF",), 0.8)  # 0.4 + 0.4


def test_factoids_are_scored_as_bioasq_and_as_squad_do() -> None:
    questions = predictions(
        ((("NGF", "nerve growth factor"),), ("p53", "Nerve growth factor")),  # second: 1/2
        ((("p53",),), ("p53",)),  # first: 1
        ((("red cell",),), ("white cell",)),  # half of its words
        (None, ("x",)),  # not known: not scored
    )

    metrics = Answering().metrics(questions, FACTOID)

    assert [metric.name for metric in metrics] == [
        "mrr",
        "strict_accuracy",
        "lenient_accuracy",
        "exact_match",
        "token_f1",
    ]
    assert values(metrics) == pytest.approx(
        {"mrr": 1.5 / 3, "strict_accuracy": 1 / 3, "lenient_accuracy": 2 / 3, "exact_match": 1 / 3, "token_f1": 1.5 / 3}
    )


def test_a_question_known_to_have_no_answer_counts_as_squad_counts_it() -> None:
    found = values(Answering().metrics(predictions(((), ()), ((), ("x",)), ((("p53",),), ("p53",))), FACTOID))

    assert found["mrr"] == 1  # of the one that has an answer
    assert found["exact_match"] == pytest.approx(2 / 3)


def test_list_questions_have_f1_first() -> None:
    metrics = Answering().metrics(predictions(((("a", "A1"), ("b",)), ("a1", "x", "y"))), LIST)

    # one of three is right, one of two is found: 2 * 1 / (3 + 2)
    assert metrics[0].name == "list_f1"
    assert values(metrics) == pytest.approx({"list_f1": 0.4, "list_precision": 1 / 3, "list_recall": 1 / 2})


def test_a_list_question_known_to_have_no_answer_is_not_scored() -> None:
    questions = predictions(((("a",),), ("a",)), ((), ()), ((), ("x",)), (None, ("x",)))

    metrics = Answering().metrics(questions, LIST)

    assert values(metrics) == {"list_f1": 1, "list_precision": 1, "list_recall": 1}
    assert {metric.n_units for metric in metrics} == {1}


def test_yesno_questions_have_accuracy_first() -> None:
    metrics = Answering().metrics(predictions(("yes", "yes"), ("yes", "yes"), ("no", "yes"), (None, "no")), YESNO)

    # F1 of yes is 2 * 2 / (3 + 2), of no 0
    assert metrics[0].name == "accuracy"
    assert values(metrics) == pytest.approx({"accuracy": 2 / 3, "macro_f1": 0.4, "f1_yes": 0.8, "f1_no": 0.0})


@needs_shared
@pytest.mark.parametrize(("questions", "n_train", "n_test"), [("factoid", 311, 161), ("list", 175, 71)])
def test_answers_stand_where_the_golden_files_have_them(questions: Any, n_train: int, n_test: int) -> None:
    notes = Notes()

    found = Answering().read(BIOASQ, AnsweringSettings(questions=questions, files=YEARS), notes)

    # PROVENANCE.md: factoid 161 + 150 and 161; list 88 + 87 and 71 by `type` in the files
    assert [len({each.group for each in found[name]}) for name in ("train", "test")] == [n_train, n_test]
    for example in (each for each in [*found["train"], *found["test"]] if each.spans):
        assert isinstance(example.gold, tuple)
        texts = {text.lower() for synonyms in example.gold for text in synonyms}
        assert {(example.second or "")[start:end].lower() for start, end in example.spans} <= texts
    blank = "questions whose answer is blank, taken as not known"  # one factoid of 4B
    assert notes.counts[blank] == (questions == "factoid")


@needs_shared
def test_the_real_yesno_questions_are_read() -> None:
    years = Answering().read(BIOASQ, AnsweringSettings(questions="yesno", files=YEARS))
    blurb = Answering().read(BIOASQ / "blurb_yesno", YESNO)

    # PROVENANCE.md: 133 + 130 and 130 questions; 670, 75 and 140 in BLURB's tables
    assert {name: len(split) for name, split in years.items()} == {"train": 263, "test": 130}
    assert {name: len(split) for name, split in blurb.items()} == {"train": 670, "devel": 75, "test": 140}
    assert Counter(each.gold for each in years["test"]) == {"yes": 90, "no": 40}


@needs_shared
@pytest.mark.parametrize(
    ("name", "n_pairs", "n_questions", "is_known"),
    [("bio_electra_bioasq_dev.json", 1809, 214, True), ("BioASQ-test-factoid-6b.json", 525, 161, False)],
)
def test_the_real_squad_files_are_read(name: str, n_pairs: int, n_questions: int, is_known: bool) -> None:
    (found,) = Answering().read(BIOASQ / name, FACTOID).values()

    assert (len(found), len({each.group for each in found})) == (n_pairs, n_questions)
    assert {bool(each.gold and each.spans) for each in found} == {is_known}
