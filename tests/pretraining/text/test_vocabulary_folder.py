"""The vocabulary of a pretraining: kept as it is, learned or extended, and loaded the next time."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tokenizers import Tokenizer

from linnet.pretraining.text import vocabulary_folder
from linnet.pretraining.text.vocabulary import ExtendedVocabulary
from linnet.pretraining.text.vocabulary_folder import compare_vocabularies, load_or_build_vocabulary
from tests.pretraining.small import cleaned, settings, word_pieces

DOCUMENTS = [["Aspirin was given to mice."] * 9, ["Warfarin was given to rats."] * 9]
IS_HELD_OUT = np.array([False, True])


def vocabulary(
    folder: Path, tokenizer: Tokenizer | None, *, family: str = "", documents: list[list[str]] = DOCUMENTS, **given: Any
) -> ExtendedVocabulary:
    text = cleaned(folder / f"text-{len(list(folder.iterdir()))}", documents)
    chosen = settings(folder, folder / "a.txt", vocabulary=given)
    return load_or_build_vocabulary(chosen, tokenizer, text, IS_HELD_OUT, family=family, folder=folder / "shards")


def test_the_vocabulary_of_the_encoder_is_used_as_it_is(tmp_path: Path) -> None:
    tokenizer = word_pieces()

    found = vocabulary(tmp_path, tokenizer)

    assert found.tokenizer is tokenizer
    assert found.words == ()
    assert not (tmp_path / "shards").exists()


def test_words_of_held_out_documents_are_not_added(tmp_path: Path) -> None:
    found = vocabulary(tmp_path, word_pieces(), extend=10)

    assert {word.word for word in found.words} == {"aspirin", "given", "mice", "was"}


@pytest.mark.parametrize(("family", "pad"), [("roberta", "<pad>"), ("bert", "[PAD]"), ("", "[PAD]")])
def test_a_learned_vocabulary_has_the_special_sub_words_of_the_family(tmp_path: Path, family: str, pad: str) -> None:
    found = vocabulary(tmp_path, None, family=family, train=100)

    assert found.tokenizer.token_to_id(pad) is not None
    assert found.words == ()


def test_an_extended_vocabulary_is_loaded_the_next_time(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    text = cleaned(tmp_path / "text", DOCUMENTS)
    chosen = settings(tmp_path, tmp_path / "a.txt", vocabulary={"extend": 2})
    places: dict[str, Any] = {"family": "", "folder": tmp_path / "shards"}
    first = load_or_build_vocabulary(chosen, word_pieces(), text, IS_HELD_OUT, **places)
    monkeypatch.setattr(vocabulary_folder, "extend_vocabulary", None)

    again = load_or_build_vocabulary(chosen, word_pieces(), text, IS_HELD_OUT, **places)

    assert again.words == first.words
    assert again.tokenizer.get_vocab() == first.tokenizer.get_vocab()


def test_vocabularies_are_compared_on_held_out_text(tmp_path: Path) -> None:
    text = cleaned(tmp_path / "text", [["mice"], ["rats rats"]])
    before, after = word_pieces(), word_pieces("mice", "rats")

    facts = compare_vocabularies(text, IS_HELD_OUT, before=before, after=after)

    assert (facts.size, facts.n_new) == (after.get_vocab_size(), 2)
    assert (facts.per_word_before, facts.per_word) == (4.0, 1.0)  # r ##a ##t ##s, and rats


def test_without_a_previous_vocabulary_nothing_is_new(tmp_path: Path) -> None:
    text, tokenizer = cleaned(tmp_path / "text", [["mice"], ["rats"]]), word_pieces()

    alone = compare_vocabularies(text, IS_HELD_OUT, before=None, after=tokenizer)
    same = compare_vocabularies(text, IS_HELD_OUT, before=tokenizer, after=tokenizer)

    assert (alone.n_new, alone.per_word_before, alone.per_word) == (0, None, 4.0)
    assert (same.n_new, same.per_word_before) == (0, 4.0)
