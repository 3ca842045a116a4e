"""Rules of judging are settings of the grid file, with stated defaults."""

from pathlib import Path

import pytest

from linnet.comparison.judging.rules import JudgingRules
from linnet.errors import BadSetting
from tests.comparison.fake_runs import make_grid


def test_the_margin_of_equivalence_is_one_point_unless_the_grid_names_another(tmp_path: Path) -> None:
    usual, own = make_grid(tmp_path), make_grid(tmp_path, margin=0.5)

    assert (usual.rules.margin, usual.rules.margin_share) == (1.0, 0.01)
    assert own.rules == JudgingRules(margin=0.5)


def test_the_treatment_of_collapsed_runs_and_the_test_are_named_in_the_grid(tmp_path: Path) -> None:
    usual, own = make_grid(tmp_path), make_grid(tmp_path, collapse="exclude", test="rank")

    assert (usual.rules.collapse, usual.rules.test) == ("report", "t")
    assert (own.rules.collapse, own.rules.test) == ("exclude", "rank")
    for wrong in ({"collapse": "hide"}, {"test": "sign"}):
        with pytest.raises(BadSetting, match=next(iter(wrong))):
            make_grid(tmp_path, **wrong)


def test_a_margin_of_nothing_is_refused(tmp_path: Path) -> None:
    with pytest.raises(BadSetting, match="margin"):
        make_grid(tmp_path, margin=0)
