"""`linnet compare`: one command from a grid file to verdicts, and one message for what cannot work."""

import json
import shlex
import shutil
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from linnet.cli.scores.compare import _duration
from linnet.comparison import comparing, runner
from linnet.comparison.comparing import compare
from linnet.comparison.corpora import read_grid_corpora
from linnet.comparison.grid import load_grid
from linnet.comparison.kept.archive import read_archive
from linnet.comparison.results import Results
from linnet.training.run_folder import open_run
from tests import tiny
from tests.cli.running import environment, run
from tests.comparison import fake_workers
from tests.comparison.fake_runs import WEIGHTINGS, finish, write_grid
from tests.comparison.fake_workers import FINE, KILLED, REFUSED, TROUBLE
from tests.comparison.in_process import run_here

pytestmark = pytest.mark.long

REPORTS = ("index.html", "table.csv", "table.md", "table.tex", "forest.png", "heat-map.png")
SCHEMES = """
[axes]
seed = [1, 2]
[axes.weighting]
none = { scheme = "none" }
"ens 0.9" = { scheme = "ens", beta = 0.9 }
"""


def recipe(**given: object) -> dict[str, object]:
    paths = {"data": str(tiny.corpus()), "encoder": str(tiny.encoder())}
    return paths | {"epochs": 1, "batch_size": 8, "max_length": 64, "learning_rate": 3e-3} | given


@pytest.fixture(scope="module")
def trained(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Results]:
    """A grid of four real trainings, made from Python in this process, and what came out.

    With 900 sentences every tag is frequent enough for ENS with beta 0.9 to price all of them alike.
    """
    folder = tmp_path_factory.mktemp("compared")
    data = tiny.write_corpus(folder / "tiny", train=900, devel=20, test=60)
    path = write_grid(folder, SCHEMES, recipe=recipe(data=str(data), batch_size=32, learning_rate=0.006))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(comparing, "run_locally", run_here)
        return path, compare(path, workers=1, threads=1)


@pytest.fixture
def fake_work(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let workers do what the label of a run says, and train nothing."""
    monkeypatch.setattr(runner, "_work", fake_workers.work)


def label_grid(folder: Path, *labels: str) -> Path:
    """Write a grid whose runs behave as their labels say, in trouble."""
    listed = ", ".join(f'"{label}"' for label in labels)
    axes = f"[axes]\nseed = [1, 2]\nlabel = [{listed}]\n"
    path = write_grid(folder, axes, baseline={"label": labels[0]}, recipe=recipe())
    (folder / "grid" / "runs").mkdir(parents=True)
    (folder / "grid" / "runs" / TROUBLE).touch()
    return path


def times(folder: Path) -> Mapping[Path, int]:
    """Return when each file of the runs was written."""
    return {path: path.stat().st_mtime_ns for path in (folder / "runs").rglob("*") if path.is_file()}


def test_a_grid_is_trained_judged_and_reported(trained: tuple[Path, Results]) -> None:
    path, results = trained
    output = path.parent / "grid"

    assert [len(cell.score_by_seed) for cell in results.cells] == [2, 2]
    assert all(0 < score < 1 for cell in results.cells for score in cell.score_by_seed.values())
    assert (results.missing, results.failures) == (0, ())
    for name in (*REPORTS, "forest.pdf", "forest.svg", "heat-map.svg", "log.jsonl", "data.json"):
        assert (output / name).stat().st_size > 0, name
    for planned in load_grid(path).runs:
        assert (planned.folder / "model.safetensors").is_file()  # a normal run folder
        assert (planned.folder / "recipe.toml").is_file()


def test_weights_that_are_all_alike_train_to_the_same_model_run_for_run(trained: tuple[Path, Results]) -> None:
    path, results = trained
    folders = {(planned.choice["weighting"], planned.seed): planned.folder for planned in load_grid(path).runs}

    for seed in (1, 2):
        for name in ("model.safetensors", "predictions-test.tsv"):
            first, second = (folders[weighting, seed] / name for weighting in ("none", "ens 0.9"))
            assert first.read_bytes() == second.read_bytes()
    (found,) = results.comparisons
    assert found.verdict == "identical"


def test_a_command_of_the_page_repeats_its_run(
    trained: tuple[Path, Results],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    _, results = trained
    monkeypatch.chdir(tmp_path)  # the paths of this grid are absolute
    command = shlex.split(results.cells[0].commands[0])

    done = run(capsys, *command[1:], "--epochs", 0)  # trained no further, to save time

    assert done.code == 0, done.err
    assert (tmp_path / command[-1] / "linnet.json").is_file()


def test_devel_is_judged_without_training_anything_again(
    trained: tuple[Path, Results], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path, _ = trained

    done = run(capsys, "compare", path, "--on", "devel", "--only-report", "--json")
    wrong = run(capsys, "compare", path, "--on", "train", "--only-report")

    found = json.loads(done.out)
    assert (done.code, found["split"]) == (0, "devel")
    assert "judged on devel" in done.err
    assert "grid now show strict F1 on devel; those of the grid file come back with" in done.err
    assert f"`linnet compare {path} --only-report`" in done.err
    assert (wrong.code, "--on is 'train'" in wrong.err) == (2, True)
    devel = open_run(load_grid(path).runs[0].folder).metrics["devel"]["strict"]["micro"]["f1"]
    assert found["cells"][0]["score_by_seed"]["1"] == pytest.approx(devel)
    compare(path, workers=1, threads=1)  # puts the reports on test back


def test_a_finished_grid_is_shown_again_and_nothing_is_trained(
    trained: tuple[Path, Results], capsys: pytest.CaptureFixture[str]
) -> None:
    path, _ = trained
    before = times(path.parent / "grid")

    done = run(capsys, "compare", path)

    assert done.code == 0
    assert "tiny: strict F1 in percent, change against none" in done.out
    assert "On tiny, ens 0.9 scores as none does, run for run." in done.out
    assert "index.html (open it in a browser), table.csv, table.md, table.tex" in done.out
    assert "to make" not in done.err
    assert times(path.parent / "grid") == before


@pytest.mark.slow
def test_the_example_prints_the_verdicts_from_python(trained: tuple[Path, Results]) -> None:
    path, results = trained
    example = Path(__file__).parents[3] / "docs" / "examples" / "compare_grid.py"

    done = subprocess.run(
        [sys.executable, str(example), str(path)], capture_output=True, text=True, check=False, env=environment()
    )

    assert done.returncode == 0, done.stderr
    *cells, verdict = done.stdout.splitlines()
    assert len(cells) == 2
    assert verdict == results.comparisons[0].sentence


def test_another_metric_is_computed_from_the_saved_predictions(
    trained: tuple[Path, Results], capsys: pytest.CaptureFixture[str]
) -> None:
    path, _ = trained
    before = times(path.parent / "grid")

    strict, fair = (run(capsys, "compare", path, "--metric", metric, "--json") for metric in ("strict", "fair"))

    assert (strict.code, fair.code) == (0, 0)
    first, second = (json.loads(done.out) for done in (strict, fair))
    assert (first["metric"], second["metric"]) == ("strict F1", "fair F1")
    assert first["cells"][0]["mean"] < second["cells"][0]["mean"]
    assert "now show" not in strict.err
    assert "now show fair F1 on test; " in fair.err
    assert times(path.parent / "grid") == before


def test_json_is_one_object_with_cells_and_comparisons(
    trained: tuple[Path, Results], capsys: pytest.CaptureFixture[str]
) -> None:
    path, results = trained

    found = json.loads(run(capsys, "compare", path, "--json").out)

    assert {"name", "metric", "baseline", "seeds", "cells", "comparisons", "failures", "missing", "notes"} <= set(found)
    assert found["baseline"] == {"weighting": "none"}
    cell, comparison = found["cells"][1], found["comparisons"][0]
    assert cell["place"] == {"data": "tiny"}
    assert cell["choice"] == comparison["choice"] == {"weighting": "ens 0.9"}
    assert cell["score_by_seed"].keys() == {"1", "2"}
    assert (cell["mean"], cell["deviation"]) == (results.cells[1].mean, results.cells[1].deviation)
    assert {"difference", "low", "high", "p_value", "adjusted_p", "smallest_detectable"} <= set(comparison)
    assert (comparison["verdict"], comparison["wins"], comparison["ties"]) == ("identical", 0, 2)


def test_a_grid_goes_on_from_kept_runs_and_trains_nothing_again(
    trained: tuple[Path, Results], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path, results = trained
    kept, elsewhere = tmp_path / "kept.json.gz", ("--output", tmp_path / "elsewhere")
    run(capsys, "compare", path, "--kept", kept)

    planned = run(capsys, "compare", path, *elsewhere, "--dry-run", "--kept", kept)
    is_written = (tmp_path / "elsewhere").exists()
    done = run(capsys, "compare", path, *elsewhere, "--json", "--kept", kept)

    assert (planned.code, done.code, is_written) == (0, 0, False)
    assert f"4 of the runs to make are kept in {kept}, and are not made again" in planned.err
    assert f"{kept}: 4 kept runs count as finished" in done.err
    assert json.loads(done.out)["comparisons"][0]["sentence"] == results.comparisons[0].sentence
    assert not list((tmp_path / "elsewhere").rglob("*.safetensors"))


def test_kept_runs_are_reported_where_their_corpus_is_not(
    trained: tuple[Path, Results], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path, results = trained
    kept = tmp_path / "kept.json.gz"
    run(capsys, "compare", path, "--kept", kept)
    data = (path.parent / "tiny").rename(path.parent / "away")

    again = ("compare", path, "--output", tmp_path / "elsewhere", "--only-report", "--json", "--kept", kept)
    done = run(capsys, *again)
    by_documents = run(capsys, *again, "--documents", write_ids(tmp_path / "test.ids", 60))
    other = run(capsys, *again, "--documents", write_ids(tmp_path / "other.ids", 61))
    data.rename(path.parent / "tiny")

    assert done.code == 0, done.err
    found = json.loads(by_documents.out)
    assert found["drawn"][0]["name"] == "documents"
    assert [(each["units"], each["n_units"]) for each in found["comparisons"]] == [("documents", 20)]
    assert (other.code, "other.ids: has 61 lines for 60 sentences" in other.err) == (2, True)
    assert "the corpora are not here, so the page shows `_` for each word" in done.err
    cells = json.loads(done.out)["cells"]
    assert [cell["mean"] for cell in cells] == [cell.mean for cell in results.cells]


def write_ids(path: Path, n_sentences: int) -> Path:
    path.write_text("".join(f"{number // 3}\n" for number in range(n_sentences)), encoding="utf-8")
    return path


@pytest.mark.parametrize("option", [("--only-report",), ("--power", "2")])
def test_a_missing_file_of_kept_runs_is_named_and_not_made(
    trained: tuple[Path, Results], tmp_path: Path, capsys: pytest.CaptureFixture[str], option: tuple[str, ...]
) -> None:
    missing = tmp_path / "missing.json.gz"

    done = run(capsys, "compare", trained[0], *option, "--kept", missing)

    assert done.code == 2
    assert f"{missing}: there is no such file of kept runs" in done.err
    assert not missing.exists()


@pytest.mark.usefixtures("fake_work")
def test_each_run_is_kept_when_it_ends_though_others_fail(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = label_grid(tmp_path, FINE, REFUSED)

    done = run(capsys, "compare", path, "--kept", tmp_path / "kept.json.gz")

    assert done.code == 3
    assert [each.choice for each in read_archive(tmp_path / "kept.json.gz").runs] == 2 * [{"label": FINE}]


def test_other_data_under_the_same_name_are_refused(
    trained: tuple[Path, Results], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path, _ = trained
    data = path.parent / "tiny"
    kept = shutil.copy(data / "test.tsv", tmp_path / "test.tsv")
    (data / "test.tsv").write_text(tiny.conll(tiny.sentences(9, seed=5)), encoding="utf-8")

    done = run(capsys, "compare", path)
    shutil.copy(kept, data / "test.tsv")

    assert (done.code, done.out) == (2, "")
    assert f"{data} was another corpus then (test) for tiny--seed-1--none--" in done.err


def test_a_dry_run_says_how_much_there_is_to_do_and_writes_nothing(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = write_grid(tmp_path, WEIGHTINGS, recipe=recipe())
    before = sorted(tmp_path.rglob("*"))

    done = run(capsys, "compare", path, "--dry-run", "--workers", 2)
    as_json = run(capsys, "compare", path, "--dry-run", "--json")

    assert (done.code, as_json.code) == (0, 0)
    assert done.out == "6 runs, 6 to make; about 1 minute with 2 workers\n"
    found = json.loads(as_json.out)
    assert (found["runs"], found["finished"], found["without_estimate"]) == (6, 0, 0)
    assert 0 < found["seconds"] < 60
    assert sorted(tmp_path.rglob("*")) == before


def test_a_dry_run_and_the_start_of_a_grid_say_that_the_machine_is_busy(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, fake_work: None
) -> None:
    monkeypatch.setattr("os.getloadavg", lambda: (13.25, 0.0, 0.0), raising=False)
    path = label_grid(tmp_path, FINE)

    planned = run(capsys, "compare", path, "--dry-run")
    started = run(capsys, "compare", path)

    busy = "note: the machine was busy (load 13.2 before the estimate): an idle one is faster"
    assert [busy in done.err for done in (planned, started)] == [True, True]


def test_a_dry_run_notes_class_weights_that_are_all_alike(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    done = run(capsys, "compare", write_grid(tmp_path), "--dry-run")

    assert done.code == 0
    assert "note: demo, ens 0.9: the scheme gives every tag nearly the same class weight" in done.err


def test_a_dry_run_shows_the_linked_settings_of_each_combination(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    axes = f"[axes]\nseed = [1, 2]\ntagging = ['iob2', 'io']\n{WEIGHTINGS}"
    when = [
        {"tagging": "io", "set": {"epochs": 2, "optimiser.dropout": 0.2}},
        {"tagging": "iob2", "set": {"epochs": 3, "optimiser.dropout": 0.3}},
    ]
    path = write_grid(tmp_path, axes, recipe=recipe(), when=when)

    done = run(capsys, "compare", path, "--dry-run")
    as_json = run(capsys, "compare", path, "--dry-run", "--json")

    assert [line.split() for line in done.out.split("\n")[-4:-1]] == [
        ["tagging", "epochs", "dropout"], ["iob2", "3", "0.3"], ["io", "2", "0.2"],
    ]  # fmt: skip
    assert json.loads(as_json.out)["linked"][1] == {
        "values": {"tagging": "io"}, "settings": {"optimiser.epochs": 2, "optimiser.dropout": 0.2},
    }  # fmt: skip
    assert not (tmp_path / "grid").exists()


def test_a_dry_run_says_where_the_time_cannot_be_known(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    some = f'[axes]\nseed = [1]\nencoder = ["{tiny.encoder()}", "nobody/nothing"]\n{WEIGHTINGS}'
    unknown = run(capsys, "compare", write_grid(tmp_path, recipe=recipe(encoder="nobody/nothing")), "--dry-run")

    partly = run(capsys, "compare", write_grid(tmp_path, some, recipe=recipe()), "--dry-run")

    assert "6 to make; how long they take is not known, their encoders are not here yet" in unknown.out
    assert "without 3 whose encoders are not here yet" in partly.out


def test_what_is_worth_knowing_is_told_and_not_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = write_grid(tmp_path, f"[axes]\nseed = [1]\nepochs = [2]\n{WEIGHTINGS}", recipe=recipe())

    done = run(capsys, "compare", path, "--dry-run")

    assert done.code == 0
    assert "note: the axis 'epochs' has one value, 2: nothing differs on it" in done.err
    assert "note: one seed: " in done.err


@pytest.mark.usefixtures("fake_work")
def test_failed_runs_end_with_code_3_and_are_tried_again(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = label_grid(tmp_path, FINE, REFUSED, KILLED)

    first = run(capsys, "compare", path, "--workers", 2)
    shown = run(capsys, "compare", path, "--only-report", "--json")
    (tmp_path / "grid" / "runs" / TROUBLE).unlink()
    second = run(capsys, "compare", path)

    assert (first.code, shown.code, second.code) == (3, 3, 0)
    assert "4 runs failed; the next start tries again." in first.out
    assert "the loss is not a number at update 3 (lower the learning rate)" in " ".join(first.out.split())
    assert "[6/6]" in first.err
    found = json.loads(shown.out)
    assert (found["missing"], len(found["failures"])) == (4, 4)
    assert "was killed by signal 9" in " ".join(failure["reason"] for failure in found["failures"])
    assert "note: 6 runs, 2 finished, 4 to make" in second.err
    assert "runs failed" not in second.out


@pytest.mark.usefixtures("fake_work")
def test_only_report_runs_nothing(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = label_grid(tmp_path, FINE, "other")

    grid = load_grid(path)
    first, *others = grid.runs
    finish(first, fingerprints=read_grid_corpora(grid)[first.settings.corpus_key].fingerprints)

    done = run(capsys, "compare", path, "--only-report")

    assert done.code == 0
    assert "3 runs are missing" in done.out
    assert not any(planned.folder.exists() for planned in others)


def test_a_report_on_nothing_does_not_replace_another(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = label_grid(tmp_path, FINE, "other")
    page = load_grid(path).output / "index.html"
    page.parent.mkdir(parents=True, exist_ok=True)
    page.write_text("that of other runs", encoding="utf-8")

    done = run(capsys, "compare", path, "--only-report")

    assert done.code == 2
    assert "none of the 4 runs of the grid is finished" in done.err
    assert page.read_text(encoding="utf-8") == "that of other runs"


@pytest.mark.parametrize(
    ("axes", "given", "options", "messages"),
    [
        ("[axes]\nscheem = ['none']\n", {}, (), ["there is no setting 'scheem'; did you mean 'scheme'?"]),
        (WEIGHTINGS, {"baseline": {"weighting": "ins"}}, (), ["'ins', outside of the grid: none, welt, ens 0.9"]),
        (WEIGHTINGS, {"metric": "stricter"}, (), ["'stricter'", "did you mean 'strict'?"]),
        (WEIGHTINGS, {}, ("--metric", "fairr"), ["'fairr'", "did you mean 'fair'?"]),
        ("[axes.weighting]\nnone = { scheme = 'wellt' }\n", {}, (), ["'wellt'", "did you mean 'welt'?"]),
        ("[axes.weighting]\nnone = { scheme = 'ens' }\n", {}, (), ["'ens' needs a beta"]),
        ("[axes]\nmax_length = [64, 500]\n", {"baseline": {"max_length": 64}}, (), ["reads at most 96"]),
        (WEIGHTINGS, {"recipe": {"data": "nowhere"}}, (), ["nowhere: there is no such file or folder"]),
        (WEIGHTINGS, {"recipe": {"data": "demo", "encoder": "minlm"}}, (), ["did you mean 'minilm'?"]),
        (WEIGHTINGS, {}, ("--workers", 0), ["--workers"]),
    ],
)
def test_what_cannot_work_is_refused_before_anything_is_trained(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], axes: str, given: dict[str, Any], options: tuple[object, ...],
    messages: list[str],
) -> None:  # fmt: skip
    path = write_grid(tmp_path, axes, **({"recipe": recipe()} | given))

    done = run(capsys, "compare", path, *options)

    assert (done.code, done.out) == (2, "")
    for message in messages:
        assert message in done.err
    assert "Traceback" not in done.err
    assert not (tmp_path / "grid").exists()


def test_a_ray_address_that_does_not_answer_is_refused_before_anything_is_trained(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    pytest.importorskip("ray")
    path = write_grid(tmp_path, recipe=recipe())

    done = run(capsys, "compare", path, "--ray", "nonsense")

    assert (done.code, done.out) == (2, "")
    assert "--ray nonsense: no Ray cluster answers there" in done.err
    assert not (tmp_path / "grid").exists()


@pytest.mark.parametrize(
    ("seconds", "said"),
    [(1, "1 minute"), (7000, "117 minutes"), (7200, "2.0 hours"), (86_400, "24.0 hours"), (864_000, "10 days")],
)
def test_lengths_of_time_are_said_as_people_say_them(seconds: float, said: str) -> None:
    assert _duration(seconds) == said
