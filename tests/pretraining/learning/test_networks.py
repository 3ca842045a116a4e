"""Networks: heads tied to the embeddings, logits at masked positions only, and what is saved of them."""

import json
import shutil
from pathlib import Path
from typing import Any

import pytest
import torch
from safetensors.torch import load_file, save_file
from tokenizers import Tokenizer
from transformers import (
    AutoConfig,
    AutoModel,
    AutoModelForMaskedLM,
    AutoModelForSequenceClassification,
    BertConfig,
)

from linnet.errors import BadSetting, UnknownName
from linnet.models.encoders import find_encoder, quietly
from linnet.pretraining.learning.networks import (
    add_gradients_in_place,
    build_network,
    encode,
    find_start,
    predict_order,
    predict_subwords,
    save_network,
)
from linnet.pretraining.learning.sizes import SIZES
from linnet.settings.pretraining import PretrainSettings
from tests import tiny


def settings(**given: Any) -> PretrainSettings:
    return PretrainSettings.model_validate({"texts": ["x"], "output": "unused", "budget": {"steps": 1}, **given})


def started(family: str, **given: Any) -> Any:
    chosen = settings(encoder=str(tiny.encoder(family)), **given)
    start = find_start(chosen)
    assert start.tokenizer is not None
    torch.manual_seed(1)
    return build_network(start, start.tokenizer, chosen)


def batch(size: int = 3) -> dict[str, torch.Tensor]:
    generator = torch.Generator().manual_seed(5)
    ids = torch.randint(5, 30, (size, 12), generator=generator)
    attention = torch.ones_like(ids)
    attention[0, 9:] = 0
    return {"input_ids": ids, "attention_mask": attention, "token_type_ids": torch.zeros_like(ids)}


@pytest.mark.parametrize("family", tiny.FAMILIES)
def test_logits_at_masked_positions_are_those_of_the_full_computation(family: str) -> None:
    network = started(family).network.eval()
    inputs, positions = batch(), torch.tensor([1, 7, 12, 25, 35])
    known = {
        key: value for key, value in inputs.items() if key != "token_type_ids" or family not in ("modernbert", "mpnet")
    }

    with torch.no_grad():
        found = predict_subwords(network, encode(network, **inputs)[0], positions)
        full = network(**known).logits

    torch.testing.assert_close(found, full.reshape(36, -1)[positions])


@pytest.mark.parametrize("family", ["bert", "albert"])
def test_the_order_is_predicted_by_the_familys_own_head(family: str) -> None:
    network = started(family, masking={"sentence_order": True}).network.eval()
    inputs, positions = batch(), torch.tensor([1, 7])

    with torch.no_grad():
        hidden, pooled = encode(network, **inputs)
        full = network(**inputs)
        assert pooled is not None
        order = predict_order(network, pooled)
        words = predict_subwords(network, hidden, positions)

    own = full.seq_relationship_logits if family == "bert" else full.sop_logits
    torch.testing.assert_close(order, own)
    torch.testing.assert_close(words, full.prediction_logits.reshape(36, -1)[positions])


@pytest.mark.parametrize("family", ["bert", "roberta", "electra", "albert"])
def test_the_head_is_tied_to_the_embeddings(family: str) -> None:
    for found in (started(family), fresh(f"{family}-tiny")):
        network = found.network

        assert network.get_output_embeddings().weight is network.get_input_embeddings().weight


@pytest.mark.parametrize("family", ["bert", "roberta", "electra", "albert"])
def test_rows_that_are_added_in_place_give_the_same_gradient(family: str) -> None:
    network, inputs, positions = started(family).network.eval(), batch(), torch.tensor([1, 7, 12, 25])

    def gradient() -> torch.Tensor:
        network.zero_grad()
        for _ in range(2):  # as with accumulation
            torch.autograd.backward(
                predict_subwords(network, encode(network, **inputs)[0], positions).logsumexp(dim=-1).sum()
            )
        found: torch.Tensor = network.get_input_embeddings().weight.grad
        return found

    before = gradient()
    add_gradients_in_place(network)
    after = gradient()

    assert not after.is_sparse
    torch.testing.assert_close(after, before)


def test_a_fresh_head_is_noted_and_a_trained_one_is_used(tmp_path: Path) -> None:
    first = started("bert")
    with quietly():
        first.network.save_pretrained(tmp_path)
        find_encoder(str(tiny.encoder("bert"))).tokenizer.save_pretrained(tmp_path)

    chosen = settings(encoder=str(tmp_path))
    start = find_start(chosen)
    assert start.tokenizer is not None
    again = build_network(start, start.tokenizer, chosen)

    assert "comes without a head for masked words: a fresh one is trained along" in first.notes[0]
    assert again.notes == ()
    name = "cls.predictions.transform.dense.weight"
    assert torch.equal(again.network.get_parameter(name), first.network.get_parameter(name))


@pytest.mark.parametrize("family", ["bert", "roberta", "albert"])
def test_the_pooler_of_the_encoder_is_kept_though_masked_words_need_none(family: str, tmp_path: Path) -> None:
    found = started(family)
    with quietly():
        before = AutoModel.from_pretrained(tiny.encoder(family)).state_dict()

        save_network(found, tmp_path)

        after, report = AutoModel.from_pretrained(tmp_path, output_loading_info=True)
        classifier = AutoModelForSequenceClassification.from_pretrained(tmp_path).base_model
        _, with_head = AutoModelForMaskedLM.from_pretrained(tmp_path, output_loading_info=True)
    names = [name for name in before if "pooler." in name]
    assert len(names) == 2
    assert not report["missing_keys"] | with_head["missing_keys"]
    assert all(torch.equal(after.state_dict()[name], before[name]) for name in names)
    if family != "roberta":  # its classifiers have a head of their own instead
        assert all(torch.equal(classifier.state_dict()[name], before[name]) for name in names)


def test_an_encoder_without_a_pooler_gets_none(tmp_path: Path) -> None:
    folder = shutil.copytree(tiny.encoder("bert"), tmp_path / "encoder")
    tensors = load_file(folder / "model.safetensors")
    save_file({name: each for name, each in tensors.items() if "pooler" not in name}, folder / "model.safetensors")
    chosen = settings(encoder=str(folder))
    start = find_start(chosen)
    assert start.tokenizer is not None

    found = build_network(start, start.tokenizer, chosen)

    assert found.pooler == {}


def test_a_pooler_that_is_learned_is_not_replaced() -> None:
    assert started("bert", masking={"sentence_order": True}).pooler == {}


@pytest.mark.parametrize("family", ["bert", "modernbert", "fresh"])
def test_dropout_of_pretraining_is_not_kept(family: str, tmp_path: Path) -> None:
    optimiser = {"dropout": 0.33, "attention_dropout": 0.22}
    found = fresh("bert-tiny", optimiser=optimiser) if family == "fresh" else started(family, optimiser=optimiser)
    shares = {module.p for module in found.network.modules() if isinstance(module, torch.nn.Dropout)}

    with quietly():
        save_network(found, tmp_path)

    config = AutoConfig.from_pretrained(tmp_path).to_dict()
    own = BertConfig() if family == "fresh" else AutoConfig.from_pretrained(tiny.encoder(family))
    assert 0.33 in shares
    assert {0.33, 0.22}.isdisjoint(value for key, value in config.items() if "dropout" in key)
    assert all(config[key] == value for key, value in own.to_dict().items() if "dropout" in key)


def test_a_fresh_head_for_the_order_is_noted() -> None:
    notes = started("albert", masking={"sentence_order": True}).notes

    assert any("without a head for the order of sentences" in note for note in notes)


def fresh(size: str, **given: Any) -> Any:
    family = size.split("-")[0]
    chosen = settings(encoder=size, fresh=True, vocabulary={"source": str(tiny.encoder(family))}, **given)
    start = find_start(chosen)
    assert start.tokenizer is not None
    return build_network(start, start.tokenizer, chosen)


@pytest.mark.parametrize("size", ["bert-tiny", "albert-tiny", "roberta-tiny", "electra-tiny"])
def test_a_fresh_network_has_a_row_for_each_subword_and_reads_512(size: str) -> None:
    network = fresh(size).network.eval()
    tokenizer = find_encoder(str(tiny.encoder(size.split("-")[0]))).backend

    ids = torch.full((1, SIZES[size].positions), 6)
    hidden, _ = encode(network, input_ids=ids, attention_mask=torch.ones_like(ids))

    assert network.config.vocab_size == tokenizer.get_vocab_size()
    assert hidden.shape[1] == 512


@pytest.mark.parametrize(
    ("size", "dropout", "attention_dropout", "n_types", "epsilon"),
    [
        # as in bert-base-uncased, albert-base-v2, roberta-base and electra-small
        ("bert-tiny", 0.1, 0.1, 2, 1e-12),
        ("albert-tiny", 0.0, 0.0, 2, 1e-12),
        ("roberta-tiny", 0.1, 0.1, 1, 1e-5),
        ("electra-tiny", 0.1, 0.1, 2, 1e-12),
    ],
)
def test_a_fresh_network_is_saved_with_the_settings_of_published_ones(
    size: str, dropout: float, attention_dropout: float, n_types: int, epsilon: float, tmp_path: Path
) -> None:
    with quietly():
        save_network(fresh(size, optimiser={"dropout": 0.3}), tmp_path)

    config = AutoConfig.from_pretrained(tmp_path)
    assert (config.hidden_dropout_prob, config.attention_probs_dropout_prob) == (dropout, attention_dropout)
    assert (config.type_vocab_size, config.layer_norm_eps) == (n_types, epsilon)


def test_a_vocabulary_with_a_gap_has_a_row_for_its_largest_number() -> None:
    chosen = settings(encoder="bert-tiny", fresh=True, vocabulary={"source": str(tiny.encoder("bert"))})
    start = find_start(chosen)
    assert start.tokenizer is not None
    state = json.loads(start.tokenizer.to_str())
    vocabulary: dict[str, int] = state["model"]["vocab"]
    last = max(vocabulary, key=lambda token: vocabulary[token])
    vocabulary[last] += 40
    tokenizer = Tokenizer.from_str(json.dumps(state))

    network = build_network(start, tokenizer, chosen).network

    assert network.config.vocab_size == vocabulary[last] + 1 == tokenizer.get_vocab_size() + 40


def test_a_start_without_size_or_vocabulary_is_refused() -> None:
    with pytest.raises(UnknownName, match="no size called 'bert-tny'") as unknown:
        find_start(settings(encoder="bert-tny", fresh=True, vocabulary={"train": 200}))
    with pytest.raises(BadSetting, match="a fresh encoder has no vocabulary"):
        find_start(settings(encoder="bert-tiny", fresh=True))
    with pytest.raises(BadSetting, match="'albert-base' is a size") as size:
        find_start(settings(encoder="albert-base"))

    assert "did you mean 'bert-tiny'?" in unknown.value.remedy
    assert "--fresh" in size.value.remedy


def test_dropout_that_is_set_is_that_of_every_part_of_a_fresh_network() -> None:
    tokenizer = find_encoder(str(tiny.encoder("albert"))).backend
    chosen = settings(
        encoder="albert-tiny",
        fresh=True,
        vocabulary={"source": str(tiny.encoder("albert"))},
        masking={"sentence_order": True},
        optimiser={"dropout": 0.25, "attention_dropout": 0.5},
    )

    network: Any = build_network(find_start(chosen), tokenizer, chosen).network

    shares = {module.p for module in network.modules() if isinstance(module, torch.nn.Dropout)}
    assert shares <= {0.25, 0.5}
    assert network.sop_classifier.dropout.p == 0.25
