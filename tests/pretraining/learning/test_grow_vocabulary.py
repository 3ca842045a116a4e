"""Embeddings for a new vocabulary: shared sub-words keep theirs, new ones start as the mean of their old pieces."""

from pathlib import Path

import pytest
import torch
from tokenizers import Tokenizer, models, pre_tokenizers
from transformers import AutoModelForMaskedLM

from linnet.models.encoders import find_encoder, quietly
from linnet.pretraining.learning.grow_vocabulary import find_old_pieces, use_vocabulary
from tests import tiny
from tests.pretraining.learning.test_networks import started
from tests.pretraining.small import LETTERS, SPECIALS, word_pieces


def read_as(token: str, new: Tokenizer, old: Tokenizer) -> list[str | None]:
    """Return the old pieces of a new sub-word."""
    return [old.id_to_token(each) for each in find_old_pieces(new, old)[new.get_vocab()[token]]]


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


def test_an_output_layer_with_rows_of_its_own_is_filled_likewise() -> None:
    new, old = extended("bert", ["fibroma"])
    network = started("bert").network
    output = network.get_output_embeddings()
    output.weight = torch.nn.Parameter(torch.randn_like(output.weight))
    network.config.tie_word_embeddings = False
    before = output.weight.detach().clone()

    use_vocabulary(network, new, old)

    after = network.get_output_embeddings().weight
    assert after is not network.get_input_embeddings().weight
    pieces = old.encode("fibroma", add_special_tokens=False).ids
    torch.testing.assert_close(after[new.token_to_id("fibroma")], before[pieces].mean(dim=0))
    assert torch.equal(after[: len(before)], before)


def test_another_vocabulary_keeps_what_both_have() -> None:
    old = find_encoder(str(tiny.encoder("bert"))).backend
    new = find_encoder(str(tiny.encoder("roberta"))).backend
    network = started("bert").network
    before = network.get_input_embeddings().weight.detach().clone()

    use_vocabulary(network, new, old)

    after = network.get_input_embeddings().weight
    assert len(after) == new.get_vocab_size() == network.config.vocab_size
    assert torch.equal(after[new.token_to_id("Ġa")], before[old.token_to_id("a")])  # a word
    assert torch.equal(after[new.token_to_id("a")], before[old.token_to_id("##a")])  # and what stands inside of one
    assert torch.equal(after[new.token_to_id("<s>")], before[old.token_to_id("[CLS]")])
    assert network.config.pad_token_id == new.token_to_id("<pad>")
    masked = new.get_vocab()["<mask>"]
    assert find_old_pieces(new, old)[masked] == [old.token_to_id("[MASK]")]


def test_a_piece_inside_words_begins_as_the_pieces_inside_words() -> None:
    old = word_pieces("xy", "##yz")
    new = word_pieces("##xyz", "xyz", "##Xé")

    assert read_as("##xyz", new, old) == ["##x", "##yz"]
    assert read_as("xyz", new, old) == ["xy", "##z"]
    assert read_as("##Xé", new, old) == ["##x", "##e"]  # small letters without accents, as the old vocabulary has it


def test_a_piece_inside_words_has_no_space_in_front_of_it_in_a_unigram_vocabulary() -> None:
    pieces = [*((name, 0.0) for name in SPECIALS), ("▁", -2.0), ("▁x", -1.0), *((letter, -3.0) for letter in LETTERS)]
    old = Tokenizer(models.Unigram(pieces, unk_id=1, byte_fallback=False))
    old.pre_tokenizer = pre_tokenizers.Metaspace()
    new = word_pieces("##xyz", "xyz")

    assert read_as("##xyz", new, old) == ["x", "y", "z"]
    assert read_as("xyz", new, old) == ["▁x", "y", "z"]
