"""Relations that no pair stands for: missed in every score, in what is saved and listed, and never learned."""

import csv
from functools import cache
from pathlib import Path

import pytest

from linnet.contracts import WriteOptions, formats
from linnet.documents.document import Argument, Document, Link, Relation, Sentence, Span
from linnet.documents.texts import Prediction, TextExample
from linnet.metrics.texts.classification import per_label
from linnet.metrics.texts.resampled import plain_value
from linnet.tasks.relations.settings import RelationSettings
from linnet.tasks.relations.task import Relations
from linnet.tasks.relations.unreached import NO_MENTION, SENTENCES, Unreached, missed_example, unreached_relations
from linnet.tasks.texts.evaluation import evaluate_texts, read_text_predictions
from linnet.tasks.texts.kinds import CLASSIFICATION
from linnet.tasks.texts.reading.unreached import candidates_in, is_unreached
from linnet.tasks.texts.task import Decision
from linnet.training.run_folder import Run
from tests import text_corpora, tiny

TASK = Relations()
SETTINGS = RelationSettings()
TEXT = "ataxia was treated with aspirin . no cause of gout is known"
SPANS = (
    Span(0, 6, "Disease", id="T1"),
    Span(24, 31, "Chemical", id="T2", links=(Link("C1"),)),
    Span(46, 50, "Disease", id="T3"),
)
N_ACROSS = 4


def tie(*targets: str, label: str = "treats", is_concept: bool = False) -> Relation:
    return Relation(label, tuple(Argument("", each, is_concept) for each in targets))


def across(name: str) -> Document:
    """Return a document with a relation in its first sentence, and one into the second."""
    sentences = (Sentence(0, 33), Sentence(34, len(TEXT)))
    return Document(name, TEXT, SPANS, (tie("T2", "T1"), tie("T2", "T3")), sentences=sentences)


@cache
def corpus() -> Path:
    """Write splits of relations within sentences and of four across; each reached one is learned easily."""
    folder = tiny.workshop() / "missed"
    folder.mkdir()
    for seed, split in enumerate(("train", "devel", "test")):
        found = [*text_corpora.documents(text_corpora.Draw(seed), 12), *(across(f"a{at}") for at in range(N_ACROSS))]
        formats.get("jsonl").write(found, folder / f"{split}.jsonl", WriteOptions())
    return folder


@cache
def trained() -> Run:
    return text_corpora.train("relations", tiny.workshop() / "trained-missed", data=str(corpus()), epochs=1)


def test_the_text_of_a_missed_relation_is_the_words_of_its_arguments() -> None:
    unreached = Unreached("7", tie("C1", "D9", is_concept=True), NO_MENTION)

    found = missed_example(across("7"), unreached, "concept", name="7:C1-D9", place="a file")

    assert (found.id, found.first, found.gold, found.group, found.place) == (
        "7:C1-D9", "aspirin ... D9", "treats", "7", "a file"
    )  # fmt: skip
    assert [found.first[start:end] for start, end in found.spans] == ["aspirin", "D9"]
    assert found.details == {"document": "7", "unit": "concept", "unreached": NO_MENTION}


@pytest.mark.parametrize(
    ("targets", "text"), [((), "treats"), (("T1",), "ataxia"), (("T1", "T2", "T3"), "ataxia ... ")]
)
def test_every_missed_relation_has_two_stretches(targets: tuple[str, ...], text: str) -> None:
    found = missed_example(across("7"), Unreached("7", tie(*targets), ""), "mention", name="7", place="")

    assert found.first.startswith(text)
    assert len(found.spans) == 2


def test_a_missed_relation_says_its_types_where_such_are_paired() -> None:
    def types(types: tuple[str, str]) -> list[str | None]:
        unreached = unreached_relations([across("7")], unit="mention", types=[types], level="sentence")
        missed = [missed_example(across("7"), each, "mention", name="7", place="") for each in unreached]
        return [each.details.get("types") for each in missed]

    assert types(("Disease", "Chemical")) == ["Disease-Chemical"]  # of the pair, not of the relation
    assert types(("Disease", "Disease")) == [None, None]


def test_missed_relations_are_told_from_what_a_model_is_asked() -> None:
    pair, missed = TextExample("1", "a"), TextExample("2", "b", details={"unreached": SENTENCES})

    assert candidates_in([pair, missed]) == [pair]
    assert (is_unreached(pair), is_unreached(missed)) == (False, True)


def test_a_missed_relation_is_predicted_as_none_whatever_a_network_says() -> None:
    example = missed_example(across("7"), Unreached("7", tie("T2", "T3"), SENTENCES), "mention", name="7", place="")

    (found,) = TASK.decide([example], [{"treats": 1.0, "none": 0.0}], Decision(CLASSIFICATION, {}), SETTINGS)
    (named,) = TASK.decide(
        [example], [{"treats": 1.0}], Decision(CLASSIFICATION, {}), RelationSettings(negative="nothing")
    )

    assert (found.gold, found.predicted, found.score) == ("treats", "none", None)
    assert named.predicted == "nothing"


def test_a_missed_relation_of_a_label_that_is_not_known_does_not_decide_whether_there_is_f1() -> None:
    missed = Prediction("2", "a", "other", "none", details={"unreached": SENTENCES})

    found = TASK.metrics([Prediction("1", "a", "treats", "treats"), missed], SETTINGS)

    assert found[0].name == "f1"
    assert plain_value(found[0]) == pytest.approx(2 / 3)  # 1 correct, 1 predicted, 2 gold


def test_every_split_holds_its_missed_relations_behind_its_pairs() -> None:
    for examples in TASK.read(corpus(), SETTINGS).values():
        pairs, missed = examples[:-N_ACROSS], examples[-N_ACROSS:]
        assert not any(map(is_unreached, pairs))
        assert all(map(is_unreached, missed))
        assert {example.id for example in missed} == {f"a{at}:T2-T3" for at in range(N_ACROSS)}
        assert len({example.id for example in examples}) == len(examples)


@pytest.mark.parametrize("given", [{}, {"train_on": "train_dev"}])
def test_missed_relations_are_not_learned(given: dict[str, str]) -> None:
    source = text_corpora.plan("relations", data=str(corpus()), **given).source

    assert not any(map(is_unreached, source.training))
    assert sum(map(is_unreached, source.scored["test"])) == N_ACROSS


def test_a_devel_that_is_taken_from_training_holds_the_missed_relations_of_its_documents(tmp_path: Path) -> None:
    (tmp_path / "train.jsonl").write_bytes((corpus() / "train.jsonl").read_bytes())

    text = {"devel_share": 0.5, "negatives": 0.5}
    source = text_corpora.plan("relations", data=str(tmp_path), text=text, sample_seed=1).source

    held_out = {example.group for example in source.scored["devel"]}
    missed = {example.group for example in source.scored["devel"] if is_unreached(example)}
    assert missed == {name for name in held_out if name.startswith("a")}
    assert 0 < len(missed) < N_ACROSS
    gold = [example.gold for example in source.training]
    assert gold.count("none") == round(0.5 * gold.count("treats"))  # of devel nothing was drawn
    assert len(candidates_in(source.scored["devel"])) == len(held_out)


def test_scores_saved_predictions_and_mistakes_agree_that_they_are_missed() -> None:
    run = trained()
    saved = read_text_predictions(run.folder / "predictions-test.jsonl")

    # of 12 documents half are treated; each of the four others has a relation that is reached, and one that is not
    assert run.metrics["labels"]["treats"]["gold"] == 6 + 2 * N_ACROSS
    assert run.metrics["examples"] == len(saved) == 12 + 2 * N_ACROSS
    assert run.metrics["labels"] == per_label(
        [str(each.gold) for each in saved], [str(each.predicted) for each in saved]
    )
    for metric in TASK.metrics(saved, SETTINGS):  # as `linnet compare` has it: with the settings of the recipe
        assert run.metrics["scores"][metric.name]["value"] == pytest.approx(plain_value(metric))
    missed = {each.id for each in saved if is_unreached(each)}
    assert len(missed) == N_ACROSS
    with (run.folder / "mistakes.tsv").open(encoding="utf-8", newline="") as file:
        assert missed <= {row["id"] for row in csv.DictReader(file, delimiter="\t")}
    assert any("arguments in no sentence together" in warning for warning in run.metrics["warnings"])


def test_evaluation_counts_them_too(tmp_path: Path) -> None:
    """A file of five relations of which four are across sentences: at best one of five is found."""
    found = [across(f"a{at}") for at in range(N_ACROSS)]
    only_across = [
        Document(each.id, each.text, each.spans, each.relations[1:], sentences=each.sentences) for each in found
    ]
    formats.get("jsonl").write([found[0], *only_across[1:]], tmp_path / "test.jsonl", WriteOptions())

    evaluation = evaluate_texts(trained().folder, tmp_path / "test.jsonl")

    assert evaluation.labels["treats"]["gold"] == 1 + N_ACROSS
    assert evaluation.figures["micro_recall"]["value"] <= 1 / (1 + N_ACROSS)


def test_a_label_that_only_missed_relations_have_is_counted_in_evaluation(tmp_path: Path) -> None:
    other = Document("1", TEXT, SPANS, (tie("T2", "T1"), tie("T1", "T2", "T3", label="bind")))
    formats.get("jsonl").write([other], tmp_path / "test.jsonl", WriteOptions())

    evaluation = evaluate_texts(trained().folder, tmp_path / "test.jsonl")

    assert evaluation.labels["bind"] == {
        "precision": 0.0, "recall": 0.0, "f1": 0.0, "gold": 1, "predicted": 0, "correct": 0
    }  # fmt: skip
