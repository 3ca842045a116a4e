"""Tokenised text on disk: sub-words, boundaries, interruptions and locks."""

import errno
from pathlib import Path

import numpy as np
import pytest
from tokenizers import Tokenizer, models, pre_tokenizers

from linnet.errors import BadFile
from linnet.pretraining.text import shards
from linnet.pretraining.text.shards import open_tokenised, tokenise
from tests.pretraining.small import SPECIALS, byte_pairs, cleaned, word_pieces

DOCUMENTS = [["The mice ran.", "They ate."], ["\u200b"], ["One mice.", "\u200b", "No [MASK] here."]]


def test_sub_words_lie_end_to_end_with_the_starts_of_sentences_and_documents(tmp_path: Path) -> None:
    tokenizer = word_pieces("the", "mice", "ran", "they", "ate", "one", "no", "here", "mask")

    text = tokenise(cleaned(tmp_path / "text", DOCUMENTS), tokenizer, tmp_path / "tokens")

    words = [tokenizer.id_to_token(number) for number in text.tokens]
    assert words == "the mice ran . they ate . one mice . no [UNK] mask [UNK] here .".split()
    assert text.sentence_starts.tolist() == [0, 4, 7, 10]  # a sentence without sub-words has no start
    assert text.document_starts.tolist() == [0, 7, 7]
    assert text.document_ends.tolist() == [7, 7, 16]
    assert (text.n_documents, text.n_unknown, text.tokens.dtype.name) == (3, 2, "uint16")


def test_names_of_special_sub_words_in_a_text_are_text(tmp_path: Path) -> None:
    text = tokenise(cleaned(tmp_path / "text", [["[CLS] [MASK] [SEP]"]]), word_pieces(), tmp_path / "tokens")

    special = {SPECIALS.index(name) for name in ("[CLS]", "[MASK]", "[SEP]", "[PAD]")}
    assert not special & set(text.tokens.tolist())


def test_names_of_special_sub_words_are_text_for_unigram_vocabularies_too(tmp_path: Path) -> None:
    pieces = [*((name, 0.0) for name in SPECIALS), *((letter, -3.0) for letter in "▁[]ACEKLMPSDabcd")]
    tokenizer = Tokenizer(models.Unigram(pieces, unk_id=1, byte_fallback=False))
    tokenizer.pre_tokenizer = pre_tokenizers.Metaspace()
    tokenizer.add_special_tokens(list(SPECIALS))

    text = tokenise(cleaned(tmp_path / "text", [["a [MASK] [PAD] ?b"]]), tokenizer, tmp_path / "tokens")

    words = [str(tokenizer.id_to_token(number)) for number in text.tokens]
    assert "".join(words) == "▁a▁[MASK]▁[PAD]▁[UNK]b"
    assert words.count("[UNK]") == text.n_unknown == 1
    assert not {"[MASK]", "[PAD]"} & set(words)


def test_byte_level_tokenizers_read_sentences_as_behind_a_space(tmp_path: Path) -> None:
    tokenizer = byte_pairs()

    text = tokenise(cleaned(tmp_path / "text", [["cat cat"]]), tokenizer, tmp_path / "tokens")

    assert [tokenizer.id_to_token(number) for number in text.tokens] == ["Ġcat", "Ġcat"]


def test_truncation_and_padding_of_the_tokenizer_are_switched_off(tmp_path: Path) -> None:
    tokenizer = word_pieces("cat")
    tokenizer.enable_truncation(2)
    tokenizer.enable_padding(length=4)

    text = tokenise(cleaned(tmp_path / "text", [["cat cat cat"]]), tokenizer, tmp_path / "tokens")

    assert len(text.tokens) == 3
    assert tokenizer.truncation is not None


def test_a_large_vocabulary_gets_larger_numbers(tmp_path: Path) -> None:
    tokenizer = word_pieces(*(f"w{number}" for number in range(66_000)))

    text = tokenise(cleaned(tmp_path / "text", [["w65999"]]), tokenizer, tmp_path / "tokens")

    assert text.tokens.dtype == np.uint32
    assert tokenizer.id_to_token(int(text.tokens[0])) == "w65999"


def test_after_a_full_disk_the_next_attempt_resumes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    documents = [[f"Document {word}.", "It ends."] for word in ("one", "two", "three", "four")]
    tokenizer = word_pieces()
    text = cleaned(tmp_path / "text", documents)
    whole = tokenise(text, tokenizer, tmp_path / "whole")
    monkeypatch.setattr(shards, "CHUNK", 1)
    monkeypatch.setattr(shards, "STEP", 1)
    n_synced = 0

    def full(_: int) -> None:
        nonlocal n_synced
        n_synced += 1
        if n_synced > 11:  # three files, the progress and its folder: in the middle of the third document
            raise OSError(errno.ENOSPC, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr("linnet.pretraining.text.shards.os.fsync", full)
        with pytest.raises(BadFile, match="No space left on device") as caught:
            tokenise(text, tokenizer, tmp_path / "tokens")
    assert "start again" in caught.value.remedy
    assert open_tokenised(tmp_path / "tokens") is None

    calls: list[int] = []
    done = tokenise(text, tokenizer, tmp_path / "tokens", watcher=lambda _, n, __: calls.append(n))

    assert len(calls) == 2  # documents that were left to do
    for name in ("tokens", "sentence_starts", "document_starts"):
        assert np.array_equal(getattr(done, name), getattr(whole, name))
    assert done.n_unknown == whole.n_unknown


def test_what_is_tokenised_before_an_interrupt_is_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    documents = [[f"Document {word}.", "It ends."] for word in ("one", "two", "three", "four")]
    text = cleaned(tmp_path / "text", documents)
    whole = tokenise(text, word_pieces(), tmp_path / "whole")
    monkeypatch.setattr(shards, "CHUNK", 1)
    calls: list[int] = []

    def stop_at_the_third(_: str, n_bytes: int, __: int) -> None:
        calls.append(n_bytes)
        if len(calls) == 3:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        tokenise(text, word_pieces(), tmp_path / "tokens", watcher=stop_at_the_third)
    done = tokenise(text, word_pieces(), tmp_path / "tokens", watcher=stop_at_the_third)

    assert len(calls) == 4  # each document once, far from any mark of progress
    assert np.array_equal(done.tokens, whole.tokens)
    assert np.array_equal(done.document_starts, whole.document_starts)


def test_progress_beyond_the_end_of_the_files_is_not_used(tmp_path: Path) -> None:
    part = tmp_path / "tokens.part"
    part.mkdir()
    (part / "progress.json").write_text('{"dtype": "uint16", "n_tokens": 99, "n_bytes": 5}', encoding="utf-8")

    text = tokenise(cleaned(tmp_path / "text", [["cat"]]), word_pieces("cat"), tmp_path / "tokens")

    assert len(text.tokens) == 1


def test_tokenised_text_is_mapped_not_read(tmp_path: Path) -> None:
    tokenise(cleaned(tmp_path / "text", [["cat"]]), word_pieces("cat"), tmp_path / "tokens")

    text = open_tokenised(tmp_path / "tokens")

    assert text is not None
    assert isinstance(text.tokens, np.memmap)
    assert not text.tokens.flags.writeable


def test_a_second_process_is_kept_out_while_the_first_one_writes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    text, tokenizer = cleaned(tmp_path / "text", DOCUMENTS), word_pieces()
    whole = tokenise(text, tokenizer, tmp_path / "alone" / "tokens").tokens.tolist()
    monkeypatch.setattr(shards, "CHUNK", 1)
    n_refused = 0

    def second(*_: object) -> None:
        nonlocal n_refused
        with pytest.raises(BadFile, match="shared: another process is at work in this folder"):
            tokenise(text, tokenizer, tmp_path / "shared" / "tokens")
        n_refused += 1

    first = tokenise(text, tokenizer, tmp_path / "shared" / "tokens", watcher=second)

    assert n_refused == len(DOCUMENTS)
    assert first.tokens.tolist() == whole
    assert tokenise(text, tokenizer, tmp_path / "shared" / "tokens").tokens.tolist() == whole


@pytest.mark.parametrize("name", ["tokens.bin", "sentences.bin", "documents.bin", "progress.json"])
def test_finished_text_with_a_truncated_file_is_built_again(tmp_path: Path, name: str) -> None:
    text, tokenizer = cleaned(tmp_path / "text", DOCUMENTS), word_pieces()
    before = tokenise(text, tokenizer, tmp_path / "tokens").tokens.tolist()
    file = tmp_path / "tokens" / name
    file.write_bytes(file.read_bytes()[:-1])

    assert open_tokenised(tmp_path / "tokens") is None
    assert tokenise(text, tokenizer, tmp_path / "tokens").tokens.tolist() == before
    assert open_tokenised(tmp_path / "tokens") is not None
