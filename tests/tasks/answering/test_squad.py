"""SQuAD-style files: answers stand where they are said to, and numbered ids are one question."""

import json
from pathlib import Path
from typing import Any

import pytest

from linnet.documents.texts import TextExample
from linnet.errors import BadFile
from linnet.tasks.answering.squad import MAY_BE_EMPTY, group_questions, read_squad
from linnet.tasks.texts.reading.json_positions import IDS, JsonFile, read_json

CONTEXT = "Tanezumab targets NGF."


def file_of(folder: Path, *pairs: tuple[str, dict[str, Any]], name: str = "dev.json") -> JsonFile:
    lines = ",\n".join(json.dumps({"context": context, "qas": [entry]}) for context, entry in pairs)  # from line 2
    (folder / name).write_text(f'{{"data": [{{"paragraphs": [\n{lines}\n]}}]}}', encoding="utf-8")
    return read_json(folder / name, IDS)


def entry(id: str = "q", *answers: tuple[str, int], question: str = "What?", **others: Any) -> dict[str, Any]:
    listed = [{"text": text, "answer_start": start} for text, start in answers]
    return {"id": id, "question": question} | ({"answers": listed} if listed else {}) | others


def read(folder: Path, *pairs: tuple[str, dict[str, Any]], type: str = "factoid") -> list[TextExample]:
    return group_questions(read_squad(file_of(folder, *pairs), {}), type)


def test_an_answer_becomes_a_span_of_its_context(tmp_path: Path) -> None:
    (found,) = read(tmp_path, (CONTEXT, entry("q", ("NGF", 18), ("targets NGF", 10), ("NGF", 18))))

    assert found == TextExample(
        "q",
        "What?",
        CONTEXT,
        (("NGF", "targets NGF"),),
        "q",
        f"{tmp_path}/dev.json:2",
        ((10, 21), (18, 21)),
        {"answerable": "yes"},
    )


@pytest.mark.parametrize("answer", [(" NGF", 17), ("NGF ", 18), (" NGF ", 17)])
def test_blanks_around_an_answer_are_no_part_of_it(tmp_path: Path, answer: tuple[str, int]) -> None:
    (found,) = read(tmp_path, ("Tanezumab targets NGF in pain.", entry("q", answer, ("NGF", 18))))

    assert (found.spans, found.gold) == (((18, 21),), (("NGF",),))


def test_questions_without_answers_are_ones_to_be_answered(tmp_path: Path) -> None:
    bare, empty = read(tmp_path, (CONTEXT, entry("a")), (CONTEXT, entry("b", answers=[])))

    assert (bare.gold, bare.spans, bare.details) == (None, (), {})
    assert (empty.gold, empty.details) == (None, {})


@pytest.mark.parametrize("mark", ["_", ":"])
def test_numbered_ids_are_one_question_with_the_answers_of_all_its_paragraphs(tmp_path: Path, mark: str) -> None:
    first, second, third = read(
        tmp_path,
        (CONTEXT, entry(f"q{mark}000", ("NGF", 18))),
        ("nerve growth factor", entry(f"q{mark}001", ("nerve growth factor", 0))),
        ("Nothing.", entry(f"q{mark}002")),
    )

    assert [each.group for each in (first, second, third)] == ["q", "q", "q"]
    assert {each.gold for each in (first, second, third)} == {(("NGF", "nerve growth factor"),)}
    assert [each.details["answerable"] for each in (first, second, third)] == ["yes", "yes", "no"]


def test_each_answer_of_a_list_question_is_one_of_its_own(tmp_path: Path) -> None:
    (found,) = read(tmp_path, ("A or B", entry("q", ("A", 0), ("B", 5))), type="list")

    assert found.gold == (("A",), ("B",))


def test_numbered_ids_that_ask_different_things_are_different_questions(tmp_path: Path) -> None:
    found = read(tmp_path, (CONTEXT, entry("q_1", question="What?")), (CONTEXT, entry("q_2", question="Who?")))

    assert [each.group for each in found] == ["q_1", "q_2"]


def test_a_question_is_not_called_as_another_one(tmp_path: Path) -> None:
    found = read(
        tmp_path,
        (CONTEXT, entry("a_1", ("NGF", 18), question="Which factor?")),
        (CONTEXT, entry("a_2", ("Tanezumab", 0), question="Which drug?")),
        ("p53", entry("a_1_1", ("p53", 0), question="Which gene?")),
    )

    assert [each.group for each in found] == ["a_1", "a_2", "a_1_1"]
    assert [each.gold for each in found] == [(("NGF",),), (("Tanezumab",),), (("p53",),)]


def test_a_question_is_not_called_as_one_from_elsewhere(tmp_path: Path) -> None:
    questions = read_squad(file_of(tmp_path, (CONTEXT, entry("q_1")), (CONTEXT, entry("p_1"))), {})

    assert [each.group for each in group_questions(questions, "factoid", {"q"})] == ["q_1", "p"]


def test_a_question_that_is_impossible_is_known_to_have_no_answer(tmp_path: Path) -> None:
    impossible, possible = read(
        tmp_path,
        (CONTEXT, entry("a", answers=[], is_impossible=True)),
        (CONTEXT, entry("b", ("NGF", 18), is_impossible=False)),
    )

    assert (impossible.gold, impossible.details) == ((), {"answerable": "no", MAY_BE_EMPTY: "yes"})
    assert (possible.gold, possible.details) == ((("NGF",),), {"answerable": "yes", MAY_BE_EMPTY: "yes"})


@pytest.mark.parametrize(
    ("answer", "problem", "remedy"),
    [
        (("NGF", 17), "the answer 'NGF' does not stand at 17 of its context, where ' NG' stands", "it stands at 18"),
        (("NGF", -4), "does not stand at -4 of its context, where '' stands", "it stands at 18"),
        (("p53", 18), "the answer 'p53' does not stand at 18 of its context, where 'NGF' stands", "does not hold it"),
    ],
)
def test_an_answer_that_does_not_stand_in_its_context_is_refused(
    tmp_path: Path, answer: tuple[str, int], problem: str, remedy: str
) -> None:
    with pytest.raises(BadFile, match=problem) as refused:
        read(tmp_path, (CONTEXT, entry("q", answer)))
    assert refused.value.problem.startswith(f"{tmp_path}/dev.json:2: question 'q'")
    assert remedy in refused.value.remedy


@pytest.mark.parametrize(
    ("changes", "problem"),
    [
        ({"id": ""}, r"article 1, paragraph 1, question 1: 'id' is ''"),
        ({"question": None}, "question 'q': 'question' is None, expected a text"),
        ({"answers": "NGF"}, "question 'q': answers is 'NGF', expected a list"),
        ({"answers": [{"text": "NGF"}]}, "question 'q': answer_start is None"),
        ({"answers": [{"text": "NGF", "answer_start": True}]}, "answer_start is True, expected a number"),
        ({"answers": ["NGF"]}, "question 'q', answer: 'text' is None"),
        ({"is_impossible": "no"}, "is_impossible is 'no', expected true or false"),
        ({"is_impossible": True, "answers": [{}]}, "is_impossible is true, but it has 1 answers"),
    ],
)
def test_what_is_missing_or_wrong_is_refused_by_name(tmp_path: Path, changes: dict[str, Any], problem: str) -> None:
    with pytest.raises(BadFile, match=problem):
        read(tmp_path, (CONTEXT, entry() | changes))


@pytest.mark.parametrize(
    ("content", "problem"),
    [
        ({"data": {}}, "'data' is no list"),
        ({"data": [{}]}, "article 1: 'paragraphs' is no list"),
        ({"data": [{"paragraphs": [{"context": " "}]}]}, "article 1, paragraph 1: 'context' is ' '"),
        ({"data": [{"paragraphs": [{"context": "a"}]}]}, "article 1, paragraph 1: 'qas' is no list"),
        ({"data": []}, "there is no question in the file"),
    ],
)
def test_files_of_another_shape_are_refused(content: object, problem: str) -> None:
    with pytest.raises(BadFile, match=problem):
        read_squad(JsonFile(Path("dev.json"), content, {}), {})


def test_a_question_id_that_stands_twice_is_refused_with_both_lines(tmp_path: Path) -> None:
    with pytest.raises(BadFile, match=r"dev.json:3: the question id 'q' stands at .*dev.json:2 already"):
        read(tmp_path, (CONTEXT, entry()), (CONTEXT, entry()))
