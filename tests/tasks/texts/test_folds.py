"""Folds: each is an ordinary run, all together have a mean, and what was done is not done again."""

import json
import statistics
from functools import cache
from itertools import product
from pathlib import Path
from typing import Any

import pytest

import linnet
from linnet.cli.display.watching import TrainingBar
from linnet.errors import BadFile, BadSetting
from linnet.training.job import NamedWatcher, SilentWatcher
from linnet.training.options import read_recipe
from linnet.training.run_folder import Run
from tests import text_corpora, tiny
from tests.cli.running import run as run_command
from tests.tiny import CHEMICALS, DISEASES

LABELS = {"[[ {d} ]] was treated with << {c} >> .": "1", "<< {c} >> did not change [[ {d} ]] .": "0"}
TEXTS = [(frame.format(d=d, c=c), LABELS[frame]) for d in tiny.DISEASES for c in tiny.CHEMICALS for frame in LABELS]
FOLDS = ("1", "2", "3")


class Names(SilentWatcher):
    """Keeps the names of what is trained, and may stop in the middle of it."""

    def __init__(self, stops_in: str = "") -> None:
        self.stops_in = stops_in
        self.names: list[str] = []
        self.trained: list[str] = []

    def rename(self, name: str) -> None:
        self.names.append(name)

    def begin(self, n_steps: int, first_step: int) -> None:
        self.trained.append(f"{self.names[-1]} from {first_step}")

    def step(self, step: int, loss: float, tokens_per_second: float) -> None:
        if self.names[-1] == self.stops_in and step == 3:
            raise KeyboardInterrupt


def write_folds(folder: Path) -> Path:
    """Write three folds whose tests are apart, each with 16 texts to learn and 8 to be tested on."""
    for number, fold in enumerate(FOLDS):
        (folder / fold).mkdir(parents=True)
        text_corpora.write_table(folder / fold / "test.tsv", TEXTS[number::3])
        learned = [row for row in TEXTS if row not in TEXTS[number::3]]
        text_corpora.write_table(folder / fold / "train.tsv", learned)
    return folder


@cache
def corpus() -> Path:
    return write_folds(tiny.workshop() / "folds")


@cache
def trained() -> Run:
    """Return a run over the three folds; nobody changes it."""
    return train(tiny.workshop() / "trained-folds")


def train(output: Path, *, data: Path | None = None, **given: Any) -> Run:
    chosen: dict[str, Any] = {"text": {"folds": True, "devel_share": 0.25}, "epochs": 2, "data": str(data or corpus())}
    return text_corpora.train("relations", output, **(chosen | given))


def bytes_of(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir()}


@pytest.fixture
def undrawn(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let commands train without drawing."""
    monkeypatch.setattr("linnet.tasks.texts.results.plot_training", lambda *given, **_: None)
    monkeypatch.setattr("linnet.reports.plots.plot_confusion", lambda *given, **_: None)


def test_each_fold_is_an_ordinary_run_that_answers() -> None:
    run = trained()

    for fold in FOLDS:
        folder = run.folder / f"fold-{fold}"
        metrics = json.loads((folder / "metrics.json").read_text(encoding="utf-8"))
        settings: Any = read_recipe(folder / "recipe.toml")
        assert (settings.data, settings.text.folds) == (str(corpus() / fold), False)
        assert metrics["scores"] == run.metrics["folds"][fold]
        assert metrics["scores"]["f1"]["n"] == 8
        assert isinstance(linnet.load(folder), linnet.tasks.texts.predictor.TextPredictor)


def test_the_scores_are_mean_and_standard_deviation_over_the_folds() -> None:
    metrics = trained().metrics

    assert list(metrics["folds"]) == list(FOLDS)
    assert metrics["scores"].keys() == metrics["folds"]["1"].keys()
    for name, figure in metrics["scores"].items():
        values = [scores[name]["value"] for scores in metrics["folds"].values()]
        assert figure["value"] == pytest.approx(sum(values) / 3)
        assert figure["sd"] == pytest.approx(statistics.stdev(values))  # over n - 1
        assert (figure["low"], figure["high"], figure["n"], figure["unit"]) == (None, None, 3, "folds")
    assert (metrics["task"], metrics["metric"], metrics["split"]) == ("relations", "f1", "test")
    assert (metrics["labels"], metrics["best_epoch"]) == ({}, None)


def test_the_folder_of_all_folds_tells_what_they_have_in_common() -> None:
    run = trained()
    each = [json.loads((run.folder / f"fold-{fold}" / "metrics.json").read_text(encoding="utf-8")) for fold in FOLDS]

    assert {path.name for path in run.folder.iterdir() if path.is_file()} == {
        "linnet.json", "metrics.json", "recipe.toml", "report.md",
    }  # fmt: skip
    assert run.facts.folds == ("fold-1", "fold-2", "fold-3")
    assert (run.facts.task, run.facts.corpus) == ("relations", "folds")
    assert len(set(run.facts.fingerprints.values())) == 6
    again: Any = read_recipe(run.folder / "recipe.toml")
    assert again.text.folds
    assert run.metrics["seconds"] == pytest.approx(sum(found["seconds"] for found in each))
    taken = "devel: examples taken from training, for there is no such split: 4"
    told = [warning for warning in run.metrics["warnings"] if taken in warning]
    assert told == [f"fold {fold}: {taken} (first: {corpus() / fold})" for fold in FOLDS]


def test_the_report_has_a_row_for_each_fold() -> None:
    run = trained()
    report = (run.folder / "report.md").read_text(encoding="utf-8")

    mean = run.metrics["scores"]["f1"]
    assert "on folds, test of 3 folds" in report.splitlines()[0]
    assert f"**F1 {100 * mean['value']:.2f}** (standard deviation {100 * mean['sd']:.2f})" in report
    for fold in FOLDS:
        value = run.metrics["folds"][fold]["f1"]["value"]
        assert f"| [{fold}](fold-{fold}/report.md) | {100 * value:.2f} |" in report
    assert f"| SD | {100 * mean['sd']:.2f} |" in report


def test_the_folder_of_all_folds_is_no_model() -> None:
    run = trained()

    with pytest.raises(BadFile, match="this is no model, it holds those of 3 folds") as refused:
        linnet.load(run.folder)
    for fold in FOLDS:
        assert str(run.folder / f"fold-{fold}") in refused.value.remedy


def test_folds_that_share_a_text_are_refused_with_file_line_and_remedy(tmp_path: Path) -> None:
    data = write_folds(tmp_path / "data")
    text_corpora.write_table(data / "2" / "test.tsv", [TEXTS[1], TEXTS[0]])

    with pytest.raises(BadFile) as refused:
        train(tmp_path / "run", data=data)

    assert refused.value.problem.startswith(f"{data / '2' / 'test.tsv'}:2: the text ")
    assert f"{data / '1' / 'test.tsv'}:1" in refused.value.problem
    assert "`text.fold_overlap = 2`" in refused.value.remedy  # that text is also learned from in its own fold
    assert not (tmp_path / "run").exists()


def test_texts_that_may_be_shared_are_counted(tmp_path: Path) -> None:
    data = write_folds(tmp_path / "data")
    text_corpora.write_table(data / "2" / "test.tsv", [TEXTS[1], TEXTS[0]])

    run = train(tmp_path / "run", data=data, text={"folds": True, "fold_overlap": 3, "devel_share": 0.25}, epochs=0)

    assert run.metrics["warnings"][0].endswith("2 (allowed: 3)")


def test_folds_of_other_tasks_are_read_by_their_task(tmp_path: Path) -> None:
    pairs = [(f"{d} is known", f"we gave {c} .", at % 3) for at, (d, c) in enumerate(product(DISEASES, CHEMICALS))]
    for fold in (0, 1):
        (tmp_path / "data" / f"{fold + 1}").mkdir(parents=True)
        for split, rows in (("test", pairs[fold::2]), ("train", pairs[1 - fold :: 2])):
            text_corpora.write_table(tmp_path / "data" / f"{fold + 1}" / f"{split}.tsv", rows)
    text = {"folds": True, "devel_share": 0.5}

    run = text_corpora.train("similarity", tmp_path / "run", data=str(tmp_path / "data"), text=text, epochs=1)

    assert (run.metrics["task"], run.metrics["metric"]) == ("similarity", "pearson")
    assert run.metrics["scores"]["pearson"]["n"] == 2
    assert all(scores["pearson"]["n"] == len(pairs) // 2 for scores in run.metrics["folds"].values())


def test_what_is_wrong_with_the_last_fold_is_said_before_the_first_is_trained(tmp_path: Path) -> None:
    data = write_folds(tmp_path / "data")
    text_corpora.write_table(data / "3" / "test.tsv", [("[[ ataxia ]] and << aspirin >>", "maybe")])
    (tmp_path / "run").mkdir()
    (tmp_path / "run" / "recipe.toml").write_text('output = "run"', encoding="utf-8")

    with pytest.raises(BadSetting, match="'maybe'"):
        train(tmp_path / "run", data=data, overwrite=True)

    assert bytes_of(tmp_path / "run") == {"recipe.toml": b'output = "run"'}


def test_an_interrupted_job_goes_on_where_it_stopped(tmp_path: Path) -> None:
    output, interrupted, resumed = tmp_path / "run", Names(stops_in="fold 2"), Names()
    with pytest.raises(KeyboardInterrupt):
        train(output, watcher=interrupted)
    first = bytes_of(output / "fold-1")
    assert not (output / "linnet.json").exists()

    run = train(output, watcher=resumed, resume=True)

    assert interrupted.trained == ["fold 1 from 0", "fold 2 from 0"]
    assert resumed.names == ["fold 1", "fold 2", "fold 3"]
    assert resumed.trained == ["fold 2 from 2", "fold 3 from 0"]  # 12 texts make two updates, then a checkpoint
    assert bytes_of(output / "fold-1") == first
    assert run.metrics["scores"] == trained().metrics["scores"]


def test_a_finished_job_is_not_done_again(monkeypatch: pytest.MonkeyPatch) -> None:
    run = trained()
    monkeypatch.setattr("linnet.tasks.texts.task.TextTask.plan", pytest.fail)

    assert train(run.folder, resume=True) == run


def test_a_job_with_other_settings_is_not_resumed() -> None:
    with pytest.raises(BadFile, match="holds a run with other settings"):
        train(trained().folder, resume=True, seed=2)


def test_mentions_have_no_folds(tmp_path: Path) -> None:
    with pytest.raises(BadSetting, match=r"the task .ner. does not know the setting text\.folds"):
        tiny.train(tmp_path / "run", text={"folds": True})


def test_only_training_makes_several_runs_of_one_recipe(tmp_path: Path) -> None:
    settings = text_corpora.settings("relations", tmp_path / "run", text={"folds": True})

    with pytest.raises(BadSetting, match=r"text\.folds` makes several runs of one recipe"):
        tiny.plan_of(settings)


def test_the_bar_tells_folds_apart() -> None:
    assert issubclass(TrainingBar, NamedWatcher)
    assert not issubclass(SilentWatcher, NamedWatcher)


@pytest.mark.usefixtures("undrawn")
def test_the_command_prints_means_and_json(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    given = ["--data", corpus(), "--encoder", tiny.encoder(), "--task", "relations", "--epochs", 0, "--max-length", 64]
    given += ["--output", tmp_path / "run", "--set", "text.folds=true"]

    told = run_command(capsys, "train", *given)
    again = run_command(capsys, "train", *given, "--resume", "--json")

    assert (told.code, again.code) == (0, 0), told.err + again.err
    assert "test split, mean of 3 folds" in told.out
    assert "mean and standard deviation" in told.out
    assert "fold-1, fold-2, fold-3, report.md, metrics.json" in told.out.replace("\n", " ")
    assert json.loads(again.out) == json.loads((tmp_path / "run" / "metrics.json").read_text(encoding="utf-8"))
