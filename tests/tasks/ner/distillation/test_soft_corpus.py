"""Distillation in a training: the student learns from its teacher what no corpus of its own annotates."""

from pathlib import Path
from typing import Any

import pytest

from linnet.errors import BadFile, BadSetting
from linnet.losses.cost_sensitive import IGNORED
from linnet.settings.training import SamplingSettings
from linnet.tasks.ner.distillation.soft_corpus import NAME, SoftCorpus
from linnet.tasks.ner.evaluation import evaluate
from linnet.tasks.ner.prepared import PreparedTraining, prepare
from tests import tiny
from tests.tasks.ner import several
from tests.tasks.ner.distillation import taught

pytestmark = pytest.mark.long


@pytest.fixture(autouse=True)
def _cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LINNET_CACHE", str(tmp_path / "cache"))


def prepared(**given: Any) -> tuple[PreparedTraining, SoftCorpus]:
    given = {"data": str(several.diseases()), **given}
    found = prepare(tiny.settings(Path("unused"), **given))
    assert found.soft is not None
    return found, found.soft


def test_each_word_of_the_texts_has_its_number_as_target() -> None:
    _, soft = prepared(distill=taught.distilling())

    numbers = [label for example in soft.examples for label in example.labels if label != IGNORED]

    assert numbers == list(range(soft.texts.n_words))
    assert {example.corpus for example in soft.examples} == {NAME}


def test_sentences_that_the_target_is_scored_on_are_left_out() -> None:
    texts = [str(several.diseases() / "test.tsv"), str(taught.texts())]

    _, soft = prepared(distill=taught.distilling(texts=texts, format=None))

    scored = {tuple(word for word, _ in row) for row in tiny.sentences(8, 2)}
    learned = {soft.texts.sentences[example.window.sentence] for example in soft.examples}
    assert soft.n_scored > 0
    assert not learned & scored
    with pytest.raises(BadFile, match="all sentences are those of devel or test"):
        prepared(distill=taught.distilling(texts=texts[:1], format=None))


def test_labels_that_only_teachers_know_are_added_to_the_students() -> None:
    alone, _ = prepared(distill=taught.distilling())
    both, _ = prepared(distill=taught.distilling(labels=["Chemical"]))

    assert alone.label_set.labels == ["Disease"]
    assert both.label_set.labels == ["Chemical", "Disease"]
    assert both.target.unannotated == ("B-Chemical", "I-Chemical")


def test_soft_targets_have_their_share_of_the_batches() -> None:
    _, soft = prepared(distill=taught.distilling(share=0.75))

    assert soft.turns(SamplingSettings())([10, 20, 4]) == [10, 20, 90]
    assert soft.turns(SamplingSettings(rule="round-robin"))([10, 20, 4]) == [10, 10, 60]


@pytest.mark.parametrize(
    ("given", "problem"),
    [
        ({"labels": ["Gene"]}, "distill.labels has Gene, which no teacher marks"),
        ({"map": {"Disease": "Gene", "Chemical": "Species"}}, "there is nothing to teach"),
    ],
)
def test_what_cannot_be_taught_is_refused_before_anything_is_computed(
    given: dict[str, Any], problem: str, tmp_path: Path
) -> None:
    with pytest.raises(BadSetting) as error:
        prepared(distill=taught.distilling(**given))

    assert problem in error.value.problem
    assert not (tmp_path / "cache").exists()


def test_a_crf_cannot_be_taught(tmp_path: Path) -> None:
    problem = "a CRF scores rows of tags"

    with pytest.raises(BadSetting) as error:
        prepared(distill=taught.distilling(), loss={"name": "crf"})

    assert problem in error.value.problem
    assert not (tmp_path / "cache").exists()


def test_a_student_with_another_tokenizer_learns_a_type_that_only_its_teacher_knows(tmp_path: Path) -> None:
    distill = taught.distilling(labels=["Chemical"], share=0.7)
    options: dict[str, Any] = {
        "data": str(several.diseases()),
        "encoder": str(tiny.encoder("deberta-v2")),
        "epochs": 10,
        "learning_rate": 0.02,
        "train_on": "train_dev",  # on devel only diseases could choose an epoch
    }

    run = tiny.train(tmp_path / "student", distill=distill, **options)

    scores = evaluate(run.folder, tiny.corpus(), split="test").as_dict()["strict"]["labels"]
    assert scores["Chemical"]["f1"] > 0.8  # no corpus of the student annotates a single chemical
    assert scores["Disease"]["f1"] > 0.8
    assert run.metrics["distillation"]["teachers"][str(taught.teacher())]["labels"] == ["Chemical", "Disease"]
    assert "soft targets" in (run.folder / "README.md").read_text(encoding="utf-8")


def test_soft_targets_make_up_for_few_gold_ones(tmp_path: Path) -> None:
    options: dict[str, Any] = {
        "data": str(several.diseases()),
        "train_sentences": 3,
        "epochs": 10,
        "learning_rate": 0.01,
    }

    alone = tiny.train(tmp_path / "alone", **options)
    taught_one = tiny.train(tmp_path / "taught", distill=taught.distilling(share=0.9), **options)

    gain = taught_one.metrics["strict"]["micro"]["f1"] - alone.metrics["strict"]["micro"]["f1"]
    assert gain > 0.2
