"""Answers as stretches: exact offsets, the best of all windows, and no answer where every window doubts."""

import numpy as np
import pytest

from linnet.batches.text_windows import TextEncoder, TextWindow
from linnet.contracts import Notes
from linnet.documents.texts import TextExample
from linnet.models.encoders import find_encoder
from linnet.tasks.texts.kinds.answer_spans import FloatArray, best_answers, note_unplaced, places_of
from tests import tiny

TEXT = "folic acid was given"
OFFSETS = [(0, 5), (6, 10), (11, 14), (15, 20)]
BEGIN = 2  # one token before, one of a question


def window(first: int = 0, end: int = 4) -> TextWindow:
    """Return a window of some words of the text."""
    own = OFFSETS[first:end]
    return TextWindow(0, [1] * (BEGIN + len(own) + 1), [0] * (BEGIN + len(own) + 1), BEGIN, own, ())


def scores(window: TextWindow, **told: float) -> FloatArray:
    """Return scores of -9 but for what is told: `first2=5.0` for the first place at the third own word."""
    found: FloatArray = np.full((2, len(window)), -9.0, dtype=np.float32)
    for name, value in told.items():
        row, at = (0, name.removeprefix("first")) if name.startswith("first") else (1, name.removeprefix("last"))
        found[row, BEGIN + int(at) if at != "N" else 0] = value
    return found


def test_the_stretch_of_the_highest_sum_is_the_answer() -> None:
    one = window()

    (best, *others) = best_answers(TEXT, [one], [scores(one, first0=5, last1=4, first3=1, last3=1)], longest=100)

    assert (best.text, best.start, best.end) == ("folic acid", 0, 10)
    assert all(TEXT[each.start : each.end] == each.text for each in others)
    assert best.score > 0.9
    assert sum(each.score for each in (best, *others)) == pytest.approx(1.0)


def test_no_stretch_ends_before_it_begins() -> None:
    one = window()

    (best, *_) = best_answers(TEXT, [one], [scores(one, first3=9, last0=9)], longest=100)

    assert best.start < best.end


def test_longer_stretches_are_no_answers() -> None:
    one = window()
    found = best_answers(TEXT, [one], [scores(one, first0=5, last3=5)], longest=10)

    assert found
    assert all(len(each.text) <= 10 for each in found)


def test_the_tokens_before_and_after_the_text_are_no_answers() -> None:
    one = window()
    given = scores(one)
    given[:, 1] = given[:, -1] = 50.0  # of the question, and after the text

    for found in best_answers(TEXT, [one], [given], longest=100):
        assert found.score < 0.5


def test_a_stretch_counts_in_the_window_where_it_scores_highest() -> None:
    one, two = window(0, 3), window(1, 4)

    (best, *_) = best_answers(
        TEXT, [one, two], [scores(one, first1=1, last1=1), scores(two, first0=4, last0=4)], longest=100
    )

    assert (best.text, best.start) == ("acid", 6)


def test_there_is_no_answer_where_every_window_says_so() -> None:
    one, two = window(0, 2), window(2, 4)
    nothing = {"firstN": 6.0, "lastN": 6.0}

    (best, *_) = best_answers(TEXT, [one, two], [scores(one, **nothing), scores(two, **nothing)], longest=100)

    assert (best.text, best.start, best.end) == ("", 0, 0)


def test_one_window_with_the_answer_is_enough() -> None:
    one, two = window(0, 2), window(2, 4)

    (best, *_) = best_answers(
        TEXT, [one, two], [scores(one, firstN=6, lastN=6), scores(two, first1=1, last1=1)], longest=100
    )

    assert best.text == "given"


def test_an_empty_text_has_no_answer() -> None:
    empty = TextWindow(0, [2, 3], [0, 0], 1, [], ())

    (found,) = best_answers("", [empty], [np.zeros((2, 2), np.float32)], longest=100)

    assert (found.text, found.score) == ("", 1.0)


def test_blanks_that_a_tokenizer_counts_to_a_word_are_no_part_of_an_answer() -> None:
    text = " we  gave "
    one = TextWindow(0, [2, 9, 9, 9, 3], [0] * 5, 1, [(0, 3), (3, 9), (9, 10)], ())
    given = np.zeros((2, 5), np.float32)

    found = best_answers(text, [one], [given], longest=100)

    assert {each.text for each in found} == {"", "we", "gave", "we  gave"}
    assert all(text[each.start : each.end] == each.text for each in found)


@pytest.mark.parametrize("after", ["", " is a syndrome"])
def test_a_mark_that_no_token_holds_is_a_part_of_the_answer(after: str) -> None:
    text = f"a Barre\u0301{after}"
    one = TextWindow(0, [2, 9, 9, 9, 3], [0] * 5, 1, [(0, 1), (2, 7), (9, 11)][: 3 if after else 2], ())
    example = TextExample("q", "which", text, spans=((2, 8),))
    notes = Notes()

    first, last = places_of(one, example.spans, text)
    given = np.zeros((2, 5), np.float32)
    given[0, first] = given[1, last] = 9.0
    (best, *_) = best_answers(text, [one], [given], longest=100)
    note_unplaced([example], [[one]], notes)

    assert (first, last) == (2, 2)
    assert (best.text, best.start, best.end) == ("Barre\u0301", 2, 8)
    assert notes.sentences() == []


def test_a_mark_that_is_a_token_stays_the_last_place() -> None:
    text = "Barre\u0301 is"
    one = TextWindow(0, [2, 9, 9, 9, 3], [0] * 5, 1, [(0, 5), (5, 6), (6, 9)], ())

    assert places_of(one, [(0, 6)], text) == (1, 2)
    found = {each.text for each in best_answers(text, [one], [np.zeros((2, 5), np.float32)], longest=100)}
    assert found == {"", "Barre\u0301", "Barre\u0301 is", "is"}  # nothing begins or ends at an accent


@pytest.mark.parametrize("family", tiny.FAMILIES)
def test_what_is_learned_is_what_is_answered(family: str) -> None:
    text = "we gave  folic acid (in mice) ."
    span = (text.index("folic"), text.index(" (in"))
    encoder = TextEncoder(find_encoder(str(tiny.encoder(family))).backend, max_length=90)
    (one,) = encoder.encode([("which", text)])[0]

    first, last = places_of(one, [span], text)
    given = np.zeros((2, len(one)), np.float32)
    given[0, first] = given[1, last] = 9.0
    (best, *_) = best_answers(text, [one], [given], longest=100)

    assert first >= one.begin
    assert (best.text, best.start, best.end) == ("folic acid", *span)


def test_places_are_those_of_the_first_span_that_stands_in_the_window_as_a_whole() -> None:
    assert places_of(window(1, 4), [(0, 10), (11, 20), (6, 10)], TEXT) == (BEGIN + 1, BEGIN + 2)


def test_a_span_inside_a_word_has_the_word_s_place() -> None:
    assert places_of(window(), [(7, 9)], TEXT) == (BEGIN + 1, BEGIN + 1)


def test_texts_whose_answer_stands_in_no_window_as_a_whole_are_counted() -> None:
    windows = [window(0, 2), window(1, 4)]
    spans = [((6, 20),), ((0, 14), (0, 5)), ((0, 14),), ()]  # in the second, in the first, in none, without an answer
    examples = [TextExample(str(at), "which", TEXT, spans=own, place=f"f:{at}") for at, own in enumerate(spans)]
    notes = Notes()

    note_unplaced(examples, [windows] * 4, notes)

    assert notes.sentences() == [
        "train: texts whose answer stands in no window as a whole, learned as without: 1 (first: f:2)"
    ]


@pytest.mark.parametrize("spans", [[], [(0, 20)], [(0, 5)]])
def test_where_no_span_stands_in_the_window_the_first_token_says_so(spans: list[tuple[int, int]]) -> None:
    assert places_of(window(1, 3), spans, TEXT) == (0, 0)
