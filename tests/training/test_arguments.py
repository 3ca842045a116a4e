"""What the Trainer is told: the hyper-parameters of the job, and nothing of its own."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from linnet.training.arguments import trainer_arguments
from tests.training.test_trainer import job


def test_the_hyper_parameters_are_those_of_the_job(tmp_path: Path) -> None:
    more: dict[str, Any] = {"optimiser.accumulation": 2, "optimiser.clip": 0.5}
    made = job(tmp_path, epochs=3, batch_size=4, learning_rate=0.25, **more)

    found = trainer_arguments(replace(made, seed=7, steps=11), None)

    assert (found.num_train_epochs, found.max_steps) == (3, 11)
    assert (found.per_device_train_batch_size, found.gradient_accumulation_steps) == (4, 2)
    assert (found.learning_rate, found.max_grad_norm, found.seed) == (0.25, 0.5, 7)


def test_the_trainer_neither_evaluates_nor_saves_nor_logs_by_itself(tmp_path: Path) -> None:
    found = trainer_arguments(job(tmp_path), None)

    assert {found.eval_strategy, found.save_strategy, found.logging_strategy} == {"no"}
    assert found.report_to == []


@pytest.mark.parametrize(("precision", "is_mixed"), [("float32", False), ("bfloat16", True), (None, False)])
def test_the_number_format_is_that_which_was_chosen(tmp_path: Path, precision: str | None, is_mixed: bool) -> None:
    assert trainer_arguments(job(tmp_path), precision).bf16 is is_mixed
