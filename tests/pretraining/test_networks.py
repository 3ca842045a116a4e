"""Networks: sizes as published, heads tied to the embeddings, hidden places only, rows for new words."""

from pathlib import Path
from typing import Any

import pytest
import torch
from tokenizers import Tokenizer
from transformers import AutoModelForMaskedLM

from linnet.errors import BadSetting, UnknownName
from linnet.models.encoders import find_encoder, quietly
from linnet.pretrain_settings import PretrainSettings
from linnet.pretraining.networks import add_rows_in_place, find_start, guess, guess_order, read, start_network
from linnet.pretraining.new_rows import old_pieces, use_vocabulary
from linnet.pretraining.sizes import SIZES, find_size
from tests import tiny


def settings(**given: Any) -> PretrainSettings:
    return PretrainSettings.model_validate({"texts": ["x"], "output": "unused", "budget": {"steps": 1}, **given})


def started(family: str, **given: Any) -> Any:
    chosen = settings(encoder=str(tiny.encoder(family)), **given)
    start = find_start(chosen)
    assert start.tokenizer is not None
    torch.manual_seed(1)
    return start_network(start, start.tokenizer, chosen)


def batch(size: int = 3) -> dict[str, torch.Tensor]:
    generator = torch.Generator().manual_seed(5)
    ids = torch.randint(5, 30, (size, 12), generator=generator)
    attention = torch.ones_like(ids)
    attention[0, 9:] = 0
    return {"input_ids": ids, "attention_mask": attention, "token_type_ids": torch.zeros_like(ids)}


@pytest.mark.parametrize("family", tiny.FAMILIES)
def test_scores_at_hidden_places_are_those_of_the_full_computation(family: str) -> None:
    network = started(family).network.eval()
    inputs, places = batch(), torch.tensor([1, 7, 12, 25, 35])
    known = {key: value for key, value in inputs.items() if key != "token_type_ids" or family != "modernbert"}

    with torch.no_grad():
        found = guess(network, read(network, **inputs)[0], places)
        full = network(**known).logits

    torch.testing.assert_close(found, full.reshape(36, -1)[places])


@pytest.mark.parametrize("family", ["bert", "albert"])
def test_the_order_is_guessed_by_the_familys_own_head(family: str) -> None:
    network = started(family, masking={"sentence_order": True}).network.eval()
    inputs, places = batch(), torch.tensor([1, 7])

    with torch.no_grad():
        hidden, summed_up = read(network, **inputs)
        full = network(**inputs)
        assert summed_up is not None
        order = guess_order(network, summed_up)
        words = guess(network, hidden, places)

    own = full.seq_relationship_logits if family == "bert" else full.sop_logits
    torch.testing.assert_close(order, own)
    torch.testing.assert_close(words, full.prediction_logits.reshape(36, -1)[places])


@pytest.mark.parametrize("family", ["bert", "roberta", "electra", "albert"])
def test_the_head_is_tied_to_the_embeddings(family: str) -> None:
    for found in (started(family), fresh(f"{family}-tiny")):
        network = found.network

        assert network.get_output_embeddings().weight is network.get_input_embeddings().weight


@pytest.mark.parametrize("family", ["bert", "roberta", "electra", "albert"])
def test_rows_that_are_added_in_place_give_the_same_gradient(family: str) -> None:
    network, inputs, places = started(family).network.eval(), batch(), torch.tensor([1, 7, 12, 25])

    def gradient() -> torch.Tensor:
        network.zero_grad()
        for _ in range(2):  # as with accumulation
            torch.autograd.backward(guess(network, read(network, **inputs)[0], places).logsumexp(dim=-1).sum())
        found: torch.Tensor = network.get_input_embeddings().weight.grad
        return found

    before = gradient()
    add_rows_in_place(network)
    after = gradient()

    assert not after.is_sparse
    torch.testing.assert_close(after, before)


def test_a_fresh_head_is_said_and_one_that_was_learned_is_used(tmp_path: Path) -> None:
    first = started("bert")
    with quietly():
        first.network.save_pretrained(tmp_path)
        find_encoder(str(tiny.encoder("bert"))).tokenizer.save_pretrained(tmp_path)

    chosen = settings(encoder=str(tmp_path))
    start = find_start(chosen)
    assert start.tokenizer is not None
    again = start_network(start, start.tokenizer, chosen)

    assert "comes without a head for masked words: a fresh one is trained along" in first.notes[0]
    assert again.notes == ()
    name = "cls.predictions.transform.dense.weight"
    assert torch.equal(again.network.get_parameter(name), first.network.get_parameter(name))


def test_a_fresh_head_for_the_order_is_said() -> None:
    notes = started("albert", masking={"sentence_order": True}).notes

    assert any("without a head for the order of sentences" in note for note in notes)


def fresh(size: str) -> Any:
    family = size.split("-")[0]
    chosen = settings(encoder=size, fresh=True, vocabulary={"source": str(tiny.encoder(family))})
    start = find_start(chosen)
    assert start.tokenizer is not None
    return start_network(start, start.tokenizer, chosen)


@pytest.mark.parametrize(
    ("size", "layers", "hidden", "heads", "inner"),
    [
        # Turc et al. 2019; Lan et al. 2020, table 1; Clark et al. 2020, table 6; Liu et al. 2019, table 9
        ("bert-tiny", 2, 128, 2, 512),
        ("bert-mini", 4, 256, 4, 1024),
        ("bert-small", 4, 512, 8, 2048),
        ("bert-base", 12, 768, 12, 3072),
        ("albert-base", 12, 768, 12, 3072),
        ("albert-large", 24, 1024, 16, 4096),
        ("electra-small", 12, 256, 4, 1024),
        ("roberta-base", 12, 768, 12, 3072),
    ],
)
def test_sizes_are_those_of_the_papers(size: str, layers: int, hidden: int, heads: int, inner: int) -> None:
    options = find_size(size).options

    keys = ("num_hidden_layers", "hidden_size", "num_attention_heads", "intermediate_size")
    assert tuple(options[key] for key in keys) == (layers, hidden, heads, inner)
    assert options.get("embedding_size", 128) == 128


@pytest.mark.parametrize("size", ["bert-tiny", "albert-tiny", "roberta-tiny", "electra-tiny"])
def test_a_fresh_network_has_a_row_for_each_subword_and_reads_512(size: str) -> None:
    network = fresh(size).network.eval()
    tokenizer = find_encoder(str(tiny.encoder(size.split("-")[0]))).backend

    ids = torch.full((1, SIZES[size].positions), 6)
    hidden, _ = read(network, input_ids=ids, attention_mask=torch.ones_like(ids))

    assert network.config.vocab_size == tokenizer.get_vocab_size()
    assert hidden.shape[1] == 512


def test_what_cannot_be_begun_is_refused() -> None:
    with pytest.raises(UnknownName, match="no size called 'bert-tny'") as unknown:
        find_start(settings(encoder="bert-tny", fresh=True, vocabulary={"train": 200}))
    with pytest.raises(BadSetting, match="a fresh encoder has no vocabulary"):
        find_start(settings(encoder="bert-tiny", fresh=True))
    with pytest.raises(BadSetting, match="'albert-base' is a size") as size:
        find_start(settings(encoder="albert-base"))

    assert "did you mean 'bert-tiny'?" in unknown.value.remedy
    assert "--fresh" in size.value.remedy


def extended(family: str, words: list[str]) -> tuple[Tokenizer, Tokenizer]:
    old = find_encoder(str(tiny.encoder(family))).backend
    new = Tokenizer.from_str(old.to_str())
    new.add_tokens(words)
    return new, old


@pytest.mark.parametrize("family", ["bert", "roberta", "electra", "albert"])
def test_a_new_word_begins_with_the_mean_of_its_old_pieces(family: str, tmp_path: Path) -> None:
    new, old = extended(family, ["fibroma", "treatments"])
    network = started(family).network
    before = network.get_input_embeddings().weight.detach().clone()

    notes = use_vocabulary(network, new, old)

    after = network.get_input_embeddings().weight.detach()
    pieces = old.encode("fibroma", add_special_tokens=False).ids
    assert len(pieces) > 1
    assert len(after) == len(before) + 2 == network.config.vocab_size
    assert torch.equal(after[: len(before)], before)
    torch.testing.assert_close(after[new.token_to_id("fibroma")], before[pieces].mean(dim=0))
    assert network.get_output_embeddings().weight is network.get_input_embeddings().weight
    assert network.get_output_embeddings().bias.shape == (len(after),)
    assert notes[0].startswith("2 sub-words are new")
    with quietly():
        network.save_pretrained(tmp_path)
        opened, report = AutoModelForMaskedLM.from_pretrained(tmp_path, output_loading_info=True)
    assert not report["missing_keys"] | set(report["mismatched_keys"])
    assert opened.config.vocab_size == len(after)


def test_another_vocabulary_keeps_what_both_have() -> None:
    old = find_encoder(str(tiny.encoder("bert"))).backend
    new = find_encoder(str(tiny.encoder("roberta"))).backend
    network = started("bert").network
    before = network.get_input_embeddings().weight.detach().clone()

    use_vocabulary(network, new, old)

    after = network.get_input_embeddings().weight
    assert len(after) == new.get_vocab_size() == network.config.vocab_size
    assert torch.equal(after[new.token_to_id("a")], before[old.token_to_id("a")])
    assert torch.equal(after[new.token_to_id("<s>")], before[old.token_to_id("[CLS]")])
    assert network.config.pad_token_id == new.token_to_id("<pad>")
    masked = new.get_vocab()["<mask>"]
    assert old_pieces(new, old)[masked] == [old.token_to_id("[MASK]")]
