"""Reads the questions of PubMedQA, and knows which of them are its test split.

A file maps each PMID to `QUESTION`, `CONTEXTS` (the parts of the abstract without its conclusion) and
`final_decision`: yes, no or maybe (Jin et al. 2019). The test split is the list of ids in `test_ground_truth.json`.
"""

from pathlib import Path
from typing import Any

from linnet.documents.texts import TextExample
from linnet.errors import BadFile
from linnet.storage.compression import unpacked_name
from linnet.storage.files import read_lines
from linnet.storage.json_keys import load_json
from linnet.storage.pipes import is_pipe
from linnet.tasks.texts.reading.json_positions import KEYS, JsonFile, read_json, refuse_duplicate

__all__ = ["is_corpus", "is_questions", "read_corpus", "read_questions"]

QUESTIONS, TEST_LIST = "ori_pqal.json", "test_ground_truth.json"
DECISIONS = ("yes", "no", "maybe")
GET_AGAIN = "get the file anew from PubMedQA's repository"
OTHER_PAIRS = f"{GET_AGAIN}; other pairs are given as JSON lines, one whole object on each line"


def is_corpus(place: Path) -> bool:
    """Is this PubMedQA's folder, with all labelled questions in one file and the test ids in another?"""
    return (place / QUESTIONS).is_file() and (place / TEST_LIST).is_file()


def is_questions(path: Path) -> bool:
    """Is this a file of PubMedQA's questions, rather than JSON lines (or an array of such) under the name `.json`?"""
    is_json = unpacked_name(path).suffix.lower() == ".json"
    if not is_json and not is_pipe(path):
        return False
    line = next((line for _, line in read_lines(path) if line.strip()), "").lstrip()
    if line.startswith("[") or not (is_json or line.startswith("{")):
        return False  # the reader of JSON lines reports the problem
    try:
        first = load_json(line)
    except ValueError:  # the first line is only the beginning of an object
        return True
    return isinstance(first, dict) and all(isinstance(value, dict) for value in first.values())


def read_corpus(place: Path) -> dict[str, list[TextExample]]:
    """Return the listed questions as `test`, the others as `train`.

    Raises:
        BadFile: where a listed id is missing, or its label is another one.
    """
    examples = read_questions(place / QUESTIONS, {})
    by_id = {example.id: example for example in examples}
    listed = read_json(place / TEST_LIST, KEYS)
    for id, label in _object(listed).items():
        if id not in by_id:
            raise BadFile(f"{listed.place(id)}: the test id {id!r} is not in {QUESTIONS}", GET_AGAIN)
        if by_id[id].gold != label:
            found = f"{listed.place(id)}: the label of {id!r} is {label!r}, but {by_id[id].gold!r} at {by_id[id].place}"
            raise BadFile(found, GET_AGAIN)
    test = set(listed.content)
    return {
        "train": [example for example in examples if example.id not in test],
        "test": [example for example in examples if example.id in test],
    }


def read_questions(path: Path, seen: dict[str, str]) -> list[TextExample]:
    """Return each question with the abstract's parts, joined by a space; gold is None where nothing is decided.

    `seen` holds the places of the ids that were read before, of other files of the split; this file's are added.
    """
    file = read_json(path, KEYS)
    found: list[TextExample] = []
    for id, entry in _object(file).items():
        place = file.place(id)
        refuse_duplicate(seen, id, place)
        question, contexts, gold = _parts(entry, f"{place}: question {id!r}")
        found.append(TextExample(id=id, first=question, second=" ".join(contexts), gold=gold, place=place))
    return found


def _object(file: JsonFile) -> dict[str, Any]:
    if not isinstance(file.content, dict) or not file.content:
        raise BadFile(f"{file.path}: expected an object with an entry for each PMID", OTHER_PAIRS)
    return file.content


def _parts(entry: Any, place: str) -> tuple[str, list[str], str | None]:  # whatever JSON can hold
    """Return question, contexts and decision, each checked."""
    if not isinstance(entry, dict):
        raise BadFile(f"{place} is {entry!r}, expected an object with QUESTION and CONTEXTS", OTHER_PAIRS)
    question, contexts, gold = (entry.get(key) for key in ("QUESTION", "CONTEXTS", "final_decision"))
    if not isinstance(question, str) or not question.strip():
        raise BadFile(f"{place}: QUESTION is {question!r}, expected a text", GET_AGAIN)
    if not isinstance(contexts, list) or not all(isinstance(each, str) for each in contexts):
        raise BadFile(f"{place}: CONTEXTS is {contexts!r}, expected a list of texts", GET_AGAIN)
    if not "".join(contexts).strip():
        raise BadFile(f"{place}: CONTEXTS is empty, expected a text", GET_AGAIN)
    if gold is not None and gold not in DECISIONS:
        raise BadFile(f"{place}: final_decision is {gold!r}, expected yes, no or maybe", GET_AGAIN)
    return question, contexts, gold
