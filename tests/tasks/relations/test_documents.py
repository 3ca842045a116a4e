"""Documents: pairs become examples, predictions become relations, and nothing depends on the order of files."""

from dataclasses import replace
from pathlib import Path

import pytest

from linnet.documents.document import Argument, Document, Link, Relation, Span
from linnet.documents.texts import Prediction, TextExample
from linnet.errors import BadFile, BadSetting, UnknownName
from linnet.tasks.relations.documents import NONE, Candidates, examples_of_documents, sample_negatives, with_relations
from linnet.tasks.relations.pairs import Unit
from linnet.tasks.relations.settings import RelationSettings
from linnet.tasks.texts.reading.unreached import candidates_in

TEXT = "Aspirin helps. Ataxia follows aspirin. Gout, too."
SPANS = (
    Span(0, 7, "Chemical", links=(Link("C1"),)),
    Span(15, 21, "Disease", links=(Link("D1"),)),
    Span(30, 37, "Chemical", links=(Link("C1"),)),
    Span(39, 43, "Disease", links=(Link("D2"),)),
)
DOCUMENT_LEVEL = RelationSettings(level="document")
PATH = Path("corpus.pubtator")


def tie(first: str, second: str, label: str = "causes") -> Relation:
    return Relation(label, (Argument("entity1", first, True), Argument("entity2", second, True)))


def document(*relations: Relation, name: str = "1") -> Document:
    return Document(name, TEXT, SPANS, relations)


def read(settings: RelationSettings, **splits: list[Document]) -> Candidates:
    return examples_of_documents({name: [(each, PATH) for each in found] for name, found in splits.items()}, settings)


def prediction(example: TextExample, predicted: str, score: float | None = None) -> Prediction:
    return Prediction(example.id, example.first, example.gold, predicted, example.group, score, example.details)


def test_a_pair_of_a_sentence_is_marked_there() -> None:
    (found,) = read(RelationSettings(), train=[document(tie("C1", "D1"))]).splits["train"]

    assert found.first == "# ^ disease ^ Ataxia # follows @ * chemical * aspirin @."
    assert [found.first[start:end] for start, end in found.spans] == [
        "@ * chemical * aspirin @",
        "# ^ disease ^ Ataxia #",
    ]
    assert (found.id, found.gold, found.group, found.place) == ("1:C1-D1", "causes", "1", f"{PATH}: document '1'")
    assert found.details == {
        "document": "1", "unit": "concept", "subject": "C1", "object": "D1", "types": "Chemical-Disease"
    }  # fmt: skip


def test_all_mentions_of_a_pair_are_marked_in_its_document() -> None:
    first, second = read(DOCUMENT_LEVEL, train=[document(tie("C1", "D1"))]).splits["train"]

    assert first.first == (
        "@ * chemical * Aspirin @ helps. # ^ disease ^ Ataxia # follows @ * chemical * aspirin @. Gout, too."
    )
    assert first.spans == ((0, 24), (32, 54))  # the first aspirin is closer to the ataxia by a character
    assert (second.id, second.gold, second.first[slice(*second.spans[0])]) == (
        "1:C1-D2", NONE, "@ * chemical * aspirin @"
    )  # fmt: skip


def test_reading_twice_gives_the_same_examples_in_the_same_order() -> None:
    documents = [document(tie("C1", "D1"), name=name) for name in "ab"]

    assert read(DOCUMENT_LEVEL, train=documents) == read(DOCUMENT_LEVEL, train=documents)


def test_types_are_those_of_the_training_relations() -> None:
    found = read(DOCUMENT_LEVEL, train=[document(tie("D1", "D2"))], test=[document(tie("C1", "D1"), tie("D1", "D2"))])

    assert [example.id for example in candidates_in(found.splits["test"])] == ["1:D1-D2"]
    assert found.notes.sentences() == [
        "relations of test that no pair stands for, missed in every score (types that are not paired: name them in "
        "`text.pairs`): 1 (first: corpus.pubtator: document '1', relation 'causes' of C1 and D1)"
    ]
    assert [each.relation for each in found.unreached["test"]] == [tie("C1", "D1")]


def test_types_may_be_set() -> None:
    settings = RelationSettings(level="document", pairs=("Disease-Chemical",))

    found = read(settings, all=[document()])

    assert [(example.id, example.gold) for example in found.splits["all"]] == [("1:D1-C1", None), ("1:D2-C1", None)]


def test_pairs_of_documents_without_relations_have_no_gold() -> None:
    found = read(DOCUMENT_LEVEL, train=[document(tie("C1", "D1"))], test=[document()])

    assert [example.gold for example in found.splits["train"]] == ["causes", NONE]
    assert [example.gold for example in found.splits["test"]] == [None, None]


@pytest.mark.parametrize(
    ("settings", "problem"),
    [
        (RelationSettings(), "no relation between two mentions or concepts says which types to pair"),
        (
            RelationSettings(pairs=("Chemical-Gene",)),
            "has 'Chemical-Gene', but there are no mentions of two such types",
        ),
        (RelationSettings(pairs=("Chemical",)), "has 'Chemical', but"),
    ],
)
def test_types_that_cannot_be_paired_are_refused(settings: RelationSettings, problem: str) -> None:
    with pytest.raises(BadSetting, match=problem) as refused:
        read(settings, train=[document()])
    assert "Chemical, Disease" in refused.value.remedy


def test_relations_without_a_type_are_left_out_and_counted() -> None:
    found = read(DOCUMENT_LEVEL, train=[document(tie("C1", "D1"), tie("C1", "D2", ""), tie("D1", "D2", " "))])

    assert [(each.id, each.gold) for each in found.splits["train"]] == [("1:C1-D1", "causes"), ("1:C1-D2", NONE)]
    assert found.notes.sentences() == [
        "relations without a type, left out: what they tie counts as having no relation: 2 "
        "(first: corpus.pubtator: document '1')"
    ]


def test_documents_whose_relations_have_no_type_are_refused_with_the_reason() -> None:
    with pytest.raises(BadSetting, match=r"says which types to pair \(relations without a type, left out: .*: 1 \(fir"):
        read(RelationSettings(), train=[document(tie("C1", "D1", ""))])


def test_what_training_alone_is_asked_is_not_asked_of_files_to_be_answered() -> None:
    model = RelationSettings(pairs=("Chemical-Disease", "Chemical-Gene"), labels=("causes", NONE))

    (found,) = read(model, train=[document()]).splits["train"]

    assert found.gold is None


def test_types_are_those_of_the_split_that_is_learned_from() -> None:
    """Training learns from `train`; what `train_dev` ties besides is not paired then."""
    found = read(DOCUMENT_LEVEL, train=[document(tie("D1", "D2"))], train_dev=[document(tie("C1", "D1"))])

    assert {each.details["types"] for each in found.splits["train"]} == {"Disease-Disease"}


def test_a_relation_without_its_mention_is_refused_with_the_file() -> None:
    dangling = Relation("x", (Argument("a", "T1"), Argument("b", "T2")), id="R1")

    with pytest.raises(BadFile, match=r"corpus.pubtator: document '1', relation 'R1': there is no mention 'T1'"):
        read(RelationSettings(pairs=("Chemical-Disease",)), train=[document(dangling)])


def test_a_direction_that_is_not_learned_is_counted() -> None:
    spans = tuple(replace(span, id=f"T{number}") for number, span in enumerate(SPANS, 1))
    ties = [Relation("x", (Argument("", a), Argument("", b))) for a, b in (("T1", "T2"), ("T3", "T2"), ("T2", "T3"))]
    both = Document("1", TEXT, spans, (ties[0], ties[1]))
    other = Document("2", TEXT, spans, (ties[2],))

    notes = read(DOCUMENT_LEVEL, train=[both, other]).notes

    assert notes.sentences() == ["relations whose direction is not learned: 1 (first: 2)"]


def many(n_documents: int) -> list[Document]:
    return [document(tie("C1", "D1"), name=f"d{number}") for number in range(n_documents)]


def test_every_split_is_read_whole_for_negatives_are_drawn_when_devel_is_set_aside() -> None:
    found = read(RelationSettings(level="document", negatives=0.5), train=many(8), test=many(8))

    assert {name: len(examples) for name, examples in found.splits.items()} == {"train": 16, "test": 16}


@pytest.mark.parametrize(("unit", "ids"), [("mention", ["1:T3-T2"]), ("concept", ["1:C1-D1"]), (None, ["1:C1-D1"])])
def test_what_is_paired_may_be_set(unit: Unit | None, ids: list[str]) -> None:
    settings = RelationSettings(pairs=("Chemical-Disease",), unit=unit)

    assert [example.id for example in read(settings, all=[document()]).splits["all"]] == ids


def test_concepts_that_are_not_there_cannot_be_paired() -> None:
    plain = Document("1", TEXT, tuple(replace(span, links=()) for span in SPANS))

    with pytest.raises(BadFile, match=r"corpus.pubtator: concepts are to be paired, but none of the 4 mentions") as bad:
        read(RelationSettings(pairs=("Chemical-Disease",), unit="concept"), all=[plain])
    assert "a model that has learned from relations between mentions" in bad.value.remedy


def test_the_order_of_documents_does_not_matter_to_the_draw() -> None:
    examples = read(DOCUMENT_LEVEL, train=many(20)).splits["train"]

    drawn, drawn_again = sample_negatives(examples, 0.3), sample_negatives(examples[::-1], 0.3)

    assert drawn == drawn_again[::-1]
    assert len(drawn) == 20 + 6
    assert sample_negatives(examples, 0) == [example for example in examples if example.gold != NONE]
    assert sample_negatives(examples, 5) == examples


def test_more_negatives_hold_the_fewer() -> None:
    examples = read(DOCUMENT_LEVEL, train=many(20)).splits["train"]

    few, more = ({example.id for example in sample_negatives(examples, share)} for share in (0.2, 0.6))

    assert few < more


def test_keys_with_hyphens_give_different_ids() -> None:
    spans = tuple(Span(at, at + 1, "X", id=name) for at, name in enumerate(("a", "b-c", "a-b", "c")))
    found = Document("1", "wxyz", spans, (Relation("r", (Argument("", "a"), Argument("", "c"))),))

    ids = [example.id for example in read(DOCUMENT_LEVEL, train=[found]).splits["train"]]

    assert ids == ["1:a-b-c", "1:a-a-b", "1:a-c", "1:b-c-a-b", "1:b-c-c", "1:a-b-c~2"]


def test_predictions_become_relations_of_concepts() -> None:
    examples = read(DOCUMENT_LEVEL, train=[document(tie("C1", "D1"))]).splits["train"]

    (found,) = with_relations(
        [document(tie("D1", "D2"))], [prediction(examples[0], NONE), prediction(examples[1], "x", 0.75)]
    )

    arguments = (Argument("entity1", "C1", True), Argument("entity2", "D2", True))
    assert found.relations == (Relation("x", arguments, "R1", {"score": "0.7500"}),)
    assert (found.spans, found.text) == (SPANS, TEXT)


def test_predictions_become_relations_of_mentions_with_ids() -> None:
    plain = Document("1", TEXT, tuple(replace(span, links=()) for span in SPANS))
    settings = RelationSettings(pairs=("Chemical-Disease",))
    (example,) = read(settings, all=[plain]).splits["all"]

    (found, other) = with_relations([plain, document(name="2")], [prediction(example, "causes")])

    assert [span.id for span in found.spans] == ["T1", "T2", "T3", "T4"]
    assert found.relations == (Relation("causes", (Argument("Arg1", "T3"), Argument("Arg2", "T2")), "R1"),)
    assert other == document(name="2")


def test_predictions_of_other_documents_are_refused() -> None:
    (example,) = read(RelationSettings(), train=[document(tie("C1", "D1"))]).splits["train"]

    with pytest.raises(UnknownName, match="the pair '1:C1-D1' is of no document that was given"):
        with_relations([document(name="2")], [prediction(example, "x")])
    with pytest.raises(UnknownName, match="the pair '7' is of no document"):
        with_relations([document()], [Prediction("7", "a text", None, "x")])
