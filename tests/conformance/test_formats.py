"""What every format must do; a new one is tested as soon as it is registered, and so is the example of the docs."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import HealthCheck, given, settings

from linnet.contracts import (
    Format,
    Notes,
    ReadOptions,
    WriteOptions,
    formats,
    readable_formats,
    writable_formats,
)
from linnet.documents.document import Argument, Document, Link, Passage, Relation, Sentence, Span
from linnet.errors import BadFile, BadSetting, LinnetError
from linnet.formats.reading import detect_format, format_for_output, read_documents
from tests.conformance.contents import contents, differences
from tests.conformance.plugins import FORMAT, install_format
from tests.conformance.strategies import documents, marked_texts, rows_of_words

TITLE, ABSTRACT = "Lithium and renal failure", "We saw β-thalassaemia 😀 twice. It was mild."
TEXT = f"{TITLE}\n{ABSTRACT}"
PLAIN = Document("7", "Lung cancer and fever", (Span(0, 11, "Disease"), Span(16, 21, "Disease")))
FEATURES = {  # each document has one thing that some format may not hold
    "plain": PLAIN,
    "without mentions": Document("7", "Nothing here"),
    "touching mentions": replace(PLAIN, spans=(Span(0, 4, "X"), Span(5, 11, "X"))),
    "several labels": replace(PLAIN, spans=(Span(0, 4, "X"), Span(5, 11, "Y"))),
    "nested mentions": replace(PLAIN, spans=(Span(0, 11, "X"), Span(0, 4, "Y"))),
    "crossing mentions": replace(PLAIN, spans=(Span(0, 11, "X"), Span(5, 15, "Y"))),
    "mentions marked twice": replace(PLAIN, spans=(Span(0, 4, "X"), Span(0, 4, "Y"))),
    "part of a word": replace(PLAIN, spans=(Span(1, 3, "X"),)),
    "empty mentions": replace(PLAIN, spans=(Span(4, 4, "X"),)),
    "discontinuous mentions": replace(PLAIN, spans=(Span(0, 21, "X", fragments=((0, 4), (16, 21))),)),
    "concepts": replace(PLAIN, spans=(Span(0, 11, "Disease", links=(Link("D008175"),)),)),
    "composite concepts": replace(PLAIN, spans=(Span(0, 11, "Disease", links=(Link("D1|OMIM:2+D3"),)),)),
    "vocabularies": replace(PLAIN, spans=(Span(0, 11, "Disease", links=(Link("D008175", "MESH"),)),)),
    "several concepts": replace(PLAIN, spans=(Span(0, 11, "X", links=(Link("D1", "MESH"), Link("2", "OMIM"))),)),
    "names of concepts": replace(PLAIN, spans=(Span(0, 11, "X", links=(Link("mesh:D1", "MESH", "Cancer"),)),)),
    "scores of concepts": replace(PLAIN, spans=(Span(0, 11, "X", links=(Link("mesh:D1", score=0.5),)),)),
    "scores": replace(PLAIN, spans=(Span(0, 11, "Disease", score=0.25),)),
    "infons of mentions": replace(PLAIN, spans=(Span(0, 11, "Disease", infons={"annotator": "AB & co"}),)),
    "passages": Document(
        "7",
        TEXT,
        (Span(0, 7, "Chemical"), Span(len(TITLE) + 8, len(TITLE) + 22, "Disease")),
        passages=(
            Passage(0, len(TITLE), {"type": "title"}),
            Passage(len(TITLE) + 1, len(TEXT), {"type": "abstract"}),
        ),
    ),
    "infons of passages": Document("7", "One", passages=(Passage(0, 3, {"section": "INTRO"}),)),
    "sentences": Document("7", "One. Two.", sentences=(Sentence(0, 4), Sentence(5, 9))),
    "infons of sentences": Document("7", "One", sentences=(Sentence(0, 3, infons={"a": "b"}),)),
    "tokens": Document("7", "IL-2 up", (Span(0, 4, "X"),), sentences=(Sentence(0, 7, ((0, 4), (5, 7))),)),
    "columns": Document("7", "A b", sentences=(Sentence(0, 3, ((0, 1), (2, 3)), (("DT",), ("NN",))),)),
    "infons of documents": replace(PLAIN, infons={"year": "2020"}),
    "relations between mentions": Document(
        "7",
        "Aspirin causes ulcers",
        (Span(0, 7, "Chemical", id="T1"), Span(15, 21, "Disease", id="T2")),
        (Relation("CID", (Argument("cause", "T1"), Argument("effect", "T2")), "R1", {"certain": "no"}),),
    ),
    "relations between concepts": Document(
        "7",
        "Aspirin causes ulcers",
        (Span(0, 7, "Chemical", links=(Link("D001241"),)), Span(15, 21, "Disease", links=(Link("D014456"),))),
        (
            Relation(
                "CID",
                (Argument("entity1", "D001241", is_concept=True), Argument("entity2", "D014456", is_concept=True)),
            ),
        ),
    ),
    "relations of one": replace(PLAIN, relations=(Relation("alone", (Argument("a", "D1", is_concept=True),)),)),
    "line breaks": Document("7", "One\nTwo\nThree", (Span(4, 7, "X"),)),
    "carriage returns": Document("7", "One\rTwo\r\nThree\r", (Span(4, 7, "X"),)),
    "tabs and several spaces": Document("7", "One\tTwo  Three ", (Span(4, 7, "X"),)),
    "line separators": Document("7", "One\u2028Two\u0085Three\u2029", (Span(4, 7, "X"),)),
    "astral characters": Document("7", "😀 𝛽-blocker 🧬", (Span(2, 11, "X"),)),
    "combining marks": Document("7", "e\u0301te\u0301 \u0301", (Span(0, 5, "X"),)),
    "byte-order marks": Document("7", "\ufeffa \ufeff", (Span(1, 2, "X"),)),
    "control characters": Document("7", "a\x01b\x1fc", (Span(0, 1, "X"),)),
    "markup": Document("7", "a <b>&amp; ]]> \\u0000 %20 {}", (Span(2, 5, "X"),)),
    "labels of several words": replace(PLAIN, spans=(Span(0, 11, "cell line (human) & co"),)),
    "odd ids": replace(PLAIN, id="../a/b|c: %20 é"),
    "ids with tabs": replace(PLAIN, id="a\tb\n"),
    "without id": replace(PLAIN, id=""),
    "without text": Document("7", ""),
}
READABLE, WRITABLE = [*readable_formats(), FORMAT], [*writable_formats(), FORMAT]
TEXT_FILES = [*(name for name in formats.names() if formats.get(name).suffixes), FORMAT]
BOTH_WAYS = [name for name in READABLE if name in WRITABLE]
ANY_NAME = pytest.mark.parametrize("name", BOTH_WAYS)
ANY_WRITABLE = pytest.mark.parametrize("name", WRITABLE)
ANY_READABLE = pytest.mark.parametrize("name", READABLE)
ANY_TEXT_FILE = pytest.mark.parametrize("name", [name for name in BOTH_WAYS if name in TEXT_FILES])
many = settings(max_examples=40, suppress_health_check=[HealthCheck.too_slow])


@pytest.fixture(autouse=True, scope="module")
def example(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """The format of docs/extending.md, which a package outside of `linnet` announces."""
    with install_format(tmp_path_factory.mktemp("site")):
        yield


def losses(to: Format, document: Document) -> dict[str, int]:
    return {what: number for what, number in to.losses(document) if number}


def round_trip(to: Format, found: Sequence[Document]) -> list[Document]:
    with TemporaryDirectory() as folder:
        path = Path(folder) / "d"
        to.write(found, path, WriteOptions())
        return list(to.read(path, ReadOptions(), Notes()))


def check(to: Format, document: Document) -> None:
    """What is listed as lost is lost, and nothing else is; a refusal is no loss."""
    listed = losses(to, document)
    try:
        (again,) = round_trip(to, [document])
    except LinnetError:
        return
    changed = differences(document, again)
    assert bool(changed) == bool(listed), f"{to.name} lists {listed}, and these changed: {changed}"


@ANY_NAME
@pytest.mark.parametrize("feature", FEATURES)
def test_what_is_not_listed_as_lost_survives_and_what_is_listed_does_not(name: str, feature: str) -> None:
    to, document = formats.get(name), FEATURES[feature]

    (again,) = round_trip(to, [document])

    changed, listed = differences(document, again), losses(to, document)
    assert bool(changed) == bool(listed), f"{name} lists {listed}, and these changed: {changed}"


@ANY_NAME
@pytest.mark.parametrize("feature", ["plain", "without mentions", "touching mentions", "several labels"])
def test_plain_mentions_are_held_by_every_format(name: str, feature: str) -> None:
    assert losses(formats.get(name), FEATURES[feature]) == {}


@ANY_NAME
def test_reading_and_writing_again_changes_no_byte(name: str, tmp_path: Path) -> None:
    to = formats.get(name)
    kept = [(feature, document) for feature, document in FEATURES.items() if not losses(to, document)]

    for feature, document in kept:
        first, second = tmp_path / feature / "1" / "d", tmp_path / feature / "2" / "d"
        to.write([document], first, WriteOptions())
        to.write(to.read(first, ReadOptions(), Notes()), second, WriteOptions())

        assert files_below(first.parent) == files_below(second.parent)


@ANY_NAME
def test_documents_keep_their_order_and_number(name: str) -> None:
    found = round_trip(formats.get(name), [replace(PLAIN, id=str(n)) for n in range(101, 121)])

    assert [document.id for document in found] == [str(n) for n in range(101, 121)]


@ANY_NAME
@pytest.mark.parametrize("feature", FEATURES)
def test_the_text_of_every_mention_is_the_slice_at_its_offsets(name: str, feature: str) -> None:
    document = FEATURES[feature]

    (again,) = round_trip(formats.get(name), [document])

    before = {text for _, text in document.mentions()}
    widened = [text for span, text in again.mentions() if text not in before]
    assert not widened or losses(formats.get(name), document)
    assert all(0 <= s <= e <= len(again.text) for span in again.spans for s, e in span.stretches)
    assert all(span.start == min(span.stretches)[0] for span in again.spans)
    assert all(span.end == max(end for _, end in span.stretches) for span in again.spans)


@ANY_NAME
@pytest.mark.parametrize("feature", ["plain", "passages", "without mentions", "concepts"])
def test_a_missing_final_newline_loses_nothing(name: str, feature: str, tmp_path: Path) -> None:
    to, document = formats.get(name), FEATURES[feature]
    to.write([document], tmp_path / "d", WriteOptions())
    before = list(to.read(tmp_path / "d", ReadOptions(), Notes()))

    for path in written_files(tmp_path / "d"):
        if path.suffix != ".txt":  # there it is text
            path.write_bytes(path.read_bytes().rstrip(b"\n"))

    assert list(to.read(tmp_path / "d", ReadOptions(), Notes())) == before


@ANY_NAME
def test_windows_line_ends_change_nothing(name: str, tmp_path: Path) -> None:
    to = formats.get(name)
    to.write([FEATURES["passages"], replace(PLAIN, id="8")], tmp_path / "d", WriteOptions())
    before = [contents(document)["mentions"] for document in to.read(tmp_path / "d", ReadOptions(), Notes())]

    for path in written_files(tmp_path / "d"):
        if path.suffix != ".txt":
            path.write_bytes(path.read_bytes().replace(b"\n", b"\r\n"))

    after = [contents(document)["mentions"] for document in to.read(tmp_path / "d", ReadOptions(), Notes())]
    assert after == before


@ANY_WRITABLE
@pytest.mark.parametrize(
    "document",
    [
        replace(PLAIN, text="Lung cancer\0and fever"),
        replace(PLAIN, id="a\0b"),
        replace(PLAIN, spans=(Span(0, 11, "Dis\0ease"),)),
    ],
    ids=["text", "id", "label"],
)
def test_nul_is_refused_when_writing_and_nothing_is_left_behind(name: str, document: Document, tmp_path: Path) -> None:
    with pytest.raises(BadFile, match="NUL"):
        formats.get(name).write([document], tmp_path / "d", WriteOptions())

    assert list(tmp_path.iterdir()) == []


@ANY_NAME
def test_nul_and_bytes_that_are_not_utf8_are_refused_when_reading(name: str, tmp_path: Path) -> None:
    to = formats.get(name)
    to.write([PLAIN], tmp_path / "d", WriteOptions())

    for bad in (b"\0", b"\xff"):
        for path in written_files(tmp_path / "d"):
            good = path.read_bytes()
            path.write_bytes(good + bad)
            with pytest.raises(BadFile, match="NUL" if bad == b"\0" else "UTF-8") as caught:
                list(to.read(tmp_path / "d", ReadOptions(), Notes()))
            assert str(path) in caught.value.problem
            path.write_bytes(good)


@ANY_WRITABLE
def test_a_lone_surrogate_is_listed_as_lost_or_refused(name: str, tmp_path: Path) -> None:
    to, broken = formats.get(name), replace(PLAIN, text="a\ud800" + PLAIN.text[2:])

    if not losses(to, broken):
        with pytest.raises(BadFile):
            to.write([broken], tmp_path / "d", WriteOptions())
        assert list(tmp_path.iterdir()) == []


@ANY_READABLE
def test_an_empty_file_is_refused(name: str, tmp_path: Path) -> None:
    to = formats.get(name)
    path = tmp_path / "d"
    if name in WRITABLE and not to.suffixes:  # it is written to a folder
        path.mkdir()
    else:
        path.write_bytes(b"")

    with pytest.raises(BadFile) as caught:
        list(to.read(path, ReadOptions(), Notes()))

    assert str(path) in caught.value.problem


@ANY_WRITABLE
def test_a_second_document_of_one_name_is_refused(name: str, tmp_path: Path) -> None:
    to = formats.get(name)

    with pytest.raises(BadFile, match="called '7'"):
        to.write([PLAIN, PLAIN], tmp_path / "d", WriteOptions())

    assert list(tmp_path.iterdir()) == []


@ANY_NAME
def test_a_file_cut_anywhere_is_read_as_far_as_it_says_so_or_refused_by_name(name: str, tmp_path: Path) -> None:
    to = formats.get(name)
    to.write([FEATURES["passages"]], tmp_path / "d", WriteOptions())

    problems = []
    for path in written_files(tmp_path / "d"):
        whole = path.read_bytes()
        for size in range(0, len(whole), 7):
            path.write_bytes(whole[:size])
            try:
                list(to.read(tmp_path / "d", ReadOptions(), Notes()))
            except LinnetError as error:  # any other error fails the test
                problems.append(error.problem)
        path.write_bytes(whole)

    assert problems
    assert all(str(tmp_path / "d") in problem for problem in problems)


@ANY_WRITABLE
def test_documents_are_written_as_they_come(name: str, tmp_path: Path) -> None:
    taken = []

    def source() -> Iterator[Document]:
        for number in range(3):
            taken.append(number)
            yield replace(PLAIN, id=str(number))

    formats.get(name).write(source(), tmp_path / "d", WriteOptions())

    assert taken == [0, 1, 2]


@pytest.mark.parametrize("name", [name for name in READABLE if name not in WRITABLE])
def test_a_format_that_can_only_be_read_says_so_before_anything_is_written(name: str, tmp_path: Path) -> None:
    with pytest.raises(BadSetting, match=f"{name} can only be read"):
        formats.get(name).write(iter([PLAIN]), tmp_path / "d", WriteOptions())

    assert "can only be read" in formats.get(name).description
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("name", [name for name in WRITABLE if name not in READABLE])
def test_a_format_that_can_only_be_written_says_so_before_anything_is_read(name: str, tmp_path: Path) -> None:
    with pytest.raises(BadSetting, match=f"{name} can only be written"):
        formats.get(name).read(tmp_path / "d", ReadOptions(), Notes())

    assert "can only be written" in formats.get(name).description


@ANY_TEXT_FILE
@pytest.mark.parametrize("packing", [".gz", ".zst"])
def test_every_text_file_may_be_compressed(name: str, packing: str, tmp_path: Path) -> None:
    to = formats.get(name)
    plain, packed = tmp_path / f"d{to.suffixes[0]}", tmp_path / f"d{to.suffixes[0]}{packing}"
    found = [replace(PLAIN, id=str(number)) for number in range(200)]

    to.write(found, plain, WriteOptions())
    to.write(found, packed, WriteOptions())

    assert format_for_output(packed) is detect_format(packed) is to
    assert list(read_documents(packed)) == list(read_documents(plain))
    assert packed.stat().st_size < plain.stat().st_size / 4


@ANY_TEXT_FILE
@pytest.mark.parametrize("packing", [".gz", ".zst"])
def test_a_compressed_file_cut_anywhere_is_refused_by_name(name: str, packing: str, tmp_path: Path) -> None:
    to, path = formats.get(name), tmp_path / f"d{packing}"
    to.write([FEATURES["passages"]], path, WriteOptions())
    whole = path.read_bytes()

    for size in range(4, len(whole), 5):
        path.write_bytes(whole[:size])
        with pytest.raises(BadFile) as caught:
            list(to.read(path, ReadOptions(), Notes()))
        assert str(path) in caught.value.problem


@ANY_NAME
@many
@given(document=marked_texts())
def test_texts_of_any_characters_survive_or_the_loss_is_listed(name: str, document: Document) -> None:
    check(formats.get(name), document)


@ANY_NAME
@many
@given(document=documents())
def test_documents_of_any_kind_survive_or_the_loss_is_listed(name: str, document: Document) -> None:
    check(formats.get(name), document)


@ANY_NAME
@many
@given(document=rows_of_words())
def test_words_of_any_characters_survive_or_the_loss_is_listed(name: str, document: Document) -> None:
    check(formats.get(name), document)


def written_files(path: Path) -> list[Path]:
    return [path] if path.is_file() else sorted(path.iterdir())


def files_below(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}
