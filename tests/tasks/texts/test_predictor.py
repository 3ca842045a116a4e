"""Predicting about texts: in order, one way, the same numbers however texts are batched, cut and kept."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

import linnet
from linnet.documents.texts import Output, Prediction, TextExample
from linnet.errors import BadFile, BadSetting
from linnet.metrics.texts.resampled import plain_value
from linnet.tasks.classification import Classification
from linnet.tasks.ner.evaluation import Evaluation
from linnet.tasks.ner.predictor import Predictor
from linnet.tasks.texts.evaluation import TextEvaluation
from linnet.tasks.texts.kinds import MULTI_LABEL
from linnet.tasks.texts.networks.engines import TorchTextEngine
from linnet.tasks.texts.plan import TextPlan, collate
from linnet.tasks.texts.predictor import TextPredictor, load_texts
from linnet.tasks.texts.read_texts import read_texts
from linnet.tasks.texts.settings import TextSettings
from tests import text_corpora, tiny

LONG = "colorectal cancer was treated with folic acid in mice . no cause of ataxia is known . " * 4
TEXTS = ("we gave aspirin .", LONG, "ataxia was treated with cisplatin .", "", "no cause of anaemia is known")


def load(kind: str) -> TextPredictor:
    found = linnet.load(text_corpora.trained(kind))
    assert isinstance(found, TextPredictor)
    return found


def examples_of(kind: str) -> list[TextExample]:
    found = load(kind)
    return found.task.read(text_corpora.corpus(kind), found.settings)["test"]


def close(first: Output, second: Output) -> bool:
    """Do two outputs say the same, but for rounding?"""
    if isinstance(first, float) and isinstance(second, float):
        return first == pytest.approx(second, abs=1e-5)
    if isinstance(first, dict) and isinstance(second, dict):
        return first == pytest.approx(second, abs=1e-5)
    assert isinstance(first, tuple)
    assert isinstance(second, tuple)
    return {(each.start, each.end): each.score for each in first} == pytest.approx(
        {(each.start, each.end): each.score for each in second}, abs=1e-5
    )


def fresh(kind: str, **given: Any) -> tuple[TextPlan, TextPredictor]:
    """Return a plan with the predictor of its untrained network."""
    plan = text_corpora.plan(kind, **given)
    torch.manual_seed(1)
    return plan, plan.predictor(plan.build())


@pytest.mark.parametrize("kind", text_corpora.KINDS)
def test_an_untrained_network_answers_every_example(kind: str) -> None:
    plan, predictor = fresh(kind)

    judged = predictor.predict_examples(plan.source.scored["test"])

    assert len(judged) == len(plan.source.scored["test"])
    assert all(abs(plain_value(metric)) < 100 for metric in plan.task.metrics(judged, plan.source.settings))


def test_texts_are_answered_from_python() -> None:
    found = load("classification").predict(["ataxia was treated with aspirin .", "no cause of ataxia is known"])

    assert [each.predicted for each in found] == ["treated", "unknown"]
    assert [each.id for each in found] == ["1", "2"]
    assert all(0.3 < (each.score or 0) <= 1 for each in found)


def test_pairs_and_examples_are_answered_from_python() -> None:
    pair = ("is known", "ataxia was treated with aspirin .")

    one, other = load("yesno").predict([pair, TextExample("q", *pair)])

    assert isinstance(one, Prediction)
    assert (other.id, other.predicted) == ("q", one.predicted)
    assert other.score == pytest.approx(one.score)


def test_a_task_prepares_texts_from_python_as_its_settings_say(monkeypatch: pytest.MonkeyPatch) -> None:
    predictor = load("classification")
    monkeypatch.setattr(
        Classification, "prepare_text", lambda self, example, settings: replace(example, first=str(settings.negative))
    )
    predictor.settings = TextSettings(negative="unknown")

    given, read = predictor.predict(["we gave aspirin .", TextExample("2", "we gave aspirin .")])

    assert (given.text, read.text) == ("unknown", "we gave aspirin .")


@pytest.mark.parametrize("kind", ["similarity", "inference", "answering", "yesno"])
@pytest.mark.parametrize(
    ("given", "found"),
    [
        ("in mice .", "a single text"),
        (TextExample("q", "in mice ."), "a single text"),
        (("in mice .", " "), "a pair with an empty text"),
        (("", "in mice ."), "a pair with an empty text"),
    ],
)
def test_models_about_pairs_refuse_what_is_none(kind: str, given: Any, found: str) -> None:
    task = "answering" if kind == "yesno" else kind
    with pytest.raises(BadSetting, match=f"text 2 is {found}, but the task '{task}' is about pairs of texts"):
        load(kind).predict([("in mice .", "we gave aspirin ."), given])


@pytest.mark.parametrize("given", [("a", "b", "c"), (), ("a", None), None, 7])
def test_what_is_neither_a_text_nor_a_pair_is_refused_with_its_number(given: Any) -> None:
    with pytest.raises(BadSetting, match=r"text 2 is .*, expected a text or a tuple of two texts"):
        load("classification").predict(["in mice .", given])


def test_the_order_of_texts_is_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    found = load("classification")
    examples = [TextExample(str(at), TEXTS[at % len(TEXTS)]) for at in range(12)]
    monkeypatch.setattr("linnet.tasks.texts.predictor.LOOK_AHEAD", 5)  # several chunks

    outputs = list(found.outputs(examples))

    for at, output in enumerate(outputs):
        assert close(output, outputs[at % len(TEXTS)])


@pytest.mark.parametrize("kind", text_corpora.KINDS)
def test_what_else_is_in_the_batch_does_not_matter(kind: str) -> None:
    found, examples = load(kind), examples_of(kind)
    long = [replace(examples[0], id="long", first=LONG, spans=()), *examples]

    together = list(found.outputs(long))[1:]
    alone = [next(iter(found.outputs([example]))) for example in examples]

    assert all(close(*pair) for pair in zip(together, alone, strict=True))


@pytest.mark.parametrize(
    ("kind", "text"),
    [
        ("classification", {"windows": "mean"}),
        ("several", {"windows": "max"}),
        ("relations", {"windows": "max"}),
        ("similarity", {"method": "bi"}),
        ("similarity", {}),
        ("inference", {"pooling": "mean"}),
    ],
)
def test_windows_are_joined_as_the_network_does_in_training(kind: str, text: dict[str, str]) -> None:
    plan, predictor = fresh(kind, max_length=16, text=text)
    assert any(len(each.read.windows) > 1 for each in plan.examples)
    batch = collate(plan.examples, plan.text_encoder.pad_id)
    batch = {name: value for name, value in batch.items() if name not in ("labels", "corpus")}

    with torch.inference_mode():
        engine = predictor.engine
        assert isinstance(engine, TorchTextEngine)
        logits = engine.network.eval()(**batch).logits.squeeze(1)
    outputs = list(predictor.outputs(plan.source.training))

    for row, output in zip(logits, outputs, strict=True):
        if isinstance(output, float):
            low, high = plan.source.scale.lowest, plan.source.scale.highest
            assert output == pytest.approx(low + row.item() * (high - low), abs=1e-4)
        else:
            assert isinstance(output, dict)
            shares = row.softmax(dim=-1)[..., 1] if plan.source.kind is MULTI_LABEL else row.softmax(dim=-1)
            assert list(output.values()) == pytest.approx(shares.tolist(), abs=1e-5)
            assert tuple(output) == plan.source.labels


def test_probabilities_of_classes_add_up_to_one() -> None:
    for output in load("classification").outputs([TextExample(text, text) for text in TEXTS]):
        assert isinstance(output, dict)
        assert sum(output.values()) == pytest.approx(1.0)


def test_answers_stand_in_the_text_however_long_it_is() -> None:
    found = load("answering")
    text = LONG * 3 + "we gave aspirin ."

    (answers,) = found.outputs([TextExample("1", "treated with", text)])

    assert isinstance(answers, tuple)
    assert len(answers) > 1
    assert all(text[each.start : each.end] == each.text for each in answers)
    assert all(each.text == each.text.strip() for each in answers)


@pytest.mark.parametrize("kind", text_corpora.KINDS)
def test_a_saved_model_says_what_it_said_when_it_was_trained(kind: str) -> None:
    from linnet.tasks.texts.evaluation import read_text_predictions

    before = read_text_predictions(text_corpora.trained(kind) / "predictions-test.jsonl")

    now = load(kind).predict_examples(examples_of(kind))

    assert [(each.id, each.gold) for each in now] == [(each.id, each.gold) for each in before]
    for one, other in zip(now, before, strict=True):
        assert one.score == pytest.approx(other.score, abs=1e-5)
        if isinstance(one.predicted, float):
            assert one.predicted == pytest.approx(other.predicted, abs=1e-5)
        else:
            assert one.predicted == other.predicted


@pytest.mark.parametrize("family", tiny.FAMILIES)
def test_a_saved_model_of_each_family_equals_its_plan(family: str, tmp_path: Path) -> None:
    given: dict[str, Any] = {"encoder": str(tiny.encoder(family)), "epochs": 0}
    examples = examples_of("yesno")
    text_corpora.train("yesno", tmp_path / "run", **given)
    _, predictor = fresh("yesno", **given)  # the same seed, and nothing was learned

    saved = list(load_texts(tmp_path / "run").outputs(examples))

    assert all(close(*pair) for pair in zip(saved, predictor.outputs(examples), strict=True))


def test_a_network_in_training_is_left_in_training() -> None:
    plan = text_corpora.plan("classification")
    model = plan.build().train()

    first, second = (list(plan.predictor(model).outputs([TextExample("1", LONG)])) for _ in range(2))

    assert model.network.training
    assert first == second  # no dropout while it predicts


def test_texts_read_apart_have_sides() -> None:
    plan, _ = fresh("similarity", max_length=16, text={"method": "bi"})

    (read,) = read_texts(
        plan.text_encoder, [TextExample("1", LONG, "we gave")], method=plan.shape.method, pooling=plan.shape.pooling
    )

    assert read.sides == sorted(read.sides)
    assert set(read.sides) == {0, 1}
    assert read.sides.count(1) == 1
    assert len(read) == sum(map(len, read.windows))


def test_a_model_for_mentions_is_loaded_by_the_same_name() -> None:
    assert isinstance(linnet.load(tiny.trained()), Predictor)


def test_a_model_for_mentions_says_nothing_about_texts() -> None:
    with pytest.raises(BadFile, match="for the task 'ner', not for whole texts") as refused:
        load_texts(tiny.trained())

    assert "linnet annotate" in refused.value.remedy


def test_what_only_mentions_have_is_refused() -> None:
    with pytest.raises(BadSetting, match="the task 'answering' does not know --decoding"):
        linnet.load(text_corpora.trained("yesno"), decoding="valid")


def test_numbers_are_in_the_range_of_the_scores_that_were_learned() -> None:
    found = [each.predicted for each in load("similarity").predict_examples(examples_of("similarity"))]

    assert all(isinstance(value, float) for value in found)
    assert 0.5 < float(np.mean(np.array(found, dtype=float))) < 4.5  # scores go from 1 to 4


def test_python_users_evaluate_models_of_every_task_alike() -> None:
    texts = linnet.evaluate(text_corpora.trained("classification"), text_corpora.corpus("classification"))
    mentions = linnet.evaluate(tiny.trained(), tiny.corpus(), n_resamples=0)

    assert isinstance(texts, TextEvaluation)
    assert isinstance(mentions, Evaluation)
    with pytest.raises(BadSetting, match="does not know --decoding"):
        linnet.evaluate(text_corpora.trained("classification"), text_corpora.corpus("classification"), decoding="valid")


def test_pairs_that_are_marked_in_a_text_are_found() -> None:
    model = load("relations")
    text = "@GENE$ was found in @DISEASE$ ."

    [given] = model.predict([text])
    [read] = model.predict([TextExample("1", text, spans=((0, 6), (20, 29)))])

    assert given == read


@pytest.mark.parametrize("value", [np.nan, np.inf])
def test_scores_that_are_not_finite_are_no_prediction(value: float, monkeypatch: pytest.MonkeyPatch) -> None:
    predictor = load_texts(text_corpora.trained("several"))
    read = predictor.engine.read
    monkeypatch.setattr(predictor.engine, "read", lambda batch: read(batch) * np.float32(value))

    with pytest.raises(BadFile, match="text '1': the scores of the model are not finite"):
        predictor.predict(["we gave aspirin ."])
