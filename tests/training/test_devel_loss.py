"""The loss on devel is that of training, over exactly what is scored, and measuring it changes nothing."""

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

from linnet.labels.label_set import LabelSet
from linnet.losses.cost_sensitive import build_loss
from linnet.tasks.ner.devel_batches import batches_of_words
from linnet.tasks.ner.plan import TaggingPlan
from linnet.tasks.ner.prepared import prepare
from linnet.tasks.texts.plan import collate
from linnet.training.devel_loss import loss_of_batches
from linnet.training.history import Measured
from linnet.training.job import SilentWatcher, to_tensors
from linnet.training.network import CorpusLoss, NetworkWithLosses
from tests import text_corpora, tiny

TAGS = LabelSet(("O", "B-X"))


def epochs_of(folder: Path) -> list[dict[str, Any]]:
    rows = [json.loads(line) for line in (folder / "history.jsonl").read_text(encoding="utf-8").splitlines()]
    return [row for row in rows if "epoch" in row]


def plain_loss(model: NetworkWithLosses, batch: dict[str, Any]) -> float:
    """Return what the network in use costs on a batch, computed as training does, but without dropout."""
    model.eval()
    with torch.no_grad():
        return float(model(**batch, share=1 / model.mass(batch["labels"])))


def measured_by(plan: Any, folder: Path) -> tuple[NetworkWithLosses, Measured]:
    torch.manual_seed(1)
    model: NetworkWithLosses = plan.build()
    job = next(iter(plan.jobs(model, folder, SilentWatcher())))
    return model, job.evaluate()


@pytest.mark.parametrize(
    "loss", [{"scheme": "welt"}, {"name": "focal", "scheme": "isns"}, {"name": "dice"}, {"name": "crf"}]
)
def test_words_cost_what_the_same_words_would_cost_in_training(tmp_path: Path, loss: dict[str, Any]) -> None:
    found = prepare(tiny.settings(tmp_path, loss=loss))
    course = found.corpora[0]
    prepared = replace(found, scored={"devel": course.training})  # so that devel is there as windows with labels

    model, measured = measured_by(TaggingPlan(prepared), tmp_path)

    batch = to_tensors(course.examples, prepared.word_encoder.pad_id)
    assert measured.loss == pytest.approx(plain_loss(model, batch), rel=1e-4)


@pytest.mark.parametrize("kind", text_corpora.KINDS)
def test_texts_cost_what_the_same_texts_would_cost_in_training(tmp_path: Path, kind: str) -> None:
    found = text_corpora.plan(kind)
    plan = replace(found, source=replace(found.source, scored={"devel": found.source.training}))

    model, measured = measured_by(plan, tmp_path)

    batch = collate(plan.examples, plan.text_encoder.pad_id)
    assert measured.loss == pytest.approx(plain_loss(model, batch), rel=1e-4)


@pytest.mark.parametrize("text", [{"method": "bi"}, {"windows": "max"}])
def test_texts_of_several_windows_are_joined_as_in_training(tmp_path: Path, text: dict[str, str]) -> None:
    found = text_corpora.plan("similarity", text=text, window={"max_length": 8, "overlap": 2})
    plan = replace(found, source=replace(found.source, scored={"devel": found.source.training}))
    assert any(len(each.read.windows) > 2 for each in plan.examples)

    model, measured = measured_by(plan, tmp_path)

    batch = collate(plan.examples, plan.text_encoder.pad_id)
    assert measured.loss == pytest.approx(plain_loss(model, batch), rel=1e-4)


def test_weights_of_classes_count_and_padding_does_not() -> None:
    weights = {"O": 0.25, "B-X": 1.0}
    model = NetworkWithLosses(
        torch.nn.Linear(1, 1), {"one": CorpusLoss("", build_loss("cross-entropy", TAGS, weights))}
    )
    rows = [np.zeros((3, 2), np.float32), np.array([[0, np.log(3)]], np.float32), np.zeros((0, 2), np.float32)]

    loss = loss_of_batches(model, batches_of_words(rows, [["O", "O", "B-X"], ["B-X"], []], TAGS))

    # by hand: -log 1/2 for words that weigh 0.25, 0.25 and 1, and -log 3/4 for one that weighs 1, over all 2.5
    assert loss == pytest.approx((1.5 * np.log(2) + np.log(4 / 3)) / 2.5)


def test_the_size_of_batches_does_not_change_the_loss(monkeypatch: pytest.MonkeyPatch) -> None:
    model = NetworkWithLosses(
        torch.nn.Linear(1, 1), {"one": CorpusLoss("", build_loss("focal", TAGS, {"O": 0.1, "B-X": 1}))}
    )
    draw = np.random.default_rng(0)
    rows = [draw.normal(size=(n, 2)).astype(np.float32) for n in (4, 1, 7, 2)]
    tags = [list(draw.choice(TAGS.names, len(row))) for row in rows]

    whole = loss_of_batches(model, batches_of_words(rows, tags, TAGS))
    monkeypatch.setattr("linnet.tasks.ner.devel_batches.SENTENCES", 1)
    single = loss_of_batches(model, batches_of_words(rows, tags, TAGS))

    assert whole == pytest.approx(single)


def test_where_nothing_counts_there_is_no_loss() -> None:
    model = NetworkWithLosses(torch.nn.Linear(1, 1), {"one": CorpusLoss("", build_loss("dice", TAGS))})

    assert loss_of_batches(model, []) is None


def test_each_epoch_of_a_run_has_its_devel_loss(tmp_path: Path) -> None:
    run = tiny.train(tmp_path / "run", epochs=3)

    losses = [row["devel_loss"] for row in epochs_of(run.folder)]
    assert len(losses) == 3
    assert losses[-1] < losses[0]


def test_each_epoch_of_a_run_about_texts_has_its_devel_loss(tmp_path: Path) -> None:
    run = text_corpora.train("classification", tmp_path / "run", epochs=2)

    assert all(row["devel_loss"] > 0 for row in epochs_of(run.folder))


def test_where_devel_is_learned_from_there_is_no_devel_loss(tmp_path: Path) -> None:
    run = tiny.train(tmp_path / "run", epochs=1, train_on="train_dev")

    assert "devel_loss" not in epochs_of(run.folder)[0]


@pytest.mark.parametrize("kind", ["ner", "classification"])
def test_measuring_the_loss_changes_no_bit_of_the_weights(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, kind: str
) -> None:
    def trained(name: str) -> bytes:
        output = tmp_path / name
        run = tiny.train(output) if kind == "ner" else text_corpora.train(kind, output, epochs=2)
        return (run.folder / "model.safetensors").read_bytes()

    measured = trained("measured")
    for module in ("ner", "texts"):
        monkeypatch.setattr(f"linnet.tasks.{module}.plan.loss_of_batches", lambda *_: None)

    assert trained("unmeasured") == measured
