"""PubTator files: what is read, what is refused, what comes back."""

import re
import time
from pathlib import Path

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from linnet.contracts import Notes, WriteOptions
from linnet.documents.document import Argument, Document, Link, Passage, Relation, Sentence, Span
from linnet.errors import BadFile
from linnet.formats.link_details import SEVERAL_LINKS
from tests.formats.pubtator.pubtator_files import PUBTATOR, TEXT, losses, read, read_text, written

characters = st.characters(exclude_categories=["Cs"], exclude_characters="\0")
in_columns = st.characters(exclude_categories=["Cs"], exclude_characters="\0\t\n\r")
odd = st.sampled_from(["\u2028", "\x85", "\ufeff", "\U0001f9ec", "e\u0301", "|", " ", "|t|", "%"])
line = st.lists(odd | in_columns | st.sampled_from(["\t", "\ra"]), max_size=20).map("".join)
column = st.lists(odd | in_columns, max_size=5).map("".join)
word = st.lists(odd | in_columns, min_size=1, max_size=5).map("".join)
document_ids = st.text(in_columns.filter(lambda c: c not in "|\ufeff"), min_size=1, max_size=5)


@st.composite
def documents(draw: st.DrawFn) -> Document:
    title = draw(line)
    abstract = draw(st.none() | line)
    text = title if abstract is None else f"{title}\n{abstract}"
    passages = [Passage(0, len(title), {"type": "title"})]
    if abstract is not None:
        passages.append(Passage(len(title) + 1, len(text), {"type": "abstract"}))
    spans = []
    for _ in range(draw(st.integers(0, 3)) if text else 0):
        start = draw(st.integers(0, len(text) - 1))
        end = draw(st.integers(start + 1, len(text)))
        links = tuple(map(Link, draw(st.lists(word, max_size=1))))
        infons = draw(st.just({}) | column.map(lambda names: {"names": names}))
        spans.append(Span(start, end, draw(word), links=links, infons=infons))
    arguments = st.tuples(word, word).map(lambda c: (Argument("entity1", c[0], True), Argument("entity2", c[1], True)))
    infons_of_relations: st.SearchStrategy[dict[str, str]] = st.just({}) | column.map(lambda novel: {"novel": novel})
    relations = draw(st.lists(st.builds(Relation, word, arguments, infons=infons_of_relations), max_size=2))
    return Document(draw(document_ids), text, tuple(spans), tuple(relations), tuple(passages))


@settings(deadline=None)
@given(documents())
def test_what_is_written_without_loss_comes_back_exactly(
    tmp_path_factory: pytest.TempPathFactory, document: Document
) -> None:
    assume(not losses(document))
    path = tmp_path_factory.mktemp("round") / "one.pubtator"

    PUBTATOR.write([document], path, WriteOptions())
    (back,) = read(path)

    assert back == document


@settings(deadline=None)
@given(documents(), st.text(characters, max_size=30), st.integers(0, 10), st.integers(0, 10))
def test_what_is_written_with_loss_can_be_read_and_keeps_its_length(
    tmp_path_factory: pytest.TempPathFactory, document: Document, text: str, start: int, end: int
) -> None:
    path = tmp_path_factory.mktemp("lossy") / "one.pubtator"
    spans = tuple(Span(s, s + 1, "X\t") for s in range(len(text)))
    passages = (Passage(min(start, len(text)), min(end, len(text))),)
    any_document = Document(document.id, text, spans, document.relations, passages)

    PUBTATOR.write([any_document], path, WriteOptions())
    (back,) = read(path)

    assert len(back.text) == len(text)
    assert [(span.start, span.end) for span in back.spans] == [(span.start, span.end) for span in spans]
    assert re.sub(r"\s", " ", back.text) == re.sub(r"\s", " ", text)


def test_every_column_has_its_place(tmp_path: Path) -> None:
    text = (
        f"{TEXT}1\t0\t7\tAspirin\tChemical\tD1|D2,+3\n1\t21\t27\tasthma\tDisease\t-1\tasthma|x\n"
        "1\t8\t13\thelps\tVerb\n1\tCID\tD1\t-1\n1\tBind\t6528\tD1\tNovel\n\n"
    )

    (document,) = read_text(tmp_path, text)

    assert document == Document(
        "1",
        "Aspirin helps\nNot in asthma.",
        (
            Span(0, 7, "Chemical", links=(Link("D1|D2,+3"),)),
            Span(21, 27, "Disease", links=(Link("-1"),), infons={"names": "asthma|x"}),
            Span(8, 13, "Verb"),
        ),
        (
            Relation("CID", (Argument("entity1", "D1", True), Argument("entity2", "-1", True))),
            Relation(
                "Bind", (Argument("entity1", "6528", True), Argument("entity2", "D1", True)), infons={"novel": "Novel"}
            ),
        ),
        (Passage(0, 13, {"type": "title"}), Passage(14, 28, {"type": "abstract"})),
    )
    assert losses(document) == {}
    assert written(tmp_path, document) == text


@pytest.mark.parametrize("text", ["1|t|\n1|a|b\n\n", "1|t|a\n1|a|\n\n", "1|t|a\n\n", "1|t|\n\n", "1|t|\n1|a|\n\n"])
def test_empty_titles_and_empty_or_missing_abstracts_survive(tmp_path: Path, text: str) -> None:
    assert written(tmp_path, *read_text(tmp_path, text)) == text


def test_a_mention_over_the_boundary_shows_a_space(tmp_path: Path) -> None:
    text = f"{TEXT}1\t8\t17\thelps Not\tX\n\n"

    (document,) = read_text(tmp_path, text)

    assert document.text[8:17] == "helps\nNot"
    assert written(tmp_path, document) == text


def test_repair_drops_a_repeated_document_but_not_a_different_one(tmp_path: Path) -> None:
    one, other = f"{TEXT}1\t0\t7\tAspirin\tX\n\n", f"{TEXT}1\t0\t7\tAspirin\tY\n\n"
    notes = Notes()

    found = read_text(tmp_path, one + one, repair=True, notes=notes)
    with pytest.raises(BadFile, match="differs from the first"):
        read_text(tmp_path, one + other, repair=True)

    assert len(found) == 1
    assert notes.counts == {"repeated documents dropped": 1}


def test_losses_name_what_has_no_column(tmp_path: Path) -> None:
    document = Document(
        "a|b",
        "one two\nthree\nfour\tfive",
        (
            Span(0, 7, "X", ((0, 1), (4, 7)), "T1"),
            Span(0, 3, "X", id="T2", score=0.5, links=(Link("D1", "MESH"), Link("D2")), infons={"kind": "x"}),
            Span(14, 23, "X", id="T3"),
            Span(3, 3, "X", id="T4"),
        ),
        (
            Relation("R", (Argument("a", "T1"), Argument("b", "T2"))),
            Relation("R", (Argument("entity1", "D1", True),) * 3),
            Relation("R", (Argument("x", "D1", True), Argument("entity2", "D2", True)), infons={"sure": "yes"}),
            Relation("5", (Argument("entity1", "D1", True), Argument("entity2", "D2", True))),
        ),
        (Passage(0, 7, {"type": "front", "section": "s"}), Passage(8, 13)),
        (Sentence(0, 7, ((0, 3), (4, 7))),),
        {"year": "1999"},
    )

    found = losses(document)
    text = written(tmp_path, document)

    assert found == {
        "passage structure": 2,
        "characters outside the passages": 10,
        "infons of passages": 2,
        "line breaks in title or abstract": 1,
        "infons of documents": 1,
        "document ids": 1,
        "sentence boundaries": 1,
        "token boundaries": 2,
        "discontinuous mentions": 1,
        "empty mentions": 1,
        SEVERAL_LINKS: 1,
        "names of vocabularies": 1,
        "scores": 1,
        "infons of mentions": 1,
        "relations between mentions": 1,
        "relations with other than two arguments": 1,
        "relations without a label or concept, or labelled like an offset": 1,
        "roles of relations": 1,
        "infons of relations": 1,
    }
    assert text == (
        "a_b|t|one two\na_b|a|three four\tfive\na_b\t0\t3\tone\tX\tD1|D2\na_b\t14\t23\tfour five\tX\na_b\tR\tD1\tD2\n\n"
    )
    assert len(read_text(tmp_path, text)) == 1


def test_a_text_without_passages_has_its_first_line_as_title(tmp_path: Path) -> None:
    document = Document("1", "a\nb")

    assert losses(document) == {}
    assert written(tmp_path, document) == "1|t|a\n1|a|b\n\n"


def test_unusable_ids_stay_apart_and_equal_ones_are_refused(tmp_path: Path) -> None:
    text = written(tmp_path, Document("a|b", "x"), Document("a\tb", "y"), Document("", "z"))

    assert [document.id for document in read_text(tmp_path, text)] == ["a_b", "a_b_2", "_"]
    with pytest.raises(BadFile, match="two documents are called '1'"):
        written(tmp_path, Document("1", "x"), Document("1", "y"))
    with pytest.raises(BadFile, match="NUL"):
        written(tmp_path, Document("1", "x\0"))


def test_it_is_recognised_by_its_first_line(tmp_path: Path) -> None:
    assert PUBTATOR.recognises(tmp_path / "x.txt", "\n\n12|t|Title\n")
    assert not PUBTATOR.recognises(tmp_path / "x.txt", "word\tO\n12|t|Title\n")
    assert PUBTATOR.recognises(tmp_path / "x.txt", "12|a|Abstract\n")  # and its reader asks for the title
    assert PUBTATOR.recognises(tmp_path / "x.txt", "12\t0\t3\tthe\tX\n")


@pytest.mark.parametrize("blanks", [" ", "\n", "\r", " \n"])
def test_a_file_that_is_mostly_blanks_takes_linear_time(blanks: str) -> None:  # issue 27
    started = time.process_time()

    assert not PUBTATOR.recognises(Path("x"), blanks * 100_000 + "none")
    assert PUBTATOR.recognises(Path("x"), blanks * 100_000 + "\n7|t|A title")

    assert time.process_time() - started < 1
