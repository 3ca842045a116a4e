"""The model card is valid for the hub and tells what a user must know."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from huggingface_hub import ModelCard, ModelCardData

from linnet.tasks.ner.reports.card import CardFacts, write_card


def block(f1: float) -> dict[str, Any]:
    counts = {"gold": 960, "predicted": 957, "correct": 805.0, "f1_low": f1 - 0.02, "f1_high": f1 + 0.02}
    return {"precision": 0.81, "recall": 0.82, "f1": f1, **counts}


def scores(f1: float) -> dict[str, Any]:
    found = {"micro": block(f1), "macro": block(f1), "labels": {"Disease": block(f1)}}
    return {"strict": found, "partial": found, "sentences": 940, "mentions": 960}


FACTS = CardFacts(
    name='ncbi: "minilm"',
    encoder="dmis-lab/biobert-v1.1",
    labels=("Disease",),
    tagging="iob2",
    corpus="ncbi-disease",
    fingerprints={"train": "ab12", "test": "cd34"},
    counts_by_split={"train": {"sentences": 5424, "mentions": 5134}, "test": {"sentences": 940, "mentions": 960}},
    scheme="welt",
    loss="cross-entropy",
    weights={"O": 0.1724, "B-Disease": 0.4153},
    seed=3,
    epochs=6,
    best_epoch=5,
    settings={"learning_rate": 0.0005, "max_length": 256},
    scores_by_split={"devel": scores(0.79), "test": scores(0.805)},
    versions={"linnet": "0.1.0", "torch": "2.9.0"},
    command="linnet train ncbi/recipe.toml",
)


def card(path: Path, facts: CardFacts = FACTS) -> str:
    write_card(path, facts)
    return path.read_text(encoding="utf-8")


def read_by_the_hub(text: str) -> ModelCardData:
    found = ModelCard(text).data
    assert isinstance(found, ModelCardData)
    return found


def test_the_hub_reads_the_header(tmp_path: Path) -> None:
    found = read_by_the_hub(card(tmp_path / "README.md"))

    assert found.library_name == "transformers"
    assert found.pipeline_tag == "token-classification"
    assert found.language == ["en"]
    assert found.base_model == "dmis-lab/biobert-v1.1"
    assert found.metrics == ["f1", "precision", "recall"]
    assert found.model_name == 'ncbi: "minilm"'


def test_the_hub_reads_strict_f1_of_the_test_split(tmp_path: Path) -> None:
    results = read_by_the_hub(card(tmp_path / "README.md")).eval_results

    assert results is not None
    f1 = next(result for result in results if result.metric_type == "f1")
    assert (f1.metric_name, f1.metric_value) == ("Strict F1", 0.805)
    assert (f1.task_type, f1.dataset_name, f1.dataset_split) == ("token-classification", "ncbi-disease", "test")


def test_an_alias_or_a_folder_is_no_base_model_of_the_hub(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "encoders" / "mine").mkdir(parents=True)
    monkeypatch.chdir(tmp_path)

    assert "base_model" not in card(tmp_path / "a.md", replace(FACTS, encoder="minilm"))
    assert "base_model" not in card(tmp_path / "b.md", replace(FACTS, encoder="encoders/mine"))


@pytest.mark.parametrize(
    ("licence", "lines"),
    [
        (None, ""),
        ("Apache-2.0", "license: apache-2.0\n"),
        ("our own: terms", 'license: other\nlicense_name: "our own: terms"\n'),
    ],
)
def test_the_licence_is_given_only_where_there_is_one(tmp_path: Path, licence: str | None, lines: str) -> None:
    text = card(tmp_path / "README.md", replace(FACTS, licence=licence))

    header = text.split("---")[1]
    assert lines in header
    assert ("license" in header) is (licence is not None)
    assert ("none has been chosen" in text) is (licence is None)


def test_the_card_says_how_to_use_the_model_with_and_without_linnet(tmp_path: Path) -> None:
    text = card(tmp_path / "README.md", replace(FACTS, name="ncbi"))

    assert "linnet annotate texts.txt --model ncbi --output annotated.jsonl" in text
    assert 'linnet.load("ncbi")' in text
    assert 'pipeline("token-classification", model="ncbi", aggregation_strategy="first")' in text


def test_a_name_with_spaces_is_quoted_for_the_shell(tmp_path: Path) -> None:
    assert "--model 'it'\\''s mine' " in card(tmp_path / "README.md", replace(FACTS, name="it's mine"))


def test_a_crf_is_named_as_the_difference_to_the_plain_pipeline(tmp_path: Path) -> None:
    assert "what its CRF learned" in card(tmp_path / "README.md", replace(FACTS, loss="crf"))
    assert "CRF" not in card(tmp_path / "README.md")


def test_the_card_holds_data_settings_and_weights(tmp_path: Path) -> None:
    text = card(tmp_path / "README.md")

    assert "| train | 5,424 | 5,134 | `ab12` |" in text
    assert "6 epochs, of which epoch 5 was kept; loss `cross-entropy`, weighting scheme `welt`, seed 3." in text
    assert "| learning_rate | 0.0005 |" in text
    assert "| B-Disease | 0.4153 |" in text


def test_every_split_has_its_scores_with_the_matching_and_the_interval(tmp_path: Path) -> None:
    text = card(tmp_path / "README.md")

    assert "On the test split: **Strict F1 80.50** (95 % interval 78.50-82.50)" in text
    devel, test = text.split("### devel: 960 mentions in 940 sentences")[1].split("### test: 960 mentions")
    assert "| Disease | 81.00 | 82.00 | 79.00 | 77.00-81.00 | 960 | 957 | 805 |" in devel
    assert "| strict | 81.00 | 82.00 | 80.50 | 78.50-82.50 | 960 | 957 | 805 | label and both ends" in test
    assert "so its scores are optimistic" in text


def test_a_model_that_was_not_scored_says_so(tmp_path: Path) -> None:
    text = card(tmp_path / "README.md", replace(FACTS, scores_by_split={}, best_epoch=None))

    assert "The model was not scored" in text
    assert "model-index" not in text
    assert "was kept;" not in text


def test_the_limits_are_named(tmp_path: Path) -> None:
    limits = card(tmp_path / "README.md").split("## Limits")[1].split("## How to repeat it")[0]

    assert "It marks only what ncbi-disease annotates, as its annotators did: Disease." in limits
    assert "windows of 256 sub-words" in limits
    assert "the first sub-word of a word decides" in limits
    assert "Do not base clinical decisions on it." in limits


def test_the_card_says_how_to_repeat_the_run(tmp_path: Path) -> None:
    end = card(tmp_path / "README.md").split("## How to repeat it")[1]

    assert "```bash\nlinnet train ncbi/recipe.toml\n```" in end
    assert "Seed 3; versions: linnet 0.1.0, torch 2.9.0." in end


@pytest.mark.parametrize(
    ("confidence", "told"),
    [
        ({}, "are the network's own and are not calibrated."),
        ({"method": "none", "fitted_on": None, "reason": "no devel"}, "own and are not calibrated: no devel."),
        (
            {"method": "isotonic", "fitted_on": 1234},
            "mentions are calibrated by isotonic regression on 1,234 mentions of devel: read",
        ),
    ],
)
def test_the_limits_say_whether_scores_are_calibrated(tmp_path: Path, confidence: dict[str, Any], told: str) -> None:
    facts = replace(FACTS, confidence=confidence)

    assert told in card(tmp_path / "README.md", facts)
    assert "transformers alone gives" not in card(tmp_path / "README.md", replace(facts, head="two-layer"))


def test_the_data_say_of_what_they_are_a_sample(tmp_path: Path) -> None:
    facts = replace(FACTS, samples=["train: 250 of 375 sentences, sampled"], warnings=["few mentions"])

    data = card(tmp_path / "README.md", facts).split("## Data")[1].split("## Training")[0]

    assert "- train: 250 of 375 sentences, sampled\n- few mentions\n" in data
