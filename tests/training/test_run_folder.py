"""A run folder is claimed by one run, keeps its recipe, and is replaced or resumed only on request."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from linnet.errors import BadFile, BadSetting
from linnet.settings.training import TrainSettings
from linnet.training.run_folder import (
    CHECKPOINTS,
    METRICS,
    claim_folder,
    data_note,
    data_options,
    is_finished,
    open_run,
    remove_checkpoints,
    versions,
    write_history,
    write_json,
    write_model,
)

MARKER = "linnet.json"


def settings(output: Path, seed: int = 1) -> TrainSettings:
    return TrainSettings(data="demo", output=str(output), seed=seed)


@pytest.fixture
def check(tmp_path: Path) -> Callable[..., bool]:
    """Look at the folder `run` for a run with this seed."""
    output = tmp_path / "run"

    def look(*, seed: int = 1, sources: tuple[str, ...] = (), resume: bool = False, overwrite: bool = False) -> bool:
        return is_finished(settings(output, seed), output, MARKER, sources, resume=resume, overwrite=overwrite)

    return look


@pytest.fixture
def run(tmp_path: Path) -> Path:
    """A folder with the recipe of an interrupted run."""
    with claim_folder(tmp_path / "run", settings(tmp_path / "run"), overwrite=False):
        pass
    return tmp_path / "run"


def test_a_new_folder_and_one_with_remains_of_a_killed_process_are_free(
    tmp_path: Path, check: Callable[..., bool]
) -> None:
    assert not check()

    (tmp_path / "run").mkdir()
    (tmp_path / "run" / ".recipe.toml.part").touch()
    assert not check()


def test_an_interrupted_run_is_resumed_and_a_finished_one_recognised(run: Path, check: Callable[..., bool]) -> None:
    assert not check(resume=True)

    (run / MARKER).touch()
    assert check(resume=True)


def test_a_run_is_neither_mixed_with_another_nor_replaced_without_request(
    run: Path, check: Callable[..., bool]
) -> None:
    with pytest.raises(BadFile, match="holds a run already"):
        check()
    with pytest.raises(BadFile, match=r"holds a run with other settings: seed was 1, is 2\n"):
        check(seed=2, resume=True)
    with pytest.raises(BadSetting, match=r"resumed .* or replaced"):
        check(resume=True, overwrite=True)
    assert not check(seed=2, overwrite=True)
    assert (run / "recipe.toml").is_file()  # nothing is removed yet


def test_what_differs_is_named_as_the_options_name_it(run: Path) -> None:
    other = settings(run, 1)
    other = other.model_copy(update={"optimiser": other.optimiser.model_copy(update={"epochs": 99}), "threads": 7})

    with pytest.raises(BadFile, match=r"other settings: epochs was \d+, is 99\n"):
        is_finished(other, run, MARKER, (), resume=True, overwrite=False)


def test_a_run_that_the_new_one_reads_is_not_replaced(run: Path, check: Callable[..., bool]) -> None:
    with pytest.raises(BadSetting, match="is read by the run"):
        check(sources=(str(run),), overwrite=True)


def test_files_of_somebody_else_are_never_replaced(tmp_path: Path, check: Callable[..., bool]) -> None:
    (tmp_path / "run").mkdir()
    (tmp_path / "run" / "thesis.tex").touch()

    with pytest.raises(BadFile, match="holds files, and no run"):
        check(resume=True)
    with pytest.raises(BadFile, match="no run that could be replaced"):
        check(overwrite=True)


def test_claiming_with_overwrite_empties_the_folder_and_writes_the_recipe(run: Path) -> None:
    (run / "checkpoints").mkdir()
    (run / "model.safetensors").touch()

    with claim_folder(run, settings(run, seed=2), overwrite=True):
        names = {path.name for path in run.iterdir()}

    assert {"checkpoints", "model.safetensors"}.isdisjoint(names)
    assert "seed = 2" in (run / "recipe.toml").read_text(encoding="utf-8")


def test_what_a_killed_run_left_is_removed_when_the_run_goes_on(run: Path) -> None:
    for name in (".model.abcdefgh.part", "checkpoints/.step-4.abcdefgh.part", "checkpoints/step-2"):
        (run / name).mkdir(parents=True)
        (run / name / "network.safetensors").touch()
    for name in (".metrics.json.17.part", "checkpoints/.best.safetensors.17.part"):
        (run / name).touch()

    with claim_folder(run, settings(run), overwrite=False):
        left = sorted(str(path.relative_to(run)) for path in run.rglob("*") if path.is_file())

    assert left == ["checkpoints/step-2/network.safetensors", "recipe.toml"]


def test_what_another_process_may_own_is_not_removed(run: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (run / ".metrics.json.17.part").touch()

    with claim_folder(run, settings(run), overwrite=False):
        assert not (run / ".metrics.json.17.part").exists()
        (run / ".metrics.json.18.part").touch()
        with pytest.raises(BadFile, match="another process"), claim_folder(run, settings(run), overwrite=False):
            pass
    assert (run / ".metrics.json.18.part").exists()

    monkeypatch.setattr("linnet.storage.folder_lock.fcntl", None)  # a system without locks
    with claim_folder(run, settings(run), overwrite=False):
        assert (run / ".metrics.json.18.part").exists()


def test_the_files_of_a_model_appear_together_or_not_at_all(tmp_path: Path) -> None:
    def save(folder: Path) -> None:
        (folder / "a.json").write_text("{}", encoding="utf-8")

    def fail(folder: Path) -> None:
        (folder / "b.json").touch()
        raise KeyboardInterrupt

    write_model(tmp_path, save)
    with pytest.raises(KeyboardInterrupt):
        write_model(tmp_path, fail)

    assert [path.name for path in tmp_path.iterdir()] == ["a.json"]


def test_history_has_an_object_on_each_line_and_metrics_are_indented(tmp_path: Path) -> None:
    write_history(tmp_path / "history.jsonl", [{"step": 1}, {"step": 2}])
    write_json(tmp_path / METRICS, {"f1": 0.5})

    lines = (tmp_path / "history.jsonl").read_text(encoding="utf-8").splitlines()
    assert [json.loads(line) for line in lines] == [{"step": 1}, {"step": 2}]
    assert (tmp_path / METRICS).read_text(encoding="utf-8") == '{\n  "f1": 0.5\n}\n'


def test_a_folder_without_scores_is_no_finished_run(tmp_path: Path) -> None:
    with pytest.raises(BadFile, match="holds no finished run"):
        open_run(tmp_path)


def test_broken_scores_are_refused(tmp_path: Path) -> None:
    (tmp_path / METRICS).write_text("{", encoding="utf-8")

    with pytest.raises(BadFile, match="is broken"):
        open_run(tmp_path)


def test_versions_name_python_and_the_packages_that_results_depend_on() -> None:
    assert versions().keys() == {"python", "linnet", "torch", "transformers", "tokenizers", "numpy"}


def test_issue_27_checkpoints_that_cannot_be_removed_are_told_and_the_run_is_said_to_be_complete(
    run: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (run / CHECKPOINTS / "step-3").mkdir(parents=True)

    def fail(folder: Path) -> None:
        raise PermissionError(13, "Permission denied", str(folder))

    with monkeypatch.context() as patch:
        patch.setattr("linnet.training.run_folder.remove_folder", fail)
        with pytest.raises(BadFile, match=r"checkpoints: cannot be removed \(Permission denied\); the run is complete"):
            remove_checkpoints(run)

    remove_checkpoints(run)
    assert not (run / CHECKPOINTS).exists()
    remove_checkpoints(run)


@pytest.mark.parametrize(
    ("recipe", "options"),
    [
        ({"data": "demo"}, []),
        ({"data": "ncbi-disease"}, []),
        ({"data": "gad-folds/1"}, []),
        ({"data": "corpora/mine"}, ["--data", "corpora/mine"]),
        ({"data": "/srv/corpora/ncbi-disease"}, ["--data", "/srv/corpora/ncbi-disease"]),
        (
            {"data": "a/x", "corpora": [{"name": "x", "data": "a/x"}, {"name": "y", "data": "demo"}]},
            ["--data", "x=a/x"],
        ),
        (
            {"data": "a/x", "corpora": [{"name": "x", "data": "a/x"}, {"name": "y", "data": "b"}]},
            ["--data", "x=a/x+y=b"],
        ),
        ({"data": "demo", "corpora": []}, []),
    ],
)
def test_data_that_is_no_known_corpus_is_named_on_the_command_line(
    recipe: dict[str, object], options: list[str]
) -> None:
    assert data_options(recipe) == options


def test_a_card_says_which_data_a_run_read(tmp_path: Path) -> None:
    known, own = (TrainSettings(data=data, output=str(tmp_path)) for data in ("demo", "corpora/mine"))

    assert data_note(known) == "The run read the data `demo`, which Linnet knows by name (`linnet corpus list`)."
    assert data_note(own) == (
        "The run read the data `corpora/mine`. Where that lies elsewhere, name it with `--data FOLDER`."
    )
