"""Grids of trainings about texts: run, evaluated and reported like all others, by any score of which more is better."""

import json
import shutil
from pathlib import Path

import pytest

from linnet.comparison import comparing
from linnet.comparison.comparing import compare, plan
from linnet.comparison.grid import load_grid
from linnet.comparison.outcomes import read_outcomes
from linnet.comparison.results import Results
from linnet.errors import BadFile, BadSetting, LinnetError
from linnet.metrics.texts.regression import regression_metrics
from linnet.tasks.texts.outcomes import comparable
from tests import text_corpora, tiny
from tests.cli.running import run
from tests.comparison.fake_runs import write_grid
from tests.comparison.in_process import run_here

SCHEMES = """
[axes]
seed = [1, 2]
[axes.weighting]
none = { scheme = "none" }
welt = { scheme = "welt" }
"""
ONE = '[axes]\nseed = [1]\n[axes.weighting]\nnone = { scheme = "none" }\n'
REPORTS = ("index.html", "table.csv", "table.md", "table.tex", "forest.png", "heat-map.png", "log.jsonl", "data.json")


def recipe(kind: str, **given: object) -> dict[str, object]:
    paths = {"data": str(text_corpora.corpus(kind)), "encoder": str(tiny.encoder())}
    quick = {"task": text_corpora.TASK_OF.get(kind, kind), "epochs": 1, "batch_size": 8, "max_length": 64}
    return paths | quick | {"learning_rate": 0.02} | given


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Results]:
    """A grid of four real trainings, made from Python in this process, and what came out."""
    path = write_grid(tmp_path_factory.mktemp("compared"), SCHEMES, recipe=recipe("classification"))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(comparing, "run_locally", run_here)
        return path, compare(path, workers=1, threads=1)


@pytest.mark.long
def test_a_grid_of_texts_is_trained_evaluated_and_reported(made: tuple[Path, Results]) -> None:
    path, results = made

    assert [len(cell.score_by_seed) for cell in results.cells] == [2, 2]
    assert (results.missing, results.failures) == (0, ())
    assert len(results.comparisons) == 1
    assert results.comparisons[0].verdict
    for name in REPORTS:
        assert (path.parent / "grid" / name).stat().st_size > 0, name


def test_the_scores_are_those_of_the_runs(made: tuple[Path, Results]) -> None:
    path, results = made

    for each in load_grid(path).runs:
        metrics = json.loads((each.folder / "metrics.json").read_text(encoding="utf-8"))
        (cell,) = [cell for cell in results.cells if cell.choice == each.choice]
        assert cell.score_by_seed[each.seed] == pytest.approx(metrics["scores"]["macro_f1"]["value"])
        assert set(cell.label_scores) <= {"treated", "unchanged", "unknown"}


@pytest.mark.long
def test_another_score_needs_no_training(made: tuple[Path, Results], capsys: pytest.CaptureFixture[str]) -> None:
    path, _ = made
    before = {file: file.stat().st_mtime_ns for file in (path.parent / "grid" / "runs").rglob("*") if file.is_file()}

    done = run(capsys, "compare", path, "--metric", "accuracy", "--json")

    assert done.code == 0
    cells = json.loads(done.out)["cells"]
    for each in load_grid(path).runs:
        metrics = json.loads((each.folder / "metrics.json").read_text(encoding="utf-8"))
        (cell,) = [cell for cell in cells if cell["choice"] == dict(each.choice)]
        assert cell["score_by_seed"][str(each.seed)] == pytest.approx(metrics["scores"]["accuracy"]["value"])
    assert all(file.stat().st_mtime_ns == time for file, time in before.items())


@pytest.mark.parametrize(
    ("kind", "metric", "message"),
    [
        ("similarity", "mse", "of mean squared error less is better"),
        ("classification", "strict", "no score called 'strict' here"),
    ],
)
def test_a_score_that_cannot_be_compared_is_refused_before_training(
    tmp_path: Path, kind: str, metric: str, message: str
) -> None:
    grid = load_grid(write_grid(tmp_path, ONE, recipe=recipe(kind), metric=metric))

    with pytest.raises(LinnetError, match=message):
        plan(grid, workers=1)


@pytest.mark.parametrize(
    ("axes", "given", "message"),
    [
        ("[axes.weighting]\nnone = { scheme = 'wellt' }\n", {}, "wellt"),
        ("[axes.weighting]\nnone = { scheme = 'ens' }\n", {}, "beta"),
        (ONE, {"loss": "crf"}, "learns how words follow words"),
        (ONE, {"format": "conll"}, "does not know the setting format"),
        (ONE, {"data": "nowhere"}, "nowhere: there is no such file or folder"),
    ],
)
def test_runs_that_could_not_begin_are_refused_before_training(
    tmp_path: Path, axes: str, given: dict[str, object], message: str
) -> None:
    grid = load_grid(write_grid(tmp_path, axes, recipe=recipe("classification", **given)))

    with pytest.raises(LinnetError, match=message):
        plan(grid, workers=1)


def test_runs_of_two_tasks_are_not_compared(tmp_path: Path) -> None:
    axes = '[axes]\nseed = [1]\ntask = ["ner", "classification"]\n'

    with pytest.raises(BadSetting, match="whose scores cannot be compared"):
        load_grid(write_grid(tmp_path, axes, baseline={"task": "ner"}, recipe=recipe("classification")))


def test_less_is_better_is_refused_and_the_first_score_is_taken() -> None:
    metrics = regression_metrics([1.0, 2.0], [1.0, 3.0])

    assert comparable(metrics, None).name == "pearson"
    with pytest.raises(BadSetting, match="less is better"):
        comparable(metrics, "mse")


def test_runs_scored_on_other_texts_are_refused(made: tuple[Path, Results], tmp_path: Path) -> None:
    path, _ = made
    runs = load_grid(path).runs[:2]
    answers = runs[1].folder / "predictions-test.jsonl"
    kept = answers.read_text(encoding="utf-8")
    answers.write_text("\n".join(kept.splitlines()[:-1]) + "\n", encoding="utf-8")

    try:
        with pytest.raises(BadFile, match="was scored on other"):
            read_outcomes(runs, metric="", n_resamples=10, seed=0)
    finally:
        answers.write_text(kept, encoding="utf-8")


@pytest.mark.parametrize("kind", ["several", "similarity", "answering", "relations"])
def test_saved_answers_of_every_kind_are_read_as_outcomes(kind: str, tmp_path: Path) -> None:
    (planned,) = load_grid(write_grid(tmp_path, ONE, recipe=recipe(kind))).runs
    planned.folder.parent.mkdir(parents=True)
    planned.folder.symlink_to(text_corpora.trained(kind))

    found = read_outcomes([planned], metric="", n_resamples=20, seed=0)

    metrics = json.loads((planned.folder / "metrics.json").read_text(encoding="utf-8"))
    (key,) = found.runs
    assert found.score(key) == pytest.approx(metrics["scores"][metrics["metric"]]["value"], abs=1e-6)
    assert len(found.runs[key].right) == len(found.tested.words) == len(found.tested.gold) == 8
    assert len(found.resampled[key]) == 20
    assert bool(found.runs[key].labels) == (kind in ("several", "relations"))


def test_examples_of_one_document_are_drawn_together(tmp_path: Path) -> None:
    (planned,) = load_grid(write_grid(tmp_path, ONE, recipe=recipe("relations"))).runs
    shutil.copytree(text_corpora.trained("relations"), planned.folder)
    answers = planned.folder / "predictions-test.jsonl"
    rows = [json.loads(line) for line in answers.read_text(encoding="utf-8").splitlines()]
    alone = read_outcomes([planned], metric="", n_resamples=20, seed=0)
    named = "".join(json.dumps(row | {"group": f"d{at // 3}"}) + "\n" for at, row in enumerate(rows))
    answers.write_text(named, encoding="utf-8")

    found = read_outcomes([planned], metric="", n_resamples=20, seed=0)

    (key,) = found.runs
    assert (alone.tested.units, alone.n_units, alone.effective_units) == ("examples", 8, None)
    assert (found.tested.units, found.n_units) == ("documents", 3)
    assert found.effective_units == pytest.approx(64 / (9 + 9 + 4))  # documents of 3, 3 and 2 pairs
    assert found.score(key) == alone.score(key)


@pytest.mark.parametrize(
    ("kind", "metric", "beside"),
    [
        ("relations", "f1", {"micro precision": "micro_precision", "micro recall": "micro_recall"}),
        ("relations", "micro_f1", {"micro precision": "micro_precision", "micro recall": "micro_recall"}),
        ("relations", "accuracy", {"F1": "f1", "micro F1": "micro_f1", "macro F1": "macro_f1"}),
        ("similarity", "pearson", {"Spearman": "spearman"}),  # an error is no fraction, and less of it is better
        (
            "answering",
            "mrr",
            {
                "strict accuracy": "strict_accuracy",
                "lenient accuracy": "lenient_accuracy",
                "exact match": "exact_match",
                "token F1": "token_f1",
            },
        ),
    ],
)
def test_beside_a_score_stand_its_precision_and_recall_or_what_the_task_has(
    kind: str, metric: str, beside: dict[str, str], tmp_path: Path
) -> None:
    (planned,) = load_grid(write_grid(tmp_path, ONE, recipe=recipe(kind))).runs
    planned.folder.parent.mkdir(parents=True)
    planned.folder.symlink_to(text_corpora.trained(kind))

    (outcome,) = read_outcomes([planned], metric=metric, n_resamples=20, seed=0).runs.values()

    scores = json.loads((planned.folder / "metrics.json").read_text(encoding="utf-8"))["scores"]
    assert outcome.beside == pytest.approx({title: scores[name]["value"] for title, name in beside.items()}, abs=1e-6)


@pytest.mark.parametrize("kind", ["several", "answering"])
def test_an_answer_that_is_right_counts_as_right(kind: str, tmp_path: Path) -> None:
    (planned,) = load_grid(write_grid(tmp_path, ONE, recipe=recipe(kind))).runs
    planned.folder.mkdir(parents=True)
    before = (text_corpora.trained(kind) / "predictions-test.jsonl").read_text(encoding="utf-8")
    rows = [json.loads(line) for line in before.splitlines()]
    for number, row in enumerate(rows):
        right = [each[0] for each in row["gold"]] if kind == "answering" else row["gold"][::-1]
        row["predicted"] = right if number else ["something else"]
    content = "".join(json.dumps(row) + "\n" for row in rows)
    (planned.folder / "predictions-test.jsonl").write_text(content, encoding="utf-8")

    found = read_outcomes([planned], metric="", n_resamples=10, seed=0)

    (outcome,) = found.runs.values()
    assert outcome.right.tolist() == [False] + [True] * (len(rows) - 1)


def test_a_list_is_right_only_if_whole(tmp_path: Path) -> None:
    (planned,) = load_grid(write_grid(tmp_path, ONE, recipe=recipe("answering"))).runs
    planned.folder.mkdir(parents=True)
    before = (text_corpora.trained("answering") / "predictions-test.jsonl").read_text(encoding="utf-8")
    first, second, *_ = [json.loads(line) for line in before.splitlines()]
    gold = {"gold": [["aspirin"], ["ataxia", "Ataxias"]]}
    rows = [first | gold | {"predicted": ["aspirin"]}, second | gold | {"predicted": ["ataxias", "aspirin"]}]
    one = {"gold": [["aspirin"]], "details": {"questions": "list"}}
    rows += [first | one | {"predicted": ["aspirin", "ataxia"]}, second | one | {"predicted": ["aspirin"]}]
    content = "".join(json.dumps(row) + "\n" for row in rows)
    (planned.folder / "predictions-test.jsonl").write_text(content, encoding="utf-8")

    (outcome,) = read_outcomes([planned], metric="", n_resamples=10, seed=0).runs.values()

    assert outcome.right.tolist() == [False, True, False, True]


def test_a_broken_file_of_answers_is_refused_with_its_line(tmp_path: Path) -> None:
    (planned,) = load_grid(write_grid(tmp_path, ONE, recipe=recipe("several"))).runs
    planned.folder.mkdir(parents=True)
    (planned.folder / "predictions-test.jsonl").write_text('{"id": "1"}\n', encoding="utf-8")

    with pytest.raises(BadFile, match=r"predictions-test\.jsonl:1: this is no prediction"):
        read_outcomes([planned], metric="", n_resamples=10, seed=0)


def test_two_runs_about_texts_are_compared_without_their_grid(
    made: tuple[Path, Results], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    none, welt, *_ = sorted(folder for folder in (made[0].parent / "grid" / "runs").iterdir() if folder.is_dir())

    done = run(capsys, "compare-runs", none, welt / "predictions-test.jsonl", "--report", tmp_path, "--json")

    assert (done.code, done.err) == (0, "")
    found = json.loads(done.out)
    assert [each["name"] for each in found["runs"]] == [none.name, welt.name]
    scores = [score for cell in made[1].cells for score in cell.score_by_seed.values()]
    assert all(any(each["score"] == pytest.approx(score) for score in scores) for each in found["runs"])
    assert (tmp_path / "index.html").is_file()
