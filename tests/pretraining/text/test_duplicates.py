"""Exact and near repeats of lines, whatever the order and the grouping of the lines."""

import random
from collections import Counter

import pytest

from linnet.pretraining.text import duplicates
from linnet.pretraining.text.duplicates import NEAR_REPEAT, REPEAT, SeenLines


def test_lines_that_share_half_of_their_words_are_no_near_repeats() -> None:
    draw = random.Random(3)
    lines = [[str(draw.random()).encode() for _ in range(60)] for _ in range(50)]
    seen = SeenLines()
    assert seen.find_repeats(lines) == [None] * 50

    half = [line[:30] + other[30:] for line, other in zip(lines, reversed(lines), strict=True)]
    nearly = [[*line[:30], b"changed", *line[31:]] for line in lines]

    # one word of 60 changes 3 of 58 runs: 55 of 61 are common, 0.90; the binomial tail below 26 of 32 is 4 in 100
    assert Counter(seen.find_repeats(half)) == {None: 50}
    assert Counter(seen.find_repeats(nearly))[NEAR_REPEAT] >= 44
    assert seen.find_repeats(lines) == [REPEAT] * 50


def test_the_answer_does_not_depend_on_how_lines_are_grouped(monkeypatch: pytest.MonkeyPatch) -> None:
    draw = random.Random(4)
    lines = [[draw.choice("abcdefgh").encode() * 3 for _ in range(draw.randrange(3, 40))] for _ in range(80)]
    lines += [[*line, b"end"] for line in lines]
    together = SeenLines().find_repeats(lines)

    one_by_one = SeenLines()
    assert [one_by_one.find_repeats([line])[0] for line in lines] == together

    monkeypatch.setattr(duplicates, "MOST_WORDS", 50)
    assert SeenLines().find_repeats(lines) == together


def test_memory_is_bounded_and_the_oldest_are_forgotten(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(duplicates, "N_LATEST", 4)
    monkeypatch.setattr(duplicates, "N_EXACT", 1)
    lines = [[f"{line}-{word}".encode() for word in range(20)] for line in range(10)]
    seen = SeenLines()

    seen.find_repeats(lines)

    assert seen.find_repeats(lines[-1:]) == [REPEAT]
    assert seen.find_repeats(lines[:1]) == [None]


def test_short_lines_have_no_near_repeats() -> None:
    seen = SeenLines()
    line = [b"one", b"two", b"three", b"four", b"five", b"six", b"seven"]

    assert seen.find_repeats([line, [*line[:-1], b"eight"], line]) == [None, None, REPEAT]


def test_no_lines_have_no_repeats() -> None:
    assert SeenLines().find_repeats([]) == []
