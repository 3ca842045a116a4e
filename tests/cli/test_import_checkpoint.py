"""The command `linnet import-checkpoint`."""

from pathlib import Path

import pytest

from tests.cli.running import run


def test_a_folder_that_is_not_there_is_refused_with_a_remedy(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    done = run(capsys, "import-checkpoint", tmp_path / "nowhere", tmp_path / "out")

    assert done.code == 2
    assert "Try:" in done.err
    assert not (tmp_path / "out").exists()
