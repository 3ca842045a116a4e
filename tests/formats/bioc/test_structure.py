"""Do BioC structures and documents correspond, both ways?"""

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from linnet.contracts import Format, Notes, ReadOptions, WriteOptions, formats
from linnet.documents.document import Argument, Document, Link, Passage, Relation, Sentence, Span
from linnet.errors import BadFile

BOTH = ("bioc-xml", "bioc-json")


def read(path: Path, *, name: str, repair: bool = False, notes: Notes | None = None) -> list[Document]:
    return list(formats.get(name).read(path, ReadOptions(repair=repair), notes or Notes()))


def again(document: Document, name: str, folder: Path) -> Document:
    path = folder / "documents"
    formats.get(name).write([document], path, WriteOptions())
    (found,) = read(path, name=name)
    return found


def from_json(structure: dict[str, Any], folder: Path, *, repair: bool = False, notes: Notes | None = None) -> Document:
    """Read one document from its structure; nearly all rules are shared by the two formats."""
    path = folder / "one.json"
    path.write_text(json.dumps({"documents": [structure]}), encoding="utf-8")
    (found,) = read(path, name="bioc-json", repair=repair, notes=notes)
    return found


def one_passage(text: str = "aspirin helps", **fields: object) -> dict[str, Any]:
    return {"id": "1", "passages": [{"offset": 0, "text": text, **fields}]}


def annotation(start: int, end: int, text: str | None = None, *, name: str = "T1", **infons: object) -> dict[str, Any]:
    return {
        "id": name,
        "infons": {"type": "Chemical", **infons},
        "locations": [{"offset": start, "length": end - start}],
        **({} if text is None else {"text": text}),
    }


def test_a_title_and_an_abstract_come_back_and_spans_get_ids(tmp_path: Path) -> None:
    text = "Aspirin.\nIt helps."
    passages = (Passage(0, 8, {"type": "title"}), Passage(9, 18, {"type": "abstract"}))
    arguments = (Argument("entity1", "D1", True), Argument("entity2", "D2", True))
    relation = Relation("CID", arguments, infons={"novel": "No"})
    spans = (Span(0, 7, "Chemical", links=(Link("D1"),)), Span(9, 11, "Chemical", id="0"))
    document = Document("7", text, spans, (relation,), passages)

    found = [again(document, name, tmp_path) for name in BOTH]

    expected = replace(document, spans=(replace(spans[0], id="1"), spans[1]))
    assert found == [expected, expected]


@pytest.mark.parametrize("name", BOTH)
def test_a_text_without_passages_becomes_one_passage(name: str, tmp_path: Path) -> None:
    document = Document("7", "line\n\nline ", (Span(0, 4, "X", id="1"),))

    assert again(document, name, tmp_path) == replace(document, passages=(Passage(0, 11),))


@pytest.mark.parametrize("name", BOTH)
def test_text_outside_passages_is_listed_and_still_written(name: str, tmp_path: Path) -> None:
    document = Document("7", "Title\nlost\nEnd", (Span(6, 10, "X", id="1"),), passages=(Passage(0, 5), Passage(11, 14)))

    losses = list(formats.get(name).losses(document))
    found = again(document, name, tmp_path)

    assert losses == [("text outside passages", 1)]
    assert found.text == document.text
    assert found.spans == document.spans


def test_white_space_outside_passages_other_than_line_breaks_between_them_is_listed() -> None:
    document = Document("7", "Title  End\t", passages=(Passage(0, 5), Passage(7, 10)))

    assert dict(formats.get("bioc-json").losses(document)) == {"white space outside passages": 3}


def test_tokens_and_columns_are_listed_as_lost() -> None:
    sentence = Sentence(0, 3, tokens=((0, 1), (2, 3)), columns=(("NN",), ("NN",)))

    losses = formats.get("bioc-xml").losses(Document("7", "a b", sentences=(sentence,)))

    assert dict(losses) == {"token boundaries": 2, "token columns": 2}


def test_a_document_that_belongs_to_another_collection_keeps_it(tmp_path: Path) -> None:
    infons: list[dict[str, str]] = [{"collection.source": "A", "collection.key": "k"}, {"collection.source": "B"}, {}]
    documents = [Document(str(number), "", infons=each) for number, each in enumerate(infons)]

    formats.get("bioc-json").write(documents, tmp_path / "a.json", WriteOptions())

    assert [document.infons for document in read(tmp_path / "a.json", name="bioc-json")] == infons


def test_passages_stand_at_their_offsets_with_line_breaks_between(tmp_path: Path) -> None:
    passages = [{"offset": 2, "text": "ab"}, {"offset": 4, "text": "c"}, {"offset": 7, "text": ""}]

    document = from_json({"id": 5, "passages": passages}, tmp_path)

    assert (document.id, document.text) == ("5", "\n\nabc\n\n")
    assert document.passages == (Passage(2, 4), Passage(4, 5), Passage(7, 7))


def test_sentences_make_up_a_passage_and_hold_their_annotations(tmp_path: Path) -> None:
    sentences = [
        {"offset": 0, "text": "One.", "infons": {"n": "1"}, "annotations": [annotation(0, 3, name="b")]},
        {"offset": 6, "text": "Two.", "annotations": [annotation(6, 9, name="c")]},
    ]
    across = annotation(0, 9, name="a")

    document = from_json(one_passage("", sentences=sentences, annotations=[across]), tmp_path)

    assert document.text == "One.  Two."
    assert document.sentences == (Sentence(0, 4, infons={"n": "1"}), Sentence(6, 10))
    assert [span.id for span in document.spans] == ["b", "c", "a"]
    formats.get("bioc-json").write([document], tmp_path / "out.json", WriteOptions())
    (written,) = json.loads((tmp_path / "out.json").read_text())["documents"][0]["passages"]
    assert "text" not in written
    assert [[a["id"] for a in s["annotations"]] for s in written["sentences"]] == [["b"], ["c"]]
    assert [a["id"] for a in written["annotations"]] == ["a"]


def test_infons_become_label_links_score_and_the_rest(tmp_path: Path) -> None:
    given_infons: dict[str, Any] = {
        "identifier": "D1",
        "ncbi gene": 12,
        "MESH": "",
        "score": "0.5",
        "note": "x",
        "flag": True,
    }

    document = from_json(one_passage(annotations=[annotation(0, 7, "aspirin", **given_infons)]), tmp_path)

    links = (Link("D1"), Link("12", "ncbi gene"))
    rest = {"MESH": "", "note": "x", "flag": "true"}
    assert document.spans == (Span(0, 7, "Chemical", (), "T1", links, 0.5, rest),)


def test_a_score_that_is_no_number_stays_an_infon(tmp_path: Path) -> None:
    document = from_json(
        one_passage(annotations=[annotation(0, 7, score="high"), annotation(0, 7, score="nan")]), tmp_path
    )

    assert [(span.score, span.infons) for span in document.spans] == [
        (None, {"score": "high"}),
        (None, {"score": "nan"}),
    ]


def test_several_locations_are_fragments_and_may_be_joined_in_any_way(tmp_path: Path) -> None:
    mention = annotation(0, 7, "aspirin...elps".replace(".", "\n"))
    mention["locations"] = [{"offset": 9, "length": 4}, {"offset": 0, "length": 7}]

    document = from_json(one_passage(annotations=[mention]), tmp_path)

    assert document.spans[0].fragments == ((0, 7), (9, 13))


def test_concepts_in_relations_are_arguments(tmp_path: Path) -> None:
    spans = [annotation(0, 7, MESH="D1|D2"), annotation(8, 13, name="T2", identifier="-1")]
    infons = {"relation": "CID", "Chemical": "D2", "entity1": "?", "flag": "-1", "novel": "D1"}

    document = from_json({**one_passage(annotations=spans), "relations": [{"id": "R0", "infons": infons}]}, tmp_path)

    arguments = (Argument("Chemical", "D2", True), Argument("entity1", "?", True))
    rest = {"relation": "CID", "flag": "-1", "novel": "D1"}
    assert document.relations == (Relation("CID", arguments, "R0", rest),)


def test_relations_of_all_levels_keep_their_nodes(tmp_path: Path) -> None:
    spans = [annotation(0, 7)]
    relations = [
        {"id": name, "infons": {"type": "T"}, "nodes": [{"refid": target, "role": "r"}]}
        for name, target in (("R1", "T1"), ("R2", "R1"))
    ]
    structure = one_passage(annotations=spans, relations=relations[:1]) | {"relations": relations[1:]}

    document = from_json(structure, tmp_path)

    assert [relation.arguments for relation in document.relations] == [(Argument("r", "T1"),), (Argument("r", "R1"),)]


REFUSED: dict[str, tuple[dict[str, Any], str]] = {
    "no id": ({"passages": []}, "without an id"),
    "passages overlap": (
        {"id": "1", "passages": [{"offset": 0, "text": "abc"}, {"offset": 2, "text": "d"}]},
        "document '1', passage 2: found offset 2, expected at least 3",
    ),
    "huge gap": ({"id": "1", "passages": [{"offset": 10**12, "text": "a"}]}, "found offset 1000000000000"),
    "no offset": ({"id": "1", "passages": [{"text": "a"}]}, "expected a number of characters under 'offset'"),
    "negative offset": ({"id": "1", "passages": [{"offset": -1, "text": "a"}]}, "found -1"),
    "no list": ({"id": "1", "passages": {"offset": 1}}, "expected a list of objects under 'passages'"),
    "text of another kind": ({"id": "1", "passages": [{"offset": 0, "text": ["a"]}]}, "expected text under 'text'"),
    "infons of another kind": ({"id": "1", "passages": [], "infons": []}, "expected an object under 'infons'"),
    "NUL": (one_passage("a\0b"), "found a NUL character"),
    "sentence elsewhere": (one_passage(sentences=[{"offset": 0, "text": "heroin"}]), "found 'heroin', but its passage"),
    "sentence outside": (one_passage(sentences=[{"offset": 9, "text": "helps"}]), "expected it in 0-13"),
    "no label": (one_passage(annotations=[{"id": "T1", "locations": [{"offset": 0, "length": 1}]}]), "no infon 'type'"),
    "no location": (one_passage(annotations=[{"id": "T1", "infons": {"type": "X"}}]), "'T1': found no location"),
    "outside its passage": (
        {"id": "1", "passages": [one_passage()["passages"][0] | {"annotations": [annotation(8, 15)]}]},
        "annotation 'T1': found the location 8-15, expected it inside its passage, 0-13",
    ),
    "other text": (
        one_passage(annotations=[annotation(8, 13, "heals")]),
        "document '1', annotation 'T1', offset 8: found 'heals', but the text there is 'helps'",
    ),
    "node without target": (
        {**one_passage(), "relations": [{"id": "R", "infons": {"type": "T"}, "nodes": [{"refid": "T9", "role": ""}]}]},
        "no annotation or relation has the id 'T9'",
    ),
    "node without refid": ({**one_passage(), "relations": [{"nodes": [{"role": ""}]}]}, "a node without a refid"),
    "ambiguous node": (
        {**one_passage(annotations=[annotation(0, 7)] * 2), "relations": [{"nodes": [{"refid": "T1"}]}]},
        "2 annotations have the id 'T1'",
    ),
}  # fmt: skip


@pytest.mark.parametrize("case", REFUSED)
def test_broken_structures_are_refused_with_their_place(case: str, tmp_path: Path) -> None:
    structure, message = REFUSED[case]

    with pytest.raises(BadFile) as caught:
        from_json(structure, tmp_path)

    assert "one.json:1" in caught.value.problem
    assert message in caught.value.problem


def test_repair_takes_the_text_at_the_offsets_and_says_so(tmp_path: Path) -> None:
    notes = Notes()

    document = from_json(one_passage(annotations=[annotation(8, 13, "heals")]), tmp_path, repair=True, notes=notes)

    assert [text for _, text in document.mentions()] == ["helps"]
    assert notes.counts == {"annotation text replaced by the text at its offsets": 1}


def test_what_bioc_does_not_know_is_noted(tmp_path: Path) -> None:
    notes = Notes()
    spans = [annotation(0, 7, extra=None) | {"colour": "red", "empty": []}]
    nameless = annotation(8, 13, name="")

    document = from_json(
        {**one_passage(annotations=[*spans, nameless]), "relations": [{"id": "R", "infons": {}}]}, tmp_path, notes=notes
    )

    assert document.spans[1].id == "0"
    assert sorted(notes.counts) == [
        "annotations without an id numbered",
        "fields that BioC does not know left out (annotation: 'colour')",
        "infons without a value left out",
        "relations without a type",
    ]


def test_a_repeated_document_is_dropped_only_if_it_is_the_same(tmp_path: Path) -> None:
    same, other = one_passage(), one_passage("other")
    path = tmp_path / "two.json"
    notes = Notes()

    path.write_text(json.dumps({"documents": [same, same]}), encoding="utf-8")
    with pytest.raises(BadFile, match="a second document is called '1'"):
        read(path, name="bioc-json")
    assert len(read(path, name="bioc-json", repair=True, notes=notes)) == 1
    assert notes.counts == {"repeated documents dropped": 1}

    path.write_text(json.dumps({"documents": [same, other]}), encoding="utf-8")
    with pytest.raises(BadFile, match="differs from the first"):
        read(path, name="bioc-json", repair=True)


def test_both_formats_are_registered() -> None:
    found: list[Format] = [formats.get(name) for name in BOTH]

    assert [(each.name, each.suffixes) for each in found] == [("bioc-xml", (".xml",)), ("bioc-json", (".json",))]
