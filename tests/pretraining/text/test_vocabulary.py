"""Vocabularies that are learned from text or extended by its words."""

import json

import pytest
from tokenizers import Tokenizer, models, pre_tokenizers

from linnet.errors import BadSetting
from linnet.models.families import family_of
from linnet.pretraining.text.vocabulary import (
    choose_specials,
    extend_vocabulary,
    measure_subwords_per_word,
    train_vocabulary,
)
from linnet.settings.pretraining import VocabularySettings
from tests.pretraining.small import byte_pairs, word_pieces

BERT = family_of("bert").specials
TEXT = ["Aspirin was given to mice.", "Mice were given aspirin.", "The mice were fine."] * 40


@pytest.mark.parametrize("kind", ["wordpiece", "unigram"])
@pytest.mark.parametrize("family", ["bert", "albert", "roberta"])
def test_a_learned_vocabulary_has_the_special_sub_words_of_the_family(kind: str, family: str) -> None:
    settings = VocabularySettings.model_validate({"train": 100, "kind": kind})

    tokenizer = train_vocabulary(lambda: TEXT, settings, family_of(family).specials)

    assert all(tokenizer.token_to_id(name) in range(5) for name in family_of(family).specials)
    assert tokenizer.token_to_id(family_of(family).specials.pad) == (1 if family == "roberta" else 0)
    framed = tokenizer.encode("Mice").tokens
    assert (framed[0], framed[-1]) == (family_of(family).specials.first, family_of(family).specials.last)
    assert tokenizer.num_special_tokens_to_add(True) == (4 if family == "roberta" else 3)
    assert (
        tokenizer.encode("MICE", add_special_tokens=False).ids == tokenizer.encode("mice", add_special_tokens=False).ids
    )


def test_a_learned_vocabulary_has_at_most_the_given_size_and_can_keep_capitals() -> None:
    settings = VocabularySettings(train=100, lowercase=False)

    tokenizer = train_vocabulary(lambda: TEXT, settings, BERT)

    assert tokenizer.get_vocab_size() <= 100
    assert tokenizer.encode("Mice", add_special_tokens=False).tokens == ["Mice"]
    assert tokenizer.encode("mice", add_special_tokens=False).tokens == ["mice"]


@pytest.mark.parametrize("kind", ["wordpiece", "unigram"])
def test_learning_again_gives_the_same_vocabulary(kind: str) -> None:
    settings = VocabularySettings.model_validate({"train": 120, "kind": kind})

    assert len({train_vocabulary(lambda: TEXT, settings, BERT).to_str() for _ in range(4)}) == 1


def test_only_special_sub_words_are_special_in_a_learned_vocabulary() -> None:
    tokenizer = train_vocabulary(lambda: TEXT, VocabularySettings(train=120), BERT)

    assert [each.content for each in tokenizer.get_added_tokens_decoder().values()] == list(BERT)
    assert tokenizer.encode("zzz", add_special_tokens=False).tokens == ["[UNK]"]
    assert tokenizer.encode("##m", add_special_tokens=False).tokens == ["[UNK]", "[UNK]", "m"]


def test_special_sub_words_are_those_of_the_tokenizer_before_those_of_the_family() -> None:
    assert choose_specials("roberta", word_pieces()) == BERT
    assert choose_specials("roberta") == family_of("roberta").specials
    assert choose_specials("electra") == BERT


def test_the_words_that_save_most_sub_words_are_added() -> None:
    old = word_pieces("given")
    # saved: mice 7 times 3, given none, aspirin 5 times 6, of fewer than 5 nothing, of short words and numbers nothing
    text = ["Mice"] * 7 + ["given"] * 99 + ["(aspirin)"] * 5 + ["warfarin"] * 4 + ["as 100"] * 50

    extended = extend_vocabulary(old, text, 9)

    first = old.get_vocab_size()
    assert [(word.word, word.id, word.count) for word in extended.words] == [
        ("aspirin", first, 5),
        ("mice", first + 1, 7),
    ]
    assert [old.id_to_token(piece) for piece in extended.words[1].pieces] == ["m", "##i", "##c", "##e"]
    assert extended.tokenizer.encode("Mice, aspirin").ids[1] == first + 1
    assert old.token_to_id("mice") is None


def test_at_most_so_many_words_are_added() -> None:
    extended = extend_vocabulary(word_pieces(), TEXT, 2)

    assert [word.word for word in extended.words] == ["aspirin", "mice"]  # 80 times 6; 120 times 3 before 80 times 4


def test_old_sub_words_keep_their_numbers() -> None:
    old = word_pieces()

    new = extend_vocabulary(old, TEXT, 3).tokenizer.get_vocab()

    assert old.get_vocab().items() <= new.items()
    assert sorted(new.values()) == list(range(len(new)))


def test_a_unigram_vocabulary_reads_its_new_words_whole() -> None:
    pieces = [("<pad>", 0.0), ("<unk>", 0.0), ("▁", -2.0), *((letter, -3.0) for letter in "abcdefghijklmnopqrstuvwxyz")]
    old = Tokenizer(models.Unigram(pieces, unk_id=1, byte_fallback=False))
    old.pre_tokenizer = pre_tokenizers.Metaspace()

    extended = extend_vocabulary(old, ["mice aspirin, x"] * 9, 2)

    assert [word.word for word in extended.words] == ["▁aspirin", "▁mice"]
    assert extended.tokenizer.encode("aspirin mice").tokens == ["▁aspirin", "▁mice"]
    assert [old.id_to_token(piece) for piece in extended.words[1].pieces] == ["▁", "m", "i", "c", "e"]


def test_a_byte_level_vocabulary_is_not_extended() -> None:
    with pytest.raises(BadSetting, match="BPE") as caught:
        extend_vocabulary(byte_pairs(), TEXT, 2)

    assert "--fresh --vocab" in caught.value.remedy  # pretrained RoBERTa is refused with `vocabulary.train` too


def test_a_unigram_vocabulary_with_special_sub_words_behind_it_is_not_extended() -> None:
    tokenizer = Tokenizer(models.Unigram([("<unk>", 0.0), ("▁a", -1.0)], unk_id=0, byte_fallback=False))
    tokenizer.pre_tokenizer = pre_tokenizers.Metaspace()
    tokenizer.add_special_tokens(["<mask>"])

    with pytest.raises(BadSetting, match="follow the Unigram vocabulary"):
        extend_vocabulary(tokenizer, TEXT, 2)


def test_sub_words_per_word_are_counted_between_white_space() -> None:
    tokenizer = word_pieces("mice")
    assert json.loads(tokenizer.to_str())["truncation"] is None

    # mice . and m y m i c e: 2 + 6 sub-words of 2 words
    assert measure_subwords_per_word(tokenizer, ["Mice.", "mymice"]) == 4.0
    assert measure_subwords_per_word(tokenizer, []) == 0.0
