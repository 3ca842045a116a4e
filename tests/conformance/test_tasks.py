"""What every task must keep, asked through its contract: the rails know no more of a task than these tests do."""

import json
import pickle
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import linnet
from linnet.contracts import Table, Task, tasks
from linnet.errors import BadSetting
from linnet.models.model_folder import read_facts
from linnet.settings.training import TrainSettings
from linnet.training.options import read_recipe
from linnet.training.run_folder import Run
from tests.conformance.corpora import SAMPLES, Sample, corpus, trained, write_four

QUICKLY: dict[str, Any] = {"epochs": 20, "batch_size": 4, "learning_rate": 0.02, "optimiser.dropout": 0.0}
PARTS = {
    "README.md", "config.json", "history.jsonl", "linnet.json", "metrics.json", "mistakes.tsv", "model.safetensors",
    "recipe.toml", "report.md", "tokenizer.json", "training.png",
}  # fmt: skip  # of a run folder, besides predictions
OF_A_NETWORK = {"model.safetensors", "tokenizer.json", "training.png"}
FIGURE = {"value", "low", "high", "n", "unit", "units", "n_units"}
N_RESAMPLES = 20

every_task = pytest.mark.parametrize("name", tasks.names())
every_sample = pytest.mark.parametrize(
    ("task", "sample"),
    [
        pytest.param(tasks.get(name), sample, id=sample.name)
        for name in tasks.names()
        for sample in SAMPLES.get(name, ())
    ],
)


def settings_of(run: Run) -> TrainSettings:
    return read_recipe(run.folder / "recipe.toml")


def main_score(metrics: Mapping[str, Any]) -> float:
    return float(metrics["scores"][metrics["metric"]]["value"])


def are_whole(tables: list[Table]) -> bool:
    """Are there tables with a cell for each column?"""
    return bool(tables) and all(len(row) == len(table.columns) for table in tables for row in table.rows)


@every_task
def test_a_task_has_a_tiny_corpus(name: str) -> None:
    assert SAMPLES.get(name), f"add a tiny corpus of the task {name!r} to SAMPLES in tests/conformance/corpora.py"


@every_task
def test_a_task_says_what_it_is(name: str) -> None:
    task = tasks.get(name)

    assert task.name == name
    assert task.description
    assert "\n" not in task.description
    assert task.score_title
    assert task.metric_title(task.default_metric)


@every_task
def test_default_settings_have_no_problems_and_travel_between_processes(name: str) -> None:
    task = tasks.get(name)

    settings = task.settings(data="corpus", output="run", task=name)

    assert issubclass(task.settings, TrainSettings)
    assert task.problems(settings) == []
    assert task.folds(settings) is None
    assert pickle.loads(pickle.dumps(settings)) == settings


@every_sample
def test_a_plan_keeps_its_settings_or_takes_others(task: Task, sample: Sample) -> None:
    settings = sample.settings(Path("unused"), data=str(corpus(sample)))
    other = settings.model_copy(update={"seed": 7})

    plan = task.plan(settings)

    assert plan.settings == settings
    assert plan.changed(other).settings == other


@every_sample
def test_training_fills_a_run_folder(task: Task, sample: Sample) -> None:
    folder = trained(sample).folder

    found = {path.name for path in folder.iterdir()}

    assert found >= (PARTS if sample.has_network else PARTS - OF_A_NETWORK)
    assert {Path(name).stem for name in found} >= {"predictions-devel", "predictions-test"}
    assert "checkpoints" not in found
    assert read_facts(folder).task == task.name
    assert task.name in (folder / "recipe.toml").read_text(encoding="utf-8")


@every_sample
def test_scores_have_one_shape(task: Task, sample: Sample) -> None:
    metrics = trained(sample).metrics

    assert metrics["task"] == task.name
    assert metrics["split"] == "test"
    for part in (metrics, metrics["devel"]):
        assert part["metric"] in part["scores"]
        for figure in part["scores"].values():
            assert set(figure) == FIGURE
            if figure["low"] is None:  # too few units for an interval
                assert figure["high"] is None
            else:
                assert figure["low"] - 1e-9 <= figure["value"] <= figure["high"] + 1e-9
            assert figure["n"] > 0
    assert are_whole(task.tables(metrics))


@every_sample
def test_a_model_does_what_it_is_for_and_refuses_the_rest(task: Task, sample: Sample) -> None:
    model = linnet.load(trained(sample).folder)
    verb, other = (model.annotate, model.predict) if model.annotates else (model.predict, model.annotate)

    found = list(verb(sample.inputs))

    assert len(found) == len(sample.inputs)
    with pytest.raises(BadSetting) as refused:
        other(sample.inputs)
    assert f"`{verb.__name__}(texts)`" in refused.value.remedy


@every_sample
def test_predictions_of_a_file_are_kept_and_read_again(task: Task, sample: Sample) -> None:
    model = linnet.load(trained(sample).folder)
    if model.annotates:  # documents are annotated as a stream instead
        with pytest.raises(BadSetting) as refused:
            model.questions(corpus(sample), split="test", repair=False)
        assert "`linnet annotate`" in refused.value.remedy
        return

    questions = model.questions(corpus(sample), split="test", repair=False)
    blocks = list(questions.blocks())
    predicted = [each for block in blocks for each in questions.predict(block)]

    assert sum(map(len, blocks)) == questions.n_examples > 0
    assert predicted
    kept = json.loads(json.dumps([questions.as_row(each) for each in predicted]))
    assert [questions.from_row(row) for row in kept] == predicted
    assert list(map(questions.digest, blocks)) == list(map(questions.digest, questions.blocks()))


@every_sample
def test_a_model_is_ready_to_be_exported(task: Task, sample: Sample) -> None:
    folder = trained(sample).folder
    if not sample.has_network:
        with pytest.raises(BadSetting):
            task.exportable(folder, check=corpus(sample), split="test", label=None, repair=False)
        return

    found = task.exportable(folder, check=corpus(sample), split="test", label=None, repair=False)

    assert any((folder / name).is_file() for name in found.files)
    assert found.inputs().keys() >= found.axes().keys() > set()
    assert found.network() is not None
    assert set(map(type, found.notes)) <= {str}


@every_sample
def test_evaluation_says_what_training_said(task: Task, sample: Sample, tmp_path: Path) -> None:
    run = trained(sample)

    found = linnet.evaluate(run.folder, corpus(sample))
    found.write_predictions(tmp_path / "predictions")
    page = found.write_page(tmp_path / "page", title="<the title>", details={"model": "<the model>"})

    values = json.loads(json.dumps(found.as_dict()))
    assert (values["task"], values["metric"], found.split) == (task.name, run.metrics["metric"], "test")
    assert values["scores"] == run.metrics["scores"]
    assert found.main_score == main_score(values)
    assert are_whole(found.tables())
    assert set(map(type, (*found.notes, *found.warnings))) <= {str}
    assert (tmp_path / "predictions").read_bytes() == next(run.folder.glob("predictions-test.*")).read_bytes()
    assert "the title" in page.read_text(encoding="utf-8")


@every_sample
def test_the_corpus_of_a_run_is_known_by_its_fingerprints(task: Task, sample: Sample) -> None:
    run = trained(sample)
    settings = settings_of(run)

    found = task.corpora(settings, task.default_metric)

    assert next(iter(found)) == settings.corpus_key
    assert found[settings.corpus_key].fingerprints == read_facts(run.folder).fingerprints
    sizes = found[settings.corpus_key].sizes()
    assert sizes.keys() == {"train", "devel", "test"}
    assert all(n_units > 0 and n_words >= n_units for n_units, n_words in sizes.values())


@every_sample
def test_what_a_run_predicted_gives_its_score_again(task: Task, sample: Sample) -> None:
    run = trained(sample)
    settings = settings_of(run)
    metric = task.default_metric

    found = task.outcomes([(run.folder, settings)] * 2, metric=metric, n_resamples=N_RESAMPLES, seed=1)

    assert [each.score for each in found.runs] == [pytest.approx(main_score(run.metrics))] * 2
    assert len(found.words) == len(found.gold) == len(found.runs[0].right) == len(found.runs[0].predicted)
    first, second = found.resample()
    assert first.shape == (N_RESAMPLES,)
    assert np.array_equal(first, second)
    assert task.published(settings, metric) is None


@every_sample
def test_a_corpus_is_counted_and_its_texts_are_read(task: Task, sample: Sample) -> None:
    counts = task.count(corpus(sample), label=None, repair=False)
    texts = task.texts(corpus(sample), files=None)

    assert counts.keys() == texts.keys() == {"train", "devel", "test"}
    assert all(number > 0 for counted in counts.values() for number in counted.values())
    assert all(text.strip() for found in texts.values() for text in found)


@every_sample
def test_four_examples_are_learned_by_heart(task: Task, sample: Sample, tmp_path: Path) -> None:
    data = write_four(sample, tmp_path / "four")

    run = sample.train(tmp_path / "run", data=str(data), **QUICKLY, **sample.by_heart)

    assert main_score(run.metrics) >= sample.learned
