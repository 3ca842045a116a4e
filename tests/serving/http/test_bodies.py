"""Bodies become documents; what is wrong with them is said without a path of this machine."""

import pytest

from linnet.documents.document import Document
from linnet.serving.http.bodies import parse_json, private_file, read_body, read_texts
from linnet.serving.http.refusals import Refusal


def test_lines_are_documents() -> None:
    assert read_body(b"one\r\n\ntwo", "lines").documents == [Document("1", "one"), Document("2", "two")]


def test_a_text_stays_as_it_is() -> None:
    assert read_body(" a\u2028b\r\n".encode(), "text").documents == [Document("1", " a\u2028b\r\n")]


def test_what_a_reader_notes_is_kept() -> None:
    body = read_body(b'{"sourceid": "1", "text": "a", "denotations": [], "modifications": [1]}', "pubannotation")

    assert body.format == "pubannotation"
    assert body.notes == ("fields left out ('modifications'): 1 (first: body:1)",)


@pytest.mark.parametrize(
    ("content", "expected"), [(b'{"text": "a"}', ["a"]), (b'["a", ["b", "c"]]', ["a", ("b", "c")])]
)
def test_texts_and_pairs_are_read(content: bytes, expected: list[object]) -> None:
    assert read_texts(parse_json(content)) == expected


@pytest.mark.parametrize("content", [b"{}", b"[]", b'{"texts": [1]}', b'{"texts": [["a"]]}', b'"a"', b"1"])
def test_other_values_are_no_texts(content: bytes) -> None:
    with pytest.raises(Refusal):
        read_texts(parse_json(content))


@pytest.mark.parametrize(
    ("content", "where"), [(b'{\n"a"', "body, line 2, column 4"), (b'{"a": 1, "a": 2}', "body"), (b"[" * 5000, "body")]
)
def test_broken_json_is_refused_with_its_place(content: bytes, where: str) -> None:
    with pytest.raises(Refusal) as caught:
        parse_json(content)

    assert (caught.value.status, caught.value.where) == (400, where)


@pytest.mark.parametrize(
    ("content", "where"),
    [
        (rb'["a", "b\ud800"]', "body, line 1, column 9"),
        (b'{"texts":\n ["\\ud83d\\ude00 \\uDC00c"]}', "body, line 2, column 17"),
        (rb'{"documents": [{"infons": {"\ud800": "a"}}]}', "body, line 1, column 29"),
    ],
)
def test_half_of_a_character_is_refused_wherever_it_stands(content: bytes, where: str) -> None:
    with pytest.raises(Refusal) as caught:
        parse_json(content)

    assert (caught.value.problem, caught.value.where) == ("found half of a character (a lone surrogate)", where)


def test_whole_characters_are_read_however_they_are_written() -> None:
    assert parse_json(rb'["\ud83d\ude00", "\\ud800"]') == ["\U0001f600", "\\ud800"]


def test_an_empty_body_is_called_so() -> None:
    with pytest.raises(Refusal) as caught:
        parse_json(b" ")

    assert caught.value.problem == "the body is empty"


@pytest.mark.parametrize("what", ["texts", "documents"])
def test_an_empty_list_is_called_so(what: str) -> None:
    with pytest.raises(Refusal, match=f"the list of {what} is empty"):
        read_body(f'{{"{what}": []}}'.encode(), "json")


@pytest.mark.parametrize("content", [b"<html><p>a</p></html>\n", b'<?xml version="1.0"?>\n<a/>'])
def test_markup_of_no_format_is_not_taken_for_a_text(content: bytes) -> None:
    with pytest.raises(Refusal) as caught:
        read_body(content, "auto")

    assert (caught.value.status, caught.value.problem) == (400, "no format has this XML or HTML")
    assert read_body(content, "text").documents[0].text == content.decode()


def test_lines_of_a_named_file_have_the_ids_that_annotate_gives() -> None:
    assert [each.id for each in read_body(b"one\n\ntwo", "lines", name="a.txt").documents] == ["a-1", "a-2"]


def test_a_number_without_end_is_refused_without_advice_for_programmers() -> None:
    with pytest.raises(Refusal) as caught:
        parse_json(b"[" + b"1" * 5000 + b"]")

    assert "4300 digits" in caught.value.problem
    assert "sys." not in caught.value.problem


def test_a_private_file_is_gone_afterwards() -> None:
    with private_file(b"a") as path:
        assert path.read_bytes() == b"a"
        assert path.parent.stat().st_mode & 0o077 == 0

    assert not path.parent.exists()


@pytest.mark.parametrize(
    ("content", "where"),
    [
        (b'{"text": "a", "foo": 1}', "body"),
        (b"[1, 2]", "body"),
        (b'[{"text": "a", "foo": 1}]', "body"),
        (b'{"text": "a" ', "body, line 1, column 14"),
    ],
)
def test_json_of_no_format_is_not_taken_for_a_text(content: bytes, where: str) -> None:
    with pytest.raises(Refusal) as caught:
        read_body(content, "json")

    assert (caught.value.status, caught.value.where) == (400, where)


def test_a_list_of_documents_is_read() -> None:
    body = read_body(b'[{"id": "x", "text": "a"}, {"text": "b"}]', "json")

    assert body.documents == [Document("x", "a"), Document("2", "b")]
