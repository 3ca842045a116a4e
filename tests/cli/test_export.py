"""`linnet export`: what it prints, and how it refuses."""

import json
from pathlib import Path

import pytest

from tests import tiny
from tests.cli.running import run
from tests.export.exported import export_again


@pytest.fixture(autouse=True)
def one_export(monkeypatch: pytest.MonkeyPatch, tmp_path_factory: pytest.TempPathFactory) -> None:
    export_again(monkeypatch)
    monkeypatch.setenv("LINNET_CACHE", str(tmp_path_factory.mktemp("cache")))  # checks are kept there


def test_it_says_how_far_the_exported_model_agrees(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    done = run(capsys, "export", tiny.trained(), tmp_path / "int8", "--int8", "--check", tiny.corpus())

    assert (done.code, done.err) == (0, "")
    assert f"{tmp_path / 'int8'}: int8, " in done.out
    assert "same tag for" in done.out
    assert "strict F1: " in done.out


def test_json_is_one_object(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    done = run(capsys, "export", tiny.trained(), tmp_path / "onnx", "--json")

    assert (done.code, done.err) == (0, "")
    found = json.loads(done.out)
    assert found["equal_tags"] == 1
    assert found["largest_difference"] <= 1e-4
    assert (found["int8"], found["f1"], found["points_lost"]) == (False, None, None)
    assert found["bytes"] == (tmp_path / "onnx" / "model.onnx").stat().st_size


def test_the_exported_folder_is_evaluated_like_the_original(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    run(capsys, "export", tiny.trained(), tmp_path / "onnx")

    ours = run(capsys, "evaluate", tmp_path / "onnx", tiny.corpus(), "--json")
    theirs = run(capsys, "evaluate", tiny.trained(), tiny.corpus(), "--json")

    assert ours.code == 0
    found, expected = json.loads(ours.out), json.loads(theirs.out)
    assert found.pop("calibration")["ece"] == pytest.approx(expected.pop("calibration")["ece"], abs=1e-3)
    assert found == expected | {"model": str(tmp_path / "onnx")}


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (("--check", "nowhere"), "there is no such file or folder"),
        (("--check", "demo", "--split", "nonsense"), "has no split 'nonsense'"),
        (("--tolerance", "-1"), "tolerance"),
    ],
)
def test_wrong_options_are_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], options: tuple[str, ...], message: str
) -> None:
    done = run(capsys, "export", tiny.trained(), tmp_path / "onnx", *options)

    assert (done.code, done.out) == (2, "")
    assert message in done.err
    assert not list(tmp_path.iterdir())


def test_a_folder_that_is_there_is_kept(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "notes.txt").write_text("mine", encoding="utf-8")

    done = run(capsys, "export", tiny.trained(), tmp_path)
    forced = run(capsys, "export", tiny.trained(), tmp_path, "--overwrite")

    assert (done.code, forced.code) == (2, 2)
    assert "exists already and is not empty" in done.err
    assert "holds no exported model" in forced.err
    assert [path.name for path in tmp_path.iterdir()] == ["notes.txt"]


def test_a_folder_that_is_no_model_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    done = run(capsys, "export", tiny.corpus(), tmp_path / "onnx")

    assert done.code == 2
    assert "is no model folder" in done.err
