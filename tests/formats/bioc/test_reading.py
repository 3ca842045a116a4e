"""BioC structures become documents, or are refused with their place."""

import json
from pathlib import Path
from typing import Any

import pytest

from linnet.contracts import Notes, WriteOptions, formats
from linnet.documents.document import Argument, Link, Passage, Relation, Sentence, Span
from linnet.errors import BadFile
from tests.formats.bioc.structures import annotation, from_json, one_passage, read


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
