"""Batches without padding: the same scores for less work, where the encoder's build allows it."""

import numpy as np
import pytest
import torch
from transformers import AutoConfig, AutoModelForTokenClassification

from linnet.batches.encoding import WordEncoder, collate
from linnet.models.encoders import quietly
from linnet.models.families import ROBERTA
from linnet.models.torch_engine import TorchEngine, open_engine, open_tokenizer
from linnet.models.unpadded import pack
from tests import tiny

PACKED = {"bert", "roberta", "electra", "albert"}  # of the families in `tiny.py`


def opened(family: str) -> torch.nn.Module:
    torch.manual_seed(0)
    with quietly():
        network: torch.nn.Module = AutoModelForTokenClassification.from_pretrained(tiny.encoder(family), num_labels=5)
    return network.eval()


@pytest.mark.parametrize("family", tiny.FAMILIES)
def test_packed_batches_have_the_scores_of_padded_ones(family: str) -> None:
    encoder = WordEncoder(open_tokenizer(tiny.encoder(family)), max_length=32)
    words = [["no", "ataxia"], ["no"] * 9, ["we", "gave", "aspirin", "."], ["no", "anaemia"], ["ataxia"]]
    batch = collate(list(encoder.encode(words)), encoder.pad_id)
    padded, packed = opened(family), opened(family)

    assert pack(packed) == (family in PACKED)

    expected = TorchEngine(padded).logits(batch)
    found = TorchEngine(packed, is_packed=family in PACKED).logits(batch)
    assert found.shape == expected.shape
    for row, window in enumerate(batch.windows):
        np.testing.assert_allclose(found[row, : len(window.ids)], expected[row, : len(window.ids)], atol=1e-5)
    assert np.abs(expected).max() > 1e-3  # not two rows of nothing


@pytest.mark.parametrize("kin", ROBERTA.kin)
def test_the_kin_of_roberta_computes_packed_batches_as_well(kin: str) -> None:
    encoder = WordEncoder(open_tokenizer(tiny.encoder("roberta")), max_length=32)
    batch = collate(list(encoder.encode([["no", "ataxia"], ["no"] * 9, ["ataxia"]])), encoder.pad_id)
    values = AutoConfig.from_pretrained(tiny.encoder("roberta")).to_dict() | {"num_labels": 5}
    config = AutoConfig.for_model(kin, **{name: each for name, each in values.items() if name != "model_type"})
    network = AutoModelForTokenClassification.from_config(config).eval()  # type: ignore[no-untyped-call]

    expected = TorchEngine(network).logits(batch)
    assert pack(network)
    found = TorchEngine(network, is_packed=True).logits(batch)

    for row, window in enumerate(batch.windows):
        np.testing.assert_allclose(found[row, : len(window.ids)], expected[row, : len(window.ids)], atol=1e-5)


def test_a_word_that_is_called_padding_is_counted_as_the_network_counts_it() -> None:
    encoder = WordEncoder(open_tokenizer(tiny.encoder("roberta")), max_length=32)
    (window,) = encoder.encode([["no", "ataxia", "in", "mice"]])
    window.ids[2] = encoder.pad_id
    batch = collate([window], encoder.pad_id)
    padded, packed = opened("roberta"), opened("roberta")
    pack(packed)

    expected, found = TorchEngine(padded).logits(batch), TorchEngine(packed, is_packed=True).logits(batch)

    np.testing.assert_allclose(found, expected, atol=1e-5)


def test_a_saved_model_is_opened_packed_on_a_cpu_unless_attention_is_chosen() -> None:
    assert open_engine(tiny.trained(), device="cpu").is_packed
    assert not open_engine(tiny.trained(), device="cpu", attention="eager").is_packed


def test_more_sub_words_than_an_encoder_has_places_are_no_hindrance() -> None:
    encoder = WordEncoder(open_tokenizer(tiny.trained()), max_length=32)
    windows = list(encoder.encode([["no", "ataxia"]] * tiny.POSITIONS))
    engine = open_engine(tiny.trained(), device="cpu")

    scores = engine.logits(collate(windows, encoder.pad_id))

    assert sum(len(window.ids) for window in windows) > tiny.POSITIONS
    np.testing.assert_allclose(scores, np.broadcast_to(scores[:1], scores.shape), atol=1e-5)
