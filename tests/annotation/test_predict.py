"""Answers about the texts of a file: as rows or in the documents they are about, and never over something else."""

import json
import shutil
import weakref
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

import linnet
from linnet.annotation import predict
from linnet.annotation.predict import predict_path
from linnet.annotation.work import Work
from linnet.contracts import WriteOptions, formats
from linnet.documents.document import Argument, Document, Link, Relation, Span
from linnet.errors import BadFile, BadSetting, LinnetError, UnknownName, WouldLose
from linnet.formats.reading import read_documents
from linnet.tasks.texts.predictor import TextPredictor
from tests import text_corpora, tiny


def rows(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def split(kind: str, name: str = "test") -> Path:
    (found,) = text_corpora.corpus(kind).glob(f"{name}.*")
    return found


def concepts(folder: Path) -> Path:
    """Write documents whose mentions have concepts, without relations."""
    text = "ataxia was treated with aspirin ."
    spans = (
        Span(0, 6, "Disease", id="T1", links=(Link("D1"),)),
        Span(24, 31, "Chemical", id="T2", links=(Link("C1"),)),
    )
    formats.get("pubtator").write([Document("7", text, spans)], folder / "new.pubtator", WriteOptions())
    return folder / "new.pubtator"


def with_settings(folder: Path, kind: str, **settings: Any) -> Path:
    """Return a model of this kind that was trained with other settings."""
    shutil.copytree(text_corpora.trained(kind), folder)
    facts = json.loads((folder / "linnet.json").read_text(encoding="utf-8"))
    facts["text"]["settings"].update(settings)
    (folder / "linnet.json").write_text(json.dumps(facts), encoding="utf-8")
    return folder


@pytest.mark.parametrize("kind", text_corpora.KINDS)
def test_every_text_gets_an_answer_in_order(kind: str, tmp_path: Path) -> None:
    target = tmp_path / ("out.tsv" if kind == "relations" else "out.jsonl")

    done = predict_path(text_corpora.trained(kind), split(kind), output=target)

    assert (done.examples, done.answers) == (8, 8)
    if kind != "relations":
        answered = [row["id"] for row in rows(target)]
        before = rows(text_corpora.trained(kind) / "predictions-test.jsonl")
        assert len(answered) == len(set(answered)) == len(before)
        assert [row["score"] for row in rows(target)] == pytest.approx([row["score"] for row in before], abs=1e-5)


def test_tables_have_id_answer_and_score(tmp_path: Path) -> None:
    predict_path(text_corpora.trained("several"), split("several"), output=tmp_path / "out.tsv")

    header, *lines = (tmp_path / "out.tsv").read_text(encoding="utf-8").splitlines()
    assert header == "id\tpredicted\tscore"
    assert all(len(line.split("\t")) == 3 for line in lines)
    assert any("chemical|disease" in line for line in lines)


def test_texts_without_labels_are_answered(tmp_path: Path) -> None:
    source = tmp_path / "new.tsv"
    source.write_text("ataxia was treated with aspirin .\nno cause of ataxia is known\n", encoding="utf-8")

    predict_path(text_corpora.trained("classification"), source, output=tmp_path / "out.jsonl")

    assert [row["predicted"] for row in rows(tmp_path / "out.jsonl")] == ["treated", "unknown"]


def test_answers_have_their_place_in_the_text(tmp_path: Path) -> None:
    predict_path(text_corpora.trained("answering"), split("answering"), output=tmp_path / "out.jsonl")
    content = json.loads(split("answering").read_text(encoding="utf-8"))
    contexts = {each["qas"][0]["id"]: each["context"] for each in content["data"][0]["paragraphs"]}

    for row in rows(tmp_path / "out.jsonl"):
        start, end = (int(row["details"][key]) for key in ("start", "end"))
        assert contexts[row["id"]][start:end] == row["predicted"][0]


@pytest.mark.parametrize("suffix", ["jsonl", "xml", "json"])
def test_relations_go_into_their_documents(suffix: str, tmp_path: Path) -> None:
    target = tmp_path / f"out.{suffix}"
    gold = list(read_documents(split("relations")))

    predict_path(text_corpora.trained("relations"), split("relations"), output=target)

    found = list(read_documents(target))
    assert [each.id for each in found] == [each.id for each in gold]
    assert [each.text for each in found] == [each.text for each in gold]
    right = sum(bool(one.relations) == bool(other.relations) for one, other in zip(found, gold, strict=True))
    assert right >= 7  # of 8: the tiny corpus was learned
    assert {relation.label for each in found for relation in each.relations} == {"treats"}


def test_relations_between_concepts_go_into_pubtator(tmp_path: Path) -> None:
    model = with_settings(tmp_path / "model", "relations", unit="concept")

    done = predict_path(model, concepts(tmp_path), output=tmp_path / "out.pubtator")

    (found,) = read_documents(tmp_path / "out.pubtator")
    assert done.examples == 1
    assert any("scores of relations, which pubtator cannot hold, left out: 1" in note for note in done.notes)
    assert [(relation.label, {argument.target for argument in relation.arguments}) for relation in found.relations] == [
        ("treats", {"C1", "D1"})
    ]


def test_former_relations_are_replaced_by_those_that_were_predicted(tmp_path: Path) -> None:
    text = "aspirin did not change ataxia in mice ."
    spans = (Span(0, 7, "Chemical", id="T1"), Span(23, 29, "Disease", id="T2"))
    relation = Relation("treats", (Argument("Arg1", "T1"), Argument("Arg2", "T2")), "R1")
    formats.get("jsonl").write([Document("1", text, spans, (relation,))], tmp_path / "in.jsonl", WriteOptions())

    predict_path(text_corpora.trained("relations"), tmp_path / "in.jsonl", output=tmp_path / "out.jsonl")

    (found,) = read_documents(tmp_path / "out.jsonl")
    assert found.relations == ()


def test_relations_that_no_pair_stands_for_are_not_answered(tmp_path: Path) -> None:
    text = "aspirin did not change ataxia in mice ."
    spans = (Span(0, 7, "Chemical", id="T1"), Span(23, 29, "Disease", id="T2"), Span(33, 37, "Species", id="T3"))
    relation = Relation("treats", (Argument("Arg1", "T1"), Argument("Arg2", "T3")), "R1")  # types that are not paired
    formats.get("jsonl").write([Document("1", text, spans, (relation,))], tmp_path / "in.jsonl", WriteOptions())

    done = predict_path(text_corpora.trained("relations"), tmp_path / "in.jsonl", output=tmp_path / "out.tsv")

    assert (done.examples, done.answers) == (1, 1)


def test_a_format_that_cannot_hold_the_relations_is_refused(tmp_path: Path) -> None:
    with pytest.raises(WouldLose, match="relations between mentions") as refused:
        predict_path(text_corpora.trained("relations"), split("relations"), output=tmp_path / "out.pubtator")

    assert "lossy" not in refused.value.remedy
    assert not list(tmp_path.iterdir())


def test_a_split_of_a_corpus_of_documents_is_answered(tmp_path: Path) -> None:
    corpus = text_corpora.corpus("relations")

    predict_path(text_corpora.trained("relations"), corpus, split="devel", output=tmp_path / "out.jsonl")

    found = list(read_documents(tmp_path / "out.jsonl"))
    assert [each.text for each in found] == [each.text for each in read_documents(split("relations", "devel"))]


def test_a_split_of_a_corpus_of_tables_is_answered_in_rows(tmp_path: Path) -> None:
    model = with_settings(tmp_path / "model", "relations", pairs=(), unit=None)  # as one that learned from tables
    for name in ("train", "test"):
        text_corpora.write_table(
            tmp_path / f"{name}.tsv", [("@CHEMICAL$ in @DISEASE$ .", "treats"), ("@A$ @B$", "none")]
        )

    predict_path(model, tmp_path, split="test", output=tmp_path / "out.jsonl")

    assert [row["id"] for row in rows(tmp_path / "out.jsonl")] == ["test.tsv:1", "test.tsv:2"]


def test_a_question_of_several_texts_is_answered_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("linnet.tasks.texts.questions.BLOCK", 1)
    texts = [{"text": "we gave aspirin ."}, {"text": "no cause is known"}, {"text": "aspirin did not change"}]
    questions = [
        {"id": f"q{at}", "body": "which", "type": "factoid", "snippets": texts, "exact_answer": ["aspirin"]}
        for at in range(2)
    ]
    (tmp_path / "test.json").write_text(json.dumps({"questions": questions}), encoding="utf-8")
    told: list[int] = []

    done = predict_path(
        text_corpora.trained("answering"), tmp_path / "test.json", output=tmp_path / "out.jsonl", watcher=told.append
    )

    assert (done.examples, done.answers, told) == (6, 2, [3, 3])


def test_the_texts_of_a_question_need_not_stand_side_by_side(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("linnet.tasks.texts.questions.BLOCK", 2)
    asked = {"q1_001": "aspirin", "other": "cisplatin", "another": "aspirin", "q1_002": "cisplatin"}
    paragraphs = [
        {"context": f"we gave {drug} .", "qas": [{"id": id, "question": "treated with"}]} for id, drug in asked.items()
    ]
    content = {"data": [{"paragraphs": paragraphs}]}
    (tmp_path / "new.json").write_text(json.dumps(content), encoding="utf-8")
    told: list[int] = []

    predict_path(
        text_corpora.trained("answering"), tmp_path / "new.json", output=tmp_path / "out.jsonl", watcher=told.append
    )

    answered = rows(tmp_path / "out.jsonl")
    assert [row["id"] for row in answered] == ["q1", "other", "another"]  # as they first appear
    assert told == [2, 2]
    assert {"aspirin", "cisplatin"} <= set(answered[0]["predicted"])  # of both its texts


def test_texts_that_are_answered_one_by_one_keep_their_order(tmp_path: Path) -> None:
    ids = ["1_s0", "2_s0", "1_s1"]  # two sentences of a document, with another between them
    lines = [json.dumps({"id": id, "text": "no cause of ataxia is known"}) + "\n" for id in ids]
    (tmp_path / "new.jsonl").write_text("".join(lines), encoding="utf-8")

    predict_path(text_corpora.trained("several"), tmp_path / "new.jsonl", output=tmp_path / "out.jsonl")

    assert [row["id"] for row in rows(tmp_path / "out.jsonl")] == ids


def test_a_file_of_which_nothing_is_left_is_refused_with_the_reason(tmp_path: Path) -> None:
    source = text_corpora.write_table(tmp_path / "new.tsv", [("premise", "hypothesis", "label"), ("a", "b", "-")])

    with pytest.raises(BadFile, match=r"new.tsv has no example that the task can use \(pairs without an agreed label"):
        predict_path(text_corpora.trained("inference"), source, output=tmp_path / "out.jsonl")
    assert not (tmp_path / "out.jsonl").exists()


@pytest.mark.parametrize("has_relations", [False, True])
def test_documents_without_a_pair_are_refused_with_the_types_that_were_looked_for(
    tmp_path: Path, has_relations: bool
) -> None:
    spans = (Span(0, 7, "CHEMICAL", id="T1"), Span(23, 29, "DISEASE", id="T2"))
    relations = (Relation("treats", (Argument("Arg1", "T1"), Argument("Arg2", "T2")), "R1"),) if has_relations else ()
    document = Document("1", "aspirin did not change ataxia in mice .", spans, relations)
    formats.get("jsonl").write([document], tmp_path / "new.jsonl", WriteOptions())

    with pytest.raises(BadFile) as refused:
        predict_path(text_corpora.trained("relations"), tmp_path / "new.jsonl", output=tmp_path / "out.jsonl")

    assert refused.value.problem.startswith(f"{tmp_path / 'new.jsonl'} has no example that the task can use (")
    assert refused.value.problem.endswith(
        "the model pairs Chemical-Disease within a sentence, the mentions are of CHEMICAL, DISEASE)"
    )


def test_an_output_that_is_there_is_not_touched(tmp_path: Path) -> None:
    target = tmp_path / "out.jsonl"
    target.write_text("mine", encoding="utf-8")

    with pytest.raises(BadFile, match="is there already"):
        predict_path(text_corpora.trained("yesno"), split("yesno"), output=target)
    assert target.read_text(encoding="utf-8") == "mine"

    predict_path(text_corpora.trained("yesno"), split("yesno"), output=target, overwrite=True)
    assert len(rows(target)) == 8


@pytest.mark.parametrize(
    ("options", "name", "message"),
    [
        ({}, "out.jsonl", "has the splits train, devel, test"),
        ({"split": "dev2"}, "out.jsonl", "has no split 'dev2'"),
        ({"split": "test"}, "out.csv", "written as .jsonl or .tsv"),
    ],
)
def test_what_is_not_clear_is_refused(tmp_path: Path, options: dict[str, Any], name: str, message: str) -> None:
    with pytest.raises(LinnetError, match=message):
        predict_path(text_corpora.trained("yesno"), text_corpora.corpus("yesno"), output=tmp_path / name, **options)


@pytest.mark.parametrize(
    ("kind", "row", "label"),
    [
        ("classification", ("101", "ataxia was treated"), "ataxia was treated"),
        ("inference", ("101", "in mice .", "we gave aspirin ."), "we gave aspirin ."),
    ],
)
def test_a_table_whose_ids_would_be_taken_for_its_texts_is_refused(
    tmp_path: Path, kind: str, row: tuple[str, ...], label: str
) -> None:
    source = text_corpora.write_table(tmp_path / "new.tsv", [row])

    with pytest.raises(BadSetting, match=f"new.tsv:1: the model does not know the label '{label}'") as refused:
        predict_path(text_corpora.trained(kind), source, output=tmp_path / "out.tsv")

    assert "the last column was taken for the label: if it is none, name the columns in a first line" in str(refused)
    assert not (tmp_path / "out.tsv").exists()


def test_the_column_that_the_recipe_calls_the_label_is_named_where_it_holds_others(tmp_path: Path) -> None:
    model = with_settings(tmp_path / "model", "classification", columns={"text": "2", "label": "1"})
    source = text_corpora.write_table(tmp_path / "new.tsv", [("101", "ataxia was treated")])

    with pytest.raises(BadSetting, match="does not know the label '101'") as refused:
        predict_path(model, source, output=tmp_path / "out.tsv")

    assert "the column '1' was taken for the label" in refused.value.remedy


def test_relations_that_the_model_does_not_know_may_stand_in_documents(tmp_path: Path) -> None:
    text = "aspirin did not change ataxia in mice ."
    spans = (Span(0, 7, "Chemical", id="T1"), Span(23, 29, "Disease", id="T2"))
    relation = Relation("CID", (Argument("Arg1", "T1"), Argument("Arg2", "T2")), "R1")
    formats.get("jsonl").write([Document("1", text, spans, (relation,))], tmp_path / "in.jsonl", WriteOptions())

    done = predict_path(text_corpora.trained("relations"), tmp_path / "in.jsonl", output=tmp_path / "out.jsonl")

    assert done.answers == 1


def test_other_names_of_splits_are_understood(tmp_path: Path) -> None:
    model, corpus = text_corpora.trained("relations"), text_corpora.corpus("relations")

    for name in ("dev", "devel"):
        predict_path(model, corpus, split=name, output=tmp_path / f"{name}.jsonl")

    assert (tmp_path / "dev.jsonl").read_bytes() == (tmp_path / "devel.jsonl").read_bytes()


def test_ids_with_tabs_and_line_ends_leave_a_table_whole(tmp_path: Path) -> None:
    ids = ["a\tb", "c\nd", "e\u2028f"]
    lines = [json.dumps({"id": id, "text": "no cause of ataxia is known"}) + "\n" for id in ids]
    (tmp_path / "new.jsonl").write_text("".join(lines), encoding="utf-8")

    predict_path(text_corpora.trained("classification"), tmp_path / "new.jsonl", output=tmp_path / "out.tsv")

    _, *written = (tmp_path / "out.tsv").read_text(encoding="utf-8").splitlines()
    assert [line.split("\t")[:2] for line in written] == [[id, "unknown"] for id in ("a b", "c d", "e f")]


def test_an_output_whose_name_says_no_format_is_refused_with_names_that_do(tmp_path: Path) -> None:
    with pytest.raises(UnknownName, match="does not say which format to write") as refused:
        predict_path(text_corpora.trained("relations"), split("relations"), output=tmp_path / "out")

    assert "end it in .tsv for rows, for documents in .jsonl" in refused.value.remedy


def test_a_model_for_mentions_is_refused(tmp_path: Path) -> None:
    with pytest.raises(BadSetting, match="finds mentions in documents"):
        linnet.predict(tiny.trained(), split("yesno"), output=tmp_path / "out.jsonl")


class Killed(Exception):
    """What a test throws into a job."""


def interrupted(monkeypatch: pytest.MonkeyPatch, target: Path, **given: Any) -> None:
    """Start a job in blocks of four texts that ends after the first of them."""
    monkeypatch.setattr("linnet.tasks.texts.questions.BLOCK", 4)

    def kill(_: int) -> None:
        raise Killed

    with pytest.raises(Killed):
        predict_path(
            text_corpora.trained("classification"), split("classification"), output=target, watcher=kill, **given
        )


def test_a_killed_job_goes_on_where_it_stopped_and_ends_with_the_same_bytes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    model, source = text_corpora.trained("classification"), split("classification")
    done: list[int] = []
    predict_path(model, source, output=tmp_path / "whole.jsonl")
    interrupted(monkeypatch, tmp_path / "out.jsonl")
    assert not (tmp_path / "out.jsonl").exists()
    predict_examples = TextPredictor.predict_examples

    def counting(self: TextPredictor, examples: Any) -> Any:
        done.append(len(examples))
        return predict_examples(self, examples)

    monkeypatch.setattr(TextPredictor, "predict_examples", counting)

    predict_path(model, source, output=tmp_path / "out.jsonl", resume=True)

    assert sum(done) == 4  # of eight texts, four were predicted before
    assert (tmp_path / "out.jsonl").read_bytes() == (tmp_path / "whole.jsonl").read_bytes()
    assert {path.name for path in tmp_path.iterdir()} == {"out.jsonl", "whole.jsonl"}


def test_an_interrupted_job_is_neither_lost_nor_mixed_with_another(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    target = tmp_path / "out.jsonl"
    interrupted(monkeypatch, target)

    with pytest.raises(LinnetError, match="a job for this output was interrupted"):
        predict_path(text_corpora.trained("classification"), split("classification"), output=target)
    with pytest.raises(LinnetError, match="holds a job with other settings"):
        predict_path(text_corpora.trained("inference"), split("inference"), output=target, resume=True)
    with pytest.raises(LinnetError, match="exclude each other"):
        predict_path(text_corpora.trained("inference"), split("inference"), output=target, resume=True, overwrite=True)


def test_texts_that_changed_since_are_not_taken_over(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    source = tmp_path / "in.tsv"
    source.write_text(split("classification").read_text(encoding="utf-8"), encoding="utf-8")
    monkeypatch.setattr(f"{__name__}.split", lambda _: source)
    interrupted(monkeypatch, tmp_path / "out.jsonl")
    first, *others = source.read_text(encoding="utf-8").splitlines(keepends=True)
    source.write_text("".join([f"no {first}", *others]), encoding="utf-8")

    with pytest.raises(LinnetError, match="the input has changed"):
        predict_path(text_corpora.trained("classification"), source, output=tmp_path / "out.jsonl", resume=True)


@pytest.mark.parametrize(
    ("kind", "suffix"), [("classification", ".jsonl"), ("classification", ".tsv"), ("relations", ".jsonl")]
)
def test_shards_hold_what_one_file_holds(tmp_path: Path, kind: str, suffix: str) -> None:
    model, source = text_corpora.trained(kind), split(kind)
    predict_path(model, source, output=tmp_path / f"whole{suffix}")

    predict_path(model, source, output=tmp_path / "parts", shard=3, to=suffix[1:])

    parts = sorted((tmp_path / "parts").iterdir())
    whole = (tmp_path / f"whole{suffix}").read_text(encoding="utf-8").splitlines()
    n_header = int(suffix == ".tsv")
    rows = [line for part in parts for line in part.read_text(encoding="utf-8").splitlines()[n_header:]]
    assert [part.name for part in parts] == [f"part-{number:05d}{suffix}" for number in range(3)]
    assert rows == whole[n_header:]


def test_what_is_one_file_has_no_shards(tmp_path: Path) -> None:
    with pytest.raises(LinnetError, match="bioasq is written to one file"):
        predict_path(text_corpora.trained("yesno"), split("yesno"), output=tmp_path / "parts", shard=2, to="bioasq")


@pytest.mark.parametrize("given", [{}, {"shard": 2}])
def test_a_folder_that_no_job_wrote_is_never_replaced(tmp_path: Path, given: dict[str, Any]) -> None:
    mine = tmp_path / "mine"
    mine.mkdir()
    (mine / "thesis.txt").write_text("years of work", encoding="utf-8")

    with pytest.raises(LinnetError, match=r"is not a file|not what a job has written"):
        predict_path(text_corpora.trained("yesno"), split("yesno"), output=mine, to="jsonl", overwrite=True, **given)

    assert (mine / "thesis.txt").read_text(encoding="utf-8") == "years of work"


def test_the_input_is_never_replaced(tmp_path: Path) -> None:
    source = tmp_path / "in.tsv"
    source.write_bytes(split("yesno").read_bytes())

    with pytest.raises(LinnetError, match="it is or holds the input"):
        predict_path(text_corpora.trained("yesno"), source, output=source, overwrite=True)

    assert source.read_bytes() == split("yesno").read_bytes()


def test_shards_of_an_earlier_job_are_replaced(tmp_path: Path) -> None:
    model, source, target = text_corpora.trained("yesno"), split("yesno"), tmp_path / "parts"
    predict_path(model, source, output=target, shard=1)

    predict_path(model, source, output=target, shard=5, overwrite=True)

    assert [path.name for path in sorted(target.iterdir())] == ["part-00000.jsonl", "part-00001.jsonl"]
    assert [path.name for path in tmp_path.iterdir()] == ["parts"]


def test_of_two_jobs_with_one_output_the_second_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Issue 27: the second job looked for the output before the first one had written it."""
    target, model = tmp_path / "out.jsonl", text_corpora.trained("classification")
    lock = Work.lock

    def let_the_other_job_end(work: Work) -> Any:
        monkeypatch.setattr(Work, "lock", lock)
        predict_path(model, split("classification"), output=target)
        return lock(work)

    monkeypatch.setattr(Work, "lock", let_the_other_job_end)

    with pytest.raises(BadFile, match="is there already"):
        predict_path(model, split("classification"), output=target)
    assert [each.name for each in tmp_path.iterdir()] == ["out.jsonl"]


def test_a_damaged_block_of_an_interrupted_job_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    target, model = tmp_path / "out.jsonl", text_corpora.trained("classification")
    monkeypatch.setattr(Work, "remove", lambda work: None)  # as if it were killed at the end
    predict_path(model, split("classification"), output=target)
    Work.beside(target).path(0).write_bytes(b"")

    with pytest.raises(BadFile, match="is not as it was written"):
        predict_path(model, split("classification"), output=target, resume=True)


@dataclass(eq=False)
class Value:
    """A prediction that can be counted while it is in memory."""

    id: int


class CountingModel:
    """Predicts the numbers of six blocks, and remembers how many predictions were in memory at a time."""

    annotates, n_examples, notes = False, 24, ()
    name, suffix, is_folder = "jsonl", ".jsonl", False

    def __init__(self) -> None:
        self.living: weakref.WeakSet[Value] = weakref.WeakSet()
        self.most = 0

    def questions(self, place: Path, *, split: str | None, repair: bool) -> "CountingModel":
        return self

    def form(self, target: Path, to: str | None, *, is_folder: bool) -> "CountingModel":
        return self

    def blocks(self) -> Iterator[list[int]]:
        yield from ([*range(first, first + 4)] for first in range(0, 24, 4))

    def digest(self, block: list[int]) -> str:
        return str(block)

    def predict(self, block: list[int]) -> list[Value]:
        return [self.from_row({"id": each}) for each in block]

    def as_row(self, prediction: Value) -> dict[str, Any]:
        return {"id": prediction.id}

    def from_row(self, row: Mapping[str, Any]) -> Value:
        value = Value(row["id"])
        self.living.add(value)
        self.most = max(self.most, len(self.living))
        return value

    def items(self, predictions: Iterable[Value]) -> Iterable[Value]:
        return predictions

    def write(self, items: Iterable[Value], target: Path) -> None:
        target.write_text("".join(f"{each.id}\n" for each in items), encoding="utf-8")


@pytest.mark.parametrize("shard", [None, 5])
def test_only_the_predictions_of_a_block_are_in_memory(  # issue 27
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, shard: int | None
) -> None:
    model = CountingModel()
    monkeypatch.setattr(predict, "load", lambda *_, **__: model)
    monkeypatch.setattr(predict, "model_fingerprint", str)
    (tmp_path / "in.tsv").write_text("a\n", encoding="utf-8")

    done = predict_path("m", tmp_path / "in.tsv", output=tmp_path / "out.jsonl", shard=shard)

    written = [tmp_path / "out.jsonl"] if shard is None else sorted((tmp_path / "out.jsonl").iterdir())
    texts = [path.read_text(encoding="utf-8") for path in written]
    assert "".join(texts) == "".join(f"{n}\n" for n in range(24))
    assert [len(text.split()) for text in texts] == ([24] if shard is None else [5, 5, 5, 5, 4])
    assert (done.examples, done.answers) == (24, 24)
    assert model.most <= 2 * (4 + (shard or 0)) < 24  # two blocks and two shards
