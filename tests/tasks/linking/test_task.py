"""The task `linking`."""

from pathlib import Path

import pytest

import linnet
from linnet.contracts import has_network, tasks
from linnet.errors import BadSetting
from tests.tasks.linking.corpora import corpus_folder, linking_settings, tiny_vocabulary, trained_run


def test_linking_has_a_network_only_for_contrastive_training_and_cannot_be_exported(tmp_path: Path) -> None:
    task = tasks.get("linking")

    assert not has_network(task, linking_settings(tmp_path))
    assert has_network(task, linking_settings(tmp_path, meaning="minilm", contrastive=10))
    with pytest.raises(BadSetting, match="no network"):
        task.exportable(tmp_path, check=None, split="test", label=None, repair=False)


def test_contrastive_training_needs_an_encoder(tmp_path: Path) -> None:
    (problem,) = tasks.get("linking").problems(linking_settings(tmp_path, contrastive=10))

    assert "no encoder is named" in str(problem)


def test_a_vocabulary_is_evaluated_as_a_linker_without_training() -> None:
    found = linnet.evaluate(tiny_vocabulary().folder, corpus_folder())

    assert found.as_dict()["task"] == "linking"
    assert found.main_score < linnet.evaluate(trained_run().folder, corpus_folder()).main_score


def test_linking_is_trained_from_python(tmp_path: Path) -> None:
    run = linnet.train(
        task="linking",
        data=str(corpus_folder()),
        vocabulary=str(tiny_vocabulary().folder),
        output=str(tmp_path / "run"),
    )

    assert run.metrics["task"] == "linking"


def test_options_that_linking_does_not_know_are_refused() -> None:  # found by the campaign: a traceback
    with pytest.raises(BadSetting, match="'linking' does not know --decoding, --labels"):
        linnet.evaluate("demo", "demo", decoding="valid", labels="names.txt")
