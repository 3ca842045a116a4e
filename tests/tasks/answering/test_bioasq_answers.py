"""Answers are written as BioASQ's own files have them, and are read again as they were written."""

import json
from pathlib import Path
from typing import Any

import pytest

from linnet.annotation.predict import predict_path
from linnet.contracts import Notes
from linnet.documents.texts import Prediction, TextExample
from linnet.errors import LinnetError
from linnet.tasks.answering.bioasq_answers import write_bioasq
from linnet.tasks.answering.settings import AnsweringSettings
from linnet.tasks.answering.task import Answering
from tests import text_corpora

SNIPPETS = [{"text": "ataxia was treated with aspirin .", "document": "http://x/1"}]
FACTOID = {
    "id": "q1",
    "type": "factoid",
    "body": "what treats ataxia?",
    "snippets": SNIPPETS,
    "documents": ["http://x/1"],
}
LIST = {"id": "q2", "type": "list", "body": "what was given?", "snippets": SNIPPETS}
YESNO = {"id": "q3", "type": "yesno", "body": "is ataxia treated?", "snippets": SNIPPETS}
SUMMARY = {"id": "q4", "type": "summary", "body": "what is ataxia?"}


def golden(path: Path, *questions: dict[str, Any]) -> Path:
    path.write_text(json.dumps({"questions": questions}), encoding="utf-8")
    return path


def written(
    folder: Path, type: str, *predictions: Prediction, source: Path | None = None, notes: Notes | None = None
) -> list[dict[str, Any]]:
    examples = [TextExample(f"{each.id}_1", "body", "text", group=each.id) for each in predictions]
    target = folder / "answers.json"
    write_bioasq(
        target, predictions, sources=[source] if source else [], examples=examples, type=type, notes=notes or Notes()
    )
    content = json.loads(target.read_text(encoding="utf-8"))
    assert list(content) == ["questions"]
    found: list[dict[str, Any]] = content["questions"]
    return found


def test_a_factoid_has_up_to_five_names_each_in_a_list_of_its_own(tmp_path: Path) -> None:
    notes = Notes()

    (found,) = written(tmp_path, "factoid", Prediction("q1", "", None, tuple("abcdefg")), notes=notes)

    assert found == {"id": "q1", "type": "factoid", "body": "body", "exact_answer": [["a"], ["b"], ["c"], ["d"], ["e"]]}
    assert notes.sentences() == ["answers after the first 5, which BioASQ does not take, left out: 2 (first: q1)"]


def test_a_list_has_no_entry_of_more_than_a_hundred_characters(tmp_path: Path) -> None:
    notes = Notes()

    (found,) = written(tmp_path, "list", Prediction("q2", "", None, ("a", "x" * 101, "b")), notes=notes)

    assert found["exact_answer"] == [["a"], ["b"]]
    assert notes.counts.total() == 1


def test_no_answer_is_an_empty_list(tmp_path: Path) -> None:
    (found,) = written(tmp_path, "factoid", Prediction("q1", "", None, ()))

    assert found["exact_answer"] == []


def test_questions_of_a_bioasq_file_keep_all_else_and_others_are_carried_over(tmp_path: Path) -> None:
    source = golden(tmp_path / "in.json", FACTOID | {"exact_answer": [["gold"]]}, LIST, SUMMARY)
    notes = Notes()

    found = written(tmp_path, "factoid", Prediction("q1", "", None, ("aspirin",)), source=source, notes=notes)

    assert found == [FACTOID | {"exact_answer": [["aspirin"]]}, LIST, SUMMARY]
    assert notes.sentences() == ["questions of other types, carried over with their answers, if any: 2 (first: q2)"]


@pytest.mark.parametrize(
    ("question", "predicted", "gold"),
    [
        (FACTOID, ("aspirin", "ataxia"), (("aspirin", "ataxia"),)),
        (LIST, ("aspirin", "ataxia"), (("aspirin",), ("ataxia",))),
        (YESNO, "yes", "yes"),
    ],
)
def test_what_is_written_is_read_again(tmp_path: Path, question: dict[str, Any], predicted: Any, gold: Any) -> None:
    source = golden(tmp_path / "in.json", question)

    written(tmp_path, question["type"], Prediction(question["id"], "", None, predicted), source=source)

    settings = AnsweringSettings(questions=question["type"])
    ((example,),) = Answering().read(tmp_path / "answers.json", settings).values()
    assert example.gold == gold


def test_several_models_fill_one_file_one_after_the_other(tmp_path: Path) -> None:
    source = golden(tmp_path / "in.json", FACTOID, YESNO)
    first, second = tmp_path / "first.json", tmp_path / "second.json"

    predict_path(text_corpora.trained("answering"), source, output=first)
    predict_path(text_corpora.trained("yesno"), first, output=second, to="bioasq")

    found = {each["id"]: each for each in json.loads(second.read_text(encoding="utf-8"))["questions"]}
    answers = found["q1"]["exact_answer"]
    assert 1 <= len(answers) <= 5
    assert all(isinstance(name, str) for (name,) in answers)
    assert found["q3"]["exact_answer"] in ("yes", "no")
    assert found["q1"]["snippets"] == SNIPPETS


def test_questions_of_other_files_have_their_id_type_and_body(tmp_path: Path) -> None:
    (source,) = text_corpora.corpus("answering").glob("test.*")

    predict_path(text_corpora.trained("answering"), source, output=tmp_path / "out.json")

    found = json.loads((tmp_path / "out.json").read_text(encoding="utf-8"))["questions"]
    assert len(found) == 8
    assert all(list(each) == ["id", "type", "body", "exact_answer"] for each in found)
    assert {each["body"] for each in found} == {"treated with"}


@pytest.mark.parametrize(
    ("kind", "to", "name", "message"),
    [
        ("classification", "bioasq", "out.json", "there is no form 'bioasq' for the task 'classification'"),
        ("classification", None, "out.json", "predictions are written as .jsonl or .tsv"),
        ("yesno", "conll", "out.txt", "there is no form 'conll'"),
    ],
)
def test_what_has_no_such_form_is_refused(tmp_path: Path, kind: str, to: str | None, name: str, message: str) -> None:
    (source,) = text_corpora.corpus(kind).glob("test.*")

    with pytest.raises(LinnetError, match=message):
        predict_path(text_corpora.trained(kind), source, output=tmp_path / name, to=to)

    assert not (tmp_path / name).exists()


def test_rows_are_written_whatever_the_name_of_the_output(tmp_path: Path) -> None:
    (source,) = text_corpora.corpus("yesno").glob("test.*")

    predict_path(text_corpora.trained("yesno"), source, output=tmp_path / "out.txt", to="TSV")

    assert (tmp_path / "out.txt").read_text(encoding="utf-8").startswith("id\tpredicted\tscore\n")
