"""Grids that are judged by links."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from linnet.comparison.grid import Grid, load_grid
from linnet.comparison.judging.links import check_vocabularies, is_linked, title_of_links
from linnet.comparison.verdict import compare_choices
from linnet.errors import BadSetting, LinnetError
from linnet.models.model_folder import ModelFacts, write_facts
from linnet.tasks.linking.evaluation import runs as linked_runs
from tests.tasks.linking.corpora import corpus_folder, tiny_vocabulary
from tests.tasks.linking.evaluation.test_runs import Tagger

GRID = """
output = "{output}"
baseline = {{ weighting = "none" }}
metric = "linked"
{vocabulary}
[recipe]
encoder = "minilm"
[axes]
seed = [1, 2]
[axes.corpus]
tiny = {{ data = "{data}" }}
[axes.weighting]
none = {{ scheme = "none" }}
welt = {{ scheme = "welt" }}
"""


def write_grid(folder: Path, vocabulary: str) -> Grid:
    path = folder / "grid.toml"
    path.write_text(GRID.format(output=folder / "out", vocabulary=vocabulary, data=corpus_folder()), encoding="utf-8")
    return load_grid(path)


def finish(grid: Grid) -> None:
    """Let all runs look finished."""
    for run in grid.runs:
        run.folder.mkdir(parents=True)
        (run.folder / "config.json").write_text('{"model_type": "bert"}', encoding="utf-8")
        facts: dict[str, Any] = {"tagging": "", "tags": (), "max_length": 1, "decoding": "", "seed": run.seed}
        write_facts(
            run.folder, ModelFacts(task="ner", corpus="tiny", fingerprints={"test": "x"}, versions={}, text={}, **facts)
        )


def test_the_metrics_have_titles() -> None:
    assert is_linked("linked")
    assert not is_linked("strict")
    assert title_of_links("linked") == "linked end-to-end F1"


@pytest.mark.parametrize("form", ['vocabulary = "{}"', 'vocabulary = {{ tiny = "{}" }}'])
def test_runs_are_compared_by_their_links(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, form: str) -> None:
    grid = write_grid(tmp_path, form.format(tiny_vocabulary().folder))
    check_vocabularies(grid)
    finish(grid)
    monkeypatch.setattr(linked_runs, "load", Tagger)

    results = compare_choices(grid, n_resamples=20)

    assert results.metric == "linked end-to-end F1"
    assert [bool(cell.mean) for cell in results.cells] == [True, True]
    assert results.comparisons[0].difference == 0
    assert results.details["resamples"] == "20 draws of the units of test"


def test_a_grid_without_a_vocabulary_is_refused(tmp_path: Path) -> None:
    with pytest.raises(BadSetting, match="needs a vocabulary"):
        check_vocabularies(write_grid(tmp_path, ""))


def test_a_corpus_without_a_vocabulary_is_refused(tmp_path: Path) -> None:
    with pytest.raises(BadSetting, match="`vocabulary` has other, and nothing for tiny"):
        check_vocabularies(write_grid(tmp_path, 'vocabulary = { other = "v" }'))


def test_a_missing_vocabulary_is_refused_before_training(tmp_path: Path) -> None:
    with pytest.raises(LinnetError, match="missing"):
        check_vocabularies(write_grid(tmp_path, 'vocabulary = "missing"'))


def test_another_metric_needs_no_vocabulary(tmp_path: Path) -> None:
    check_vocabularies(replace(write_grid(tmp_path, ""), metric="strict"))
