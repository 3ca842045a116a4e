"""Corpora of a grid: each is read once, and its sizes are counted when they are needed."""

from collections.abc import Mapping
from pathlib import Path

import pytest

from linnet.comparison.corpora import corpus_warnings, read_grid_corpora
from linnet.contracts import CorpusFacts, tasks
from linnet.errors import BadFile
from linnet.settings.training import TrainSettings
from tests import tiny
from tests.comparison.fake_runs import WEIGHTINGS, fingerprints_of, finish, make_grid


def test_corpora_come_by_key_with_their_fingerprints_and_sizes(tmp_path: Path) -> None:
    first, second = (tiny.write_corpus(tmp_path / name, train=3, devel=2, test=2) for name in ("first", "second"))
    grid = make_grid(tmp_path, f'[axes]\nseed = [1]\ndata = ["{first}", "{second}"]\n{WEIGHTINGS}', recipe={})

    corpora = read_grid_corpora(grid)

    assert list(corpora) == [str(first), str(second)]
    assert corpora[str(first)].fingerprints == fingerprints_of(str(first))
    n_sentences = {split: sentences for split, (sentences, _) in corpora[str(first)].sizes().items()}
    assert n_sentences == {"train": 3, "devel": 2, "test": 2}


def test_a_corpus_is_read_once_for_all_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    grid = make_grid(tmp_path)
    task = tasks.get(grid.task)
    read, reads = task.corpora, []

    def record(settings: TrainSettings, metric: str) -> Mapping[str, CorpusFacts]:
        reads.append(settings.data)
        return read(settings, metric)

    monkeypatch.setattr(task, "corpora", record)

    read_grid_corpora(grid)

    assert len(grid.runs) == 6
    assert reads == ["demo"]


def test_auxiliary_corpora_are_read_too(tmp_path: Path) -> None:
    target, other = (tiny.write_corpus(tmp_path / name, train=3, devel=2, test=2) for name in ("target", "other"))
    corpora = [
        {"name": "a", "data": str(target), "role": "target"},
        {"name": "b", "data": str(other)},
    ]
    grid = make_grid(tmp_path, recipe={"data": str(target), "corpora": corpora})

    assert list(read_grid_corpora(grid)) == [str(target), str(other)]


def test_a_missing_corpus_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(BadFile, match="nowhere: there is no such file or folder"):
        read_grid_corpora(make_grid(tmp_path, recipe={"data": str(tmp_path / "nowhere")}))


def test_warnings_of_the_runs_about_their_corpora_are_collected_once(tmp_path: Path) -> None:
    grid = make_grid(tmp_path)
    for run in grid.runs[:-1]:
        finish(run)
        (run.folder / "metrics.json").write_text('{"corpus_warnings": ["61 sentences of test are in train"]}')

    assert corpus_warnings(grid) == ["demo: 61 sentences of test are in train"]


@pytest.mark.parametrize(
    "content", ["{", "[]", "[" * 100_000, '{"corpus_warnings": 5}', '{"corpus_warnings": null}'], ids=range(5)
)
def test_broken_metrics_of_a_run_are_an_error_with_the_file(tmp_path: Path, content: str) -> None:
    grid = make_grid(tmp_path)
    finish(grid.runs[0])
    (grid.runs[0].folder / "metrics.json").write_text(content)

    with pytest.raises(BadFile, match=r"metrics\.json: "):
        corpus_warnings(grid)
