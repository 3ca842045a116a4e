"""Existing outputs, which are replaced only on request (issue 27)."""

from pathlib import Path

import pytest

from linnet.errors import BadFile
from linnet.storage.outputs import refuse_existing


def test_an_existing_file_and_a_folder_with_files_are_refused_with_the_option(tmp_path: Path) -> None:
    (tmp_path / "folder").mkdir()
    (tmp_path / "folder" / "a.txt").touch()

    for path in (tmp_path / "folder", tmp_path / "folder" / "a.txt"):
        with pytest.raises(BadFile, match="exists already") as refused:
            refuse_existing(None, path, overwrite=False)
        assert "`--overwrite`" in refused.value.remedy
        refuse_existing(path, overwrite=True)


def test_what_is_not_there_and_an_empty_folder_may_be_written(tmp_path: Path) -> None:
    refuse_existing(None, tmp_path, tmp_path / "new", tmp_path / "new" / "deep", overwrite=False)


def test_a_name_that_the_system_does_not_take_is_a_clear_error(tmp_path: Path) -> None:
    with pytest.raises(BadFile, match="cannot be written"):
        refuse_existing(tmp_path / ("x" * 300), overwrite=False)
