"""Tables of a grid say on how much scores are computed, and how much the runs learned from."""

import csv
import json
from pathlib import Path

from linnet.comparison.comparing import report
from linnet.comparison.grid import PlannedRun
from linnet.comparison.remarks.sizes import count_sizes
from linnet.comparison.tables import terminal_table
from tests.comparison.fake_runs import WEIGHTINGS, finish, make_grid


def finish_with_sizes(run: PlannedRun) -> None:
    finish(run)
    metrics = {"split": "test", "sentences": 20, "mentions": 20, "strict": {"micro": {"f1": 1.0}}}
    devel = {"sentences": 7, "mentions": 8}
    (run.folder / "metrics.json").write_text(json.dumps(metrics | {"devel": devel}), encoding="utf-8")


def test_sizes_are_those_of_the_judged_split_and_of_the_training_sample(tmp_path: Path) -> None:
    axes = "[axes]\nseed = [1, 2]\ntrain_sentences = [30, 60]\n" + WEIGHTINGS
    grid = make_grid(tmp_path, axes, baseline={"weighting": "none", "train_sentences": 30}, on="devel")
    for run in grid.runs:
        finish_with_sizes(run)

    (found,) = count_sizes(grid)

    assert found.sentence == "devel: 7 sentences, 8 mentions; training: 30 to 60 sentences"


def test_tables_page_and_csv_have_the_sizes(tmp_path: Path) -> None:
    grid = make_grid(tmp_path, recipe={"data": "demo", "train_sentences": 50})
    for run in grid.runs:
        finish_with_sizes(run)

    results = report(grid)

    units = "intervals over 20 sentences; the files have no documents: the intervals are probably too narrow"
    said = f"est: 20 sentences, 20 mentions; {units}; training: 50 sentences"
    for name in ("table.md", "table.tex", "index.html"):
        assert said in (grid.output / name).read_text(encoding="utf-8")
    assert any(said in str(table.caption) for table in terminal_table(results))
    with (grid.output / "table.csv").open(encoding="utf-8-sig", newline="") as file:
        row = next(csv.DictReader(file))
    assert [row[name] for name in ("split", "unit", "units", "mentions", "training units")] == [
        *("test", "sentences", "20", "20", "50"),
    ]
    assert (row["interval unit"], row["interval units"]) == ("sentences", "20")


def write_card(run: PlannedRun, *notes: str) -> None:
    text = "".join(f"- {note}\n" for note in notes)
    (run.folder / "README.md").write_text(f"# a run\n\n## Data\n\n{text}", encoding="utf-8")


def test_whole_documents_are_counted_as_the_run_drew_them(tmp_path: Path) -> None:
    grid = make_grid(tmp_path, recipe={"data": "demo", "train_sentences": 50, "sample_documents": True})
    for run in grid.runs:
        finish_with_sizes(run)
        write_card(run, "train: 1,052 of 4,230 sentences, sampled; the fingerprint is that of all", "devel: 98 of 141")

    (found,) = report(grid).sizes

    assert found.training == (1052, 1052)
    said = "training: 1,052 sentences, a sample of whole documents"
    for name in ("table.md", "table.tex", "index.html"):
        assert said in (grid.output / name).read_text(encoding="utf-8")
    with (grid.output / "table.csv").open(encoding="utf-8-sig", newline="") as file:
        assert next(csv.DictReader(file))["training units"] == "1052"


def test_a_sample_of_single_sentences_is_counted_as_the_run_drew_it(tmp_path: Path) -> None:
    """A corpus may know its documents only, whose sentences are found in training."""
    grid = make_grid(tmp_path, recipe={"data": "demo", "train_sentences": 800})
    for run in grid.runs:
        finish_with_sizes(run)
        write_card(run, "train: 800 of 5,359 sentences, sampled; the fingerprint is that of all")

    (found,) = count_sizes(grid)

    assert (found.training, found.is_of_documents) == ((800, 800), False)


def test_a_draw_of_all_documents_is_no_sample(tmp_path: Path) -> None:
    grid = make_grid(tmp_path, recipe={"data": "demo", "train_sentences": 423, "sample_documents": True})
    finish_with_sizes(grid.runs[0])
    write_card(grid.runs[0])

    (found,) = count_sizes(grid)

    assert found.sentence.endswith("; training: 423 sentences")


def test_whole_documents_are_not_counted_as_the_number_that_was_asked_for(tmp_path: Path) -> None:
    grid = make_grid(tmp_path, recipe={"data": "demo", "train_sentences": 50, "sample_documents": True})
    finish_with_sizes(grid.runs[0])  # without a card, as a kept run

    (found,) = count_sizes(grid)

    assert found.training is None


def test_a_damaged_card_does_not_stop_the_report(tmp_path: Path) -> None:
    grid = make_grid(tmp_path, recipe={"data": "demo", "train_sentences": 50, "sample_documents": True})
    finish_with_sizes(grid.runs[0])
    (grid.runs[0].folder / "README.md").write_bytes(b"\x00\xff")

    (found,) = count_sizes(grid)

    assert (found.n_units, found.training) == (20, None)


def test_a_run_without_numbers_has_the_split_alone(tmp_path: Path) -> None:
    grid = make_grid(tmp_path)
    finish(grid.runs[0])

    (found,) = count_sizes(grid)

    assert found.n_units is None
    assert found.sentence.startswith("test; training: ")
