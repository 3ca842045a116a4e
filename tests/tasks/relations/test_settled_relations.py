"""Relations: a model pairs and scores new documents as its training was, whatever was drawn from that."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from linnet.contracts import WriteOptions, formats
from linnet.documents.document import Argument, Document, Relation, Span
from linnet.documents.texts import Prediction
from linnet.tasks.texts.evaluation import evaluate_texts
from linnet.tasks.texts.reading.sources import read_text_source
from tests import text_corpora

SHARE = {"devel_share": 0.2}


def paired(name: str, *, is_tied: bool) -> Document:
    """Return a document that ties a chemical to a disease beside it, or to a gene of the next sentence."""
    text = "aspirin in ataxia. No gene is known." if is_tied else "aspirin in ataxia. TP53 is known."
    spans = [Span(0, 7, "Chemical", id="T1"), Span(11, 17, "Disease", id="T2")]
    gene = Span(19, 23, "Gene", id="T3")
    target = "T2" if is_tied else "T3"
    relation = Relation("treats", (Argument("Arg1", "T1"), Argument("Arg2", target)), "R1")
    return Document(name, text, (*spans, *([] if is_tied else [gene])), (relation,))


@pytest.mark.parametrize(
    "given",
    [{}, {"train_sentences": 3}, {"train_on": "train_dev"}, {"text": {"negatives": 0.5}}, {"epochs": 0}],
)
def test_new_documents_are_paired_as_training_was_whatever_is_drawn_from_it(
    tmp_path: Path, given: dict[str, Any]
) -> None:
    """Only a relation across sentences, which no pair stands for, says that chemicals and genes are paired."""
    training = [paired(f"d{at}", is_tied=at > 0) for at in range(9)] + [paired("n", is_tied=False)]
    formats.get("jsonl").write(training, tmp_path / "train.jsonl", WriteOptions())
    both = replace(paired("t", is_tied=False), text="aspirin in ataxia, TP53 is known.")
    formats.get("jsonl").write([both], tmp_path / "test.jsonl", WriteOptions())
    task = text_corpora.task("relations")
    settings = text_corpora.settings("relations", Path("unused"), data=str(tmp_path), **{"text": SHARE, **given})

    found = read_text_source(settings, task)

    again = task.read(tmp_path / "test.jsonl", found.settings)["test"]
    section: Any = found.settings
    assert (section.pairs, section.unit) == (("Chemical-Disease", "Chemical-Gene"), "mention")
    assert found.settings.labels == ("none", "treats")
    assert again == found.scored["test"]
    assert [each.id for each in again] == ["t:T1-T2", "t:T1-T3"]


def test_a_saved_model_is_evaluated_on_the_pairs_that_its_run_was(tmp_path: Path) -> None:
    data = text_corpora.write(tmp_path / "corpus", "relations")
    formats.get("jsonl").write(
        [*text_corpora.documents(text_corpora.Draw(0), 12), paired("across", is_tied=False)],
        data / "train.jsonl",
        WriteOptions(),
    )
    both = replace(paired("t", is_tied=False), text="aspirin in ataxia, TP53 is known.")
    formats.get("jsonl").write([both], data / "test.jsonl", WriteOptions())

    run = text_corpora.train("relations", tmp_path / "run", data=str(data))
    evaluation = evaluate_texts(run.folder, data)

    assert [each.id for each in evaluation.predictions] == ["t:T1-T2", "t:T1-T3"]
    assert evaluation.figures == run.metrics["scores"]


def test_the_epoch_is_chosen_by_the_score_of_the_labels_that_training_has(tmp_path: Path) -> None:
    for name, labels in {"train": "012", "devel": "01"}.items():
        text_corpora.write_table(tmp_path / f"{name}.tsv", [(f"@A$ {label} @B$", label) for label in labels])
    plan = text_corpora.plan("relations", data=str(tmp_path))
    devel = [Prediction(each.id, each.first, each.gold, "0") for each in plan.source.scored["devel"]]

    assert plan.chosen_metric(devel).name == "micro_f1"  # devel has one positive label, training two


def test_a_label_of_relations_that_no_pair_stands_for_need_not_be_known(tmp_path: Path) -> None:
    data = text_corpora.write(tmp_path, "relations")
    spans = (Span(0, 7, "Chemical", id="T1"), Span(8, 14, "Disease", id="T2"), Span(15, 19, "Species", id="T3"))
    relation = Relation("harms", (Argument("Arg1", "T1"), Argument("Arg2", "T3")), "R1")
    document = Document("1", "aspirin ataxia mice", spans, (relation,))
    formats.get("jsonl").write([document], data / "test.jsonl", WriteOptions())

    found = read_text_source(
        text_corpora.settings("relations", Path("unused"), data=str(data)), text_corpora.task("relations")
    )

    assert [each.gold for each in found.scored["test"]] == ["none", "harms"]
    assert found.labels == ("none", "treats")
