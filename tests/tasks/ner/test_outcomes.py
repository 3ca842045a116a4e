"""Outcomes of finished taggers, read from their saved predictions."""

from pathlib import Path

import pytest

from linnet.errors import BadFile
from linnet.tasks.ner.outcomes import read_outcomes
from linnet.training.run_folder import open_run
from tests import tiny


def copy_predictions(folder: Path, *, without_first: bool = False) -> Path:
    folder.mkdir()
    sentences = (tiny.trained() / "predictions-test.tsv").read_text(encoding="utf-8").split("\n\n")
    n_left_out = 2 if without_first else 0  # its document line, and its words
    (folder / "predictions-test.tsv").write_text("\n\n".join(sentences[n_left_out:]), encoding="utf-8")
    return folder


def test_the_score_is_that_of_the_run() -> None:
    found = read_outcomes([tiny.trained()], metric="strict", n_resamples=5, seed=0)

    (run,) = found.runs
    micro = open_run(tiny.trained()).metrics["strict"]["micro"]
    assert run.score == pytest.approx(micro["f1"])
    assert run.beside == pytest.approx({"precision": micro["precision"], "recall": micro["recall"]})
    assert found.n_units == len(found.words) == len(found.gold) == len(run.right) == 8


def test_runs_are_resampled_on_the_same_sentences(tmp_path: Path) -> None:
    twin = copy_predictions(tmp_path / "twin")

    found = read_outcomes([tiny.trained(), twin], metric="strict", n_resamples=7, seed=0)

    first, second = found.resample()
    assert len(first) == 7
    assert first.tolist() == second.tolist()


def test_a_run_without_predictions_is_refused(tmp_path: Path) -> None:
    with pytest.raises(BadFile, match=r"predictions-test\.tsv"):
        read_outcomes([tmp_path], metric="strict", n_resamples=1, seed=0)


def test_runs_on_other_sentences_are_refused(tmp_path: Path) -> None:
    other = copy_predictions(tmp_path / "other", without_first=True)

    with pytest.raises(BadFile):
        read_outcomes([tiny.trained(), other], metric="strict", n_resamples=1, seed=0)
