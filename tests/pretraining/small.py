"""Tokenizers and texts small enough to be checked by eye."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from tokenizers import Tokenizer, decoders, models, normalizers, pre_tokenizers, processors, trainers

from linnet.pretraining.text.cleaned import TEXT, CleanedText, CleaningFacts
from linnet.settings.files import load_settings
from linnet.settings.pretraining import PretrainSettings

SPECIALS = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"]
LETTERS = "abcdefghijklmnopqrstuvwxyz"


@dataclass(frozen=True)
class Piece:
    """A packed sequence."""

    ids: NDArray[np.int64]
    sentence_starts: tuple[int, ...] = (0,)
    document_starts: tuple[int, ...] = (0,)


def word_pieces(*words: str) -> Tokenizer:
    """Return a tokenizer that knows these words and all letters."""
    pieces = [*SPECIALS, *LETTERS, *(f"##{letter}" for letter in LETTERS), ".", *words]
    tokenizer = Tokenizer(models.WordPiece({piece: n for n, piece in enumerate(pieces)}, unk_token="[UNK]"))
    tokenizer.normalizer = normalizers.BertNormalizer(lowercase=True)
    tokenizer.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    tokenizer.decoder = decoders.WordPiece()
    tokenizer.post_processor = processors.TemplateProcessing(
        single="[CLS] $A [SEP]", pair="[CLS] $A [SEP] $B:1 [SEP]:1", special_tokens=[("[CLS]", 2), ("[SEP]", 3)]
    )
    tokenizer.add_special_tokens(SPECIALS)
    return tokenizer


def byte_pairs() -> Tokenizer:
    """Return a byte-level tokenizer that has met `cat` only behind a space."""
    tokenizer = Tokenizer(models.BPE())
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    trainer = trainers.BpeTrainer(
        vocab_size=300, initial_alphabet=pre_tokenizers.ByteLevel.alphabet(), show_progress=False
    )
    tokenizer.train_from_iterator([" cat cat cat cat"], trainer)
    return tokenizer


def cleaned(folder: Path, documents: Sequence[Sequence[str]]) -> CleanedText:
    """Return documents of sentences as cleaned text on disk."""
    folder.mkdir(parents=True)
    text = "".join("".join(f"{sentence}\n" for sentence in document) + "\n" for document in documents)
    (folder / TEXT).write_text(text, encoding="utf-8")
    return CleanedText(folder, np.arange(len(documents), dtype=np.uint64), CleaningFacts(n_documents=len(documents)))


def settings(folder: Path, *texts: Path, **given: Any) -> PretrainSettings:
    """Return settings that prepare these texts beside a run in the folder."""
    quick: dict[str, Any] = {"budget": {"steps": 1}, "length": 16, "output": str(folder / "run")}
    return load_settings(PretrainSettings, None, texts=[str(text) for text in texts], **(quick | given))
