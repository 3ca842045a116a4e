"""Labels are kept and renamed while documents are converted, and nothing goes without being counted."""

from dataclasses import replace
from pathlib import Path

import pytest

from linnet.documents.document import Argument, Document, Link, Relation, Span
from linnet.errors import LinnetError
from linnet.formats.conversion import convert_path
from linnet.formats.reading import read_documents
from linnet.formats.relabelling import LabelChange, LabelCounts, check_labels, parse_label_change, relabel

TEXT = "aspirin for pain and fever"
DRUG = Span(0, 7, "Drug", id="T1", links=(Link("D001241"),))
PAIN = Span(12, 16, "Sign", id="T2", links=(Link("D010146"),))
FEVER = Span(21, 26, "Finding", id="T3", links=(Link("D005334"),))


def relation(first: str, second: str, *, is_concept: bool = False, id: str = "") -> Relation:
    return Relation("treats", (Argument("a", first, is_concept), Argument("b", second, is_concept)), id)


def changed(document: Document, change: LabelChange) -> tuple[Document, LabelCounts]:
    counts = LabelCounts()
    (found,) = relabel([document], change, counts)
    return found, counts


def test_mentions_of_other_labels_are_left_out_and_counted() -> None:
    found, counts = changed(Document("1", TEXT, (DRUG, PAIN, FEVER)), LabelChange(("Drug",)))

    assert found.spans == (DRUG,)
    assert counts.dropped == {"Sign": 1, "Finding": 1}
    assert counts.sentences() == ["mentions of Finding left out: 1", "mentions of Sign left out: 1"]


def test_labels_are_renamed_at_once() -> None:
    change = LabelChange(names={"Sign": "Finding", "Finding": "Sign"})

    found, counts = changed(Document("1", TEXT, (PAIN, FEVER)), change)

    assert [span.label for span in found.spans] == ["Finding", "Sign"]
    assert counts.as_dict()["renamed"] == {"Finding=Sign": 1, "Sign=Finding": 1}


def test_a_relation_goes_with_its_mention_and_those_about_it_go_too() -> None:
    relations = (
        relation("T1", "T2", id="R1"),
        relation("T1", "T3", id="R2"),
        relation("R1", "T3", id="R3"),
        relation("R3", "T1", id="R4"),
    )

    found, counts = changed(Document("1", TEXT, (DRUG, PAIN, FEVER), relations), LabelChange(("Drug", "Finding")))

    assert [each.id for each in found.relations] == ["R2"]
    assert counts.n_relations == 3


def test_a_relation_between_concepts_goes_when_all_mentions_of_one_go() -> None:
    other_pain = Span(12, 16, "Finding", id="T4", links=(Link("D010146|D005334"),))
    relations = (
        relation("D001241", "D010146", is_concept=True),
        relation("D001241", "D005334", is_concept=True),
        relation("D001241", "D999999", is_concept=True),  # is not mentioned, before or after
    )

    kept, _ = changed(Document("1", TEXT, (DRUG, PAIN, other_pain), relations), LabelChange(("Drug", "Finding")))
    gone, counts = changed(Document("1", TEXT, (DRUG, PAIN, other_pain), relations), LabelChange(("Drug", "Sign")))

    assert kept.relations == relations
    assert gone.relations == (relations[0], relations[2])
    assert counts.n_relations == 1


def test_text_and_everything_else_stay() -> None:
    document = Document("1", TEXT, (DRUG, PAIN), infons={"journal": "x"})

    found, _ = changed(document, LabelChange(("Drug",)))

    assert (found.text, found.id, found.infons) == (TEXT, "1", {"journal": "x"})


def test_a_label_that_is_not_there_is_refused_with_those_that_are(tmp_path: Path) -> None:
    source = tmp_path / "in.tsv"
    source.write_text("a\tB-X\nb\tB-Y\n", encoding="utf-8")

    with pytest.raises(LinnetError, match="there is no label 'Z', 'W'") as refused:
        convert_path(source, tmp_path / "out.jsonl", labels=LabelChange(("X", "Z", "W")))

    assert refused.value.remedy == "the labels are X, Y"
    assert not (tmp_path / "out.jsonl").exists()


def test_without_mentions_that_is_said() -> None:
    with pytest.raises(LinnetError) as refused:
        check_labels(LabelChange(("X",)), LabelCounts(), "in.tsv")

    assert refused.value.remedy == "there are no mentions at all"


def test_a_split_may_lack_a_label_that_another_has(tmp_path: Path) -> None:
    for name, tags in {"train": "a\tB-X\nb\tB-Y\n", "test": "a\tB-X\n"}.items():
        (tmp_path / "in").mkdir(exist_ok=True)
        (tmp_path / "in" / f"{name}.tsv").write_text(tags, encoding="utf-8")

    done = convert_path(tmp_path / "in", tmp_path / "out", target_format="jsonl", labels=LabelChange(("Y",)))

    assert done.n_mentions == 1
    assert done.as_dict()["dropped"] == {"X": 2}
    (document,) = read_documents(tmp_path / "out" / "train.jsonl")
    assert [span.label for span in document.spans] == ["Y"]


def test_an_unknown_label_of_a_corpus_leaves_no_folder(tmp_path: Path) -> None:
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / "train.tsv").write_text("a\tB-X\n", encoding="utf-8")

    with pytest.raises(LinnetError, match="there is no label 'Z'"):
        convert_path(tmp_path / "in", tmp_path / "out", target_format="jsonl", labels=LabelChange(names={"Z": "Y"}))

    assert not (tmp_path / "out").exists()


def test_what_goes_cannot_be_lost_by_the_format(tmp_path: Path) -> None:
    source = tmp_path / "in.jsonl"
    source.write_text(
        '{"id": "1", "text": "a b", "spans": [{"start": 0, "end": 1, "label": "X"}, '
        '{"start": 2, "end": 3, "label": "Y", "links": [{"identifier": "D1"}]}]}\n',
        encoding="utf-8",
    )

    done = convert_path(source, tmp_path / "out.tsv", labels=LabelChange(("X",)))

    assert not done.lost


@pytest.mark.parametrize(
    ("kept", "names", "problem"),
    [
        ([" , "], None, "--keep-labels names no label"),
        (None, ["A"], "--map A: expected OLD=NEW"),
        (None, ["=B"], "--map =B: expected OLD=NEW"),
        (None, ["A=B", "A=C"], "--map gives 'A' two names, 'B' and 'C'"),
        (["A"], ["B=C"], "--map B=C: --keep-labels leaves 'B' out"),
    ],
)
def test_what_cannot_be_meant_is_refused(kept: list[str] | None, names: list[str] | None, problem: str) -> None:
    with pytest.raises(LinnetError) as refused:
        parse_label_change(kept, names)

    assert refused.value.problem.startswith(problem)
    assert refused.value.remedy


def test_without_either_nothing_is_changed(tmp_path: Path) -> None:
    source = tmp_path / "in.tsv"
    source.write_text("a\tB-X\n", encoding="utf-8")

    assert parse_label_change(None, []) is None
    assert "dropped" not in convert_path(source, tmp_path / "out.jsonl").as_dict()


def test_mentions_with_less_confidence_are_left_out_and_counted() -> None:
    spans = (replace(DRUG, score=0.9), replace(PAIN, score=0.8), replace(FEVER, score=0.3), PAIN)
    document = Document("1", TEXT, spans, (relation("T1", "T3"),))

    found, counts = changed(document, LabelChange(min_score={"*": 0.5, "Sign": 0.85}))

    assert found.spans == (spans[0], PAIN)
    assert found.relations == ()
    assert counts.sentences() == [
        "mentions of Finding with less confidence left out: 1",
        "mentions of Sign with less confidence left out: 1",
        "mentions without a confidence, kept: 1",
        "relations left out with their mentions: 1",
    ]
    assert counts.as_dict()["below_confidence"] == {"Finding": 1, "Sign": 1}


def test_a_threshold_is_for_labels_that_exist() -> None:
    change = LabelChange(min_score={"*": 0.5, "Gene": 0.7})
    _, counts = changed(Document("1", TEXT, (DRUG,)), change)

    with pytest.raises(LinnetError, match="there is no label 'Gene'"):
        check_labels(change, counts, "in.jsonl")
