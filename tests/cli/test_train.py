"""`linnet train`: one command from corpus to model, one message for all that is wrong."""

import io
import json
import shlex
import shutil
from pathlib import Path

import pytest
from rich.console import Console
from rich.progress import Progress

from linnet.cli.display.watching import TrainingBar, counting
from linnet.settings.files import to_toml
from linnet.training.history import EpochRow
from linnet.training.options import read_recipe
from linnet.training.run_folder import open_run
from tests import tiny
from tests.cli.running import run
from tests.tasks.ner import several

QUICK = ("--epochs", 1, "--batch-size", 8, "--max-length", 64, "--threads", 1)


@pytest.fixture
def no_pictures(monkeypatch: pytest.MonkeyPatch) -> None:
    """Spare the drawing, which takes longer than all the rest."""
    monkeypatch.setattr("linnet.tasks.ner.results.plot_training", lambda rows, path, **_: path.write_bytes(b""))


def paths(folder: Path) -> tuple[object, ...]:
    return ("--data", tiny.corpus(), "--encoder", tiny.encoder(), "--output", folder)


def test_a_model_is_trained_from_options(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    done = run(capsys, "train", *paths(tmp_path / "run"), *QUICK, "--scheme", "welt", "--seed", 3, "--loss", "focal")

    assert done.code == 0
    assert "\nwarning: no mention of devel was right" in done.err  # in the one short epoch that it has
    assert "\nhint: No mention of devel was right in any epoch. " in done.err
    assert "\ncorpus: test has few mentions of Chemical (" in done.err
    assert "\nhint: No label has 30 mentions in train: annotate more" in done.err
    assert "test split, best epoch 1" in done.out
    assert "strict" in done.out
    assert f"{tmp_path / 'run'}: model, report.md, mistakes.tsv, training.png, README.md (model card)" in done.out
    facts = open_run(tmp_path / "run").facts
    assert (facts.scheme, facts.seed, facts.loss) == ("welt", 3, "focal")
    assert (tmp_path / "run" / "training.png").read_bytes().startswith(b"\x89PNG")


@pytest.mark.usefixtures("no_pictures")
def test_documents_that_a_file_names_are_the_units_of_a_run(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    ids, short = tmp_path / "test.ids", tmp_path / "devel.ids"
    ids.write_text("a\na\nb\nb\nc\nc\nd\ne\n", encoding="utf-8")
    short.write_text("a\n", encoding="utf-8")
    given = ("train", *paths(tmp_path / "run"), *QUICK, "--documents", ids)

    refused = run(capsys, *given, "--documents", f"devel={short}")
    done = run(capsys, *given)

    assert (refused.code, "devel.ids: has 1 line for 8 sentences" in refused.err) == (2, True)
    assert done.code == 0
    assert "95 % intervals over 5 documents\n" in done.out
    found = open_run(tmp_path / "run").metrics
    assert (found["strict"]["micro"]["units"], found["devel"]["strict"]["micro"]["units"]) == ("documents", "sentences")
    assert read_recipe(tmp_path / "run" / "recipe.toml").model_dump()["documents"] == {"test": str(ids)}


@pytest.mark.usefixtures("no_pictures")
@pytest.mark.parametrize("place", [".", "runs", "runs/first run"])
def test_the_command_on_the_card_repeats_the_run_from_any_folder(
    place: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    shutil.copytree(tiny.corpus(), tmp_path / "corpus")
    given = ("--data", "corpus", "--encoder", tiny.encoder(), "--output", "runs/first run", "--max-length", 64)
    trained = run(capsys, "train", *given, "--epochs", 0)
    assert trained.code == 0, trained.err
    card = (tmp_path / "runs" / "first run" / "README.md").read_text(encoding="utf-8")
    to_folder, command = card.split("## How to repeat it")[1].split("```bash\n")[1].split("\n```")[0].split("\n")

    monkeypatch.chdir(tmp_path / place)
    monkeypatch.chdir(shlex.split(to_folder)[1])
    repeated = run(capsys, *shlex.split(command)[1:])

    assert repeated.code == 0, repeated.err
    assert command.endswith(" --data corpus")
    assert "The run read the data `corpus`. Where that lies elsewhere, name it with `--data FOLDER`." in card
    first, again = (open_run(tmp_path / "runs" / name).metrics for name in ("first run", "first run-again"))
    assert first["strict"] == again["strict"]


@pytest.mark.usefixtures("no_pictures")
def test_a_recipe_is_followed_and_json_is_one_object(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    recipe = tmp_path / "recipe.toml"
    recipe.write_text(to_toml(tiny.settings(tmp_path / "unused", scheme="ens", beta=0.1)), encoding="utf-8")

    done = run(capsys, "train", recipe, "--output", tmp_path / "run", "--set", "optimiser.epochs=1", "--json")

    assert done.code == 0
    assert json.loads(done.out) == open_run(tmp_path / "run").metrics
    assert "warning: scheme 'ens' with beta 0.1 gives every tag nearly the same weight" in done.err
    assert not (tmp_path / "unused").exists()


def test_all_problems_stand_in_one_message(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    done = run(capsys, "train", "--output", tmp_path / "run", "--epochs", -1, "--set", "lose.name=crf")

    assert (done.code, done.out) == (2, "")
    for part in ("3 problems", "data: is missing", "optimiser.epochs: ", "lose: there is no such setting", "Try: "):
        assert part in done.err
    assert not (tmp_path / "run").exists()


@pytest.mark.usefixtures("no_pictures")
def test_a_second_run_is_refused_resumed_or_put_in_place_of_the_first(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    command = ("train", *paths(tmp_path / "run"), *QUICK, "--json")
    first = run(capsys, *command)

    refused = run(capsys, *command)
    resumed = run(capsys, *command, "--resume")
    other = run(capsys, *command, "--resume", "--seed", 2)
    replaced = run(capsys, *command, "--overwrite", "--seed", 2)

    assert (refused.code, refused.out) == (2, "")
    assert "holds a run already" in refused.err
    assert (resumed.code, json.loads(resumed.out)) == (0, json.loads(first.out))
    assert (other.code, "with other settings" in other.err) == (2, True)
    assert (replaced.code, open_run(tmp_path / "run").facts.seed) == (0, 2)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (("--encoder", "somebody/something"), "encoder 'somebody/something' was not found"),
        (("--scheme", "ens"), "'ens' needs a beta"),
        (("--loss", "crf", "--scheme", "welt"), "'crf' cannot use weights"),
        (("--max-length", 500), "reads at most 96"),
        (("--learning-rate", 1e10, "--epochs", 9), "the loss is not a number at update"),
        (("--data", "nowhere"), "nowhere: there is no such file or folder"),
    ],
)
def test_what_cannot_work_is_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], options: tuple[object, ...], message: str
) -> None:
    done = run(capsys, "train", *paths(tmp_path / "run"), *QUICK, *options)

    assert (done.code, done.out) == (2, "")
    assert message in done.err
    assert "Traceback" not in done.err
    assert not (tmp_path / "run" / "linnet.json").exists()


@pytest.mark.usefixtures("no_pictures")
def test_several_corpora_are_joined_by_a_plus(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    data = f"{several.chemicals()}+{several.diseases()}"
    options = ("--encoder", tiny.encoder(), "--output", tmp_path / "run", *QUICK, "--keep-heads", "--json")

    done = run(capsys, "train", "--data", data, "--eval", "diseases", *options)

    found = open_run(tmp_path / "run")
    assert done.code == 0
    assert [line.partition(":")[0] for line in done.err.splitlines()] == ["training", "training, epoch 1"]
    assert json.loads(done.out)["corpora"].keys() == {"diseases", several.chemicals().name}
    assert found.facts.label_set.labels == ["Disease"]
    assert (tmp_path / "run" / "heads.safetensors").is_file()
    again = run(capsys, "train", tmp_path / "run" / "recipe.toml", "--output", tmp_path / "again", "--json")
    assert json.loads(again.out)["strict"] == found.metrics["strict"]


@pytest.mark.usefixtures("no_pictures")
def test_a_recipe_finds_its_corpora_where_the_command_says(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    recipe = tmp_path / "recipe.toml"
    corpora = [{**each, "data": "not here"} for each in several.members()]
    stages = [{"corpora": ["diseases", "chemicals"]}, {"corpora": ["diseases"]}]
    settings = tiny.settings(tmp_path / "run", data=None, corpora=corpora, stages=stages, epochs=1)
    recipe.write_text(to_toml(settings), encoding="utf-8")

    done = run(capsys, "train", recipe, "--data", f"{several.diseases()}+chemicals={several.chemicals()}", "--json")

    assert done.code == 0
    assert json.loads(done.out)["best_epoch"] == 2  # one epoch in each stage
    refused = run(capsys, "train", recipe, "--set", "corpora.data=x", "--output", tmp_path / "other")
    assert (refused.code, "is a list of sections" in refused.err) == (2, True)


def test_options_that_the_stages_of_a_recipe_overrule_are_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    recipe = tmp_path / "recipe.toml"
    recipe.write_text(to_toml(tiny.settings(tmp_path / "run", **several.joint_then_target())), encoding="utf-8")

    done = run(capsys, "train", recipe, "--epochs", 1, "--set", "optimiser.learning_rate=0.1")

    assert (done.code, done.out) == (2, "")
    assert "optimiser.epochs: every stage has its own" in done.err
    assert "optimiser.learning_rate" not in done.err  # the first stage takes it
    assert not (tmp_path / "run").exists()


def test_all_that_is_wrong_with_several_corpora_stands_in_one_message(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    recipe = tmp_path / "recipe.toml"
    corpora = [{**each, "head": "one", "role": "auxiliary"} for each in several.members()]
    given = {"data": "x", "corpora": corpora, "stages": [{"corpora": ["genes"]}], "scheme": "wellt"}
    recipe.write_text(to_toml(tiny.settings(tmp_path / "run", **given)), encoding="utf-8")

    done = run(capsys, "train", recipe)

    assert (done.code, done.out) == (2, "")
    for part in ("no corpus is the target", "stage 1 names genes", "cannot share the head 'one'", "'wellt'", "Try: "):
        assert part in done.err
    assert not (tmp_path / "run").exists()


def test_the_bar_shows_loss_speed_and_the_best_score() -> None:
    screen = io.StringIO()
    console = Console(file=screen, force_terminal=True, width=160, color_system=None)
    with Progress("{task.fields[loss]} {task.fields[rate]} {task.fields[best]}", console=console) as progress:
        bar = TrainingBar(progress)
        bar.begin(100, 40)
        bar.step(41, 0.123456, 900.4)
        bar.epoch(EpochRow(1, 50, 0.5, 1e-4, 0.8123, 60.0, 901.0, devel_loss=0.25), is_best=True)
        bar.epoch(EpochRow(2, 100, 0.4, 0.0, None, 61.0, 900.0), is_best=False)

    shown = screen.getvalue()
    assert "loss 0.1235 900 tokens/s" in shown
    assert "epoch 1: loss 0.5000  devel loss 0.2500  devel F1 81.23 (best)  60 s, 901 tokens/s" in shown
    assert "epoch 2: loss 0.4000    61 s, 900 tokens/s" in shown
    assert "best F1 81.23" in shown


def test_quick_work_shows_nothing_where_there_is_no_terminal(capsys: pytest.CaptureFixture[str]) -> None:
    with counting("documents") as count:
        count()
        count(3)

    assert count.progress.tasks[0].completed == 4
    assert capsys.readouterr().err == ""
