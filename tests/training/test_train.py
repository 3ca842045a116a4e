"""From settings to a run folder: every option trains, saves and predicts alike, and no two runs mix."""

from pathlib import Path
from typing import Any

import pytest

import linnet
from linnet.contracts import ReadOptions
from linnet.errors import BadFile, BadSetting, LinnetError
from linnet.formats.rows import read_tagged
from linnet.tasks.ner.predictor import load
from linnet.training import checkpoint
from linnet.training.history import EpochRow
from linnet.training.job import SilentWatcher
from linnet.training.run_folder import claim_folder
from tests import tiny

QUICK = {"epochs": 1, "batch_size": 8, "learning_rate": 0.02}


def predicted(path: Path) -> tuple[list[list[str]], list[list[str]]]:
    """Return words and predicted tags of a predictions file."""
    rows = [row for row in read_tagged(path, ReadOptions(tag_column=3)) if row.words]
    return [list(row.words) for row in rows], [list(row.tags) for row in rows]


@pytest.mark.parametrize(
    "given",
    [
        {"loss": {"name": "focal", "gamma": 1.0, "scheme": "isns"}},
        {"loss": {"name": "dice", "alpha": 0.1, "scheme": "welt"}},
        {"loss": {"name": "crf"}, "tagging": "iobes"},
        {"loss": {"smoothing": 0.1, "scheme": "ens", "beta": 0.999}},
        {"loss": {"weights": {"O": 1, "B-Chemical": 2, "I-Chemical": 3, "B-Disease": 2, "I-Disease": 3}}},
        {"window": {"all_subwords": True, "max_length": 64}, "tagging": "bilou"},
        {"window": {"max_length": 12, "overlap": 3}},
        {"optimiser": {**QUICK, "freeze_layers": 1, "layer_decay": 0.7, "head_factor": 5.0, "clip": 0}},
        {"optimiser": {**QUICK, "dropout": 0.3, "weight_decay": 0.0, "warmup": 0.0, "precision": "bfloat16"}},
        {"train_on": "train_dev"},
        {"train_sentences": 5, "tagging": "io"},
        {"lora": {"rank": 2, "alpha": 4}},
    ],
    ids=lambda given: "-".join(str(each) for each in given),
)
def test_each_option_trains_and_the_saved_model_predicts_what_was_scored(tmp_path: Path, given: dict[str, Any]) -> None:
    chosen: dict[str, Any] = {"optimiser": QUICK, "window": {"max_length": 64}} | given
    run = tiny.train(tmp_path / "run", **chosen)

    words, tags = predicted(run.folder / "predictions-test.tsv")
    model = load(run.folder)
    assert [each.tags for each in model.tag(words)] == tags
    assert run.metrics["strict"]["micro"]["gold"] == sum(
        tag[0] == "B" for row in tiny.sentences(8, 2) for _, tag in row
    )
    assert sum(map(len, words)) == sum(len(row) for row in tiny.sentences(8, 2))


def test_what_was_learned_from_is_not_scored(tmp_path: Path) -> None:
    run = tiny.train(tmp_path / "run", train_on="train_dev", epochs=1)

    assert "devel" not in run.metrics
    assert not (run.folder / "predictions-devel.tsv").exists()
    assert run.metrics["split"] == "test"


def test_the_same_settings_give_the_same_model(tmp_path: Path) -> None:
    first, second = (tiny.train(tmp_path / name) for name in "ab")

    assert (first.folder / "model.safetensors").read_bytes() == (second.folder / "model.safetensors").read_bytes()


def test_python_takes_the_names_of_the_command_line(tmp_path: Path) -> None:
    run = linnet.train(
        data=str(tiny.corpus()), encoder=str(tiny.encoder()), output=str(tmp_path / "run"),
        scheme="welt", epochs=1, batch_size=8, max_length=64,
    )  # fmt: skip

    assert run.facts.scheme == "welt"
    assert (run.folder / "training.png").read_bytes().startswith(b"\x89PNG")


def test_a_folder_that_holds_a_run_is_refused(tmp_path: Path) -> None:
    tiny.train(tmp_path / "run", epochs=0)
    before = {path: path.read_bytes() for path in (tmp_path / "run").iterdir()}

    with pytest.raises(BadFile, match="holds a run already") as refused:
        tiny.train(tmp_path / "run", epochs=0)

    assert "--resume" in refused.value.remedy
    assert "--overwrite" in refused.value.remedy
    assert {path: path.read_bytes() for path in (tmp_path / "run").iterdir()} == before


def test_a_finished_run_is_not_trained_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    run = tiny.train(tmp_path / "run", epochs=0)
    (run.folder / "checkpoints").mkdir()
    monkeypatch.setattr("linnet.tasks.ner.task.NamedEntityRecognition.plan", pytest.fail)

    again = tiny.train(tmp_path / "run", epochs=0, resume=True)

    assert again == run
    assert not (run.folder / "checkpoints").exists()


def test_a_run_with_other_settings_is_not_resumed(tmp_path: Path) -> None:
    tiny.train(tmp_path / "run", epochs=0)

    with pytest.raises(BadFile, match="holds a run with other settings"):
        tiny.train(tmp_path / "run", epochs=0, seed=2, resume=True)


def test_an_old_run_is_replaced_on_request(tmp_path: Path) -> None:
    tiny.train(tmp_path / "run", epochs=0)
    (tmp_path / "run" / "old.txt").write_text("", encoding="utf-8")

    run = tiny.train(tmp_path / "run", epochs=0, seed=2, overwrite=True)

    assert run.facts.seed == 2
    assert not (tmp_path / "run" / "old.txt").exists()


def test_an_old_run_is_kept_where_the_new_one_cannot_begin(tmp_path: Path) -> None:
    tiny.train(tmp_path / "run", epochs=0)

    with pytest.raises(BadSetting):
        tiny.train(tmp_path / "run", encoder="no-such-encoder", overwrite=True)

    assert (tmp_path / "run" / "linnet.json").is_file()


def test_a_folder_that_is_no_run_is_never_removed(tmp_path: Path) -> None:
    (tmp_path / "thesis.tex").write_text("years of work", encoding="utf-8")

    with pytest.raises(BadFile, match="no run that could be replaced"):
        tiny.train(tmp_path, overwrite=True)

    assert (tmp_path / "thesis.tex").is_file()


@pytest.mark.parametrize("output", ["runs/x", ".", "", "/"])
def test_a_project_with_a_recipe_of_its_own_is_never_removed(tmp_path: Path, output: str) -> None:
    (tmp_path / "recipe.toml").write_text(f'data = "demo"\noutput = "{output}"\n', encoding="utf-8")
    (tmp_path / "thesis.tex").write_text("years of work", encoding="utf-8")

    with pytest.raises(BadFile, match=r"recipe\.toml is of a run in another folder"):
        tiny.train(tmp_path, overwrite=True)

    assert (tmp_path / "thesis.tex").is_file()


def test_a_run_is_replaced_from_another_place_than_it_was_started_in(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    tiny.train(Path("runs/x"), epochs=0)
    (tmp_path / "elsewhere").mkdir()
    monkeypatch.chdir(tmp_path / "elsewhere")

    assert tiny.train(tmp_path / "runs/x", epochs=0, seed=2, overwrite=True).facts.seed == 2


def test_the_encoder_that_a_run_begins_with_is_not_removed_for_it(tmp_path: Path) -> None:
    run = tiny.train(tmp_path / "run", epochs=0)

    with pytest.raises(BadSetting, match="is read by the run"):
        tiny.train(tmp_path / "run", encoder=str(run.folder), overwrite=True)

    assert (run.folder / "model.safetensors").is_file()


def test_files_that_are_called_parts_by_others_are_kept(tmp_path: Path) -> None:
    (tmp_path / "film.part").write_text("", encoding="utf-8")

    with pytest.raises(BadFile, match="no run that could be replaced"):
        tiny.train(tmp_path, overwrite=True)


def test_a_run_that_another_process_has_begun_meanwhile_is_left_alone(tmp_path: Path) -> None:
    first, second = tiny.settings(tmp_path / "run"), tiny.settings(tmp_path / "run", seed=2)

    with (
        claim_folder(tmp_path / "run", first, overwrite=False),
        pytest.raises(BadFile, match="another process is at work"),
        claim_folder(tmp_path / "run", second, overwrite=False),
    ):
        pass
    with pytest.raises(BadFile, match="other settings"), claim_folder(tmp_path / "run", second, overwrite=False):
        pass

    assert "seed = 1" in (tmp_path / "run" / "recipe.toml").read_text(encoding="utf-8")


@pytest.mark.parametrize("name", ["a.txt/run", "x" * 300, "circle", "nowhere/run"])
def test_an_output_that_cannot_be_written_is_refused_at_once(
    tmp_path: Path, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "a.txt").write_text("", encoding="utf-8")
    (tmp_path / "circle").symlink_to(tmp_path / "circle")
    (tmp_path / "nowhere").symlink_to(tmp_path / "gone")
    monkeypatch.setattr("linnet.tasks.ner.task.NamedEntityRecognition.plan", pytest.fail)

    with pytest.raises(BadFile, match=name[:9]):
        tiny.train(tmp_path / name)


def test_the_folder_that_one_works_in_is_never_removed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    tiny.train(tmp_path / "run", epochs=0)
    monkeypatch.chdir(tmp_path / "run")

    with pytest.raises(BadFile, match="you are working in this one"):
        tiny.train(Path(), epochs=0, overwrite=True)


def test_what_a_killed_process_left_behind_is_no_run(tmp_path: Path) -> None:
    (tmp_path / ".recipe.toml.17.part").write_text("data", encoding="utf-8")

    assert tiny.train(tmp_path, epochs=0).facts.task == "ner"


@pytest.mark.parametrize("place", ["file", "file/run"])
def test_a_folder_that_cannot_be_made_is_a_clear_error(tmp_path: Path, place: str) -> None:
    (tmp_path / "file").write_text("", encoding="utf-8")

    with pytest.raises(BadFile, match=r"is a file|is no folder"):
        tiny.train(tmp_path / place, epochs=1)


def test_a_full_disk_stops_the_run_and_the_resumed_one_ends_the_same(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = tiny.train(tmp_path / "whole", epochs=3)
    write, calls = checkpoint.save_file, iter(range(99))  # type: ignore[attr-defined]

    def full(tensors: Any, path: Path) -> None:
        if next(calls) == 4:  # best weights, network and optimiser of the first epoch, then something of the second
            path.write_bytes(b"half of it")
            raise OSError(28, "No space left on device")
        write(tensors, path)

    with monkeypatch.context() as patch:
        patch.setattr(checkpoint, "save_file", full)
        with pytest.raises(LinnetError, match="No space left on device"):
            tiny.train(tmp_path / "run", epochs=3)
    assert [path.name for path in (tmp_path / "run" / "checkpoints").glob("step-*")] == ["step-3"]
    run = tiny.train(tmp_path / "run", epochs=3, resume=True)

    assert (run.folder / "model.safetensors").read_bytes() == (whole.folder / "model.safetensors").read_bytes()


class Interrupted(SilentWatcher):
    """Breaks off after an epoch, as Ctrl-C does."""

    def epoch(self, row: EpochRow, *, is_best: bool) -> None:
        if row.epoch == 2:
            raise KeyboardInterrupt


def test_an_interrupted_run_has_no_facts_and_goes_on(tmp_path: Path) -> None:
    with pytest.raises(KeyboardInterrupt):
        tiny.train(tmp_path / "run", epochs=3, watcher=Interrupted())
    with pytest.raises(BadFile, match="the training has not finished") as refused:
        linnet.load(tmp_path / "run")
    assert "--resume" in refused.value.remedy

    run = tiny.train(tmp_path / "run", epochs=3, resume=True)

    whole = tiny.train(tmp_path / "whole", epochs=3)
    assert (run.folder / "model.safetensors").read_bytes() == (whole.folder / "model.safetensors").read_bytes()
    assert [row["epoch"] for row in rows(run.folder)] == [1, 2, 3]


def rows(folder: Path) -> list[dict[str, Any]]:
    import json

    found = [json.loads(line) for line in (folder / "history.jsonl").read_text(encoding="utf-8").splitlines()]
    return [row for row in found if "epoch" in row]
