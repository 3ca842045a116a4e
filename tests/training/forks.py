"""Trainings that are killed without warning and started again, and trainings of two processes.

`conftest` runs this as a process of its own, which imports everything once; each training is a fork of it, as good as a
new process and far quicker. To die, a fork kills itself with SIGKILL at the moment that it was told.
"""

import contextlib
import gc
import hashlib
import json
import os
import shutil
import signal
import socket
import sys
import traceback
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from accelerate import PartialState  # type: ignore[import-untyped]

from linnet.cli.display.watching import TrainingBar
from linnet.cli.main import main
from linnet.tasks.ner import results as run
from linnet.training import checkpoint, trainer
from linnet.training.job import LabelledWindow, to_tensors

Moment = tuple[str, int]  # what is done when the process dies, and which time


def kill(folder: Path, recipe: Path, overrides: Sequence[str], moments: Sequence[Moment]) -> dict[str, Any]:
    """Train once undisturbed and once killed at each moment in turn; return how each ended."""
    whole, killed = (
        partial(_train, recipe, folder / "whole", overrides),
        partial(_train, recipe, folder / "killed", overrides),
    )
    codes = [_wait_for(_fork(whole))]
    for moment in moments:
        codes.append(_wait_for(_fork(partial(killed, moment))))
    codes.append(_wait_for(_fork(killed)))
    return {"codes": codes, "whole": _outcome(folder / "whole"), "killed": _outcome(folder / "killed")}


def share(folder: Path, recipe: Path, overrides: Sequence[str]) -> dict[str, Any]:
    """Train once alone and once as two processes; return how both ended, and what each process saw."""
    codes = [_wait_for(_fork(partial(_train, recipe, folder / "one", overrides)))]
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    children = [_fork(partial(_train_together, recipe, folder, overrides, rank, port)) for rank in (0, 1)]
    codes += [_wait_for(child) for child in children]
    seen = [_rows(folder / f"seen-{rank}.jsonl") for rank in (0, 1)]
    return {"codes": codes, "one": _outcome(folder / "one"), "two": _outcome(folder / "two"), "seen": seen}


def _fork(action: Callable[[], None]) -> int:
    """Return the number of a process that does this."""
    child = os.fork()
    if child:
        return child
    try:
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
        action()
        os._exit(0)
    except SystemExit as ended:
        os._exit(int(ended.code or 0))
    except BaseException:
        traceback.print_exc()
        os._exit(99)


def _wait_for(child: int) -> int:
    """Return the exit code of a process; -9 where it was killed."""
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])


def _train(recipe: Path, output: Path, overrides: Sequence[str], moment: Moment | None = None) -> None:
    run.plot_training = lambda rows, path, **_: path.write_bytes(b"")  # type: ignore[attr-defined]
    if moment is not None:
        DEATHS[moment[0]](moment[1])
    options = [argument for override in overrides for argument in ("--set", override)]
    sys.argv = ["linnet", "train", str(recipe), "--output", str(output), "--resume", *options]
    main()


def _train_together(recipe: Path, folder: Path, overrides: Sequence[str], rank: int, port: int) -> None:
    """Train as one of two processes, with the variables that torchrun would set, and note what it sees."""

    def noting(examples: Sequence[LabelledWindow], pad_id: int) -> dict[str, Any]:
        with (folder / f"seen-{rank}.jsonl").open("a", encoding="utf-8") as file:
            sentences = [example.window.sentence for example in examples]
            file.write(json.dumps({"corpus": examples[0].corpus, "sentences": sentences}) + "\n")
        return to_tensors(examples, pad_id)

    trainer.to_tensors = noting  # type: ignore[attr-defined]
    os.environ |= {"RANK": str(rank), "LOCAL_RANK": str(rank), "WORLD_SIZE": "2", "LOCAL_WORLD_SIZE": "2"}
    os.environ |= {"MASTER_ADDR": "127.0.0.1", "MASTER_PORT": str(port), "OMP_NUM_THREADS": "1"}
    PartialState._reset_state()  # which the process that this is a fork of may have made, alone
    _train(recipe, folder / "two", overrides)


def _outcome(folder: Path) -> dict[str, Any]:
    return {
        "weights": {path.name: _digest(path) for path in sorted(folder.glob("*.safetensors"))},
        "history": [
            {key: row[key] for key in sorted(row) if "second" not in key} for row in _rows(folder / "history.jsonl")
        ],
        "strict": json.loads((folder / "metrics.json").read_text(encoding="utf-8"))["strict"],
        "files": sorted(path.name for path in folder.iterdir()),
    }


def _digest(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()


def _rows(path: Path) -> list[Any]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def _die() -> None:
    os.kill(os.getpid(), signal.SIGKILL)


def _at_step(number: int) -> None:
    """Die after an update, before anything is written."""
    TrainingBar.step = lambda self, step, *_: _die() if step == number else None  # type: ignore[method-assign]


def _at_epoch(number: int) -> None:
    """Die at the end of an epoch, when its weights may be kept as the best, but no checkpoint knows of it."""
    TrainingBar.epoch = lambda self, row, **_: _die() if row.epoch == number else None  # type: ignore[method-assign]


def _in_second_stage(number: int) -> None:
    """Die after an update of the second stage."""
    look, stages = trainer.last_checkpoint, [""]  # type: ignore[attr-defined]

    def noting(folder: Path) -> Path | None:
        stages.append(folder.name)
        found: Path | None = look(folder)
        return found

    def step(self: TrainingBar, step: int, *_: object) -> None:
        if (stages[-1], step) == ("stage-2", number):
            _die()

    trainer.last_checkpoint = noting  # type: ignore[attr-defined]
    TrainingBar.step = step  # type: ignore[method-assign, assignment]


def _while_saving(number: int) -> None:
    """Die with half a file written."""
    save, calls = checkpoint.save_file, iter(range(1, 999))  # type: ignore[attr-defined]

    def half(tensors: Any, path: Path) -> None:
        save(tensors, path)
        if next(calls) == number:
            path.write_bytes(path.read_bytes()[:100])
            _die()

    checkpoint.save_file = half  # type: ignore[attr-defined, assignment]


def _while_removing(number: int) -> None:
    """Die with an old checkpoint half removed."""
    calls = iter(range(1, 999))
    remove = shutil.rmtree

    def half(path: Path, **options: Any) -> None:
        if Path(path).name.startswith("step-") and next(calls) == number:
            (Path(path) / checkpoint.STATE).unlink()
            _die()
        remove(path, **options)

    shutil.rmtree = half  # type: ignore[assignment]


def _while_finishing(number: int) -> None:
    """Die when the model is there and its predictions are about to be written."""
    run.write_predictions = lambda *_: _die()  # type: ignore[attr-defined]


def _while_moving(number: int) -> None:
    """Die when some files of the model have their place and some not."""
    replace, calls = Path.replace, iter(range(1, 999))

    def some(path: Path, target: Any) -> Path:
        if path.parent.name == ".model" and next(calls) == number:
            _die()
        return replace(path, target)

    Path.replace = some  # type: ignore[method-assign, assignment]


DEATHS: dict[str, Callable[[int], None]] = {
    "step": _at_step,
    "epoch": _at_epoch,
    "second stage": _in_second_stage,
    "saving": _while_saving,
    "removing": _while_removing,
    "finishing": _while_finishing,
    "moving": _while_moving,
}


def _warm_up(recipe: Path, folder: Path) -> None:
    """Train once in this process, so that whatever is loaded on first use is there in every fork."""
    with contextlib.suppress(SystemExit), contextlib.redirect_stdout(None):
        _train(recipe, folder, ["optimiser.epochs=1"])
    gc.collect()
    gc.freeze()  # the Trainer collects before each training


if __name__ == "__main__":
    plan = json.loads(sys.argv[1])
    place, given = Path(plan["folder"]), Path(plan["recipe"])
    _warm_up(given, place / "warm-up")
    recipes = {name: Path(own) for name, own in plan["recipes"].items()}
    results = {name: kill(place / name, recipes.get(name, given), *each) for name, each in plan["kill"].items()}
    results |= {name: share(place / name, recipes.get(name, given), *each) for name, each in plan["share"].items()}
    sys.stdout.write(json.dumps(results))
