"""Questions of BioASQ's golden files, with the answers as the years wrote them."""

import json
from pathlib import Path
from typing import Any

import pytest

from linnet.contracts import Notes
from linnet.errors import BadFile
from linnet.tasks.answering.bioasq import Question, read_pairs, read_questions, read_yesno
from linnet.tasks.texts.reading.json_positions import IDS, JsonFile, read_json


def golden(folder: Path, *questions: object, name: str = "golden.json") -> JsonFile:
    path = folder / name  # the first question stands on line 2, each on one of its own
    lines = ",\n".join(json.dumps(question) for question in questions)
    path.write_text(f'{{"questions": [\n{lines}\n]}}', encoding="utf-8")
    return read_json(path, IDS)


def entry(**changes: Any) -> dict[str, Any]:
    snippets = [{"text": "Tanezumab targets NGF."}]
    whole = {"id": "q", "type": "factoid", "body": "What?", "exact_answer": [["NGF"]], "snippets": snippets}
    return {key: value for key, value in (whole | changes).items() if value is not None}


def question(answer: object, *snippets: str) -> Question:
    return Question("q", "What?", answer, list(enumerate(snippets or ("NGF",), 1)), "golden.json:7")


def read(file: JsonFile, type: str = "factoid") -> list[Question]:
    return list(read_questions(file, type, {}, Notes()))


def test_only_questions_of_the_type_are_read(tmp_path: Path) -> None:
    others = [entry(id=type, type=type, exact_answer=None) for type in ("list", "yesno", "summary")]

    (found,) = read(golden(tmp_path, *others, entry()))

    assert found == Question("q", "What?", [["NGF"]], [(1, "Tanezumab targets NGF.")], f"{tmp_path}/golden.json:5")


def test_a_snippet_that_stands_twice_is_read_once_and_counted(tmp_path: Path) -> None:
    snippets = [{"text": text} for text in ("a", "b", "a", "c")]
    notes = Notes()

    (found,) = read_questions(golden(tmp_path, entry(snippets=snippets)), "factoid", {}, notes)

    assert found.snippets == [(1, "a"), (2, "b"), (4, "c")]
    assert notes.counts == {"snippets that stand twice in a question, read once": 1}


@pytest.mark.parametrize(
    ("changes", "problem"),
    [
        ({"id": None}, "golden.json: question 1: 'id' is None, expected a text"),
        ({"body": " "}, r"golden.json:2: question 'q': 'body' is ' ', expected a text"),
        ({"type": "facts"}, "question 'q': its type is 'facts', expected factoid, list, yesno, summary"),
        ({"snippets": []}, "question 'q' has no snippets"),
        ({"snippets": [{"text": "a"}, {"text": ""}]}, "question 'q', snippet 2: 'text' is '', expected a text"),
        ({"type": "summary"}, "none of its 1 questions is of the type factoid"),
    ],
)
def test_what_is_missing_is_refused_by_name(tmp_path: Path, changes: dict[str, Any], problem: str) -> None:
    with pytest.raises(BadFile, match=problem):
        read(golden(tmp_path, entry(**changes)))


def test_a_file_whose_questions_are_no_list_is_refused(tmp_path: Path) -> None:
    with pytest.raises(BadFile, match="`questions` is no list"):
        read(JsonFile(tmp_path, {"questions": {}}, {}))


def test_a_question_id_that_stands_twice_is_refused_with_both_lines(tmp_path: Path) -> None:
    with pytest.raises(BadFile, match=r"golden.json:3: the question id 'q' stands at .*golden.json:2 already"):
        read(golden(tmp_path, entry(), entry()))


def test_a_question_id_that_stands_in_two_files_is_refused_with_both(tmp_path: Path) -> None:
    seen: dict[str, str] = {}
    list(read_questions(golden(tmp_path, entry(), name="4B.json"), "factoid", seen, Notes()))

    with pytest.raises(BadFile, match=r"5B.json:2: the question id 'q' stands at .*4B.json:2 already"):
        list(read_questions(golden(tmp_path, entry(), name="5B.json"), "factoid", seen, Notes()))


@pytest.mark.parametrize(
    ("answer", "gold"),
    [
        ([["NGF", "nerve growth factor"]], (("NGF", "nerve growth factor"),)),  # 4B, 6B
        ([["NGF"], ["nerve growth factor"]], (("NGF", "nerve growth factor"),)),  # 5B
        (["NGF"], (("NGF",),)),
        ("NGF", (("NGF",),)),
        ([[" NGF ", " "]], (("NGF",),)),
    ],
)
def test_a_factoid_has_one_answer_however_its_synonyms_are_nested(answer: object, gold: object) -> None:
    (found,) = read_pairs(question(answer), "factoid", Notes())

    assert found.gold == gold


@pytest.mark.parametrize("answer", [[["a", "b"], ["c"]], [["a", "b"], "c"]])
def test_the_answers_of_a_list_question_stay_apart(answer: object) -> None:
    (found,) = read_pairs(question(answer), "list", Notes())

    assert found.gold == (("a", "b"), ("c",))


@pytest.mark.parametrize(
    ("answer", "type"), [([], "factoid"), ([[]], "factoid"), (7, "factoid"), ([{"a": 1}], "list"), ("a", "list")]
)
def test_answers_of_another_shape_are_refused_with_their_question(answer: object, type: str) -> None:
    with pytest.raises(BadFile, match=r"golden.json:7: the exact_answer of question 'q' is .*, expected \[\["):
        read_pairs(question(answer), type, Notes())


def test_each_snippet_is_an_example_with_the_places_of_its_answers() -> None:
    first, second = read_pairs(question([["NGF", "p75"]], "Both ngf and P75.", "Neither."), "factoid", Notes())

    assert (first.id, first.group, first.first, first.place) == ("q_1", "q", "What?", "golden.json:7")
    assert first.spans == ((5, 8), (13, 16))
    assert first.details == {"snippet": "1", "answerable": "yes"}
    assert (second.id, second.spans, second.details) == ("q_2", (), {"snippet": "2", "answerable": "no"})
    assert second.gold == (("NGF", "p75"),)


def test_a_blank_answer_is_not_known_and_counted() -> None:
    notes = Notes()

    (found,) = read_pairs(question([[" "]]), "factoid", notes)

    assert (found.gold, found.details) == (None, {"snippet": "1"})
    assert notes.sentences() == [
        "questions whose answer is blank, taken as not known: 1 (first: golden.json:7: question 'q')"
    ]


@pytest.mark.parametrize(("answer", "number"), [([["p53"]], 1), ([["p53", "NGF"]], 0), (None, 0)])
def test_a_question_whose_answer_stands_in_none_of_its_snippets_is_counted(answer: object, number: int) -> None:
    notes = Notes()

    read_pairs(question(answer, "Not here.", "It is NGF."), "factoid", notes)

    told = "questions whose answer stands in none of their snippets: 1 (first: golden.json:7: question 'q')"
    assert notes.sentences() == [told] * number


def test_a_question_without_an_answer_in_the_file_is_one_to_be_answered() -> None:
    notes = Notes()

    (found,) = read_pairs(question(None), "factoid", notes)

    assert (found.gold, found.spans, notes.sentences()) == (None, (), [])
    assert read_yesno(question(None)).gold is None


@pytest.mark.parametrize("answer", ["yes", "Yes", ["yes"]])
def test_a_yesno_question_is_one_example_with_all_snippets(answer: object) -> None:
    found = read_yesno(question(answer, "It is.", "So they say."))

    assert (found.id, found.first, found.second, found.gold) == ("q", "What?", "It is. So they say.", "yes")


@pytest.mark.parametrize("answer", ["maybe", "", [["yes"]], ["yes", "no"], True])
def test_another_answer_to_a_yesno_question_is_refused(answer: object) -> None:
    with pytest.raises(BadFile, match=r"exact_answer of question 'q' is .*, expected yes or no"):
        read_yesno(question(answer))
