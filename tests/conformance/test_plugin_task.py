"""A package outside of `linnet` announces a task with its own setting: it is trained, evaluated, compared and used.

The task is the example of docs/extending.md. A fixture puts it on the path with its entry point, as an installer does.
"""

import json
import os
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import linnet
from linnet.cli.main import main
from linnet.comparison.grid import load_grid
from linnet.contracts import tasks
from linnet.documents.texts import TextExample
from linnet.errors import BadSetting, UnknownName
from linnet.training.options import describe_training_settings, read_recipe
from linnet.training.run_folder import open_run
from tests import tiny
from tests.cli.running import Done, run_process
from tests.comparison.fake_runs import write_grid
from tests.conformance.plugins import EXAMPLES, find_package, install

pytestmark = pytest.mark.long

CORPUS = EXAMPLES / "claims"
SOURCES = Path(linnet.__file__).parent
NAME, MODULE = "claim-strength", "own_task"
TEXTS = ["Zinc may prevent colds.", "Zinc was linked to fewer colds.", "Zinc prevented colds.", "We gave zinc."]
QUICK: dict[str, Any] = {"task": NAME, "data": str(CORPUS), "epochs": 1, "max_length": 64, "learning_rate": 0.003}
SEED = 3  # one with which the two decisions differ after so little training
GRID = '[axes]\nseed = [1, 2]\n"text.decision" = ["likeliest", "median"]\n'


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the installed package."""
    return install(tmp_path_factory.mktemp("site"), MODULE, tasks.group, f"{NAME} = {MODULE}:CLAIM_STRENGTH")


@pytest.fixture
def installed(site: Path) -> Iterator[None]:
    """Let this process find the package, as one that starts now would, and forget it afterwards."""
    with find_package(site, MODULE, tasks):
        yield


@pytest.fixture(scope="module")
def likeliest(site: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A run that the command line has trained."""
    folder = tmp_path_factory.mktemp("commanded") / "run"
    options = [f"--{name.replace('_', '-')}={value}" for name, value in QUICK.items()]
    paths = ["--encoder", str(tiny.encoder()), "--output", str(folder)]
    with find_package(site, MODULE, tasks), pytest.MonkeyPatch.context() as patch:
        patch.setattr(sys, "argv", ["linnet", "train", *options, "--seed", str(SEED), *paths])
        with pytest.raises(SystemExit) as ended:
            main()
    assert not ended.value.code
    return folder


def command(site: Path, *arguments: object) -> Done:
    """Run the command in an environment in which the package is installed."""
    return run_process(
        *arguments, variables={"PYTHONPATH": f"{site}{os.pathsep}{SOURCES.parent}", "OMP_NUM_THREADS": "1"}
    )


def predicted_in(path: Path) -> list[str]:
    return [json.loads(line)["predicted"] for line in path.read_text(encoding="utf-8").splitlines()]


def test_no_file_of_linnet_mentions_the_task() -> None:
    texts = {path: path.read_text(encoding="utf-8") for path in SOURCES.rglob("*.py")}

    assert not [path for path, text in texts.items() if NAME in text or MODULE in text]
    with pytest.raises(UnknownName, match=f"there is no task called '{NAME}'"):
        tasks.get(NAME)


def test_the_command_line_lists_the_task(site: Path) -> None:
    listed = command(site, "list", "tasks")

    assert f"{NAME}  strength of claims" in listed.out


@pytest.mark.usefixtures("installed")
def test_the_setting_is_described_and_checked_and_other_tasks_refuse_it() -> None:
    given: dict[str, Any] = {"data": "corpus", "output": "run", "text": {"decision": "median"}}

    assert describe_training_settings()["text.decision"].startswith(f"[{NAME}] Predict the likeliest grade")
    assert tasks.get(NAME).problems(read_recipe(None, **given, task=NAME)) == []
    with pytest.raises(BadSetting, match=r"text\.decision: Input should be 'likeliest' or 'median', found 'mode'"):
        read_recipe(None, **(given | {"text": {"decision": "mode"}}), task=NAME)
    with pytest.raises(BadSetting, match=r"the task 'classification' does not know the setting text\.decision"):
        read_recipe(None, **given, task="classification")


@pytest.mark.usefixtures("installed")
def test_a_run_is_evaluated_and_loaded_and_predicts(likeliest: Path, tmp_path: Path) -> None:
    metrics = open_run(likeliest).metrics

    found = linnet.evaluate(likeliest, CORPUS)
    model = linnet.load(likeliest)
    answers = model.predict(TEXTS)
    written = linnet.predict(likeliest, CORPUS / "devel.tsv", output=tmp_path / "devel.jsonl")

    assert (metrics["task"], metrics["metric"]) == (NAME, "closeness")
    assert found.main_score == pytest.approx(metrics["scores"]["closeness"]["value"])
    assert found.as_dict()["scores"].keys() == {"closeness", "accuracy"}
    assert not model.annotates
    assert [each.text for each in answers] == TEXTS
    assert written.answers == len(predicted_in(tmp_path / "devel.jsonl")) == 4


def test_without_the_package_its_models_are_refused(likeliest: Path) -> None:
    for use in (linnet.load, lambda folder: linnet.evaluate(folder, CORPUS)):
        with pytest.raises(UnknownName, match=f"there is no task called '{NAME}'"):
            use(likeliest)


@pytest.mark.usefixtures("installed")
def test_the_setting_changes_predictions_and_is_kept_with_the_model(likeliest: Path, tmp_path: Path) -> None:
    paths: dict[str, Any] = {"encoder": str(tiny.encoder()), "output": str(tmp_path / "run")}
    run = linnet.train(**QUICK, **paths, seed=SEED, text={"decision": "median"})

    models: list[Any] = [linnet.load(likeliest), linnet.load(run.folder)]
    examples = [TextExample(str(number), text) for number, text in enumerate(TEXTS, 1)]
    outputs, same = (list(model.outputs(examples)) for model in models)
    first, second = ([each.predicted for each in model.predict(TEXTS)] for model in models)

    assert 'decision = "median"' in (run.folder / "recipe.toml").read_text(encoding="utf-8")
    assert outputs == [pytest.approx(each) for each in same]  # it is the same network
    assert first == [max(each, key=each.get) for each in outputs]
    assert second == list(map(sys.modules[MODULE].median, outputs))
    assert first != second


@pytest.mark.long
@pytest.mark.usefixtures("installed")
def test_a_grid_compares_the_values_of_the_setting(tmp_path: Path) -> None:
    shared = QUICK | {"encoder": str(tiny.encoder())}
    path = write_grid(tmp_path, GRID, recipe=shared, baseline={"text.decision": "likeliest"})

    results = linnet.compare(path, threads=1)

    assert (results.failures, results.missing) == ((), 0)
    assert [(dict(cell.choice), len(cell.score_by_seed)) for cell in results.cells] == [
        ({"text.decision": "likeliest"}, 2),
        ({"text.decision": "median"}, 2),
    ]
    scores = {
        (each.choice["text.decision"], each.seed): open_run(each.folder).metrics["scores"]["closeness"]["value"]
        for each in load_grid(path).runs
    }
    assert scores == {
        (cell.choice["text.decision"], seed): pytest.approx(score)
        for cell in results.cells
        for seed, score in cell.score_by_seed.items()
    }
    assert [comparison.verdict for comparison in results.comparisons]
    assert (tmp_path / "grid" / "index.html").is_file()
