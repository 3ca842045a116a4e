"""The trainer: each sentence once per epoch, updates that do not depend on how they are cut, the best epoch kept."""

import json
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import torch
from safetensors.torch import load_file
from transformers import Trainer

from linnet.errors import LinnetError
from linnet.losses.cost_sensitive import IGNORED
from linnet.tasks.ner.plan import TaggingPlan, build_model
from linnet.tasks.ner.prepared import prepare
from linnet.training import trainer
from linnet.training.history import EpochRow, History, Measured
from linnet.training.job import Job, LabelledWindow, SilentWatcher, batches_of, to_tensors
from linnet.training.trainer import fit
from tests import tiny
from tests.tasks.ner import several


class Recorder(SilentWatcher):
    """Keeps what it is told."""

    def __init__(self) -> None:
        self.began: list[tuple[int, int]] = []
        self.losses: list[float] = []
        self.rows: list[tuple[EpochRow, bool]] = []

    def begin(self, n_steps: int, first_step: int) -> None:
        self.began.append((n_steps, first_step))

    def step(self, step: int, loss: float, tokens_per_second: float) -> None:
        assert step == len(self.losses) + 1
        assert tokens_per_second > 0
        self.losses.append(loss)

    def epoch(self, row: EpochRow, *, is_best: bool) -> None:
        self.rows.append((row, is_best))


def job(folder: Path, *, scores: Sequence[float | None] | None = None, **given: Any) -> Job:
    """Return a small job; `scores` are the devel scores that its epochs will get."""
    prepared = prepare(tiny.settings(folder, **given))
    torch.manual_seed(1)
    model = build_model(prepared)
    given_scores = iter(scores or [None] * 99)
    pad_id = prepared.word_encoder.pad_id
    evaluate: Callable[[], Measured] = lambda: Measured(next(given_scores))  # noqa: E731
    return Job(
        model=model,
        corpora=[prepared.examples],
        pad_id=pad_id,
        folder=folder / "checkpoints",
        evaluate=evaluate,
        watcher=Recorder(),
        **tiny.trainer_options(prepared.settings),
    )


def weights(found: Job) -> dict[str, torch.Tensor]:
    return {name: tensor.clone() for name, tensor in found.model.state_dict().items()}


@pytest.fixture
def seen(monkeypatch: pytest.MonkeyPatch) -> list[list[int]]:
    """Which sentences the batches held, in the order of training."""
    batches: list[list[int]] = []

    def recording(examples: Sequence[LabelledWindow], pad_id: int) -> dict[str, torch.Tensor]:
        batches.append([example.window.sentence for example in examples])
        return to_tensors(examples, pad_id)

    monkeypatch.setattr(trainer, "to_tensors", recording)
    return batches


def test_every_sentence_is_seen_once_per_epoch_in_another_order(tmp_path: Path, seen: list[list[int]]) -> None:
    fit(job(tmp_path, epochs=3))

    epochs = [seen[:3], seen[3:6], seen[6:]]
    for epoch in epochs:
        assert sorted(sentence for batch in epoch for sentence in batch) == list(range(24))
    assert epochs[0] != epochs[1] != epochs[2] != epochs[0]


@pytest.mark.parametrize("scheme", ["none", "welt"])
def test_two_batches_of_eight_make_the_update_of_one_of_sixteen(tmp_path: Path, scheme: str) -> None:
    data = tiny.write_corpus(tmp_path / "corpus", train=16)
    common: dict[str, Any] = {"data": str(data), "encoder": str(tiny.still_encoder()), "scheme": scheme}
    whole, halves = (
        job(tmp_path, **common, batch_size=16),
        job(tmp_path, **common, optimiser={"batch_size": 8, "accumulation": 2, "epochs": 2, "learning_rate": 3e-3}),
    )
    before = weights(whole)

    fit(whole)
    fit_again = Job(**{**vars(halves), "folder": tmp_path / "halves"})
    fit(fit_again)

    for name, tensor in weights(whole).items():
        torch.testing.assert_close(weights(halves)[name], tensor, atol=1e-5, rtol=1e-4)
    head = "network.classifier.heads.0.weight"
    assert not torch.equal(before[head], weights(whole)[head])
    recorded, accumulated = whole.watcher, halves.watcher
    assert isinstance(recorded, Recorder)
    assert isinstance(accumulated, Recorder)
    assert accumulated.losses == pytest.approx(recorded.losses, rel=1e-4)


def test_an_accumulation_that_does_not_divide_the_epoch_loses_no_batch(tmp_path: Path, seen: list[list[int]]) -> None:
    found = job(tmp_path, optimiser={"batch_size": 8, "accumulation": 2, "epochs": 2})

    fit(found)

    assert [sum(map(len, seen[:3])), sum(map(len, seen[3:]))] == [24, 24]
    assert isinstance(found.watcher, Recorder)
    assert found.watcher.began == [(4, 0)]


def test_the_best_epochs_weights_are_kept(tmp_path: Path) -> None:
    found = job(tmp_path, scores=[0.1, 0.5, 0.5, 0.2], epochs=4)
    kept: list[dict[str, torch.Tensor]] = []
    scores = iter([0.1, 0.5, 0.5, 0.2])

    def evaluate() -> Measured:
        kept.append(weights(found))
        return Measured(next(scores))

    history = fit(Job(**{**vars(found), "evaluate": evaluate}))

    assert (history.best_epoch, history.best_score) == (2, 0.5)
    assert all(torch.equal(tensor, kept[1][name]) for name, tensor in weights(found).items())
    assert [row.score for row in history.epochs] == [0.1, 0.5, 0.5, 0.2]


def test_without_devel_scores_the_last_epoch_is_kept(tmp_path: Path) -> None:
    assert fit(job(tmp_path)).best_epoch == 2


def test_training_stops_when_patience_ends(tmp_path: Path) -> None:
    found = job(tmp_path, scores=[0.3, 0.2, 0.3, 0.9], selection={"patience": 2}, epochs=4)

    history = fit(found)

    assert [row.epoch for row in history.epochs] == [1, 2, 3]
    assert history.is_stopped
    assert history.best_epoch == 1


def test_a_loss_that_is_no_number_stops_with_step_and_cause(tmp_path: Path) -> None:
    with pytest.raises(LinnetError, match=r"the loss is not a number at update \d+") as stopped:
        fit(job(tmp_path, learning_rate=1e10, epochs=20))

    assert "the learning rate (1e+10) is likely too high: try 3.3e+09" in stopped.value.remedy
    assert "linnet find-lr" in stopped.value.remedy


def test_the_rate_rises_and_falls_linearly(tmp_path: Path) -> None:
    history = fit(
        job(tmp_path, optimiser={"batch_size": 6, "epochs": 2, "warmup": 0.25, "learning_rate": 1.0, "clip": 0.1})
    )

    rates = [1 / 3, 2 / 3, 1, 5 / 6, 4 / 6, 3 / 6, 2 / 6, 1 / 6]  # eight updates, two of them warm-up
    assert [row.learning_rate for row in history.steps] == pytest.approx(rates)


def test_no_epochs_change_nothing(tmp_path: Path) -> None:
    found = job(tmp_path, epochs=0)
    before = weights(found)

    history = fit(found)

    assert history == History()
    assert all(torch.equal(tensor, before[name]) for name, tensor in weights(found).items())
    assert not (tmp_path / "checkpoints").exists()


def test_frozen_layers_stay_to_the_last_bit(tmp_path: Path) -> None:
    found = job(tmp_path, optimiser={"freeze_layers": 1, "epochs": 1, "batch_size": 8})
    before = weights(found)

    fit(found)

    after = weights(found)
    changed = {name for name in before if not torch.equal(before[name], after[name])}
    assert "network.bert.encoder.layer.1.output.dense.weight" in changed
    assert not any("embeddings" in name or "layer.0." in name for name in changed)


def test_dropout_depends_on_seed_and_step_alone(tmp_path: Path) -> None:
    first, second, other = (job(tmp_path / name, epochs=1) for name in "abc")

    fit(first)
    torch.manual_seed(99)  # whatever happened before
    torch.rand(7)
    fit(second)
    fit(Job(**{**vars(other), "seed": 2}))

    assert all(torch.equal(tensor, weights(second)[name]) for name, tensor in weights(first).items())
    assert any(not torch.equal(tensor, weights(other)[name]) for name, tensor in weights(first).items())


def test_checkpoints_come_within_an_epoch_and_hold_what_the_trainer_had(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    found = job(tmp_path, epochs=1, checkpoint_minutes=1e-9)
    steps: list[tuple[list[str], bool]] = []

    def look(step: int, loss: float, rate: float) -> None:
        names = sorted(path.name for path in found.folder.glob("step-*"))
        if names:
            saved = load_file(found.folder / names[0] / "network.safetensors")
            steps.append((names, all(saved[name].shape == tensor.shape for name, tensor in weights(found).items())))

    monkeypatch.setattr(found.watcher, "step", look)
    fit(found)

    assert steps == [(["step-1"], True), (["step-2"], True)]
    assert sorted(path.name for path in found.folder.iterdir()) == ["best.safetensors", "step-3"]


def test_in_an_update_of_two_corpora_each_counts_by_its_words_and_its_weight(tmp_path: Path) -> None:
    optimiser = {"batch_size": 8, "accumulation": 2, "epochs": 1, "learning_rate": 3e-3}
    corpora = several.members(weight=3.0, loss={"weights": {"O": 0.001, "B-Chemical": 0.01, "I-Chemical": 0.01}})
    given = several.joint(corpora=corpora, sampling={"rule": "round-robin"}, optimiser=optimiser)
    prepared = prepare(tiny.settings(tmp_path, encoder=str(tiny.still_encoder()), **given))
    model = build_model(prepared).train()
    courses = [course.examples for course in prepared.corpora]
    pad_id, recorder = prepared.word_encoder.pad_id, Recorder()
    both = Job(
        model=model,
        corpora=courses,
        pad_id=pad_id,
        folder=tmp_path / "checkpoints",
        evaluate=Measured,
        watcher=recorder,
        **tiny.trainer_options(prepared.settings),
    )
    first, second = list(batches_of(both))[:2]
    rows = [example for course in courses for example in course]
    batches = [to_tensors([rows[index] for index in batch], pad_id) for batch in (first, second)]
    means = [model(**batch, share=1 / model.mass(batch["labels"], batch["corpus"])).item() for batch in batches]
    n_words = [int((batch["labels"] != IGNORED).sum()) for batch in batches]

    fit(both)

    assert [batch["corpus"] for batch in batches] == ["diseases", "chemicals"]
    expected = sum(mean * n for mean, n in zip(means, n_words, strict=True)) / sum(n_words)  # the means hold the weight
    assert recorder.losses[0] == pytest.approx(expected, rel=1e-5)


def test_what_a_tracker_wrote_in_each_stage_is_there_when_the_run_has_ended(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def track(self: Any, found: dict[str, float], *_: object) -> None:
        with (Path(self.args.output_dir) / "tracked").open("a", encoding="utf-8") as file:
            file.write(f"{sorted(found)}\n")

    monkeypatch.setattr(trainer._Trainer, "log", track)
    stages = [{"corpora": names, "epochs": 1} for names in (["diseases", "chemicals"], ["diseases"])]

    run = tiny.train(tmp_path / "run", **several.joint(stages=stages))

    lines = (run.folder / "tracked").read_text(encoding="utf-8").splitlines()
    assert [line for line in lines if "devel_f1" in line] == ["['devel_f1', 'devel_loss', 'train_loss']"] * 2


def test_trackers_see_one_axis_of_steps_over_all_stages(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[tuple[int, float]] = []
    monkeypatch.setattr(Trainer, "log", lambda self, *_: seen.append((self.state.global_step, self.state.epoch)))
    stages = [{"corpora": names, "epochs": 1} for names in (["diseases", "chemicals"], ["diseases"])]

    run = tiny.train(tmp_path / "run", **several.joint(stages=stages))

    rows = [json.loads(line) for line in (run.folder / "history.jsonl").read_text(encoding="utf-8").splitlines()]
    ends = [(row["step"], float(row["epoch"])) for row in rows if "epoch" in row]
    assert list(dict.fromkeys(seen)) == ends


class Named(SilentWatcher):
    """Keeps the names of what is trained."""

    def __init__(self) -> None:
        self.names: list[str] = []

    def rename(self, name: str) -> None:
        self.names.append(name)


@pytest.mark.parametrize(
    ("given", "names"),
    [
        (several.joint_then_target(), ["stage 1 of 2", "stage 2 of 2"]),
        (several.joint(stages=[{"corpora": ["diseases", "chemicals"]}]), []),
        (several.joint(), []),
    ],
)
def test_a_stage_has_a_name_where_there_are_several(tmp_path: Path, given: dict[str, Any], names: list[str]) -> None:
    plan, watcher = TaggingPlan(prepare(tiny.settings(tmp_path, **given))), Named()

    jobs = list(plan.jobs(plan.build(), tmp_path / "checkpoints", watcher))

    assert watcher.names == names
    assert len(jobs) == max(1, len(names))


def test_the_number_format_is_chosen_once_and_kept_by_a_resumed_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(trainer, "choose_precision", lambda wanted, network: "bfloat16")
    begun = fit(job(tmp_path, epochs=1, scores=[0.1]))
    assert begun.precision == "bfloat16"

    monkeypatch.setattr(trainer, "choose_precision", lambda wanted, network: "float32")  # another machine
    resumed = fit(Job(**{**vars(job(tmp_path, epochs=2, scores=[0.2])), "watcher": SilentWatcher()}))

    assert (len(resumed.epochs), resumed.precision) == (2, "bfloat16")
    later = fit(job(tmp_path / "later", epochs=1, scores=[0.1]), before=resumed)
    assert later.precision == "bfloat16"


@pytest.mark.parametrize(("chosen", "attention"), [("bfloat16", "eager"), ("float32", "sdpa")])
def test_a_network_that_learns_in_bfloat16_on_a_cpu_has_plain_attention_and_is_measured_in_it(
    chosen: str, attention: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(trainer, "choose_precision", lambda wanted, network: chosen)
    given = job(tmp_path, epochs=1, scores=[0.1])
    is_mixed: list[bool] = []

    def evaluate() -> Measured:
        is_mixed.append(torch.is_autocast_enabled("cpu"))
        return Measured(0.1)

    fit(replace(given, evaluate=evaluate))

    network: Any = given.model.network
    assert network.config._attn_implementation == attention
    assert is_mixed == [chosen == "bfloat16"]
