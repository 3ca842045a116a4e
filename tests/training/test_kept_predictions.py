"""Test predictions of finished runs: the file is found, and all runs must have the same gold."""

from pathlib import Path

import pytest

from linnet.errors import BadFile
from linnet.training.kept_predictions import check_same_gold, predictions_of

RUNS = [Path("a"), Path("b"), Path("c")]


def test_the_file_of_predictions_is_found_or_its_absence_explained(tmp_path: Path) -> None:
    (tmp_path / "predictions-test.tsv").touch()

    assert predictions_of(tmp_path, "test", "tsv") == tmp_path / "predictions-test.tsv"
    with pytest.raises(BadFile, match=r"predictions-devel\.tsv: there is no such file"):
        predictions_of(tmp_path, "devel", "tsv")


def test_runs_with_the_same_gold_are_accepted() -> None:
    check_same_gold(RUNS, [["O", "B"]] * 3)
    check_same_gold([], [])


def test_the_first_run_with_other_gold_is_named() -> None:
    with pytest.raises(BadFile, match="b: was scored on other sentences than a"):
        check_same_gold(RUNS, [["O", "B"], ["O", "O"], ["B", "B"]])
