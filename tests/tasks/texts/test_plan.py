"""The training plan of a model about texts: batches of windows, the score on devel, and refusals."""

from pathlib import Path

import pytest
import torch

from linnet.errors import BadSetting
from linnet.tasks.texts.plan import CORPUS, collate, prepare_texts
from linnet.training.job import SilentWatcher
from tests import text_corpora


def test_a_batch_knows_the_example_of_each_window() -> None:
    plan = text_corpora.plan("classification", max_length=8)

    batch = collate(plan.examples[:4], plan.text_encoder.pad_id)

    n_windows = [len(each.read.windows) for each in plan.examples[:4]]
    assert sum(n_windows) > 4
    assert torch.bincount(batch["owners"]).tolist() == n_windows
    assert len(batch["input_ids"]) == sum(n_windows)
    assert batch["labels"].tolist() == [each.target for each in plan.examples[:4]]
    assert batch["corpus"] == CORPUS


def test_there_is_one_job_with_all_examples(tmp_path: Path) -> None:
    plan = text_corpora.plan("inference")

    (job,) = plan.jobs(plan.build(), tmp_path, SilentWatcher())

    assert len(job.corpora[0]) == text_corpora.SIZES["train"]


def test_devel_is_measured_only_where_it_is_not_learned_from() -> None:
    plan = text_corpora.plan("classification")
    all_data = text_corpora.plan("classification", train_on="train_dev")
    torch.manual_seed(1)
    measured = plan.measure(plan.build())

    assert measured.score is not None
    assert 0 <= measured.score <= 1
    assert measured.loss is not None
    assert all_data.measure(all_data.build()).score is None


def test_other_settings_of_the_optimiser_leave_the_examples_as_they_are() -> None:
    plan = text_corpora.plan("classification")
    optimiser = plan.settings.optimiser.model_copy(update={"learning_rate": 0.5})

    other = plan.changed(plan.settings.model_copy(update={"optimiser": optimiser}))

    assert other.settings.optimiser.learning_rate == 0.5
    assert other.examples is plan.examples


def test_all_problems_are_reported_together(tmp_path: Path) -> None:
    settings = text_corpora.settings(
        "classification", tmp_path, label="x", text={"pooling": "markers"}, loss={"name": "crf"}
    )

    with pytest.raises(BadSetting) as bad:
        prepare_texts(settings, text_corpora.task("classification"))

    for part in ("label", "markers", "crf"):
        assert part in str(bad.value)
