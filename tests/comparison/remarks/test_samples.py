"""Notes about devel samples of single sentences."""

from pathlib import Path

import pytest

from linnet.comparison.comparing import plan
from linnet.comparison.corpora import read_grid_corpora
from linnet.comparison.remarks.samples import note_samples_of_sentences
from tests import tiny
from tests.comparison.fake_runs import finish, make_grid

SAMPLE = {"data": "demo", "devel_sentences": 10}


def notes_of(folder: Path, **recipe: object) -> list[str]:
    grid = make_grid(folder, recipe=recipe)
    return note_samples_of_sentences(grid.runs, read_grid_corpora(grid))


def test_a_devel_sample_of_sentences_is_noted_once_where_documents_are_known(tmp_path: Path) -> None:
    (note,) = notes_of(tmp_path, **SAMPLE)

    assert note.startswith("`devel_sentences` draws single sentences, though the documents are known (demo): ")
    assert "set `sample_documents = true`" in note


@pytest.mark.parametrize(
    "recipe",
    [
        SAMPLE | {"sample_documents": True},
        SAMPLE | {"devel_sentences": 10_000},  # all of them
        {"data": "demo", "train_sentences": 50},  # training sentences are never scored
        {"data": str(tiny.corpus()), "devel_sentences": 2},  # files of sentences
    ],
)
def test_other_samples_are_not_noted(tmp_path: Path, recipe: dict[str, object]) -> None:
    assert not notes_of(tmp_path, **recipe)


def test_the_plan_has_the_note_until_the_runs_are_finished(tmp_path: Path) -> None:
    grid = make_grid(tmp_path, recipe=SAMPLE)
    before = plan(grid, workers=1).notes
    for run in grid.runs:
        finish(run)

    assert sum("draws single sentences" in note for note in before) == 1
    assert not note_samples_of_sentences(grid.runs, read_grid_corpora(grid))
