"""The run folder of a linker."""

import json
from pathlib import Path

from linnet.models.model_folder import read_facts
from tests.tasks.linking.corpora import train_linking, trained_run


def test_the_folder_holds_linker_scores_reports_and_card() -> None:
    folder = trained_run().folder

    assert {path.name for path in folder.iterdir()} >= {
        "README.md", "config.json", "history.jsonl", "linker.json", "linnet.json", "metrics.json", "mistakes.tsv",
        "predictions-devel.jsonl", "predictions-test.jsonl", "recipe.toml", "report.md",
    }  # fmt: skip
    assert read_facts(folder).task == "linking"
    assert trained_run().metrics["split"] == "test"
    assert trained_run().metrics["mistakes"].keys() >= {"homonym", "composite"}


def test_the_same_settings_give_the_same_bytes(tmp_path: Path) -> None:
    again = train_linking(tmp_path / "run")

    for name in ("linker.json", "predictions-test.jsonl", "mistakes.tsv"):
        assert (again.folder / name).read_bytes() == (trained_run().folder / name).read_bytes()


def test_training_on_devel_too_keeps_the_devel_scores_of_train(tmp_path: Path) -> None:
    both = train_linking(tmp_path / "run", train_on="train_dev", penalty=1.0)
    one = train_linking(tmp_path / "one", penalty=1.0)

    assert both.metrics["devel"] == one.metrics["devel"]
    learned = [json.loads((run.folder / "linker.json").read_text())["learned"]["texts"] for run in (one, both)]
    assert sum(map(len, learned[0].values())) <= sum(map(len, learned[1].values()))
    assert "train and devel" in (both.folder / "report.md").read_text(encoding="utf-8")
