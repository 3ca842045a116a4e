"""The run folder: all that DESIGN promises, nothing half written, nothing left over."""

import json
import re
from pathlib import Path
from typing import Any

import pytest

from linnet.errors import BadFile
from linnet.reports.hints import NOTHING_RIGHT
from linnet.settings.differences import changed_settings
from linnet.tasks.ner import results as module
from linnet.training.options import read_recipe
from linnet.training.run_folder import open_run
from tests import tiny
from tests.tasks.ner import several

FILES = {
    "README.md", "config.json", "history.jsonl", "linnet.json", "metrics.json", "mistakes.tsv", "model.safetensors",
    "predictions-devel.tsv", "predictions-test.tsv", "recipe.toml", "report.md", "tokenizer.json",
    "tokenizer_config.json", "training.png",
}  # fmt: skip


def test_the_folder_holds_all_and_nothing_else() -> None:
    assert {path.name for path in tiny.trained().iterdir()} == FILES


def test_warnings_about_the_corpus_and_hints_stand_in_report_card_and_metrics() -> None:
    folder = tiny.trained()
    metrics = open_run(folder).metrics
    report, card = ((folder / name).read_text(encoding="utf-8") for name in ("report.md", "README.md"))

    (few,) = [each for each in metrics["corpus_warnings"] if each.startswith("test has few mentions of Chemical (")]
    assert f"## Warnings about the corpus\n\n- {metrics['corpus_warnings'][0]}" in report
    assert f"- {few}" in card.split("## Data")[1].split("## Training")[0]
    assert metrics["hints"]
    assert f"## What to try\n\n- {metrics['hints'][0]}" in report


def test_the_report_says_how_the_model_was_trained() -> None:
    run = open_run(tiny.trained())
    report = (tiny.trained() / "report.md").read_text(encoding="utf-8")

    head = report.split("\n## ")[0]
    assert re.search(rf"^- epochs: \d+, the best is {run.metrics['best_epoch']}$", head, re.MULTILINE)
    assert "\n- number format: float32, chosen by precision = auto\n" in head  # of a small network
    assert run.metrics["number_format"] == "float32"
    assert "; number format float32, chosen by precision = auto. " in (run.folder / "README.md").read_text("utf-8")
    assert f"- seed: {run.facts.seed}\n" in head
    assert "- learning rate: " in head
    changed = changed_settings(read_recipe(tiny.trained() / "recipe.toml"))
    assert "batch_size" in changed
    assert f"\n- batch_size: {changed['batch_size']}" in head  # as every setting that is not the default
    assert not {"data", "output", "attention_dropout"} & {line.strip("- ").split(":")[0] for line in head.splitlines()}
    command = report.split("## Train it again\n\n```bash\n")[1].split("\n```")[0]
    assert f"```bash\n{command}\n```" in (tiny.trained() / "README.md").read_text(encoding="utf-8")


def test_the_report_has_a_table_of_thresholds_on_devel() -> None:
    metrics = open_run(tiny.trained()).metrics
    report = (tiny.trained() / "report.md").read_text(encoding="utf-8")

    section = report.split("## Thresholds on confidence, devel")[1].split("\n## ")[0]
    rows = [line.split("|")[1:-1] for line in section.splitlines() if line.startswith("| 0")]
    first = metrics["devel"]["strict"]["micro"]
    assert [float(cell) for cell in rows[0][:4]] == [
        0,
        *(round(100 * first[key], 2) for key in ("precision", "recall", "f1")),
    ]
    assert [int(row[4]) for row in rows] == [each["mentions"] for each in metrics["devel"]["thresholds"]]


def test_a_model_with_a_crf_keeps_its_transitions(tmp_path: Path) -> None:
    run = tiny.train(tmp_path / "run", loss="crf", epochs=1)

    assert {path.name for path in run.folder.iterdir()} == FILES | {"crf.safetensors"}
    assert run.facts.decoding == "crf"


def test_the_recipe_in_the_folder_repeats_the_run(tmp_path: Path) -> None:
    settings = read_recipe(tiny.trained() / "recipe.toml")

    again = tiny.train(tmp_path / "again", **settings.model_dump(exclude={"output"}, exclude_none=True))

    assert (again.folder / "model.safetensors").read_bytes() == (tiny.trained() / "model.safetensors").read_bytes()


def test_metrics_have_the_shape_that_others_rely_on() -> None:
    metrics = open_run(tiny.trained()).metrics

    assert metrics["split"] == "test"
    assert set(metrics["strict"]) >= {"micro", "macro", "labels"}
    assert set(metrics["devel"]["strict"]["labels"]) == {"Chemical", "Disease"}
    assert metrics["best_epoch"] in range(1, 7)
    assert metrics["sentences"] == 8
    assert metrics["warnings"] == []


def test_the_history_has_every_update_and_epoch() -> None:
    rows = [json.loads(line) for line in (tiny.trained() / "history.jsonl").read_text(encoding="utf-8").splitlines()]

    epochs = [row for row in rows if "epoch" in row]
    assert [row["step"] for row in rows if "epoch" not in row] == list(range(1, 19))
    assert [row["epoch"] for row in epochs] == list(range(1, 7))
    losses = [row["loss"] for row in rows if "epoch" not in row]
    assert [row["loss"] for row in epochs] == pytest.approx([sum(losses[n : n + 3]) / 3 for n in range(0, 18, 3)])
    assert all(0 <= row["devel_f1"] <= 1 and row["seconds"] > 0 and row["tokens_per_second"] > 0 for row in epochs)


def test_the_facts_say_where_the_model_comes_from() -> None:
    facts = json.loads((tiny.trained() / "linnet.json").read_text(encoding="utf-8"))

    assert (facts["task"], facts["tagging"], facts["max_length"], facts["corpus"]) == ("ner", "iob2", 64, "tiny-corpus")
    assert facts["tags"] == ["O", "B-Chemical", "B-Disease", "I-Chemical", "I-Disease"]
    assert set(facts["fingerprints"]) == {"train", "devel", "test"}
    assert set(facts["versions"]) >= {"linnet", "torch", "transformers"}


def told_losses(folder: Path) -> list[str]:
    """Return how the facts, the report and the card call the loss."""
    places = {"linnet.json": r'"loss": "(.+?)"', "report.md": "- loss: (.+)", "README.md": "loss `(.+?)`"}
    return [name for file, place in places.items() for name in re.findall(place, (folder / file).read_text("utf-8"))]


def test_the_loss_that_is_told_is_that_of_the_target(tmp_path: Path) -> None:
    target, other = several.members()

    run = tiny.train(
        tmp_path / "run", **several.joint(corpora=[{**target, "loss": {"name": "focal"}}, other], epochs=0)
    )

    assert told_losses(run.folder) == ["focal"] * 3


def test_partial_labels_are_told_as_the_marginal_loss(tmp_path: Path) -> None:
    corpora = [{**each, "head": "one"} for each in several.members()]

    run = tiny.train(tmp_path / "run", **several.joint(corpora=corpora, partial_labels=True, epochs=0))

    assert told_losses(run.folder) == ["marginal"] * 3


def test_a_scheme_that_does_nothing_here_is_said_so(tmp_path: Path) -> None:
    run = tiny.train(tmp_path / "run", scheme="ens", beta=0.1, epochs=0)

    [warning] = run.metrics["warnings"]
    assert "equals 'none' on this corpus" in warning


def test_a_run_that_finds_nothing_says_what_leads_out_of_it(tmp_path: Path) -> None:
    rare = ("B-Chemical", "B-Disease", "I-Chemical", "I-Disease")
    weights = {"O": 1.0, **dict.fromkeys(rare, 1e-6)}  # so that only O is worth learning

    run = tiny.train(tmp_path / "run", loss={"weights": weights}, epochs=2, learning_rate=0.05)

    assert run.metrics["devel"]["strict"]["micro"]["f1"] == 0
    assert NOTHING_RIGHT in run.metrics["warnings"]
    [hint] = [hint for hint in run.metrics["hints"] if NOTHING_RIGHT[1:] in hint]
    assert "try a lower learning rate" in hint
    assert f"## What to try\n\n- {hint}\n" in (run.folder / "report.md").read_text(encoding="utf-8")


def test_mentions_of_an_io_model_are_counted_in_its_card(tmp_path: Path) -> None:
    run = tiny.train(tmp_path / "run", tagging="io", epochs=0)

    n_mentions = sum(tag.startswith("B-") for row in tiny.sentences(8, 2) for _, tag in row)
    assert run.metrics["mentions"] == n_mentions
    card = (run.folder / "README.md").read_text(encoding="utf-8")
    [row] = [line for line in card.splitlines() if line.replace(" ", "").startswith("|test|8|")]
    assert str(n_mentions) in row


def test_without_devel_and_test_there_is_a_model_and_no_score(tmp_path: Path) -> None:
    data = tiny.write_corpus(tmp_path / "corpus")
    (data / "test.tsv").unlink()

    run = tiny.train(tmp_path / "run", data=str(data), train_on="train_dev", epochs=1)

    assert run.metrics["split"] is None
    assert {path.name for path in run.folder.iterdir()} == FILES - {
        *("mistakes.tsv", "report.md", "predictions-devel.tsv", "predictions-test.tsv"),
    }


def test_a_run_broken_off_while_it_was_finished_can_be_finished(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = tiny.train(tmp_path / "whole")
    replace, moved = Path.replace, []

    def break_off(path: Path, target: Any) -> Path:
        if path.parent.name == ".model":
            moved.append(path.name)
            if len(moved) == 2:
                raise KeyboardInterrupt
        return replace(path, target)

    with monkeypatch.context() as patch:
        patch.setattr(Path, "replace", break_off)
        with pytest.raises(KeyboardInterrupt):
            tiny.train(tmp_path / "run")
    assert (tmp_path / "run" / ".model").is_dir()
    with pytest.raises(BadFile):
        open_run(tmp_path / "run")
    run = tiny.train(tmp_path / "run", resume=True)

    assert {path.name for path in run.folder.iterdir()} == FILES
    assert (run.folder / "model.safetensors").read_bytes() == (whole.folder / "model.safetensors").read_bytes()


def test_facts_are_written_last(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object, **__: object) -> None:
        raise BadFile("report.md: cannot be written (No space left on device)", "make room")

    with monkeypatch.context() as patch:
        patch.setattr(module, "write_run_report", full)
        with pytest.raises(BadFile, match="No space left"):
            tiny.train(tmp_path / "run", epochs=1)

    assert not (tmp_path / "run" / "linnet.json").exists()
    assert tiny.train(tmp_path / "run", epochs=1, resume=True).facts.task == "ner"


def test_a_model_that_does_not_fit_on_the_disk_is_a_clear_error(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from safetensors import SafetensorError
    from transformers import PreTrainedModel

    def full(*_: object, **__: object) -> None:
        raise SafetensorError("Error while serializing: No space left on device")

    tiny.encoder()  # is saved likewise, where no test before this one needed it
    monkeypatch.setattr(PreTrainedModel, "save_pretrained", full)
    with pytest.raises(BadFile, match="No space left on device") as refused:
        tiny.train(tmp_path / "run", epochs=1)

    assert "--resume" in refused.value.remedy
    assert (tmp_path / "run" / "checkpoints" / "best.safetensors").is_file()


def test_a_folder_without_a_finished_run_is_refused(tmp_path: Path) -> None:
    with pytest.raises(BadFile, match="holds no finished run"):
        open_run(tmp_path)
