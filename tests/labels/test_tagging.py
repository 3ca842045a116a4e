"""How rows of tags say where mentions begin and end."""

import pickle
from itertools import permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from linnet.errors import BadSetting
from linnet.labels.mention import Mention
from linnet.labels.tagging import (
    TAGGINGS,
    InvalidTags,
    TagPairs,
    check_tagging,
    decode,
    decode_conll,
    decode_well_formed,
    detect_tagging,
    encode,
    first_fault,
    is_allowed,
    split_tag,
    tags_of,
)

ROWS = {  # written by hand: X of two tokens, X of one right behind it, O, Y of three
    "io": "I-X I-X I-X O I-Y I-Y I-Y",
    "iob1": "I-X I-X B-X O I-Y I-Y I-Y",
    "iob2": "B-X I-X B-X O B-Y I-Y I-Y",
    "iobes": "B-X E-X S-X O B-Y I-Y E-Y",
    "bilou": "B-X L-X U-X O B-Y I-Y L-Y",
}
MENTIONS = [Mention(0, 2, "X"), Mention(2, 3, "X"), Mention(4, 7, "Y")]
APART = [tagging for tagging in TAGGINGS if tagging != "io"]  # those that keep touching mentions apart


@st.composite
def rows(draw: st.DrawFn) -> tuple[list[Mention], int]:
    """Mentions in order, some of them touching, and the number of tokens."""
    mentions, at = [], 0
    for gap, size, label in draw(
        st.lists(st.tuples(st.integers(0, 2), st.integers(1, 4), st.sampled_from(["X", "Y", "Cell-Line"])), max_size=6)
    ):
        mentions.append(Mention(at + gap, at + gap + size, label))
        at += gap + size
    return mentions, at + draw(st.integers(0, 2))


tags = st.sampled_from(["O", *(f"{prefix}-{label}" for prefix in "BIESULMW" for label in "XY")])


@pytest.mark.parametrize("tagging", TAGGINGS)
def test_each_tagging_writes_its_own_letters(tagging: str) -> None:
    assert encode(MENTIONS, 7, tagging) == ROWS[tagging].split()


@pytest.mark.parametrize("tagging", APART)
def test_each_tagging_but_io_gives_touching_mentions_back(tagging: str) -> None:
    assert decode(ROWS[tagging].split(), tagging) == MENTIONS


def test_io_runs_touching_mentions_of_one_label_together() -> None:
    assert decode(ROWS["io"].split(), "io") == [Mention(0, 3, "X"), Mention(4, 7, "Y")]


@given(rows())
def test_every_conversion_between_taggings_is_exact_both_ways(row: tuple[list[Mention], int]) -> None:
    mentions, n_tokens = row

    for one, other in permutations(APART, 2):
        there = encode(mentions, n_tokens, one)
        back = encode(decode(encode(decode(there, one), n_tokens, other), other), n_tokens, one)
        assert decode(there, one) == mentions
        assert back == there


@given(rows())
def test_io_keeps_mentions_that_do_not_touch(row: tuple[list[Mention], int]) -> None:
    mentions = [mention for mention in row[0] if mention.start % 10 not in {other.end % 10 for other in row[0]}]

    apart = [m for i, m in enumerate(mentions) if i == 0 or mentions[i - 1].end < m.start]

    assert decode(encode(apart, row[1], "io"), "io") == apart


@given(rows(), st.sampled_from(TAGGINGS))
def test_what_is_encoded_has_one_tag_per_token_and_no_fault(row: tuple[list[Mention], int], tagging: str) -> None:
    found = encode(*row, tagging)

    assert len(found) == row[1]
    assert first_fault(found, tagging) is None
    assert set(found) <= set(tags_of(["X", "Y", "Cell-Line"], tagging))


@given(rows(), st.sampled_from(APART))
def test_all_readings_agree_on_rows_without_fault(row: tuple[list[Mention], int], tagging: str) -> None:
    found = encode(*row, tagging)

    assert decode(found, tagging) == decode_conll(found) == decode_well_formed(found, tagging) == row[0]


@given(st.lists(tags, max_size=12))
def test_the_conlleval_reading_takes_every_tag_that_is_not_outside_into_one_mention(row: list[str]) -> None:
    mentions = decode_conll(row)

    covered = [index for first, end, *_ in mentions for index in range(first, end)]
    assert covered == [index for index, tag in enumerate(row) if tag != "O"]
    assert all(split_tag(row[index])[1] == label for first, end, label, _ in mentions for index in range(first, end))


@given(st.lists(tags, max_size=12), st.sampled_from(TAGGINGS))
def test_the_well_formed_reading_is_part_of_the_conlleval_reading(row: list[str], tagging: str) -> None:
    assert set(decode_well_formed(row, tagging)) <= set(decode_conll(row))


@given(st.lists(tags, max_size=12), st.sampled_from(APART))
def test_a_repaired_row_has_no_fault_and_the_same_mentions(row: list[str], tagging: str) -> None:
    mentions = decode_conll(row)

    mended = encode(mentions, len(row), tagging)

    assert decode(mended, tagging) == mentions


@pytest.mark.parametrize(
    ("row", "tagging", "position"),
    [
        ("O I-X", "iob2", 1),
        ("B-X I-Y", "iob2", 1),
        ("I-X", "iob2", 0),
        ("B-X S-X", "iob2", 1),
        ("O B-X", "io", 1),
        ("B-X O", "iobes", 1),
        ("B-X I-X", "iobes", 1),
        ("S-X E-X", "iobes", 1),
        ("B-X B-X E-X", "iobes", 1),
        ("U-X L-X", "bilou", 1),
        ("O E-X", "iob1", 1),
    ],
)
def test_what_a_tagging_does_not_allow_is_refused_at_its_position(row: str, tagging: str, position: int) -> None:
    with pytest.raises(InvalidTags) as caught:
        decode(row.split(), tagging)

    assert caught.value.position == position
    assert tagging in caught.value.problem
    assert "--repair" in caught.value.remedy


def test_a_mention_left_open_at_the_end_says_so() -> None:
    with pytest.raises(InvalidTags, match="'the end' after 'B-X'") as caught:
        decode(["O", "B-X"], "iobes")

    assert caught.value.position == 1


def test_the_error_survives_the_way_back_from_a_worker_process() -> None:
    error = InvalidTags(3, "I-X", "O", "iob2")

    copy = pickle.loads(pickle.dumps(error))

    assert (str(copy), copy.position, copy.found) == (str(error), 3, "I-X")


@pytest.mark.parametrize("row", ["B-X", "B-X I-X", "I-X B-X B-X I-X"])
def test_iob1_allows_a_b_that_is_not_needed(row: str) -> None:
    assert first_fault(row.split(), "iob1") is None


@pytest.mark.parametrize(
    ("row", "tagging", "expected"),
    [  # by hand, after seqeval's strict mode
        ("O I-X I-X", "iob2", []),
        ("B-X I-Y I-Y", "iob2", [Mention(0, 1, "X")]),
        ("B-X I-X O I-X", "iob2", [Mention(0, 2, "X")]),
        ("B-X I-X", "iobes", []),
        ("B-X E-X S-X", "iobes", [Mention(0, 2, "X"), Mention(2, 3, "X")]),
        ("E-X S-X", "iobes", [Mention(1, 2, "X")]),
        ("B-X I-X I-X L-X U-Y", "bilou", [Mention(0, 4, "X"), Mention(4, 5, "Y")]),
    ],
)
def test_the_strict_reading_passes_over_what_is_not_well_formed(
    row: str, tagging: str, expected: list[Mention]
) -> None:
    assert decode_well_formed(row.split(), tagging) == expected


@pytest.mark.parametrize("tag", ["", "X", "B-", "BX", "b-X", "O-X", "-X", "B_X", "A", "o"])
def test_what_is_no_tag_is_refused(tag: str) -> None:
    with pytest.raises(ValueError, match="^" + tag):
        split_tag(tag)


@pytest.mark.parametrize(
    ("tag", "expected"),
    [("B-X", ("B", "X")), ("U-X", ("S", "X")), ("W-X", ("S", "X")), ("L-X", ("E", "X")), ("M-X", ("I", "X"))],
)
def test_letters_of_other_families_are_told_in_iobes(tag: str, expected: tuple[str, str]) -> None:
    assert split_tag(tag) == expected


def test_labels_may_hold_dashes_and_spaces() -> None:
    assert split_tag("B-Cell-Line a") == ("B", "Cell-Line a")


def test_the_tags_of_labels_are_the_same_in_any_order() -> None:
    assert tags_of(["Y", "X", "Y"], "iobes") == ["O", *"B-X I-X E-X S-X B-Y I-Y E-Y S-Y".split()]


def test_an_unknown_tagging_is_refused_with_the_known_ones() -> None:
    with pytest.raises(BadSetting, match="iob3") as caught:
        check_tagging("iob3")

    assert all(tagging in caught.value.remedy for tagging in TAGGINGS)


@pytest.mark.parametrize("tagging", TAGGINGS)
def test_outside_may_follow_outside_everywhere(tagging: str) -> None:
    assert is_allowed("O", "O", tagging)
    assert decode([], tagging) == []


def detect(*sentences: str) -> str:
    pairs = TagPairs()
    for sentence in sentences:
        pairs.add(sentence.split())
    return detect_tagging(pairs.counts)


@pytest.mark.parametrize(
    ("sentences", "expected"),
    [
        (["O B-X I-X O", "B-X"], "iob2"),
        (["B-X", "O"], "iob2"),
        (["O O"], "iob2"),
        ([], "iob2"),
        (["I-X I-X O", "O I-Y"], "io"),
        (["I-X I-X B-X", "O I-Y"], "iob1"),
        (["B-X E-X", "S-Y"], "iobes"),
        (["O S-Y"], "iobes"),
        (["O W-Y"], "iobes"),
        (["B-X M-X E-X"], "iobes"),
        (["B-X L-X", "U-Y"], "bilou"),
        (["U-Y"], "bilou"),
        (["B-X I-X O B-X O B-X O I-X"], "iob2"),  # one broken row in a file that is iob2 otherwise
    ],
)
def test_the_tags_that_occur_say_which_tagging_it_is(sentences: list[str], expected: str) -> None:
    assert detect(*sentences) == expected


@given(st.lists(rows(), max_size=5), st.sampled_from(["iob1", "iob2", "iobes", "bilou"]))
def test_whatever_is_detected_gives_the_mentions_that_were_encoded(
    sentences: list[tuple[list[Mention], int]], tagging: str
) -> None:
    pairs = TagPairs()
    encoded = [encode(mentions, n_tokens, tagging) for mentions, n_tokens in sentences]
    for row in encoded:
        pairs.add(row)

    found = detect_tagging(pairs.counts)

    assert [decode(row, found) for row in encoded] == [mentions for mentions, _ in sentences]
