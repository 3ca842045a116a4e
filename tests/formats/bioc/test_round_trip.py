"""Documents survive BioC, and real files hold what other readers find in them."""

import io
import json
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from linnet.contracts import Notes, ReadOptions, WriteOptions, formats
from linnet.documents.document import Argument, Document, Interval, Link, Passage, Relation, Sentence, Span
from linnet.errors import BadFile
from linnet.formats.bioc.structure import Containers
from linnet.formats.link_details import SEVERAL_LINKS
from tests.shared_data import SHARED, needs_shared

LINKING = SHARED / "data" / "linking"
REAL_FILES = [
    *(LINKING / "bc5cdr" / f"CDR_{split}Set.BioC.xml" for split in ("Training", "Development", "Test")),
    LINKING / "biored" / "Dev.BioC.XML",
    LINKING / "biored" / "Dev.BioC.JSON",
]
BOTH = ("bioc-xml", "bioc-json")
# astral, combining, line and paragraph separators, CR, tab, characters that XML escapes
ALPHABET = "ab .,\n\r\t\u0301\u0085\u2028\u2029\ufeff𝛽🧬é<>&\"'"
CONTROLS = "\x01\x0b\ufffe"


def read(path: Path, name: str) -> list[Document]:
    return list(formats.get(name).read(path, ReadOptions(repair=True), Notes()))


def again(documents: list[Document], name: str, folder: Path) -> list[Document]:
    formats.get(name).write(documents, folder / "documents", WriteOptions())
    return list(formats.get(name).read(folder / "documents", ReadOptions(), Notes()))


@st.composite
def bioc_documents(draw: st.DrawFn) -> Document:
    """Documents as a BioC file can hold them, spans in the order of their containers."""
    text, passages, sentences = "", [], []
    for index in range(draw(st.integers(1, 3))):
        text += "\n" * draw(st.integers(0, 2))
        start = len(text)
        for number in range(draw(st.integers(0, 3))):
            text += draw(st.sampled_from((" ", "\n", ""))) if number else ""
            sentence = draw(st.text(ALPHABET, max_size=8))
            sentences.append(Sentence(len(text), len(text) + len(sentence), infons={"n": str(number)}))
            text += sentence
        text += draw(st.text(ALPHABET, max_size=8))
        passages.append(Passage(start, len(text), {"type": str(index), "key": draw(st.text(ALPHABET, max_size=4))}))
    spans = [draw(spans_in(passage, name)) for name, passage in enumerate(passages)]
    containers = Containers(passages, sentences)
    spans.sort(key=lambda span: containers.of(span.start, span.end))
    relations = (
        Relation("R", (Argument("a", "0"), Argument("", "1")), "r1", {"x": "y"}),
        Relation("CID", (Argument("Chemical", "D1", True), Argument("entity2", "-", True)), "", {"relation": "CID"}),
    )
    infons = {"collection.source": "PubMed", "collection.infon.tool": "a b", "year": "2020"}
    kept = relations if len(spans) > 1 else relations[1:]
    return Document("d\u2028<1>", text, tuple(spans), kept, tuple(passages), tuple(sentences), infons)


def spans_in(passage: Passage, name: int) -> st.SearchStrategy[Span]:
    inside = st.integers(passage.start, passage.end)
    links = (Link("D1|D2"), Link("9606", "NCBI Taxonomy"))
    return st.tuples(inside, inside, inside, inside).map(
        lambda places: _span(sorted(places), Span(0, 0, "Lab\tel", (), str(name), links, 0.25, {"note": "\r\n"}))
    )


def _span(places: list[int], template: Span) -> Span:
    first, second = (places[0], places[1]), (places[2], places[3])
    if places[1] == places[2]:
        return replace(template, start=places[0], end=places[3])
    return replace(template, start=places[0], end=places[3], fragments=(first, second))


@st.composite
def any_documents(draw: st.DrawFn) -> Document:
    """Documents with valid offsets and nothing else in order."""
    text = draw(st.text(ALPHABET + CONTROLS, max_size=20))
    place = st.integers(0, len(text))
    stretches = st.lists(st.tuples(place, place).map(lambda pair: (min(pair), max(pair))), max_size=4)
    names = st.sampled_from(("", "0", "1", "T1"))
    keys = st.sampled_from(("type", "score", "relation", "identifier", "MESH", "Wikipedia", "", "x"))
    infons = st.dictionaries(keys, st.sampled_from(("", "0.5", "D1", "x")), max_size=3)
    links = st.lists(st.builds(Link, st.sampled_from(("D1", "D2")), keys), max_size=2).map(tuple)
    marks = st.tuples(keys, st.just(()), names, links, st.sampled_from((None, 0.5)), infons)
    spans = tuple(Span(start, end, *draw(marks)) for start, end in draw(stretches))
    arguments = st.lists(st.builds(Argument, keys, st.sampled_from(("0", "T1", "D1")), st.booleans()), max_size=3)
    relations = st.lists(st.builds(Relation, keys, arguments.map(tuple), names, infons), max_size=2).map(tuple)
    passages = tuple(Passage(start, end, draw(infons)) for start, end in draw(stretches))
    sentences = tuple(Sentence(start, end, infons=draw(infons)) for start, end in draw(stretches))
    return Document("1", text, spans, draw(relations), passages, sentences, draw(infons))


@pytest.mark.parametrize("name", BOTH)
@given(document=bioc_documents())
@settings(max_examples=50, deadline=None)
def test_what_bioc_can_hold_comes_back(name: str, document: Document, tmp_path_factory: pytest.TempPathFactory) -> None:
    assert list(formats.get(name).losses(document)) == []

    assert again([document], name, tmp_path_factory.mktemp("round")) == [document]


@pytest.mark.parametrize("name", BOTH)
@given(document=any_documents())
@settings(max_examples=50, deadline=None)
def test_whatever_is_written_can_be_read_and_what_is_not_listed_is_there(
    name: str, document: Document, tmp_path_factory: pytest.TempPathFactory
) -> None:
    (found,) = again([document], name, tmp_path_factory.mktemp("round"))

    shown = str.maketrans(dict.fromkeys(CONTROLS, " ") if name == "bioc-xml" else {})
    mentions = Counter((span.start, span.label, text.translate(shown)) for span, text in document.mentions())
    assert Counter((span.start, span.label, text) for span, text in found.mentions()) == mentions
    assert "".join(found.text.split()) == "".join(document.text.translate(shown).split())
    lost = {what for what, _ in formats.get(name).losses(document)}
    for kinds, (expected, there) in comparisons(document, found).items():
        assert lost.intersection(kinds) or there == expected
    assert found.infons == document.infons


def comparisons(document: Document, found: Document) -> Mapping[tuple[str, ...], tuple[object, object]]:
    """What must be the same again unless one of these kinds of loss is listed for it."""

    def in_order(parts: tuple[Any, ...]) -> list[Any]:
        return sorted(parts, key=lambda part: (part.start, part.end))

    def without_ids(spans: tuple[Span, ...]) -> Counter[str]:
        return Counter(repr(replace(span, id="", infons=dict(sorted(span.infons.items())))) for span in spans)

    whole = (Passage(0, len(document.text)),) if document.text or document.sentences else ()
    passages = ("text outside passages", "overlapping passages")
    sentences = ("sentences that overlap or cross passages",)
    relations = ("arguments and infons of relations", "arguments that do not name one span")
    return {
        passages: (in_order(document.passages or whole), list(found.passages)),
        sentences: (in_order(document.sentences), list(found.sentences)),
        (
            "links or infons of mentions whose names BioC reads in another way",
            SEVERAL_LINKS,
            "names of concepts",
            "scores of concepts",
        ): (
            without_ids(document.spans),
            without_ids(found.spans),
        ),
        relations: (document.relations, found.relations),
    }


@pytest.mark.parametrize("name", BOTH)
def test_two_documents_of_one_name_are_not_written(name: str, tmp_path: Path) -> None:
    with pytest.raises(BadFile, match="two documents are called '1'"):
        formats.get(name).write([Document("1", "a"), Document("1", "b")], tmp_path / "out", WriteOptions())

    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("name", BOTH)
def test_nothing_is_written_as_an_empty_collection(name: str, tmp_path: Path) -> None:
    formats.get(name).write([], tmp_path / "out", WriteOptions())

    assert read(tmp_path / "out", name) == []


@needs_shared
@pytest.mark.parametrize("path", REAL_FILES, ids=lambda path: path.name)
def test_real_files_hold_what_the_bioc_package_finds_also_when_written_again(path: Path, tmp_path: Path) -> None:
    packages = {name: pytest.importorskip(f"bioc.{name.replace('-', '')}") for name in BOTH}
    documents = read(path, "bioc-json" if path.suffix == ".JSON" else "bioc-xml")

    expected = [theirs(document) for document in referee_documents(path)]
    assert len(documents) >= 100  # 500 in each part of BC5CDR, 100 in the development set of BioRED
    assert [ours(document) for document in documents] == expected

    few = documents[:60]
    for name, package in packages.items():
        assert not any(list(formats.get(name).losses(document)) for document in few)
        assert again(few, name, tmp_path) == few
        collection = package.loads((tmp_path / "documents").read_text(encoding="utf-8"))
        assert [theirs(document) for document in collection.documents] == expected[:60]


def referee_documents(path: Path) -> Iterator[Any]:
    from bioc import biocjson, biocxml

    if path.suffix != ".JSON":
        with path.open("rb") as file:
            yield from biocxml.load(file).documents
        return
    whole = json.loads(path.read_text(encoding="utf-8"))
    for document in whole["documents"]:  # the package wants fields that this file leaves out
        document.setdefault("infons", {})
        for passage in document["passages"]:
            passage |= {"infons": {}, "sentences": [], "relations": []}
        for relation in document["relations"]:
            relation.setdefault("nodes", [])
    yield from biocjson.load(io.StringIO(json.dumps({**whole, "infons": {}}))).documents


def ours(document: Document) -> list[object]:
    """Return the passages, annotations and relations as BioC tells them."""
    passages = [(p.start, document.text[p.start : p.end], dict(p.infons)) for p in document.passages]
    spans = [(span.id, list(span.stretches), _infons(span), text) for span, text in document.mentions()]
    relations = [(relation.id, _relation_infons(relation)) for relation in document.relations]
    return [document.id, passages, spans, relations]


def _infons(span: Span) -> dict[str, str]:
    links = {link.database or "identifier": link.identifier for link in span.links}
    return {"type": span.label, **links, **span.infons}


def _relation_infons(relation: Relation) -> dict[str, str]:
    label = {} if "relation" in relation.infons else {"type": relation.label}
    return {**label, **relation.infons, **{argument.role: argument.target for argument in relation.arguments}}


def theirs(document: Any) -> list[object]:
    """Return the same from the objects of the `bioc` package, with the text at the offsets of each annotation."""
    passages = [(passage.offset, passage.text, dict(passage.infons)) for passage in document.passages]
    spans = [
        (mention.id, places, dict(mention.infons), _text_at(passage, places))
        for passage in document.passages
        for mention in passage.annotations
        for places in [sorted((place.offset, place.end) for place in mention.locations)]
    ]
    return [document.id, passages, spans, [(relation.id, dict(relation.infons)) for relation in document.relations]]


def _text_at(passage: Any, places: list[Interval]) -> str:
    return " ".join(passage.text[start - passage.offset : end - passage.offset] for start, end in places)
