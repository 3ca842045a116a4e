"""The card of a model about texts is valid for the hub and tells what a user must know."""

from pathlib import Path

import pytest
from huggingface_hub import ModelCard, ModelCardData

from linnet.tasks.texts.kinds import MULTI_LABEL
from linnet.tasks.texts.reports.card import write_text_card
from linnet.tasks.texts.reports.facts import TextFacts
from tests.tasks.texts.reports.text_examples import answer_facts, number_facts, text_facts


def card(path: Path, facts: TextFacts) -> str:
    write_text_card(path, facts)
    return path.read_text(encoding="utf-8")


def read_by_the_hub(text: str) -> ModelCardData:
    found = ModelCard(text).data
    assert isinstance(found, ModelCardData)
    return found


def test_the_hub_reads_the_header_and_the_main_score(tmp_path: Path) -> None:
    found = read_by_the_hub(card(tmp_path / "README.md", text_facts()))

    assert (found.library_name, found.pipeline_tag) == ("transformers", "text-classification")
    assert found.base_model == "dmis-lab/biobert-v1.1"
    assert found.tags == ["linnet", "relations"]
    assert found.metrics == ["f1"]
    assert found.eval_results is not None
    result = found.eval_results[0]
    assert (result.metric_type, result.metric_name, result.metric_value) == ("f1", "F1", 0.5)
    assert (result.dataset_name, result.dataset_split) == ("GAD", "test")


@pytest.mark.parametrize(
    ("facts", "pipeline", "metric"),
    [
        (text_facts(metric="document_micro_f1"), "text-classification", "f1"),
        (text_facts(metric="accuracy"), "text-classification", "accuracy"),
        (number_facts(), "sentence-similarity", "pearsonr"),
        (number_facts(task="mention-count", needs_pairs=False), "text-classification", "pearsonr"),
        (answer_facts(), "question-answering", "mrr"),
    ],
)
def test_each_kind_has_its_pipeline_and_metric(tmp_path: Path, facts: TextFacts, pipeline: str, metric: str) -> None:
    found = read_by_the_hub(card(tmp_path / "README.md", facts))

    assert (found.pipeline_tag, found.metrics) == (pipeline, [metric])


def test_the_card_says_how_to_use_the_model_with_and_without_linnet(tmp_path: Path) -> None:
    text = card(tmp_path / "README.md", text_facts())

    assert "linnet predict texts.tsv --model gad --output predictions.jsonl" in text
    assert 'pipeline("text-classification", model="gad")\nprint(classifier(text))' in text


@pytest.mark.parametrize(
    ("facts", "expected"),
    [
        (text_facts(needs_pairs=True), 'print(classifier({"text": first, "text_pair": second}))'),
        (text_facts(kind=MULTI_LABEL, task="classification"), 'model="gad", top_k=None)'),
        (number_facts(), 'model="biosses", function_to_apply="none")'),
        (answer_facts(), 'AutoModelForQuestionAnswering.from_pretrained("bioasq")'),
        (answer_facts(pooling="mean"), "AutoModelForQuestionAnswering"),
    ],
)
def test_transformers_alone_is_told_what_the_kind_needs(tmp_path: Path, facts: TextFacts, expected: str) -> None:
    assert expected in card(tmp_path / "README.md", facts)


@pytest.mark.parametrize(
    ("facts", "why"),
    [
        (text_facts(pooling="markers"), "the markers of its two mentions, for which transformers has no class"),
        (text_facts(pooling="mean"), "the mean of its tokens, for which"),
        (number_facts(method="bi"), "compares them by their cosine"),
    ],
)
def test_what_no_ordinary_class_holds_opens_with_linnet_only(tmp_path: Path, facts: TextFacts, why: str) -> None:
    text = card(tmp_path / "README.md", facts)

    assert why in text
    assert "so this model opens with Linnet only." in text
    assert "library_name: linnet" in text
    assert "from transformers" not in text


def test_the_card_holds_data_training_scores_and_how_to_repeat_it(tmp_path: Path) -> None:
    text = card(tmp_path / "README.md", text_facts())

    assert "| split | examples | documents | fingerprint |" in text
    assert "| train | 4,261 | 3,001 | `ab12` |" in text
    assert "| test | 534 |  | `cd34` |" in text
    assert "4 epochs, of which epoch 2 was kept; loss `cross-entropy`, weighting scheme `welt`, seed 3." in text
    assert "| yes | 0.5 |" in text
    assert "### test\n\n| score | value |" in text
    assert "| yes | 50.00 | 25.00 | 50.00 | 4 | 2 | 1 |" in text
    assert "so its scores are optimistic" in text
    assert "```bash\nlinnet train gad/recipe.toml\n```" in text
    assert "none has been chosen" in text


def test_a_model_that_was_not_trained_or_scored_says_so(tmp_path: Path) -> None:
    text = card(tmp_path / "README.md", number_facts(epochs=0, best_epoch=None, figures_by_split={}))

    assert "not trained any further" in text
    assert "The model was not scored" in text
    assert "model-index" not in text


@pytest.mark.parametrize(
    ("facts", "limit"),
    [
        (text_facts(), "It always chooses one of its labels"),
        (text_facts(kind=MULTI_LABEL), "The thresholds were tuned on the devel split"),
        (number_facts(), "on the scale of GAD"),
        (answer_facts(), "An answer is one stretch of text."),
    ],
)
def test_the_limits_of_each_kind_are_named(tmp_path: Path, facts: TextFacts, limit: str) -> None:
    limits = card(tmp_path / "README.md", facts).split("## Limits")[1].split("## How to repeat it")[0]

    assert limit in limits
    assert "windows of 128 sub-words" in limits
    assert "Do not base clinical decisions on it." in limits
