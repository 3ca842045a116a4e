"""The training plan of a tagger: its stages, and the F1 on devel that chooses an epoch."""

from pathlib import Path
from typing import Any

import torch

from linnet.tasks.ner.plan import STAGE_STRIDE, TaggingPlan
from linnet.training.job import SilentWatcher
from tests import tiny
from tests.tasks.ner import several


def plan(**given: Any) -> TaggingPlan:
    found = tiny.plan_of(tiny.settings(Path("unused"), **given))
    assert isinstance(found, TaggingPlan)
    return found


def test_a_training_without_stages_is_one_job(tmp_path: Path) -> None:
    found = plan()

    (job,) = found.jobs(found.build(), tmp_path, SilentWatcher())

    assert [len(examples) for examples in job.corpora] == [len(found.prepared.examples)]


def test_each_stage_has_its_corpora_epochs_and_seed(tmp_path: Path) -> None:
    found = plan(**several.joint_then_target(seed=3))

    first, second = found.jobs(found.build(), tmp_path, SilentWatcher())

    assert (len(first.corpora), len(second.corpora)) == (2, 1)
    assert second.optimiser.learning_rate == 1e-3
    assert (first.seed, second.seed) == (3, 3 + STAGE_STRIDE)


def test_devel_is_measured_only_where_it_is_not_learned_from(tmp_path: Path) -> None:
    torch.manual_seed(1)
    measured, unmeasured = (
        next(iter(found.jobs(found.build(), tmp_path, SilentWatcher()))).evaluate()
        for found in (plan(), plan(train_on="train_dev"))
    )

    assert measured.score is not None
    assert 0 <= measured.score <= 1
    assert unmeasured.score is None


def test_other_settings_of_the_optimiser_leave_the_examples_as_they_are() -> None:
    found = plan()
    optimiser = found.settings.optimiser.model_copy(update={"learning_rate": 0.5})

    other = found.changed(found.settings.model_copy(update={"optimiser": optimiser}))

    assert other.settings.optimiser.learning_rate == 0.5
    assert other.prepared.corpora is found.prepared.corpora
