"""brat folders hold every document exactly, whatever its text and its names are made of."""

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from linnet.contracts import Notes, ReadOptions, WriteOptions, formats
from linnet.documents.document import Argument, Document, Link, Passage, Relation, Sentence, Span

BRAT = formats.get("brat")

odd = st.sampled_from(["\n", "\r", "\r\n", "\t", "\u2028", "\x85", "\ufeff", "\U0001f9ec", "e\u0301", "%", "%20", ":"])
characters = st.characters(exclude_categories=["Cs"], exclude_characters="\0")
strings = st.lists(odd | characters, max_size=8).map("".join)
infons = st.dictionaries(st.sampled_from(["note", "Negation", "kind"]) | strings, st.just("true") | strings, max_size=3)
links = st.builds(Link, strings, st.sampled_from(["", "ID", "MESH"]) | strings)


@st.composite
def spans(draw: st.DrawFn, text: str, name: str) -> Span:
    cuts = sorted(draw(st.lists(st.integers(0, len(text)), min_size=2, max_size=6, unique=len(text) > 6)))
    pairs = list(zip(cuts[::2], cuts[1::2], strict=False))
    score = draw(st.none() | st.floats(0, 1))
    fragments = tuple(pairs) if len(pairs) > 1 else ()
    kept = tuple(draw(st.lists(links, max_size=2)))
    return Span(pairs[0][0], pairs[-1][1], draw(strings), fragments, name, kept, score, draw(infons))


@st.composite
def documents(draw: st.DrawFn) -> Document:
    text = draw(st.lists(odd | characters, max_size=20).map("".join))
    offsets = st.tuples(*[st.integers(0, len(text))] * 2).map(sorted)
    found = tuple(draw(spans(text, f"T{i + 1}")) for i in range(draw(st.integers(0, 3))))
    roles = st.sampled_from(["", "Trigger", "Arg1", "a b:c"])
    arguments = st.builds(Argument, roles, strings, st.just(True))
    if found:
        arguments |= st.builds(Argument, roles, st.sampled_from([span.id for span in found]))
    relation = st.builds(Relation, strings, st.lists(arguments, max_size=3).map(tuple), infons=infons)
    passages = st.builds(lambda pair, more: Passage(pair[0], pair[1], more), offsets, infons)
    sentences = st.builds(
        lambda pair, more: Sentence(pair[0], pair[1], ((pair[0], pair[1]),), (("x", ""),), more), offsets, infons
    )
    return Document(
        draw(strings | st.text("ab/\\.% \r", max_size=4)),
        text,
        found,
        tuple(draw(st.lists(relation, max_size=3))),
        tuple(draw(st.lists(passages, max_size=2))),
        tuple(draw(st.lists(sentences, max_size=2))),
        draw(infons),
    )


@pytest.mark.long
@settings(deadline=None)
@given(documents())
def test_every_document_comes_back_exactly(tmp_path_factory: pytest.TempPathFactory, document: Document) -> None:
    folder = tmp_path_factory.mktemp("round") / "brat"

    BRAT.write([document], folder, WriteOptions())
    (back,) = BRAT.read(folder, ReadOptions(), Notes())

    assert list(BRAT.losses(document)) == []
    assert replace(back, relations=tuple(replace(relation, id="") for relation in back.relations)) == document
