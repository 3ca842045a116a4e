"""Which tagging a file uses."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from linnet.labels.detection import TagPairs, detect_tagging
from linnet.labels.tagging import Mention, decode, encode
from tests.labels.test_tagging import rows


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
