"""Texts and pairs as windows: together or apart, with the places of marked mentions."""

import pytest

from linnet.batches.text_windows import TextEncoder
from linnet.documents.texts import TextExample
from linnet.models.tokenizer_file import open_tokenizer
from linnet.tasks.texts.read_texts import LabelledText, read_texts
from tests import tiny

LONG = "no cause of ataxia is known " * 20
PAIR = TextExample("1", "we gave aspirin .", "in mice .")


@pytest.fixture(scope="module")
def encoder() -> TextEncoder:
    return TextEncoder(open_tokenizer(tiny.encoder()), max_length=32)


def test_a_pair_is_read_together(encoder: TextEncoder) -> None:
    (found,) = read_texts(encoder, [PAIR])

    assert (len(found.windows), found.sides) == (1, [0])
    assert len(found) == len(found.windows[0].ids)


def test_the_texts_of_a_pair_are_read_apart(encoder: TextEncoder) -> None:
    first, second = read_texts(encoder, [PAIR, TextExample("2", LONG, "in mice .")], method="bi")

    assert first.sides == [0, 1]
    assert second.sides == [0] * (len(second.windows) - 1) + [1]
    assert len(second.windows) > 2


def test_a_long_text_has_several_windows_of_at_most_the_length(encoder: TextEncoder) -> None:
    (found,) = read_texts(encoder, [TextExample("1", LONG)])

    assert len(found.windows) > 1
    assert max(map(len, found.windows)) <= 32
    assert len(LabelledText(found, [1])) == len(found) == sum(map(len, found.windows))


def test_marks_are_kept_for_pooling_by_markers_only(encoder: TextEncoder) -> None:
    example = TextExample("1", "we gave aspirin .", spans=((0, 2), (8, 15)))

    (marked,) = read_texts(encoder, [example], pooling="markers")
    (plain,) = read_texts(encoder, [example], pooling="mean")

    assert len(marked.windows[0].marks) == 2
    assert plain.windows[0].marks == ()
