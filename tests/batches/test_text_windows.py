"""Texts and pairs as windows: nothing is cut, every offset is exact, and each family gets the frame it was taught."""

from collections.abc import Iterable

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tokenizers import Tokenizer, models, pre_tokenizers, processors

from linnet.batches.text_windows import TextEncoder, TextWindow, collate_texts
from linnet.models.encoders import find_encoder
from tests import tiny

LONG = "colorectal cancer was treated with folic acid and cisplatin . " * 3
SHORT = "no cause of ataxia is known"
FEW = 20  # sub-words: all long texts need several windows
TEXTS = st.text(alphabet="abcdeé fgimn.-(β", max_size=60)
SECONDS = st.one_of(st.none(), TEXTS)


def encoder(family: str = "bert", max_length: int = FEW, overlap: int | None = None) -> TextEncoder:
    return TextEncoder(find_encoder(str(tiny.encoder(family))).backend, max_length=max_length, overlap=overlap)


def pieces(encoder: TextEncoder, text: str) -> list[tuple[int, int]]:
    """Return the characters of every sub-word of a text."""
    found: list[tuple[int, int]] = encoder.tokenizer.encode(text, add_special_tokens=False).offsets
    return found


def last(windows: Iterable[TextWindow]) -> set[tuple[int, int]]:
    """Return the characters of every sub-word of the last text that stands in some window."""
    return {offset for window in windows for offset in window.offsets}


def own_ids(window: TextWindow) -> list[int]:
    """Return the numbers of the last text's sub-words."""
    return window.ids[window.begin : window.begin + len(window.offsets)]


@pytest.mark.parametrize("family", tiny.FAMILIES)
@pytest.mark.parametrize("second", [None, SHORT])
def test_a_short_text_or_pair_is_what_the_tokenizer_says(family: str, second: str | None) -> None:
    found = encoder(family, max_length=90)

    (window,) = found.encode([("we gave aspirin .", second)])[0]

    whole = found.tokenizer.encode("we gave aspirin .", second)
    assert (window.ids, window.types) == (whole.ids, whole.type_ids)


@pytest.mark.parametrize("family", tiny.FAMILIES)
@given(first=TEXTS, second=SECONDS, max_length=st.integers(9, 30), overlap=st.one_of(st.none(), st.integers(0, 15)))
def test_every_sub_word_of_every_text_is_in_some_window_that_fits(
    family: str, first: str, second: str | None, max_length: int, overlap: int | None
) -> None:
    found = encoder(family, max_length, overlap)

    (windows,) = found.encode([(first, second)])

    assert all(len(window) <= max_length for window in windows)
    assert last(windows) == set(pieces(found, first if second is None else second))
    if second is not None:
        openings = {number for window in windows for number in window.ids[: window.begin]}
        assert openings >= set(found.tokenizer.encode(first, add_special_tokens=False).ids)


@pytest.mark.parametrize("family", tiny.FAMILIES)
def test_offsets_are_those_of_the_text_as_it_was_given(family: str) -> None:
    text = "Naïve  Ataxia\twas\n" + LONG + "—β-aspirin"
    found = encoder(family)

    for window in found.encode([(text, None)])[0]:
        assert len(own_ids(window)) == len(window.offsets)
        for number, (start, end) in zip(own_ids(window), window.offsets, strict=True):
            shown = str(found.tokenizer.id_to_token(number)).lstrip("#Ġ▁").lower()
            if shown.isascii() and shown.isalpha() and not shown.startswith("["):
                assert text[start:end].strip().lower().replace("ï", "i") == shown or shown == "unk"


@pytest.mark.parametrize("family", tiny.FAMILIES)
def test_windows_begin_and_end_between_words(family: str) -> None:
    windows = encoder(family).encode([(LONG, None)])[0]

    assert len(windows) > 3
    for window in windows[1:]:
        start = window.offsets[0][0]
        assert LONG[start - 1] == " " or LONG[start] == " "
    for window in windows[:-1]:
        end = window.offsets[-1][1]
        assert end == len(LONG) or LONG[end] == " " or LONG[end - 1] == " "


def test_windows_share_the_overlap() -> None:
    one, two = encoder(overlap=6).encode([(LONG, None)])[0][:2]

    shared = [offset for offset in one.offsets if offset in two.offsets]
    assert 0 < len(shared) <= 6


@pytest.mark.parametrize("family", tiny.FAMILIES)
def test_a_word_longer_than_a_window_is_read_in_parts(family: str) -> None:
    word = "mice" * 20  # 80 letters: a word-piece model knows no word of more than 100
    found = encoder(family)

    (windows,) = found.encode([(f"in {word} .", None)])

    assert len(windows) > 2
    assert last(windows) == set(pieces(found, f"in {word} ."))


@pytest.mark.parametrize("family", tiny.FAMILIES)
def test_the_shorter_text_of_a_pair_stands_in_every_window(family: str) -> None:
    found = encoder(family, max_length=60)
    question = found.tokenizer.encode("in mice .", add_special_tokens=False).ids

    (windows,) = found.encode([("in mice .", LONG)])
    (turned,) = found.encode([(LONG, "in mice .")])

    assert len(windows) > 1
    assert len(turned) > 1
    n_before = len(found.pair.before)
    assert all(window.ids[n_before : n_before + len(question)] == question for window in windows)
    assert all(own_ids(window) == question for window in turned)


def test_of_two_long_texts_all_combinations_are_read() -> None:
    different = " ".join(tiny.words())  # no window of it is like another
    windows = encoder(max_length=40).encode([(different, different)])[0]

    seconds = {tuple(own_ids(window)) for window in windows}
    firsts = {tuple(window.ids[: window.begin]) for window in windows}
    assert min(len(firsts), len(seconds)) > 2
    assert len(windows) == len(firsts) * len(seconds)


@pytest.mark.parametrize("family", tiny.FAMILIES)
@pytest.mark.parametrize("texts", [("", None), ("", ""), ("", LONG), (LONG, ""), ("", SHORT)])
def test_empty_texts_have_windows_too(family: str, texts: tuple[str, str | None]) -> None:
    found = encoder(family)

    (windows,) = found.encode([texts])

    frame = found.single if texts[1] is None else found.pair
    assert windows
    assert all(len(window) >= frame.size > 0 for window in windows)
    assert last(windows) == set(pieces(found, texts[0] if texts[1] is None else texts[1]))


@pytest.mark.parametrize(
    ("family", "expected"),
    [("bert", {0, 1}), ("electra", {0, 1}), ("albert", {0, 1}), ("deberta-v2", {0, 1}), ("roberta", {0})],
)
def test_the_second_text_has_another_type_where_the_family_was_taught_so(family: str, expected: set[int]) -> None:
    (window,) = encoder(family, max_length=90).encode([(SHORT, "in mice .")])[0]

    assert set(window.types) == expected
    assert set(window.types[: window.begin]) == {0}
    assert len(set(window.types[window.begin :])) == 1


@pytest.mark.parametrize("family", tiny.FAMILIES)
def test_marks_point_to_the_sub_word_that_holds_the_character(family: str) -> None:
    wanted = [LONG.index("folic"), LONG.index("cisplatin")]
    found = encoder(family, max_length=90)

    for texts in ((LONG, None), (SHORT, LONG)):
        windows = found.encode([texts], [wanted])[0]
        marked = [(window, mark, at) for window in windows for mark, at in zip(window.marks, wanted, strict=True)]
        for window, mark, at in marked:
            start, end = window.offsets[mark - window.begin] if mark else (0, 0)
            assert mark == 0 or start <= at < end
        for at in wanted:
            assert any(mark for _, mark, character in marked if character == at)


def test_a_mark_of_another_window_is_the_first_token() -> None:
    windows = encoder().encode([(LONG, None)], [[0, LONG.index("cisplatin")]])[0]

    assert windows[0].marks[0] == windows[0].begin
    assert all(window.marks[0] == 0 for window in windows[1:])


def test_texts_and_pairs_may_stand_side_by_side() -> None:
    found = encoder()
    texts = [(LONG, None), (SHORT, "in mice ."), ("we gave", None), ("we gave", LONG)]

    together = found.encode(texts)

    for number, text in enumerate(texts):
        alone = found.encode([text])[0]
        assert [window.ids for window in together[number]] == [window.ids for window in alone]
        assert {window.text for window in together[number]} == {number}


def test_a_tokenizer_that_was_never_told_of_pairs_frames_them_like_single_texts() -> None:
    names = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "a", "b"]
    tokenizer = Tokenizer(models.WordLevel({name: at for at, name in enumerate(names)}, unk_token="[UNK]"))
    tokenizer.pre_tokenizer = pre_tokenizers.Whitespace()
    known = [("[CLS]", 2), ("[SEP]", 3)]
    tokenizer.post_processor = processors.TemplateProcessing(single="[CLS] $A [SEP]", special_tokens=known)

    (window,) = TextEncoder(tokenizer, max_length=16).encode([("a", "b b")])[0]

    assert window.ids == [2, 4, 3, 5, 5, 3]
    assert window.types == [0, 0, 0, 1, 1, 1]


def test_windows_are_padded_side_by_side() -> None:
    found = encoder(max_length=90)
    windows = [found.encode([text], [marks])[0][0] for text, marks in (((SHORT, None), [3]), (("we", SHORT), []))]

    batch = collate_texts(windows, found.pad_id)

    width = max(map(len, windows))
    assert batch.ids.shape == batch.mask.shape == batch.types.shape == (2, width)
    assert batch.mask.sum(axis=1).tolist() == [len(window) for window in windows]
    assert (batch.ids[batch.mask == 0] == found.pad_id).all()
    assert (batch.types[batch.mask == 0] == 0).all()
    assert batch.marks.tolist() == [[windows[0].marks[0]], [0]]
