"""Ranking by a trained model."""

from pathlib import Path

import pytest

from linnet.errors import BadFile
from linnet.tasks.linking.ranking import is_run, open_run


def test_a_run_is_told_by_its_linnet_json(tmp_path: Path) -> None:
    (tmp_path / "linnet.json").write_text("{}")

    assert is_run(tmp_path)
    assert not is_run(tmp_path / "other")


def test_another_model_is_refused(tmp_path: Path) -> None:
    with pytest.raises(BadFile, match="is no model that links mentions"):
        open_run(tmp_path)
