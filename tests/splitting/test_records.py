"""Rows and entries are kept as they were written."""

import json
from pathlib import Path
from typing import Any

import pytest

from linnet.errors import BadFile
from linnet.splitting.records import read_records


def records(path: Path, content: str) -> Any:
    path.write_text(content, encoding="utf-8")
    return read_records(path)


def test_the_header_of_a_table_goes_into_every_part(tmp_path: Path) -> None:
    found = records(tmp_path / "a.tsv", "index\tsentence\tlabel\n0\tone two\tyes\n1\tthree\tno\n")

    assert [(row.text, row.label) for row in found.rows] == [("one two", "yes"), ("three", "no")]
    assert found.write(found.rows[1:]) == "index\tsentence\tlabel\n1\tthree\tno\n"


def test_a_table_without_header_keeps_its_first_row_and_has_its_labels_last(tmp_path: Path) -> None:
    found = records(tmp_path / "a.tsv", "one two\t1\nthree\t0")

    assert [row.label for row in found.rows] == ["1", "0"]
    assert found.write(found.rows) == "one two\t1\nthree\t0\n"


def test_a_csv_row_may_hold_line_ends(tmp_path: Path) -> None:
    found = records(tmp_path / "a.csv", 'text,label\n"one\ntwo",yes\n"a ""b""",no\n')

    assert [row.text for row in found.rows] == ["one\ntwo", 'a "b"']
    assert found.write(found.rows[:1]) == 'text,label\n"one\ntwo",yes\n'


def test_a_csv_row_may_hold_a_whole_paper(tmp_path: Path) -> None:
    found = records(tmp_path / "a.csv", f'text,label\n"{"a " * 100_000}",yes\n')

    assert len(found.rows[0].text) == 200_000


def test_scores_are_balanced_by_whole_numbers(tmp_path: Path) -> None:
    found = records(tmp_path / "a.tsv", "".join(f"text {n}\t{n / 4}\n" for n in range(16)))

    assert [row.label for row in found.rows][:5] == ["about 0", "about 0", "about 0", "about 1", "about 1"]


@pytest.mark.parametrize(
    "value",
    [
        {"questions": [{"body": "why", "type": "yesno"}, {"body": "who", "type": "list"}], "version": "1"},
        {"1": {"QUESTION": "why", "final_decision": "yes"}, "2": {"QUESTION": "who", "final_decision": "no"}},
        [{"text": "one", "label": "yes"}, {"text": "two", "label": "no"}],
    ],
)
def test_json_keeps_its_shape(tmp_path: Path, value: Any) -> None:
    found = records(tmp_path / "a.json", json.dumps(value))

    assert len(found.rows) == 2
    assert all(row.label for row in found.rows)
    assert json.loads(found.write(found.rows)) == value


def test_paragraphs_of_one_squad_article_can_be_parted(tmp_path: Path) -> None:
    article = {"title": "t", "paragraphs": [{"context": "one", "qas": []}, {"context": "two", "qas": []}]}
    found = records(tmp_path / "a.json", json.dumps({"data": [article], "version": "x"}))

    assert [row.text for row in found.rows] == ["one", "two"]
    second = json.loads(found.write(found.rows[1:]))
    assert second == {"version": "x", "data": [{"title": "t", "paragraphs": [{"context": "two", "qas": []}]}]}


def test_a_file_without_records_and_a_single_value_are_refused(tmp_path: Path) -> None:
    with pytest.raises(BadFile, match="no records"):
        records(tmp_path / "a.tsv", "text\tlabel\n")
    with pytest.raises(BadFile, match="one JSON value"):
        records(tmp_path / "a.json", '"text"')


@pytest.mark.parametrize(
    ("name", "content", "found"),
    [
        ("a.jsonl", '{"text": "a"}\n{"text"\n', r"a\.jsonl:2: broken JSON"),
        ("a.jsonl", '{"text": "a", "text": "b"}\n', r"a\.jsonl:1: .*'text' stands twice"),
        ("a.json", '[{"text": "a", "text": "b"}]', "'text' stands twice"),
        ("a.json", "[" * 100_000, "nested too deeply"),
        ("a.csv", 'text,label\n"a,yes\n', r"a\.csv:2: broken CSV"),
    ],
)
def test_what_cannot_be_read_is_refused_with_its_place(tmp_path: Path, name: str, content: str, found: str) -> None:
    with pytest.raises(BadFile, match=found):
        records(tmp_path / name, content)
