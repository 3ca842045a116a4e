"""Taggers to be written as ONNX: example inputs, the sentences to check on, and how agreement is reported."""

from pathlib import Path

import pytest
import torch

from linnet.contracts import WriteOptions, formats
from linnet.documents.document import Document, Span
from linnet.errors import BadSetting
from linnet.models.onnx_engine import INPUTS
from linnet.tasks.ner.exporting import TagParity, compare, embedded_sentences, open_exportable, read_check
from linnet.tasks.ner.predictor import load
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


@pytest.mark.parametrize(
    ("spans", "problem"),
    [((), "the split has no mention"), ((Span(0, 6, "Gene"),), "labels that the model does not know: Gene")],
)
def test_a_corpus_that_cannot_be_compared_on_is_refused(tmp_path: Path, spans: tuple[Span, ...], problem: str) -> None:
    formats.get("jsonl").write([Document("1", "ataxia", spans)], tmp_path / "test.jsonl", WriteOptions())

    with pytest.raises(BadSetting, match=problem):
        read_check(tmp_path, "test", load(tiny.trained()))
