"""Progress off a terminal: lines on standard error, often at first, then every minute."""

import json
from itertools import pairwise
from pathlib import Path
from types import SimpleNamespace

import pytest
from rich.console import Console
from rich.progress import Progress

from linnet.cli.display.grid_watching import GridLines
from linnet.cli.display.progress_log import ProgressLog
from linnet.cli.display.watching import Counter, TrainingBar
from linnet.cli.pretrain import PretrainingBar
from linnet.comparison.budget import Budget
from linnet.training.history import EpochRow
from tests import tiny
from tests.cli.running import run, write
from tests.comparison.fake_runs import make_grid
from tests.export.exported import exported


class Clock:
    """A clock that a test moves."""

    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        return self.now


def new_log() -> tuple[ProgressLog, Clock, list[str]]:
    lines: list[str] = []
    clock = Clock()
    return ProgressLog(lines.append, clock), clock, lines


def silent() -> Progress:
    return Progress(console=Console(stderr=True), disable=True)


def test_lines_come_often_at_first_and_then_every_minute() -> None:
    log, clock, lines = new_log()
    times: list[float] = []

    log.begin("training", 10_000)
    for second in range(1, 3601):
        clock.now = 100.0 + second
        before = len(lines)
        log.move(second, "updates")
        times += [second] * (len(lines) - before)

    assert times[:4] == [3, 6, 9, 12]
    gaps = [later - earlier for earlier, later in pairwise(times)]
    assert gaps == sorted(gaps)
    assert set(gaps[-50:]) == {60}
    assert len(times) < 90  # an hour


def test_a_line_says_what_is_done_how_fast_it_goes_and_what_is_left() -> None:
    log, clock, lines = new_log()

    log.begin("training", 200, first=100)
    clock.now += 10
    log.move(120, "updates", "loss 0.5000", "")

    assert lines == ["training: 120/200 updates (60%), loss 0.5000, 2.0 updates/s, about 40 s left"]


def test_where_the_number_is_not_known_the_share_of_the_input_tells_what_is_left() -> None:
    log, clock, lines = new_log()
    count = Counter(silent(), "documents", log)

    clock.now += 5
    count(50)
    count.read(0.25)
    clock.now += 5
    count(50)

    assert lines == [
        "50 documents, 10.0 documents/s",
        "100 documents, 10.0 documents/s, 25% of the input, about 30 s left",
    ]


def test_the_number_of_documents_is_estimated_from_what_was_read_so_far() -> None:
    log, clock, lines = new_log()
    count = Counter(silent(), "documents", log)

    clock.now += 60  # the model is loaded
    count.read(0.1)
    count.find(100)
    count.read(0.2)
    clock.now += 10
    count.reach(20.5)  # in the middle of a block

    assert lines == ["20/about 1,000 documents (2%), 2.0 documents/s, about 8 min left"]


def test_what_was_kept_from_before_does_not_count_for_the_rate() -> None:
    log, clock, lines = new_log()
    count = Counter(silent(), "texts", log)

    count.begin(1000)
    count.keep(500)
    clock.now += 10
    count(100)

    assert lines == ["600/1,000 texts (60%), 10.0 texts/s, about 40 s left"]


def test_training_off_a_terminal_writes_its_start_its_epochs_and_where_it_is() -> None:
    log, clock, lines = new_log()
    bar = TrainingBar(silent(), "welt", log=log)

    bar.begin(100, 0)
    clock.now += 4
    bar.step(20, 0.75, 900.4)
    bar.epoch(EpochRow(1, 50, 0.5, 1e-4, 0.8123, 60.0, 901.0), is_best=True)
    clock.now += 1
    bar.step(21, 0.7, 900.0)  # too soon
    clock.now += 5
    bar.step(50, 0.6, 900.0)

    assert lines == [
        "welt: 100 updates to make",
        "welt: 20/100 updates (20%), loss 0.7500, 900 tokens/s, 5.0 updates/s, about 16 s left",
        "welt, epoch 1: loss 0.5000  devel F1 81.23 (best)  60 s, 901 tokens/s",
        "welt: 50/100 updates (50%), loss 0.6000, best F1 81.23, 900 tokens/s, 5.0 updates/s, about 10 s left",
    ]


def test_pretraining_off_a_terminal_tells_of_the_text_and_of_the_updates() -> None:
    log, clock, lines = new_log()
    bar = TrainingBar(silent(), log=log)
    pretraining = PretrainingBar(bar)

    bar.prepare("cleaning", 0, 8_000, "kB")
    clock.now += 4
    bar.prepare("cleaning", 2_000, 8_000, "kB")
    pretraining.begin(10, 0)
    pretraining.epoch(EpochRow(1, 5, 2.0, 1e-4, 12.5, 60.0, 901.0), is_best=True)

    assert lines == [
        "cleaning: 2,000/8,000 kB (25%), 500.0 kB/s, about 12 s left",
        "pretraining: 10 updates to make",
        "pretraining, update 5: loss 2.0000  perplexity 12.50  901 tokens/s",
    ]


def test_a_grid_off_a_terminal_tells_what_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    grid = make_grid(tmp_path)
    log, clock, lines = new_log()
    monkeypatch.setattr("linnet.cli.display.grid_watching.time", SimpleNamespace(monotonic=clock))
    table = GridLines(log, grid, Budget(len(grid.runs), {run.name: 600.0 for run in grid.runs}, workers=1))
    first = grid.runs[0].name

    table.started(first)
    table.moved(first, 0.1, None)
    clock.now += 4
    table.moved(first, 0.5, 0.25)

    assert lines == [f"[0/6] running: {first} 50%, devel 25.00, about 55 s left"]


def test_the_lines_stand_on_standard_error_and_json_stays_alone(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("linnet.tasks.ner.results.plot_training", lambda rows, path, **_: path.write_bytes(b""))
    monkeypatch.setattr("linnet.cli.display.progress_log.FIRST_GAP", 0.0)
    monkeypatch.setattr("linnet.cli.display.progress_log.GROWTH", 0.0)
    options = ("--epochs", 2, "--batch-size", 8, "--max-length", 64, "--threads", 1, "--json")
    texts = tmp_path / "texts"
    for name in ("one", "two"):
        write(texts / f"{name}.txt", "ataxia was treated with folic acid .")

    trained = run(
        capsys, "train", "--data", tiny.corpus(), "--encoder", tiny.encoder(), "--output", tmp_path / "run", *options
    )
    annotated = run(capsys, "annotate", texts, "--model", exported(), "--output", tmp_path / "found.jsonl", "--json")

    assert json.loads(trained.out)["strict"]
    lines = trained.err.splitlines()
    assert lines[0] == "training: 6 updates to make"
    assert any(line.startswith("training: predicting held-out text, batch ") for line in lines)
    assert any(line.startswith("training: 6/6 updates (100%), loss ") for line in lines)
    assert [line.partition(":")[0] for line in lines if "epoch" in line] == ["training, epoch 1", "training, epoch 2"]
    assert json.loads(annotated.out)["documents"] == 2
    assert "2/about 2 documents (100%), " in annotated.err


def test_one_update_is_told_in_the_singular() -> None:
    lines: list[str] = []
    log = ProgressLog(lines.append, clock=lambda: 1.0)
    log.begin("training", 1, 0)

    assert log.state(1, "updates").startswith("training: 1/1 update (100%), ")
    log.begin("", 0, 0)
    assert log.state(1, "updates").startswith("1 update, ")
