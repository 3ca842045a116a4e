"""The vocabulary of a pretraining: the encoder's own, or one that is learned or extended once and kept in a folder."""

import json
from collections.abc import Iterator
from dataclasses import asdict
from functools import partial
from pathlib import Path

from tokenizers import Tokenizer

from linnet.pretraining.text.cleaned import CleanedText, TextWatcher
from linnet.pretraining.text.facts import VocabularyFacts
from linnet.pretraining.text.load_or_build import compute_fingerprint, load_or_build
from linnet.pretraining.text.packing import BoolArray
from linnet.pretraining.text.shards import copy_for_running_text
from linnet.pretraining.text.vocabulary import (
    ExtendedVocabulary,
    NewWord,
    choose_specials,
    extend_vocabulary,
    measure_subwords_per_word,
    train_vocabulary,
)
from linnet.settings.pretraining import PretrainSettings
from linnet.storage.files import new_folder

__all__ = ["compare_vocabularies", "load_or_build_vocabulary"]

TOKENIZER, WORDS = "tokenizer.json", "words.json"


def load_or_build_vocabulary(
    settings: PretrainSettings,
    tokenizer: Tokenizer | None,
    cleaned: CleanedText,
    is_held_out: BoolArray,
    *,
    family: str,
    folder: Path,
    watcher: TextWatcher | None = None,
) -> ExtendedVocabulary:
    """Return the tokenizer to use, with its new words.

    Args:
        settings: of the pretraining.
        tokenizer: of the encoder; None if a vocabulary is learned for a fresh one.
        cleaned: the text.
        is_held_out: (documents,) those that the vocabulary is not learned from.
        family: of a fresh encoder, which gives the special sub-words if there is no tokenizer.
        folder: where prepared text is kept.
        watcher: is called with the progress.
    """
    wanted = settings.vocabulary
    if wanted.train is None and wanted.extend is None and tokenizer is not None:
        return ExtendedVocabulary(tokenizer, ())
    specials = choose_specials(family, tokenizer)
    before = copy_for_running_text(tokenizer).to_str() if tokenizer is not None and wanted.extend else ""
    parts = (cleaned.folder.name, settings.held_out, wanted.model_dump(mode="json"), before, specials)
    place = folder / f"vocabulary-{compute_fingerprint(*parts)}"

    def build() -> ExtendedVocabulary:
        if watcher:
            watcher("learning the vocabulary", 0, cleaned.n_bytes)
        sentences = partial(_read_sentences, cleaned, ~is_held_out, watcher)
        if wanted.extend is not None and tokenizer is not None:
            vocabulary = extend_vocabulary(tokenizer, sentences(), wanted.extend)
        else:
            vocabulary = ExtendedVocabulary(train_vocabulary(sentences, wanted, specials), ())
        _save_vocabulary(vocabulary, place)
        return vocabulary

    return load_or_build(place, _open_vocabulary, build)


def compare_vocabularies(
    cleaned: CleanedText, is_held_out: BoolArray, *, before: Tokenizer | None, after: Tokenizer
) -> VocabularyFacts:
    """Return how the vocabulary differs from the previous one, if there is one; sub-words per word on held-out text."""
    size = after.get_vocab_size(with_added_tokens=True)
    per_word = measure_subwords_per_word(after, _read_sentences(cleaned, is_held_out))
    if before is None or before is after:
        return VocabularyFacts(size, 0, None if before is None else per_word, per_word)
    new = after.get_vocab(with_added_tokens=True).keys() - before.get_vocab(with_added_tokens=True).keys()
    per_word_before = measure_subwords_per_word(before, _read_sentences(cleaned, is_held_out))
    return VocabularyFacts(size, len(new), per_word_before, per_word)


def _save_vocabulary(vocabulary: ExtendedVocabulary, place: Path) -> None:
    with new_folder(place, overwrite=True) as part:
        (part / WORDS).write_text(json.dumps([asdict(word) for word in vocabulary.words]), encoding="utf-8")
        (part / TOKENIZER).write_text(vocabulary.tokenizer.to_str(), encoding="utf-8")


def _open_vocabulary(place: Path) -> ExtendedVocabulary | None:
    try:
        rows = json.loads((place / WORDS).read_text(encoding="utf-8"))
        words = tuple(NewWord(row["word"], row["id"], tuple(row["pieces"]), row["count"]) for row in rows)
        tokenizer = Tokenizer.from_str((place / TOKENIZER).read_text(encoding="utf-8"))
    except Exception:  # `tokenizers` raises nothing else; an incomplete vocabulary is built again
        return None
    return ExtendedVocabulary(tokenizer, words)


def _read_sentences(cleaned: CleanedText, is_wanted: BoolArray, watcher: TextWatcher | None = None) -> Iterator[str]:
    for document, wanted in zip(cleaned.documents(), is_wanted, strict=True):
        if wanted:
            yield from document.sentences
        if watcher:
            watcher("learning the vocabulary", document.end, cleaned.n_bytes)
