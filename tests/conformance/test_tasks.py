"""What every task must keep: gold is predicted as gold, an untrained network answers, and four examples are learned.

Every registered task is tried: `ner` on its tiny corpus, those about whole texts on theirs, two of them in both forms.
"""

import shutil
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

from linnet.contracts import tasks
from linnet.documents.texts import Output, TextExample
from linnet.formats.corpus import read_corpus
from linnet.labels.tagging import decode_conll
from linnet.metrics.texts.resampled import plain_value
from linnet.tasks.ner.decoding import Decoder
from linnet.tasks.ner.examples import Examples, label_set_of, read_examples
from linnet.tasks.ner.plan import TaggingPlan
from linnet.tasks.ner.predictor import Predictor
from linnet.tasks.ner.results import predictor_of
from linnet.tasks.texts.kinds import SPANS
from linnet.tasks.texts.kinds.answer_spans import best_answers, places_of
from linnet.tasks.texts.plan import TextPlan
from linnet.tasks.texts.read_texts import read_texts
from linnet.tasks.texts.task import Decision, TextTask
from tests import text_corpora, tiny

QUICKLY: dict[str, Any] = {"epochs": 20, "batch_size": 4, "learning_rate": 0.02, "optimiser.dropout": 0.0}
OWN: dict[str, dict[str, Any]] = {  # the first token of two random layers learns of its pair, but slowly
    "inference": {"text": {"pooling": "mean"}}
}
NEARLY = 0.98  # of a correlation: numbers are never learned to the last digit


def sentences() -> Examples:
    return read_examples(read_corpus(tiny.corpus()).train, "iob2")


def gold_outputs(plan: TextPlan, examples: Sequence[TextExample]) -> list[Output]:
    """Return outputs that put all weight on what is right."""
    kind, labels = plan.source.kind, plan.source.labels
    if kind is SPANS:
        return [_gold_answers(plan, example) for example in examples]
    found: list[Output] = []
    for example in examples:
        own = example.gold if isinstance(example.gold, tuple) else (example.gold,)
        right = {label: float(label in own) for label in labels}
        found.append(example.gold if isinstance(example.gold, float) else right)
    return found


def _gold_answers(plan: TextPlan, example: TextExample) -> Output:
    (read,) = read_texts(plan.text_encoder, [example], method=plan.shape.method, pooling=plan.shape.pooling)
    scores = []
    for window in read.windows:
        first, last = places_of(window, example.spans, example.last)
        own = np.full((2, len(window)), -20.0, dtype=np.float32)
        own[0, first] = own[1, last] = 20.0
        scores.append(own)
    return best_answers(example.second or "", read.windows, scores, longest=100)


def test_every_task_is_tried() -> None:
    assert set(tasks.names()) == {"ner", *text_corpora.TASKS}
    assert all(isinstance(tasks.get(name), TextTask) for name in text_corpora.TASKS)


@pytest.mark.parametrize("name", tasks.names())
def test_a_task_says_what_it_is(name: str) -> None:
    task = tasks.get(name)

    assert task.name == name
    assert task.description
    assert "\n" not in task.description


def test_gold_tags_are_read_back_as_the_mentions_they_were() -> None:
    rows = sentences()
    label_set = label_set_of([rows], [], "iob2")
    decoder = Decoder(label_set, "iob2", "valid")

    for row in rows.rows:
        logits = np.full((len(row.words), len(label_set.names)), -20.0, dtype=np.float32)
        logits[np.arange(len(row.words)), [label_set.names.index(tag) for tag in row.tags]] = 20.0
        found = decoder.decode(logits)
        assert list(found.tags) == row.tags
        assert decode_conll(list(found.tags)) == decode_conll(row.tags)


@pytest.mark.parametrize("kind", text_corpora.KINDS)
def test_outputs_that_say_what_is_right_are_predicted_as_gold_and_score_one(kind: str) -> None:
    plan = text_corpora.plan(kind)
    examples = plan.source.scored["test"]

    predictions = plan.task.decide(
        examples, gold_outputs(plan, examples), Decision(plan.source.kind, {}), plan.source.settings
    )

    for each in predictions:
        first = each.predicted[0] if plan.source.kind is SPANS and isinstance(each.predicted, tuple) else None
        assert each.predicted == each.gold or (isinstance(each.gold, tuple) and first in each.gold[0])
    first_metric = plan.task.metrics(predictions, plan.source.settings)[0]
    assert plain_value(first_metric) == pytest.approx(1.0)


@pytest.mark.parametrize("family", tiny.FAMILIES)
def test_an_untrained_network_tags_every_word(family: str, tmp_path: Path) -> None:
    plan = tiny.plan_of(tiny.settings(tmp_path, encoder=str(tiny.encoder(family))))
    assert isinstance(plan, TaggingPlan)
    torch.manual_seed(1)
    predictor: Predictor = predictor_of(plan.prepared, plan.build())

    found = list(predictor.tag(sentences().words))

    assert [len(each.tags) for each in found] == [len(words) for words in sentences().words]


@pytest.mark.parametrize("kind", text_corpora.KINDS)
def test_an_untrained_network_answers_every_example(kind: str) -> None:
    plan = text_corpora.plan(kind)
    torch.manual_seed(1)

    predictions = plan.predictor(plan.build()).predict_examples(plan.source.scored["test"])

    assert len(predictions) == len(plan.source.scored["test"])
    assert all(abs(plain_value(metric)) < 100 for metric in plan.task.metrics(predictions, plan.source.settings))


def test_four_documents_are_learned_by_heart(tmp_path: Path) -> None:
    data = tiny.write_corpus(tmp_path / "four", train=4, devel=0, test=0)
    for name in ("devel.tsv", "test.tsv"):
        shutil.copy(data / "train.tsv", data / name)

    run = tiny.train(tmp_path / "run", data=str(data), **QUICKLY)

    assert run.metrics["strict"]["micro"]["f1"] == 1.0


@pytest.mark.parametrize("kind", text_corpora.KINDS)
def test_four_examples_are_learned_by_heart(kind: str, tmp_path: Path) -> None:
    data = text_corpora.write(tmp_path / "four", kind, train=4, devel=0, test=0)
    (training,) = data.iterdir()
    for name in ("devel", "test"):
        same = training.read_text(encoding="utf-8").replace("train-q", f"{name}-q")  # a question is in one split only
        (data / f"{name}{training.suffix}").write_text(same, encoding="utf-8")

    run = text_corpora.train(kind, tmp_path / "run", data=str(data), **QUICKLY, **OWN.get(kind, {}))

    value = run.metrics["scores"][run.metrics["metric"]]["value"]
    assert value >= NEARLY if kind == "similarity" else value == 1.0
