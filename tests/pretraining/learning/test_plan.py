"""Plans: the time of an update, the number of evaluations, and warnings about the text."""

import math
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
import torch

from linnet.errors import BadSetting
from linnet.pretraining.learning.plan import plan_pretraining
from linnet.pretraining.learning.schedule import Schedule
from linnet.settings.pretraining import PretrainSettings
from linnet.training.job import Job, SilentWatcher
from linnet.training.trainer import fit
from tests.pretraining import tiny_text


def test_measuring_updates_changes_nothing_in_what_is_learned(tmp_path: Path) -> None:
    plan = plan_pretraining(tiny_text.settings(tmp_path / "run", budget={"hours": 1}))
    before = {name: tensor.clone() for name, tensor in plan.build()[0].state_dict().items()}

    seconds = plan._time_update()

    after = plan.build()[0].state_dict()
    assert 0 < seconds < 60
    assert all(torch.equal(tensor, before[name]) for name, tensor in after.items())
    assert not (tmp_path / "run").exists()


@pytest.mark.long
@pytest.mark.parametrize("seed", range(1, 6))
def test_hours_fit_whatever_widths_the_measured_batches_have(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, seed: int
) -> None:
    plan = plan_pretraining(
        tiny_text.settings(
            tmp_path / "run",
            texts=[str(mixed_text(tmp_path))],
            shards=str(tiny_text.text().parent / "mixed"),
            budget={"hours": 1},
            seed=seed,
            length=96,
            optimiser={"accumulation": 1 + seed % 2},
        )
    )
    clock = [0.0]
    monkeypatch.setattr("linnet.pretraining.learning.plan.time", SimpleNamespace(monotonic=lambda: clock[0]))

    def fit(job: Job) -> None:
        clock[0] += 100  # whatever the first update needs beside
        for step, seconds in enumerate(seconds_of_updates(job), 1):
            clock[0] += seconds
            job.watcher.step(step, 0.0, 0.0)

    monkeypatch.setattr("linnet.pretraining.learning.plan.fit", fit)
    estimated = plan._time_update()

    many = plan.make_job(plan.build()[0], Schedule(300, 300, {}), tmp_path, SilentWatcher())
    taken = seconds_of_updates(many)
    assert max(taken) > 2 * min(taken)
    assert estimated == pytest.approx(sum(taken) / 300, rel=0.05)


@pytest.mark.parametrize(("n_batches", "is_refused"), [(5, False), (500, True)])
def test_a_budget_of_hours_is_refused_when_measuring_has_used_it_up(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, n_batches: int, is_refused: bool
) -> None:
    accumulated = {"accumulation": n_batches, "batch_size": 1}
    chosen = tiny_text.settings(tmp_path / "run", budget={"hours": 100 / 3600}, optimiser=accumulated)
    monkeypatch.setattr("linnet.pretraining.learning.plan.check_text", lambda *_: None)  # there is too little for 500
    plan = plan_pretraining(chosen)
    clock, n_steps = [0.0], [0]
    monkeypatch.setattr("linnet.pretraining.learning.plan.time", SimpleNamespace(monotonic=lambda: clock[0]))

    def fit(job: Job) -> None:
        assert job.optimiser.accumulation == 4
        for step in range(1, 7):
            clock[0] += 190 if step == 1 else 60  # the first makes the state of the optimiser
            n_steps[0] = step
            job.watcher.step(step, 0.0, 0.0)

    monkeypatch.setattr("linnet.pretraining.learning.plan.fit", fit)
    if is_refused:
        with pytest.raises(BadSetting, match=r"but one update takes about 7\.5e\+03 s here"):
            plan._time_update()
        assert n_steps == [2]
    else:
        assert plan._time_update() == pytest.approx(75, rel=0.3)


@pytest.mark.parametrize("name", ["adamw", "lamb"])
def test_a_fresh_head_may_learn_alone_first(tmp_path: Path, name: str) -> None:
    optimiser = {"head_first": 0.5, "warmup": 0.25, "name": name}
    plan = plan_pretraining(tiny_text.settings(tmp_path / "run", budget={"steps": 4}, optimiser=optimiser))
    model, _ = plan.build()
    network: Any = model.network
    seen: list[tuple[bool, bool]] = []  # has the encoder changed, has the head?

    class Looking(SilentWatcher):
        def step(self, step: int, loss: float, tokens_per_second: float) -> None:
            now = network.state_dict()
            changed = {name for name, tensor in before.items() if not torch.equal(tensor, now[name])}
            in_head = {name for name in changed if name.startswith("cls.") and "decoder.weight" not in name}
            seen.append((bool(changed - in_head), bool(in_head)))

    before = {name: tensor.clone() for name, tensor in network.state_dict().items()}
    fit(plan.make_job(model, Schedule(4, 4, {}), tmp_path / "checkpoints", Looking()))

    assert seen == [(False, True), (False, True), (True, True), (True, True)]


def test_every_budget_is_evaluated_at_the_same_positions(tmp_path: Path) -> None:
    few, many = (plan_pretraining(tiny_text.settings(tmp_path / "run", budget={"steps": n})) for n in (2, 2000))

    positions = [
        [(each.masked.ids.tolist(), each.masked.positions.tolist()) for each in plan.held_out] for plan in (few, many)
    ]

    assert positions[0] == positions[1] != []


def test_perplexity_is_measured_less_often_where_measuring_would_take_the_time(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("linnet.pretraining.learning.plan.FEW_HELD_OUT", 0)
    plan = plan_pretraining(tiny_text.settings(tmp_path / "run", budget={"steps": 2}, evaluations=20))
    n_enough = 10 * len(plan.held_out) / plan.sequences_per_update  # updates between two measurements

    assert plan._count_evaluations(1) == 1
    assert plan._count_evaluations(math.ceil(3 * n_enough)) == 3
    assert plan._count_evaluations(math.ceil(1000 * n_enough)) == 20


def mixed_text(folder: Path) -> Path:
    """Return a file of documents that are one to twenty sentences long."""
    sentence = "Aspirin was given to mice with ataxia."
    path = folder / "mixed.txt"
    path.write_text("\n\n".join(" ".join([sentence] * (1 + n % 20)) for n in range(400)), encoding="utf-8")
    return path


def seconds_of_updates(job: Job) -> list[float]:
    """Return how long each update takes where a millisecond goes by for each sub-word, padding counted."""
    assert job.batches is not None
    assert job.collate is not None
    widths = [job.collate([job.examples[n] for n in batch], 0)["input_ids"].numel() for batch in job.batches(0, 1)]
    together = job.optimiser.accumulation
    return [sum(widths[at : at + together]) / 1000 for at in range(0, len(widths), together)]


@pytest.mark.parametrize(("n_alone", "is_warned"), [(0, False), (120, True)])
def test_text_with_few_sentences_in_order_gives_a_warning(tmp_path: Path, n_alone: int, is_warned: bool) -> None:
    alone = "".join(f"\n\nwe gave folic acid to {number} mice" for number in range(n_alone))
    (tmp_path / "text.txt").write_text(tiny_text.text().read_text(encoding="utf-8") + alone, encoding="utf-8")

    plan = plan_pretraining(ordered(tmp_path, length=48))

    assert any("whose order can be predicted" in warning for warning in plan.warnings) == is_warned
    assert (plan.share_with_order < 0.5) == is_warned


def test_text_without_any_sentences_in_order_is_refused(tmp_path: Path) -> None:
    lines = [f"we gave folic acid to {number} mice" for number in range(60)]
    (tmp_path / "text.txt").write_text("\n\n".join(lines), encoding="utf-8")

    with pytest.raises(BadSetting, match="there is no order to learn"):
        plan_pretraining(ordered(tmp_path))


def ordered(folder: Path, **given: object) -> PretrainSettings:
    """Return settings to learn the order of sentences from the text in a folder."""
    text, shards = str(folder / "text.txt"), str(folder / "shards")
    return tiny_text.settings(folder / "run", texts=[text], shards=shards, masking={"sentence_order": True}, **given)
