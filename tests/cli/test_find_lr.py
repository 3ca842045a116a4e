"""`linnet find-lr`: a rate, its curve, and a picture."""

import json
from pathlib import Path

import pytest
import torch

from linnet.cli.display.watching import Counter
from linnet.settings.files import to_toml
from tests import tiny
from tests.cli.running import run
from tests.tasks.ner import several

SMALL = ("--steps", 8, "--set", "optimiser.batch_size=8", "--set", "window.max_length=64")


def test_a_rate_is_suggested_and_drawn(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    done = run(
        capsys, "find-lr", "--data", tiny.corpus(), "--encoder", tiny.encoder(), *SMALL, "--plot", tmp_path / "lr.png",
        "--threads", torch.get_num_threads(),
    )  # fmt: skip

    assert (done.code, done.err) == (0, "")
    assert "weight decay 0.01, dropout as in the encoder" in done.out
    assert "the rate of these settings is 0.0003; the suggested one is a candidate to compare with it" in done.out
    assert "train with both (`--set lr=" in done.out
    assert f"{tmp_path / 'lr.png'}: the curves" in done.out
    assert (tmp_path / "lr.png").read_bytes().startswith(b"\x89PNG")
    assert [path.name for path in tmp_path.iterdir()] == ["lr.png"]


def test_json_has_every_curve_of_a_recipe(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    recipe = tmp_path / "recipe.toml"
    recipe.write_text(to_toml(tiny.settings(tmp_path / "run")), encoding="utf-8")

    done = run(
        capsys, "find-lr", recipe, "--steps", 6, "--dropout", 0.1, "--dropout", 0.2, "--lowest", 1e-5,
        "--highest", 1e-2, "--json",
    )  # fmt: skip

    found = json.loads(done.out)
    assert [curve["name"] for curve in found["curves"]] == [
        "weight decay 0.01, dropout 0.1",
        "weight decay 0.01, dropout 0.2",
    ]
    assert found["suggestion"] == found["curves"][0]["suggestion"]
    assert 1e-5 <= found["suggestion"] < 1e-2
    assert len(found["curves"][0]["points"]) == 6
    assert found["present"] == tiny.settings(tmp_path).optimiser.learning_rate


def test_progress_says_how_many_updates_there_are_in_all(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    begun: list[int] = []
    monkeypatch.setattr(Counter, "begin", lambda _, total: begun.append(total))

    run(
        capsys, "find-lr", "--data", tiny.corpus(), "--encoder", tiny.encoder(), *SMALL, "--steps", 5,
        "--dropout", 0.1, "--dropout", 0.2, "--json",
    )  # fmt: skip

    assert begun == [2 * 5]


def test_corpora_are_named_and_joined_as_for_training(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    recipe = tmp_path / "recipe.toml"
    corpora = [{**each, "data": "not here"} for each in several.members()]
    recipe.write_text(to_toml(tiny.settings(tmp_path / "run", data=None, corpora=corpora)), encoding="utf-8")
    joined = f"{several.chemicals()}+{several.diseases()}"

    placed = run(
        capsys, "find-lr", recipe, "--data", f"diseases={several.diseases()}+chemicals={several.chemicals()}",
        "--steps", 5, "--json",
    )  # fmt: skip
    short = run(
        capsys, "find-lr", "--data", joined, "--eval", "diseases", "--encoder", tiny.encoder(), *SMALL, "--steps", 5,
        "--json",
    )  # fmt: skip

    assert (placed.code, short.code) == (0, 0)
    assert len(json.loads(placed.out)["curves"][0]["points"]) == 5
    assert len(json.loads(short.out)["curves"][0]["points"]) == 5


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ((), "data: is missing"),
        (("--data", "nowhere"), "nowhere: there is no such file or folder"),
        (("--data", "demo", "--lowest", 1), "cannot sweep from 1 to 0.1"),
        (("--data", "demo", "--dropout", 1), "dropout: "),
        (("--data", "demo", "--steps", 1), "steps"),
    ],
)
def test_what_cannot_work_is_refused(
    capsys: pytest.CaptureFixture[str], options: tuple[object, ...], message: str
) -> None:
    done = run(capsys, "find-lr", *options)

    assert (done.code, done.out) == (2, "")
    assert message in done.err


def test_an_existing_picture_is_replaced_only_on_request(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    plot = tmp_path / "lr.png"
    plot.touch()
    options = ("--data", tiny.corpus(), "--encoder", tiny.encoder(), *SMALL, "--steps", 5, "--plot", plot)

    with monkeypatch.context() as patch:
        patch.setattr("linnet.training.lr_finder.find_learning_rate", pytest.fail)  # refused before the work
        refused = run(capsys, "find-lr", *options)
    assert refused.code == 2
    assert "lr.png: exists already" in refused.err
    assert "`--overwrite`" in refused.err

    assert run(capsys, "find-lr", *options, "--overwrite").code == 0
    assert plot.read_bytes().startswith(b"\x89PNG")
