"""`linnet pretrain`: one command from text to encoder, one message for all that is wrong."""

import io
import json
import re
from pathlib import Path

import pytest
from rich.console import Console
from rich.progress import Progress

from linnet.cli.display.watching import TrainingBar
from linnet.cli.pretrain import PretrainingBar, _lines_of_training
from linnet.pretraining.run import open_pretraining
from linnet.settings.files import to_toml
from linnet.training.history import EpochRow
from tests import tiny
from tests.cli.running import run
from tests.pretraining import tiny_text


def test_an_encoder_is_pretrained_from_options(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    options = ("--steps", 2, "--batch-size", 4, "--length", 32, "--threads", 1, "--set", "held_out=0.1")
    rules = ("--set", "cleaning.languages=[]", "--set", "cleaning.least_words=0", "--set", "cleaning.duplicates=false")

    done = run(
        capsys, "pretrain", "--texts", tiny_text.text(), "--encoder", tiny.encoder(), "--output", tmp_path / "run",
        "--extend", 3, *options, *rules,
    )  # fmt: skip

    assert done.code == 0, done.err
    assert "held-out perplexity" in done.out
    assert "2 updates" in done.out
    assert "3 words added to the vocabulary, 3 were asked for\n" in done.out
    assert re.search(r"\d\.\d{3} sub-words for a word of held-out text, before \d\.\d{3}", done.out)
    assert "comes without a head for masked words" in done.err
    assert (tmp_path / "run" / "training.png").read_bytes().startswith(b"\x89PNG")


def test_a_recipe_is_followed_and_a_budget_takes_the_place_of_its_own(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("linnet.pretraining.run.plot_pretraining", lambda rows, path, **_: path.write_bytes(b""))
    corpus = tmp_path / "corpus.tsv"
    corpus.write_text(tiny.conll(tiny.sentences(20, seed=1)), encoding="utf-8")
    recipe = tmp_path / "recipe.toml"
    recipe.write_text(to_toml(tiny_text.settings(tmp_path / "unused", budget={"hours": 9})), encoding="utf-8")
    given = ("--output", tmp_path / "run", "--steps", 1, "--set", f'cleaning.exclude=["{corpus}"]')

    done = run(capsys, "pretrain", recipe, *given, "--json")

    assert done.code == 0, done.err
    found, finished = json.loads(done.out), open_pretraining(tmp_path / "run")
    told = ("tokens_per_word", "tokens_per_word_before", "excluded", "vocabulary_size", "n_new_words")
    text = {key: finished.facts["text"][key] for key in told}
    assert found == {**finished.metrics, **text}
    assert found["excluded"][str(corpus)] > 0
    again = run(capsys, "pretrain", recipe, *given, "--json", "--resume")
    assert json.loads(again.out) == found
    for_people = run(capsys, "pretrain", recipe, *given, "--resume")
    assert f"evaluation corpora: {corpus} {found['excluded'][str(corpus)]}\n" in for_people.out


def test_all_problems_stand_in_one_message(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    done = run(capsys, "pretrain", "--output", tmp_path / "run", "--length", 2, "--set", "masking.rat=1")

    assert (done.code, done.out) == (2, "")
    for part in (
        "texts: is missing",
        "budget: is missing (budget.steps, budget.tokens, budget.hours)",
        "length: ",
        "did you mean 'masking.rate'?",
        "Try: ",
    ):
        assert part in done.err


def test_a_perplexity_that_cannot_be_measured_is_said() -> None:
    metrics = {"perplexity": None, "perplexity_before": 12.345, "tokens_per_second": None, "steps": 1000, "tokens": 2}

    assert list(_lines_of_training(metrics)) == [
        "held-out perplexity not measurable, before 12.35", "1,000 updates, 2 sub-words",
    ]  # fmt: skip


def test_the_bar_shows_loss_perplexity_speed_and_time() -> None:
    screen = io.StringIO()
    console = Console(file=screen, force_terminal=True, width=120)
    with Progress(console=console) as progress:
        bar = PretrainingBar(TrainingBar(progress))
        bar.begin(10, 0)
        bar.step(3, 5.5, 1234.0)
        bar.epoch(EpochRow(1, 5, 5.25, 1e-4, 42.5, 3.0, 1234.0), is_best=True)
        fields = progress.tasks[0].fields

    assert fields["loss"] == "loss 5.5000"
    assert fields["rate"] == "1,234 tokens/s"
    assert fields["best"] == "perplexity 42.50"
    assert "update 5: loss 5.2500  perplexity 42.50  1,234 tokens/s" in screen.getvalue()
