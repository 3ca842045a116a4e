"""A linker with an encoder of its own, which contrastive training has made."""

import json
from pathlib import Path

import pytest

import linnet
from linnet.errors import BadFile
from linnet.tasks.linking.training.ranker import read_ranker
from linnet.training.run_folder import Run
from tests import tiny
from tests.tasks.linking.corpora import corpus_folder, train_linking


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Run:
    folder = tmp_path_factory.mktemp("contrastive") / "run"
    optimiser = {"epochs": 2, "batch_size": 4, "learning_rate": 1e-3, "precision": "float32"}
    return train_linking(folder, meaning=str(tiny.encoder()), contrastive=8, optimiser=optimiser)


def test_the_run_has_its_encoder_and_says_how_it_was_trained(run: Run) -> None:
    ranker = read_ranker(run.folder)
    report = (run.folder / "report.md").read_text(encoding="utf-8")

    assert ranker.meaning is not None
    assert ranker.meaning.origin["encoder"] == "./encoder"
    assert (run.folder / "encoder" / "model.safetensors").is_file()
    assert (run.folder / "training.png").is_file()
    assert not (run.folder / "checkpoints").exists()
    assert set(run.metrics["meaning"]) == {"before", "after"}
    assert run.metrics["best_epoch"] in (1, 2)
    assert "contrastive training" in report
    history = [json.loads(line) for line in (run.folder / "history.jsonl").read_text().splitlines()]
    assert sum("devel_score" in row for row in history) == 2
    assert sum("devel_recall" in row for row in history) == 4


def test_a_moved_run_links_as_before(run: Run, tmp_path: Path) -> None:
    before = linnet.evaluate(run.folder, corpus_folder()).as_dict()

    moved = run.folder.rename(tmp_path / "moved")
    after = linnet.evaluate(moved, corpus_folder()).as_dict()
    moved.rename(run.folder)

    assert after["gold"] == before["gold"]


def test_another_encoder_in_its_place_is_refused(run: Run, tmp_path: Path) -> None:
    import shutil

    copied = Path(shutil.copytree(run.folder, tmp_path / "copied"))
    shutil.copy(tiny.encoder() / "model.safetensors", copied / "encoder" / "model.safetensors")

    with pytest.raises(BadFile, match="other weights"):
        linnet.evaluate(copied, corpus_folder())
