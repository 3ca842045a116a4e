"""A job: its examples end to end, its batches of one corpus, and what is said of a loss that is no number."""

from dataclasses import replace
from pathlib import Path

import pytest

from linnet.training.job import SilentWatcher, batches_of, diverged, to_tensors
from tests import tiny


def test_the_batches_of_an_epoch_hold_every_example_once(tmp_path: Path) -> None:
    plan = tiny.plan_of(tiny.settings(tmp_path))
    (job,) = plan.jobs(plan.build(), tmp_path, SilentWatcher())

    batches = batches_of(job)
    batches.set_epoch(0)

    assert sorted(index for batch in batches for index in batch) == list(range(len(job.examples)))


def test_a_job_can_say_by_itself_how_often_each_corpus_has_its_turn(tmp_path: Path) -> None:
    plan = tiny.plan_of(tiny.settings(tmp_path))
    (job,) = plan.jobs(plan.build(), tmp_path, SilentWatcher())
    twice = replace(job, turns=lambda n_batches: [2 * number for number in n_batches])

    assert len(batches_of(twice)) == 2 * len(batches_of(job))


def test_a_batch_goes_through_one_head(tmp_path: Path) -> None:
    plan = tiny.plan_of(tiny.settings(tmp_path))
    (job,) = plan.jobs(plan.build(), tmp_path, SilentWatcher())
    first, second = job.examples[0], job.examples[1]
    other = type(second)(second.window, second.labels, "another corpus")

    with pytest.raises(ValueError, match="goes through one head"):
        to_tensors([first, other], job.pad_id)


def test_a_loss_that_is_no_number_proposes_a_lower_rate(tmp_path: Path) -> None:
    plan = tiny.plan_of(tiny.settings(tmp_path, learning_rate=0.03))
    (job,) = plan.jobs(plan.build(), tmp_path, SilentWatcher())

    error = diverged(4, job)

    assert "update 5" in error.problem
    assert "try 0.01" in error.remedy
    assert "find-lr" in error.remedy
