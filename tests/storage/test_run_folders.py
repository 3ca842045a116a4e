"""Run folders are recognised by their recipe."""

from pathlib import Path

import pytest

from linnet.storage.run_folders import RECIPE, is_run


def folder_with(path: Path, recipe: str) -> Path:
    path.mkdir(parents=True)
    (path / RECIPE).write_text(recipe, encoding="utf-8")
    return path


def test_a_recipe_that_names_its_own_folder_is_that_of_a_run(tmp_path: Path) -> None:
    folder = folder_with(tmp_path / "runs" / "a", f'output = "{(tmp_path / "runs" / "a").as_posix()}"\n')

    assert is_run(folder)


def test_a_relative_output_counts_wherever_the_run_was_started(tmp_path: Path) -> None:
    assert is_run(folder_with(tmp_path / "elsewhere" / "runs" / "a", 'output = "runs/a"\n'))


@pytest.mark.parametrize("recipe", ['output = "runs/b"\n', 'output = "../a"\n', "epochs = 3\n", "output = \n"])
def test_other_recipes_are_not_those_of_a_run(recipe: str, tmp_path: Path) -> None:
    assert not is_run(folder_with(tmp_path / "runs" / "a", recipe))


def test_a_folder_without_a_recipe_is_not_a_run(tmp_path: Path) -> None:
    assert not is_run(tmp_path)


def test_the_working_directory_is_never_a_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = folder_with(tmp_path / "a", 'output = "a"\n')
    monkeypatch.chdir(folder)

    assert not is_run(folder)


def test_an_output_that_is_a_circular_link_is_not_that_of_a_run(tmp_path: Path) -> None:  # issue 27
    (tmp_path / "loop").symlink_to("loop")
    output = (tmp_path / "loop").as_posix()

    assert not is_run(folder_with(tmp_path / "a", f'output = "{output}"\n'))
