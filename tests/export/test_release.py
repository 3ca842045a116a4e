"""The folder of an embedded model, built from a finished run."""

import json
from pathlib import Path

import pytest

from linnet.errors import BadSetting
from linnet.export.release import ReleaseSettings, build_release, main
from linnet.models.embedded import embedded_models, open_embedded
from linnet.settings.files import load_settings
from tests import tiny
from tests.embedded import without_models
from tests.export.exported import export_again

RECIPE = """
run = "{run}"
output = "{output}"
name = "bio"
version = "1.2.3"
licence = "Apache-2.0"
description = "Diseases and chemicals."
tolerance = 100.0
[[scores]]
name = "Tiny"
data = "{corpus}"
"""


def recipe(folder: Path, *more: str) -> Path:
    path = folder / "release.toml"
    text = RECIPE.format(run=tiny.trained(), output=folder / "root" / "bio", corpus=tiny.corpus())
    path.write_text("\n".join([*more, text]), encoding="utf-8")
    return path


@pytest.fixture(autouse=True)
def quick_exports(monkeypatch: pytest.MonkeyPatch) -> None:
    export_again(monkeypatch)


def test_a_run_becomes_an_embedded_model(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    without_models(monkeypatch, tmp_path / "root")

    code = main([str(recipe(tmp_path))])

    assert (code, "root/bio: 0." in capsys.readouterr().out) == (0, True)
    assert open_embedded("bio") == tmp_path / "root" / "bio"
    (model,) = embedded_models()
    assert (model.name, model.version) == ("bio", "1.2.3")
    assert [(row["corpus"], row["label"], row["units"]) for row in model.scores] == [
        ("Tiny", label, "sentences") for label in ("all", "Chemical", "Disease")
    ]
    assert model.words_per_second
    assert model.words_per_second > 0
    card = (tmp_path / "root" / "bio" / "README.md").read_text(encoding="utf-8")
    assert "# bio 1.2.3" in card
    assert "| Tiny test | Disease |" in card
    assert "[optimiser]" in card


def test_what_is_too_large_is_refused_and_nothing_is_written(tmp_path: Path) -> None:
    settings = load_settings(ReleaseSettings, recipe(tmp_path, "most_megabytes = 0.001"))

    with pytest.raises(BadSetting, match=r"at most 0.001 are allowed; nothing was written"):
        build_release(settings)
    assert not (tmp_path / "root" / "bio").exists()


def test_mistakes_have_a_remedy_and_exit_code_two(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "bad.toml").write_text('name = "Bio"\n', encoding="utf-8")

    assert main([str(tmp_path / "bad.toml")]) == 2
    assert main([]) == 2

    told = capsys.readouterr().err
    assert "run" in told
    assert "expected one" in told


def test_the_digests_are_of_all_files_but_the_facts(tmp_path: Path) -> None:
    folder = build_release(load_settings(ReleaseSettings, recipe(tmp_path)))

    release = json.loads((folder / "linnet.json").read_text(encoding="utf-8"))["release"]
    assert set(release["files"]) == {path.name for path in folder.iterdir()} - {"linnet.json"}


def test_an_older_release_gets_consistent_abbreviations_and_keeps_its_weights(tmp_path: Path) -> None:
    first = build_release(load_settings(ReleaseSettings, recipe(tmp_path)))
    older = tmp_path / "older"
    first.rename(older)
    given = load_settings(ReleaseSettings, recipe(tmp_path, "same_abbreviations = true"))

    second = build_release(given.model_copy(update={"run": str(older), "version": "1.3.0"}))

    before, after = (json.loads((folder / "linnet.json").read_text(encoding="utf-8")) for folder in (older, second))
    assert ("same_abbreviations" in before, after["same_abbreviations"]) == (False, True)
    assert before["release"]["files"]["model.onnx"] == after["release"]["files"]["model.onnx"]
    assert before["release"]["export"] == after["release"]["export"]
    card = (second / "README.md").read_text(encoding="utf-8")
    assert "# bio 1.3.0" in card
    assert "Abbreviations get the label of their long forms" in card
    assert (
        card.partition("## Training")[2]
        == (older / "README.md").read_text(encoding="utf-8").partition("## Training")[2]
    )
