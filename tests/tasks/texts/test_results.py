"""Trainings about texts: what is in the folder, which epoch is kept, and that interruptions leave no trace."""

import json
from pathlib import Path
from typing import Any

import pytest
import torch
from safetensors.torch import load_file
from transformers import AutoModelForSequenceClassification, AutoTokenizer

from linnet.documents.texts import Prediction, TextExample
from linnet.errors import BadSetting, LinnetError
from linnet.models.encoders import find_encoder, quietly
from linnet.tasks.ner.plan import TaggingPlan
from linnet.tasks.texts.evaluation import TextEvaluation, evaluate_texts, read_text_predictions
from linnet.tasks.texts.kinds import CLASSIFICATION
from linnet.tasks.texts.plan import TextPlan
from linnet.tasks.texts.predictor import load_texts
from linnet.training.history import EpochRow
from linnet.training.job import SilentWatcher
from linnet.training.lr_finder import find_learning_rate
from tests import text_corpora, tiny

ALWAYS = {
    *("README.md", "config.json", "history.jsonl", "linnet.json", "metrics.json", "mistakes.tsv", "model.safetensors"),
    *("predictions-devel.jsonl", "predictions-test.jsonl", "recipe.toml", "report.md", "tokenizer.json"),
    *("tokenizer_config.json", "training.png"),
}
OWN_HEAD = {"relations", "classification", "several", "similarity"}  # their pooling is none of transformers'


QUICK: dict[str, Any] = {"epochs": 1, "batch_size": 8, "learning_rate": 3e-3}


class Interrupted(Exception):
    """What a test throws into a training."""


class Interrupting(SilentWatcher):
    """Ends the training after an update."""

    def __init__(self, step: int) -> None:
        self.last = step

    def step(self, step: int, loss: float, tokens_per_second: float) -> None:
        if step == self.last:
            raise Interrupted


class Noting(SilentWatcher):
    """Keeps the epochs."""

    def __init__(self) -> None:
        self.rows: list[tuple[EpochRow, bool]] = []

    def epoch(self, row: EpochRow, *, is_best: bool) -> None:
        self.rows.append((row, is_best))


def read(path: Path) -> Any:
    return json.loads(path.read_text(encoding="utf-8"))


def history(folder: Path) -> list[dict[str, Any]]:
    rows = [json.loads(line) for line in (folder / "history.jsonl").read_text(encoding="utf-8").splitlines()]
    return [{key: value for key, value in row.items() if "second" not in key} for row in rows]


@pytest.mark.parametrize("kind", text_corpora.KINDS)
def test_the_run_folder_is_complete(kind: str) -> None:
    folder = text_corpora.trained(kind)

    found = {path.name for path in folder.iterdir()}

    assert found == ALWAYS | ({"text-head.safetensors"} if kind in OWN_HEAD else set())


def test_the_history_does_not_call_every_score_an_f1() -> None:
    epochs = [row for row in history(text_corpora.trained("similarity")) if "epoch" in row]

    assert epochs
    assert all("devel_f1" not in row and -1 <= row["devel_score"] <= 1 for row in epochs)


@pytest.mark.parametrize("kind", text_corpora.KINDS)
def test_the_metrics_have_one_shape_for_all_tasks(kind: str) -> None:
    found = read(text_corpora.trained(kind) / "metrics.json")

    assert found["task"] == text_corpora.TASK_OF.get(kind, kind)
    assert found["split"] == "test"
    assert found["metric"] in found["scores"]
    for figure in (*found["scores"].values(), *found["devel"]["scores"].values()):
        assert set(figure) == {"value", "low", "high", "n", "unit", "units", "n_units"}
        assert figure["low"] is None or figure["low"] <= figure["value"] <= figure["high"]
    assert found["examples"] == 8
    assert bool(found["labels"]) == (kind not in ("similarity", "answering"))
    assert 1 <= found["best_epoch"] <= 6


@pytest.mark.parametrize("kind", ["classification", "several", "relations"])
def test_a_corpus_of_these_words_is_learned(kind: str) -> None:
    found = read(text_corpora.trained(kind) / "metrics.json")

    assert found["scores"][found["metric"]]["value"] > 0.8


@pytest.mark.parametrize("kind", text_corpora.KINDS)
def test_a_saved_model_scores_what_the_run_says(kind: str) -> None:
    folder = text_corpora.trained(kind)

    found = evaluate_texts(folder, text_corpora.corpus(kind))

    for name, figure in read(folder / "metrics.json")["scores"].items():
        assert found.figures[name]["value"] == pytest.approx(figure["value"], abs=1e-4)


def test_a_saved_model_says_the_same_to_transformers() -> None:
    folder = text_corpora.trained("yesno")
    pair = ("is known", "no cause of ataxia is known")

    tokenizer = AutoTokenizer.from_pretrained(folder)
    with quietly():
        network = AutoModelForSequenceClassification.from_pretrained(folder).eval()
    with torch.inference_mode():
        shares = network(**tokenizer(*pair, return_tensors="pt")).logits.softmax(-1)[0].tolist()

    # the encoder's tokenizer has no class of its own: nothing but the folder can say that types are read
    assert "token_type_ids" not in find_encoder(str(tiny.encoder())).tokenizer.model_input_names
    (ours,) = load_texts(folder).outputs([TextExample("1", *pair)])
    assert ours == pytest.approx(dict(zip(("no", "yes"), shares, strict=True)), abs=1e-5)


def test_types_of_tokens_are_not_named_where_the_encoder_reads_none(tmp_path: Path) -> None:
    encoder = str(tiny.encoder("modernbert"))

    folder = text_corpora.train("yesno", tmp_path / "run", encoder=encoder, epochs=0).folder

    assert "token_type_ids" not in AutoTokenizer.from_pretrained(folder)("a", "b")


def test_a_head_of_other_labels_begins_anew_and_a_warning_says_so(tmp_path: Path) -> None:
    encoder = str(text_corpora.trained("yesno"))
    data = tmp_path / "data"
    data.mkdir()
    for path in text_corpora.corpus("yesno").iterdir():
        _, *rows = [line.split("\t") for line in path.read_text(encoding="utf-8").splitlines()]
        names = {"yes": "absent", "no": "present"}
        told = [(question, context, names[answer]) for _, question, context, answer in rows]
        text_corpora.write_table(data / path.name, [("premise", "hypothesis", "label"), *told])

    run = text_corpora.train("inference", tmp_path / "run", encoder=encoder, data=str(data), epochs=0)

    assert f"the head began anew: that of {encoder} has other labels" in run.metrics["warnings"]
    old, new = (load_file(folder / "model.safetensors") for folder in (Path(encoder), run.folder))
    assert not new["classifier.weight"].equal(old["classifier.weight"])
    assert new["bert.embeddings.word_embeddings.weight"].equal(old["bert.embeddings.word_embeddings.weight"])


def test_a_model_that_learned_questions_without_an_answer_keeps_that(tmp_path: Path) -> None:
    data = text_corpora.write(tmp_path / "data", "answering")
    content = read(data / "train.json")
    content["data"][0]["paragraphs"][0]["qas"][0] |= {"answers": [], "is_impossible": True}
    (data / "train.json").write_text(json.dumps(content), encoding="utf-8")

    one = text_corpora.train("answering", tmp_path / "one", data=str(data), epochs=0).folder
    other = text_corpora.trained("answering")

    assert [getattr(load_texts(folder).settings, "no_answer", None) for folder in (one, other)] == [True, False]


def test_an_interrupted_run_that_goes_on_ends_as_one_that_was_not(tmp_path: Path) -> None:
    given: dict[str, Any] = {"epochs": 2, "checkpoint_minutes": 1e-9, "scheme": "welt"}  # a checkpoint at each update
    whole = text_corpora.train("several", tmp_path / "whole", **given).folder
    for step in (2, 4):
        with pytest.raises(Interrupted):
            text_corpora.train("several", tmp_path / "cut", watcher=Interrupting(step), resume=step > 2, **given)

    cut = text_corpora.train("several", tmp_path / "cut", resume=True, **given).folder

    for name in ("model.safetensors", "text-head.safetensors", "predictions-test.jsonl", "predictions-devel.jsonl"):
        assert (cut / name).read_bytes() == (whole / name).read_bytes(), name
    assert history(cut) == history(whole)
    assert {path.name for path in cut.iterdir()} == {path.name for path in whole.iterdir()}


def test_the_same_recipe_trains_to_the_same_model(tmp_path: Path) -> None:
    one, two = (text_corpora.train("answering", tmp_path / name).folder for name in ("one", "two"))

    assert (one / "model.safetensors").read_bytes() == (two / "model.safetensors").read_bytes()


def test_equal_weights_train_to_the_same_model_as_none(tmp_path: Path) -> None:
    data = str(text_corpora.write(tmp_path / "data", "yesno", train=800, devel=4, test=4))
    given: dict[str, Any] = {"data": data, "batch_size": 128, "epochs": 1}

    plain = text_corpora.train("yesno", tmp_path / "none", **given).folder
    priced = text_corpora.train("yesno", tmp_path / "ens", scheme="ens", beta=0.9, **given).folder

    assert (plain / "model.safetensors").read_bytes() == (priced / "model.safetensors").read_bytes()


def test_weights_that_differ_train_to_another_model(tmp_path: Path) -> None:
    weights = {"treated": 9.0, "unchanged": 1.0, "unknown": 1.0}

    one = text_corpora.train("classification", tmp_path / "one").folder
    two = text_corpora.train("classification", tmp_path / "two", loss={"weights": weights}).folder

    first, second = (load_file(folder / "text-head.safetensors")["weight"] for folder in (one, two))
    assert not first.equal(second)
    assert read(two / "linnet.json")["scheme"] != read(one / "linnet.json")["scheme"]


def test_the_epoch_is_chosen_by_the_score_that_the_recipe_names(tmp_path: Path) -> None:
    watcher = Noting()

    run = text_corpora.train("similarity", tmp_path / "run", watcher=watcher, epochs=3, selection={"metric": "mse"})

    scores = [row.score for row, _ in watcher.rows if row.score is not None]
    assert len(scores) == 3
    assert all(score <= 0 for score in scores)  # less is better, so it is turned around
    assert run.metrics["metric"] == "mse"
    assert run.metrics["best_epoch"] == 1 + scores.index(max(scores))
    assert run.metrics["devel"]["scores"]["mse"]["value"] == pytest.approx(-max(scores), abs=1e-4)


def test_a_score_that_the_task_does_not_have_is_refused_before_training() -> None:
    with pytest.raises(LinnetError, match="no score called 'strict' here") as refused:
        text_corpora.plan("classification", **{"selection.metric": "strict"})

    assert "macro_f1" in refused.value.remedy


def test_thresholds_are_tuned_on_devel_and_kept() -> None:
    folder = text_corpora.trained("several")

    kept = read(folder / "linnet.json")["text"]["thresholds"]

    assert set(kept) == {"chemical", "disease"}
    assert load_texts(folder).decision.thresholds == kept


def test_a_threshold_that_is_given_is_not_tuned(tmp_path: Path) -> None:
    folder = text_corpora.train("several", tmp_path / "run", text={"threshold": 0.99}).folder

    assert read(folder / "linnet.json")["text"]["thresholds"] == {"chemical": 0.99, "disease": 0.99}
    assert all(each.predicted == () for each in read_text_predictions(folder / "predictions-test.jsonl"))


def test_classes_have_no_thresholds() -> None:
    assert read(text_corpora.trained("classification") / "linnet.json")["text"]["thresholds"] == {}


def test_the_best_epoch_is_kept_and_patience_ends_the_rest(tmp_path: Path) -> None:
    given: dict[str, Any] = {"epochs": 6, "learning_rate": 1e-12, "selection.patience": 2}  # too slow to get better

    run = text_corpora.train("classification", tmp_path / "run", **given)

    assert run.metrics["best_epoch"] == 1
    assert len([row for row in history(run.folder) if "epoch" in row]) == 3


def test_without_epochs_the_encoder_is_only_evaluated(tmp_path: Path) -> None:
    run = text_corpora.train("similarity", tmp_path / "run", epochs=0, text={"method": "bi"})

    assert run.metrics["split"] == "test"
    assert run.metrics["best_epoch"] is None
    assert -1 <= run.metrics["scores"]["pearson"]["value"] <= 1


@pytest.mark.parametrize(
    ("right", "said", "is_told"),
    [("yes no", "yes yes", True), ("yes no", "no yes", False), ("yes yes", "yes yes", False), ("yes", "no", False)],
)
def test_answers_that_are_all_the_same_are_told_of_where_the_right_ones_differ(
    right: str, said: str, is_told: bool
) -> None:
    predictions = [Prediction(gold, "text", gold, each) for gold, each in zip(right.split(), said.split(), strict=True)]

    found = TextEvaluation(predictions, {}, {}, {}, "accuracy", "answering", CLASSIFICATION).warnings

    assert [("all 2 predictions are the same, 'yes'" in warning) for warning in found] == [True] * is_told


def test_a_run_says_what_its_scores_hide(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(TextEvaluation, "warnings", ["all the same"])

    found = text_corpora.train("classification", tmp_path / "run", epochs=0).metrics["warnings"]

    assert found[:2] == ["devel: all the same", "test: all the same"]


def test_notes_of_reading_are_told_as_warnings() -> None:
    found = read(text_corpora.trained("several") / "metrics.json")["warnings"]

    assert any("texts of train without a label: 6" in warning for warning in found)


def test_a_recipe_repeats_its_run(tmp_path: Path) -> None:
    from linnet.training.train import train_from

    folder = text_corpora.train("yesno", tmp_path / "run").folder

    again = train_from(folder / "recipe.toml", output=str(tmp_path / "again")).folder

    assert (again / "model.safetensors").read_bytes() == (folder / "model.safetensors").read_bytes()
    assert (again / "predictions.png").is_file()


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"corpora": [{"name": "a", "data": "x", "role": "target"}]}, "does not know the setting corpora"),
        ({"head": "two-layer"}, "does not know the setting head"),
        ({"format": "conll"}, "does not know the setting format"),
        ({"label": "Disease"}, "does not know the setting label"),
        ({"keep_heads": True}, "does not know the setting keep_heads"),
        ({"selection.matching": "exact"}, "does not know the setting selection.matching"),
        ({"window.all_subwords": True}, "does not know the setting window.all_subwords"),
        ({"text": {"method": "bi"}}, "does not know the setting text.method"),
        ({"train_on": "train_dev", "selection.patience": 2}, "selection.patience is about choosing an epoch on devel"),
        ({"train_on": "train_dev", "text": {"devel_share": 0.2}}, "text.devel_share is about choosing an epoch"),
        ({"loss": "crf"}, "learns how words follow words"),
        ({"data": "nowhere"}, "nowhere: there is no such file or folder"),
        ({"max_length": 500}, "reads at most 96"),
        ({"encoder": "no-such-encoder/x"}, "was not found"),
    ],
)
def test_what_cannot_work_is_refused_before_a_network_is_loaded(given: dict[str, Any], message: str) -> None:
    with pytest.raises(LinnetError, match=message):
        text_corpora.plan("classification", **given)


@pytest.mark.parametrize("kind", [kind for kind in text_corpora.KINDS if kind != "relations"])
def test_markers_are_refused_where_texts_have_none(kind: str) -> None:
    given = {**text_corpora.OWN_SETTINGS.get(kind, {}).get("text", {}), "pooling": "markers"}

    with pytest.raises(LinnetError, match=r'`text.pooling = "markers"` is for texts with a pair of mentions marked'):
        text_corpora.plan(kind, text=given)


def test_all_problems_are_told_together() -> None:
    with pytest.raises(BadSetting) as refused:
        text_corpora.plan("classification", format="conll", scheme="wellt", **{"selection.metric": "strict"})

    assert all(part in refused.value.problem for part in ("setting format", "wellt", "'strict'"))


def test_a_plan_is_that_of_the_task() -> None:
    texts = tiny.plan_of(text_corpora.settings("inference", Path("unused")))
    words = tiny.plan_of(tiny.settings(Path("unused")))

    assert isinstance(texts, TextPlan)
    assert isinstance(words, TaggingPlan)


@pytest.mark.parametrize("kind", ["several", "similarity", "answering"])
def test_a_learning_rate_is_found_for_texts(kind: str) -> None:
    (found,) = find_learning_rate(text_corpora.settings(kind, Path("unused")), n_steps=6, highest=1e-2)

    assert len(found.points) == 6
    assert 1e-6 <= found.suggestion < 1e-2


def test_lower_layers_stay_as_they_are_where_the_recipe_says_so(tmp_path: Path) -> None:
    run = text_corpora.train("yesno", tmp_path / "run", optimiser={**QUICK, "freeze_layers": 1})

    before, after = (load_file(folder / "model.safetensors") for folder in (tiny.encoder(), run.folder))
    same = {name: tensor.equal(after[f"bert.{name}"]) for name, tensor in before.items()}
    assert all(is_same for name, is_same in same.items() if "layer.0." in name or "embeddings" in name)
    assert not all(is_same for name, is_same in same.items() if "layer.1." in name)


def test_long_texts_are_learned_in_windows(tmp_path: Path) -> None:
    run = text_corpora.train("classification", tmp_path / "run", max_length=16, text={"windows": "max"})

    assert read(run.folder / "linnet.json")["text"]["shape"]["windows"] == "max"
    assert run.facts.max_length == 16


@pytest.mark.parametrize("kind", ["relations", "several", "inference", "answering"])
def test_adapters_are_learned_and_merged_into_an_ordinary_model(kind: str, tmp_path: Path) -> None:
    given: dict[str, Any] = {"lora": {"rank": 4}, "epochs": 2, "learning_rate": 0.02}

    run = text_corpora.train(kind, tmp_path / "run", **given)

    plain = text_corpora.train(kind, tmp_path / "plain", epochs=0)
    before, after = (load_file(each.folder / "model.safetensors") for each in (plain, run))
    assert before.keys() == after.keys()  # no adapter is left
    changed = {name for name in before if not torch.equal(before[name], after[name])}
    assert any("attention" in name for name in changed)
    assert not any("embeddings" in name or "LayerNorm" in name for name in changed)
    assert len(load_texts(run.folder).predict_examples(text_corpora.plan(kind).source.scored["test"])) > 0


def test_the_card_names_the_settings_of_samples(tmp_path: Path) -> None:
    run = text_corpora.train("classification", tmp_path / "run", train_sentences=12, devel_sentences=3, epochs=0)

    card = (run.folder / "README.md").read_text(encoding="utf-8")

    assert "| train_sentences | 12 |\n| devel_sentences | 3 |" in card
    assert "devel_sentences" not in (text_corpora.trained("classification") / "README.md").read_text(encoding="utf-8")
