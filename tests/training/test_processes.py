"""Two processes see each sentence once between them and end with the model of one; only the first writes."""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from linnet.errors import BadSetting
from linnet.settings.files import to_toml
from linnet.training import processes
from linnet.training.processes import from_main_process, is_main_process, join_processes, wait_for_all
from tests import tiny
from tests.cli.running import LINNET


def test_a_single_process_is_the_main_one_and_waits_for_nobody() -> None:
    join_processes()
    wait_for_all()

    assert is_main_process()
    assert from_main_process(lambda: 7) == 7


class Group:
    """Stands for torch's process group, seen by one of two processes."""

    def __init__(self, rank: int, shared: list[Any]) -> None:
        self.rank, self.shared = rank, shared

    def is_initialized(self) -> bool:
        return True

    def get_rank(self) -> int:
        return self.rank

    def broadcast_object_list(self, values: list[Any], src: int) -> None:
        if self.rank == src:
            self.shared[:] = values
        else:
            values[:] = self.shared


def test_what_the_main_process_computes_all_get(monkeypatch: pytest.MonkeyPatch) -> None:
    shared: list[Any] = []
    monkeypatch.setattr(processes, "distributed", Group(0, shared))
    assert from_main_process(lambda: 7) == 7
    monkeypatch.setattr(processes, "distributed", Group(1, shared))

    assert from_main_process(lambda: pytest.fail("only the main process computes")) == 7
    assert not is_main_process()


def test_where_the_main_process_fails_all_fail(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse() -> None:
        raise BadSetting("this cannot be", "try that")

    shared: list[Any] = []
    for rank in (0, 1):
        monkeypatch.setattr(processes, "distributed", Group(rank, shared))
        with pytest.raises(BadSetting, match="this cannot be"):
            from_main_process(refuse)


@pytest.mark.long
def test_two_processes_see_every_sentence_once_per_epoch(forked: dict[str, Any]) -> None:
    found = forked["two processes"]

    assert found["codes"] == [0, 0, 0], forked["errors"]
    assert [len(share) for share in found["seen"]] == [9, 9]  # three batches in each of three epochs
    for epoch in (slice(0, 3), slice(3, 6), slice(6, 9)):
        seen = sorted(index for share in found["seen"] for batch in share[epoch] for index in batch["sentences"])
        assert seen == list(range(24))


@pytest.mark.long
def test_two_processes_are_at_the_same_corpus_in_every_update_of_both_stages(forked: dict[str, Any]) -> None:
    found = forked["two processes, two corpora"]

    ours, theirs = ([batch["corpus"] for batch in share] for share in found["seen"])
    assert found["codes"] == [0, 0, 0], forked["errors"]
    assert ours == theirs
    assert [ours[:16].count(name) for name in ("diseases", "chemicals")] == [6, 10]  # two epochs of 3 and 5 batches
    assert ours[16:] == ["diseases"] * 6


@pytest.mark.long
def test_two_processes_learn_several_corpora_like_one(forked: dict[str, Any]) -> None:
    one, two = forked["two processes, two corpora"]["one"], forked["two processes, two corpora"]["two"]

    assert two["files"] == one["files"]
    assert two["strict"] == one["strict"]
    for ours, theirs in zip(one["history"], two["history"], strict=True):
        assert theirs == pytest.approx(ours, rel=1e-3)


@pytest.mark.long
def test_two_processes_end_like_one(forked: dict[str, Any]) -> None:
    one, two = forked["two processes"]["one"], forked["two processes"]["two"]

    assert two["strict"] == one["strict"]
    assert two["strict"]["micro"]["correct"] > 0
    assert two["files"] == one["files"]
    for ours, theirs in zip(one["history"], two["history"], strict=True):
        assert theirs == pytest.approx(ours, rel=1e-3)


@pytest.mark.slow
def test_torchrun_trains_too(tmp_path: Path) -> None:
    recipe = tmp_path / "recipe.toml"
    recipe.write_text(to_toml(tiny.settings(tmp_path / "run", threads=1)), encoding="utf-8")
    torchrun = [sys.executable, "-m", "torch.distributed.run", "--standalone", "--nproc-per-node", "2"]
    command = [LINNET, "train", str(recipe), "--json"]

    done = subprocess.run(
        [*torchrun, *command], capture_output=True, text=True, check=False, env=os.environ | {"OMP_NUM_THREADS": "1"}
    )

    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["strict"]  # one object: only the first process prints
