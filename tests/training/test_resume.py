"""A run that is killed at any moment and started again ends as one that was not: to the last bit."""

from typing import Any

import pytest

from tests.training.scenarios import KILLED

pytestmark = pytest.mark.long


@pytest.mark.parametrize("name", KILLED)
def test_a_run_killed_again_and_again_ends_with_the_same_weights(forked: dict[str, Any], name: str) -> None:
    _, moments = KILLED[name]
    found = forked[name]

    assert found["codes"] == [0, *[-9] * len(moments), 0], forked["errors"]
    assert found["killed"]["weights"] == found["whole"]["weights"]
    assert found["killed"]["strict"] == found["whole"]["strict"]


@pytest.mark.parametrize("name", KILLED)
def test_its_history_and_its_folder_do_not_show_what_happened(forked: dict[str, Any], name: str) -> None:
    found = forked[name]

    assert found["killed"]["history"] == found["whole"]["history"]
    assert found["killed"]["files"] == found["whole"]["files"]


def test_early_stopping_counts_the_epochs_before_the_kill(forked: dict[str, Any]) -> None:
    epochs = [row["epoch"] for row in forked["early stopping"]["killed"]["history"] if "epoch" in row]

    assert epochs == [1, 2, 3]
