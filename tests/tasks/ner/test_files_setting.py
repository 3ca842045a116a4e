"""`files`: a recipe names the file of each split, for mentions as `text.files` does for texts."""

from pathlib import Path
from typing import Any

import pytest

from linnet.errors import BadSetting
from linnet.settings.files import to_toml
from linnet.settings.training import CorpusSettings
from linnet.tasks.ner.corpora.sources import read_sources
from linnet.tasks.ner.settings import NerSettings
from linnet.tasks.texts.checks import refused_settings
from linnet.tasks.texts.settings import TextTrainSettings
from linnet.training.options import load_training, read_recipe

ROWS = "Lung\tB-X\ncancer\tI-X\n.\tO\n\n"


def folder_of(path: Path, **contents: str) -> Path:
    path.mkdir()
    for name, content in contents.items():
        (path / f"{name}.tsv").write_text(content, encoding="utf-8")
    return path


def test_a_recipe_says_which_file_is_which_split(tmp_path: Path) -> None:
    folder = folder_of(tmp_path / "c", task=ROWS * 3, held=ROWS * 2, eval=ROWS)
    recipe = tmp_path / "recipe.toml"
    recipe.write_text(
        f'data = "{folder}"\noutput = "run"\nfiles = {{ train = "task.tsv", dev = "held.tsv" }}\n', encoding="utf-8"
    )

    settings: Any = load_training(recipe, ["files.test=eval.tsv"])
    (source,), problems = read_sources(settings)

    assert problems == []
    assert len(source.training.rows) == 3
    assert {name: len(each.rows) for name, each in source.scored.items()} == {"devel": 2, "test": 1}
    (tmp_path / "again.toml").write_text(to_toml(settings), encoding="utf-8")
    assert read_recipe(tmp_path / "again.toml") == settings


def test_each_of_several_corpora_has_files_of_its_own(tmp_path: Path) -> None:
    target = folder_of(tmp_path / "a", train=ROWS, devel=ROWS, test=ROWS)
    other = folder_of(tmp_path / "b", everything=ROWS * 4)
    corpora = (
        CorpusSettings(name="a", data=str(target), role="target"),
        CorpusSettings(name="b", data=str(other), files={"train": "everything.tsv"}),
    )

    found, problems = read_sources(NerSettings(data=str(target), output="run", corpora=corpora))

    assert problems == []
    assert [len(source.training.rows) for source in found] == [1, 4]


def test_the_corpora_of_texts_have_their_own_setting() -> None:
    settings = TextTrainSettings(data="c", output="run", task="classification", files={"train": "a.tsv"})

    (problem,) = refused_settings(settings)

    assert isinstance(problem, BadSetting)
    assert "does not know the setting files" in problem.problem
    assert "`text.files`" in problem.remedy


def test_an_option_that_the_target_overrules_is_refused(tmp_path: Path) -> None:
    recipe = tmp_path / "recipe.toml"
    recipe.write_text(
        'output = "run"\n[[corpora]]\nname = "a"\ndata = "a"\nrole = "target"\nfiles = { train = "x.tsv" }\n',
        encoding="utf-8",
    )

    with pytest.raises(BadSetting, match="files: the target 'a' has its own"):
        load_training(recipe, ["files.train=y.tsv"])
