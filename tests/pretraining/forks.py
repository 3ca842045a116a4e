"""Pretrainings that are killed without warning and started again, and one of two processes.

`test_resume` runs this as a process of its own, which imports everything once; each run is a fork of it.
"""

import contextlib
import gc
import json
import os
import socket
import sys
from functools import partial
from pathlib import Path
from typing import Any

from accelerate.state import AcceleratorState  # type: ignore[import-untyped]

from linnet.cli.main import main
from linnet.cli.pretrain import PretrainingBar
from linnet.pretraining import run
from tests.training.forks import DEATHS, Moment, _die, _digest, _fork, _rows, _wait_for

KILLED: dict[str, tuple[list[str], list[Moment]]] = {  # overrides, and the moments of death in turn; 7 updates
    "checkpoints after intervals": ([], [("step", 2), ("interval", 1), ("saving", 2), ("interval", 3)]),
    "checkpoints after each update, with lamb, the head first": (
        ["checkpoint_minutes=1e-9", "optimiser.name=lamb", "optimiser.accumulation=2", "optimiser.head_first=0.3"],
        [("step", 3), ("removing", 1), ("step", 7)],
    ),
}

HOURS = 0.0005  # of the timed run: some updates


def pretrain(
    recipe: Path, output: Path, overrides: list[str], moment: Moment | None = None, hours: float | None = None
) -> None:
    run.plot_pretraining = lambda rows, path, **_: path.write_bytes(b"")  # type: ignore[attr-defined]
    if moment is not None:
        (_at_interval if moment[0] == "interval" else DEATHS[moment[0]])(moment[1])
    options = [argument for override in overrides for argument in ("--set", override)]
    options += ["--hours", str(hours)] if hours is not None else []
    sys.argv = ["linnet", "pretrain", str(recipe), "--output", str(output), "--resume", *options]
    main()


def one_of_two(
    recipe: Path, output: Path, overrides: list[str], rank: int, port: int, hours: float | None = None
) -> None:
    os.environ |= {"RANK": str(rank), "LOCAL_RANK": str(rank), "WORLD_SIZE": "2", "LOCAL_WORLD_SIZE": "2"}
    os.environ |= {"MASTER_ADDR": "127.0.0.1", "MASTER_PORT": str(port), "OMP_NUM_THREADS": "1"}
    AcceleratorState._reset_state(reset_partial_state=True)  # a new process would not know that its parent was alone
    pretrain(recipe, output, overrides, hours=hours)


def _at_interval(number: int) -> None:
    """Die after an evaluation that no checkpoint contains."""
    PretrainingBar.epoch = lambda self, row, **_: _die() if row.epoch == number else None  # type: ignore[method-assign]


def outcome(folder: Path) -> dict[str, Any]:
    rows = [{key: row[key] for key in row if "second" not in key} for row in _rows(folder / "history.jsonl")]
    return {
        "weights": _digest(folder / "model.safetensors"),
        "history": rows,
        "files": sorted(path.name for path in folder.iterdir()),
    }


def kill(folder: Path, recipe: Path, overrides: list[str], moments: list[Moment]) -> dict[str, Any]:
    codes = [_wait_for(_fork(partial(pretrain, recipe, folder / "whole", overrides)))]
    for moment in [*moments, None]:
        codes.append(_wait_for(_fork(partial(pretrain, recipe, folder / "killed", overrides, moment))))
    return {"codes": codes, "whole": outcome(folder / "whole"), "killed": outcome(folder / "killed")}


def share(folder: Path, recipe: Path) -> dict[str, Any]:
    overrides = ["optimiser.dropout=0.0", "masking.sentence_order=true"]
    codes = [_wait_for(_fork(partial(pretrain, recipe, folder / "one", overrides)))]
    codes += in_two(recipe, folder / "two", overrides)
    codes += in_two(recipe, folder / "timed", overrides, hours=HOURS)
    return {"codes": codes, **{name: outcome(folder / name) for name in ("one", "two", "timed")}}


def in_two(recipe: Path, output: Path, overrides: list[str], *, hours: float | None = None) -> list[int]:
    """Return how two processes of one pretraining ended."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    children = [_fork(partial(one_of_two, recipe, output, overrides, rank, port, hours)) for rank in (0, 1)]
    return [_wait_for(child) for child in children]


if __name__ == "__main__":
    place, given = Path(sys.argv[1]), Path(sys.argv[2])
    with contextlib.suppress(SystemExit), contextlib.redirect_stdout(None):
        pretrain(given, place / "first", [])  # prepares the text, and loads what is loaded on first use, for all forks
    gc.collect()
    gc.freeze()  # the Trainer collects before each training
    results = {name: kill(place / name, given, *each) for name, each in KILLED.items()}
    results["two processes"] = share(place / "shared", given)
    sys.stdout.write(json.dumps(results))
