"""The JSON stream reads what the standard library reads, in chunks of any size."""

import io
import json
import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from linnet.errors import BadFile
from linnet.formats.json_stream import JsonStream

VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=8,
)


@pytest.mark.long
@settings(max_examples=50)
@given(
    value=st.dictionaries(st.text(), VALUES, max_size=4),
    chunk=st.integers(1, 9),
    indent=st.sampled_from((None, 1)),
    is_ascii=st.booleans(),
)
def test_members_are_what_the_whole_file_holds(
    value: dict[str, object], chunk: int, indent: int | None, is_ascii: bool
) -> None:
    text = json.dumps(value, indent=indent, ensure_ascii=is_ascii)

    stream = _stream(text, chunk)
    found = {key: stream.value() for key in stream.members()}
    stream.end()

    assert found == json.loads(text)


@settings(max_examples=50)
@given(value=st.lists(VALUES, max_size=4), chunk=st.integers(1, 9))
def test_elements_are_what_the_whole_file_holds(value: list[object], chunk: int) -> None:
    stream = _stream(json.dumps(value), chunk)

    found = [stream.value() for _ in stream.elements()]
    stream.end()

    assert found == value


@settings(max_examples=50)
@given(value=st.dictionaries(st.text(), VALUES, min_size=1, max_size=3), chunk=st.integers(1, 9), data=st.data())
def test_a_file_that_is_cut_off_is_always_refused(value: dict[str, object], chunk: int, data: st.DataObject) -> None:
    text = json.dumps(value, indent=1)
    length = data.draw(st.integers(0, len(text) - 1))
    stream = _stream(text[:length], chunk)

    with pytest.raises(BadFile) as caught:
        [stream.value() for _ in stream.members()]

    line = int(caught.value.problem.split(":")[1])
    assert line <= text.count("\n", 0, length) + 1


def test_numbers_and_literals_at_the_edge_of_a_piece_stay_whole() -> None:
    text = '[123456, -Infinity, 1e+5, 2.5, NaN, true, "\\ud83e\\uddec", 7]'

    for chunk in range(1, len(text) + 1):
        stream = _stream(text, chunk)
        found = [stream.value() for _ in stream.elements()]

        assert [each for each in found if each == each] == [123456, -math.inf, 1e5, 2.5, True, "🧬", 7]


def test_places_count_lines_also_when_the_buffer_has_moved_on() -> None:
    stream = _stream("[\n1,\n\n2,\n3\n]", 2)

    places = [(place, stream.value()) for place in stream.elements()]

    assert places == [("a:2", 1), ("a:4", 2), ("a:5", 3)]


def test_an_early_mistake_does_not_make_it_read_the_whole_file() -> None:
    file = io.StringIO('[{"a" "b"},' + " " * 100_000)
    stream = JsonStream(file, "a", chunk=100)

    with pytest.raises(BadFile, match="a:1: this is not JSON"):
        [stream.value() for _ in stream.elements()]

    assert file.tell() == 100


def _stream(text: str, chunk: int) -> JsonStream:
    return JsonStream(io.StringIO(text, newline="\n"), "a", chunk=chunk)
