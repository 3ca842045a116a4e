"""Taggers to be written as ONNX: example inputs, the sentences to check on, and how agreement is reported."""

import json
from dataclasses import replace
from pathlib import Path

import pytest
import torch

from linnet.batches.encoding import Batch
from linnet.contracts import LossInterval, WriteOptions, formats
from linnet.documents.document import Document, Span
from linnet.errors import BadSetting
from linnet.models.onnx_engine import INPUTS
from linnet.tasks.ner.examples import read_examples
from linnet.tasks.ner.exporting import TagParity, compare, embedded_sentences, open_exportable, read_check
from linnet.tasks.ner.predictor import Engine, FloatArray, load
from tests import tiny

PARITY = TagParity(n_sentences=2, words=1000, equal_words=999, largest_difference=0.001, f1=0.9, exported_f1=0.89)


def test_agreement_is_reported_in_words_and_points() -> None:
    assert (PARITY.n_compared, PARITY.n_different, PARITY.equal_tags) == (1000, 1, 0.999)
    assert PARITY.points_lost == pytest.approx(1.0)
    assert PARITY.sentences()[1] == "strict F1: 90.00 before, 89.00 after"
    assert TagParity(n_sentences=0, words=0, equal_words=0, largest_difference=0.0).equal_tags == 1.0


def test_the_traced_network_takes_the_example_inputs() -> None:
    model = open_exportable(tiny.trained(), check=None, split="test", label=None, repair=False)

    inputs = model.inputs()
    with torch.inference_mode():
        scores = model.network()(**inputs)

    assert tuple(inputs) == tuple(INPUTS) == tuple(model.axes())
    assert tuple(scores.shape[:2]) == tuple(inputs[INPUTS[0]].shape)
    assert model.notes == ()


def test_one_of_the_embedded_sentences_is_longer_than_the_window() -> None:
    assert len(embedded_sentences(40)[-1]) == 80


def test_a_model_agrees_with_itself() -> None:
    predictor = load(tiny.trained())
    examples = read_check(tiny.corpus(), "test", predictor)

    found = compare(predictor, predictor, examples.words, examples)

    assert (found.n_different, found.largest_difference, found.points_lost) == (0, 0.0, 0.0)
    assert found.loss_interval == LossInterval(low=0.0, high=0.0, units="sentences", n_units=8)


def test_the_interval_of_a_loss_is_that_of_the_paired_bootstrap() -> None:
    predictor = load(tiny.trained())
    examples = read_check(tiny.corpus(), "test", predictor)
    worse = load(tiny.trained())
    worse.engine = Outside(worse.engine)

    found = compare(predictor, worse, examples.words, examples)

    assert found.points_lost is not None
    assert found.loss_interval is not None
    assert found.loss_interval.low <= found.points_lost <= found.loss_interval.high
    assert not found.loss_interval.excludes_zero  # eight sentences are few


def test_the_interval_of_a_loss_is_over_documents_where_they_are_known() -> None:
    predictor = load(tiny.trained())
    documents = [
        Document(f"d{n}", "Ataxia was seen here. No ataxia was seen there.", (Span(0, 6, "Disease"),)) for n in range(3)
    ]
    examples = read_examples(documents, "iob2")

    found = compare(predictor, predictor, examples.words, examples)

    assert len(examples.rows) > 3
    assert found.loss_interval == LossInterval(low=0.0, high=0.0, units="documents", n_units=3)


def test_a_gain_is_called_a_gain_and_outputs_of_the_network_are_no_confidence() -> None:
    better = replace(
        PARITY, exported_f1=0.9067, loss_interval=LossInterval(low=-1.5, high=0.1, units="documents", n_units=40)
    )

    agreement, f1 = better.sentences()

    assert f1 == (
        "strict F1: 90.00 before, 90.67 after: 0.67 points gained "
        "(95 % interval -0.10 to 1.50, paired bootstrap over 40 documents)"
    )
    assert agreement.endswith("outputs of the network (before they become confidence) differ by at most 0.001")


class Outside:
    """An engine that finds nothing in every second batch row."""

    def __init__(self, engine: Engine) -> None:
        self.engine = engine

    def logits(self, batch: Batch) -> FloatArray:
        scores = self.engine.logits(batch).copy()
        scores[::2, :, 0] += 100
        return scores


def test_a_comparison_is_restored_from_its_record() -> None:
    model = open_exportable(tiny.trained(), check=tiny.corpus(), split="test", label=None, repair=False)
    with_interval = replace(PARITY, loss_interval=LossInterval(low=-1.0, high=2.0, units="sentences", n_units=2))

    for parity in (PARITY, with_interval):
        assert model.restore(json.loads(json.dumps(parity.as_record()))) == parity


def test_the_fingerprint_of_a_corpus_depends_on_its_sentences() -> None:
    def fingerprint(split: str) -> str:
        found = open_exportable(tiny.trained(), check=tiny.corpus(), split=split, label=None, repair=False)
        return found.corpus_fingerprint

    assert fingerprint("test") == fingerprint("test") != fingerprint("devel")


@pytest.mark.parametrize(
    ("spans", "problem"),
    [((), "the split has no mention"), ((Span(0, 6, "Gene"),), "labels that the model does not know: Gene")],
)
def test_a_corpus_that_cannot_be_compared_on_is_refused(tmp_path: Path, spans: tuple[Span, ...], problem: str) -> None:
    formats.get("jsonl").write([Document("1", "ataxia", spans)], tmp_path / "test.jsonl", WriteOptions())

    with pytest.raises(BadSetting, match=problem):
        read_check(tmp_path, "test", load(tiny.trained()))
