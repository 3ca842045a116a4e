"""Conversion of the vocabulary of a TensorFlow checkpoint to a fast tokenizer.

`vocab.txt` has one word piece per line (Devlin et al. 2019); a `.model` file is a SentencePiece model, as ALBERT uses
(Lan et al. 2020). Text is normalised as in Google's code: without accents and capitals if the vocabulary has none.
"""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from tokenizers import AddedToken, Tokenizer, decoders, models, normalizers, pre_tokenizers, processors
from transformers import PreTrainedTokenizerFast

from linnet.errors import BadFile
from linnet.models.published.casing import has_capitals
from linnet.models.published.sentencepiece_file import SentencePieceModel, read_sentencepiece
from linnet.storage.files import read_lines

__all__ = ["Vocabulary", "make_tokenizer", "read_vocabulary"]

SPACE = "▁"  # of SentencePiece
LONGEST_WORD = 200  # characters; longer words are unknown in Google's code
PENALTY = 100.0  # on the score of pieces that end in a digit and a comma, which Google's code splits


@dataclass(frozen=True)
class Vocabulary:
    """The sub-words of a checkpoint in the order of their ids."""

    path: Path
    pieces: tuple[str, ...]
    model: SentencePieceModel | None  # None for word pieces

    @property
    def has_capitals(self) -> bool:
        """Does any sub-word have a capital letter, except special ones?"""
        return has_capitals(self.pieces)

    @property
    def padding(self) -> str:
        """The padding sub-word."""
        return "<pad>" if self.model else "[PAD]"

    @property
    def unknown(self) -> str:
        """The sub-word for unknown text."""
        return "<unk>" if self.model else "[UNK]"

    @property
    def specials(self) -> tuple[str, ...]:
        """The special sub-words that a vocabulary must have."""
        return (self.padding, self.unknown, "[CLS]", "[SEP]", "[MASK]")


def read_vocabulary(path: Path) -> Vocabulary:
    """Return the vocabulary of a `vocab.txt` or of a SentencePiece model.

    Raises:
        BadFile: if sub-words occur twice or special ones are missing.
    """
    if path.suffix == ".model":
        model = read_sentencepiece(path)
        vocabulary = Vocabulary(path, tuple(piece.text for piece in model.pieces), model)
    else:
        vocabulary = Vocabulary(path, tuple(line.rstrip() for _, line in read_lines(path)), None)
    _check_pieces(vocabulary)
    return vocabulary


def make_tokenizer(vocabulary: Vocabulary, *, lowercase: bool, most_positions: int) -> PreTrainedTokenizerFast:
    """Return a tokenizer that splits text as the checkpoint's own code did."""
    model = vocabulary.model
    try:
        tokenizer = (
            _make_wordpiece(vocabulary, lowercase) if model is None else _make_unigram(vocabulary, model, lowercase)
        )
    except Exception as error:  # `tokenizers` raises nothing else
        raise BadFile(
            f"{vocabulary.path}: cannot be converted to a tokenizer ({error})",
            "copy it again; give the file with which the checkpoint was trained",
        ) from None
    tokenizer.post_processor = processors.TemplateProcessing(
        single="[CLS] $A [SEP]",
        pair="[CLS] $A [SEP] $B:1 [SEP]:1",
        special_tokens=[(name, vocabulary.pieces.index(name)) for name in ("[CLS]", "[SEP]")],
    )
    return PreTrainedTokenizerFast(  # type: ignore[no-untyped-call]
        tokenizer_object=tokenizer,
        cls_token="[CLS]",
        sep_token="[SEP]",
        pad_token=vocabulary.padding,
        unk_token=vocabulary.unknown,
        mask_token=AddedToken("[MASK]", lstrip=model is not None, normalized=False),  # with the space before it
        model_max_length=most_positions,
        model_input_names=["input_ids", "token_type_ids", "attention_mask"],
    )


def _check_pieces(vocabulary: Vocabulary) -> None:
    counts = Counter(vocabulary.pieces)
    repeated = [piece for piece, number in counts.items() if number > 1]
    if repeated:
        raise BadFile(
            f"{vocabulary.path}: {len(repeated):,} sub-words occur more than once: {_list_some(repeated)}",
            "each line's number is a sub-word's id; give the file with which the checkpoint was trained",
        )
    missing = [piece for piece in vocabulary.specials if piece not in counts]
    if missing:
        raise BadFile(
            f"{vocabulary.path}: these sub-words are missing: {', '.join(missing)}",
            "give the vocabulary with which the checkpoint was trained",
        )


def _list_some(names: Iterable[str], most: int = 5) -> str:
    listed = [repr(name) for name in names]
    return ", ".join(listed[:most]) + (", ..." if len(listed) > most else "")


def _make_wordpiece(vocabulary: Vocabulary, lowercase: bool) -> Tokenizer:
    ids = {piece: number for number, piece in enumerate(vocabulary.pieces)}
    tokenizer = Tokenizer(models.WordPiece(ids, unk_token=vocabulary.unknown, max_input_chars_per_word=LONGEST_WORD))
    tokenizer.normalizer = normalizers.BertNormalizer(lowercase=lowercase)  # lower-casing removes accents too
    tokenizer.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    tokenizer.decoder = decoders.WordPiece()
    return tokenizer


def _make_unigram(vocabulary: Vocabulary, model: SentencePieceModel, lowercase: bool) -> Tokenizer:
    scores = [(piece.text, piece.score - PENALTY * _is_number_with_comma(piece.text)) for piece in model.pieces]
    unknown = vocabulary.pieces.index(vocabulary.unknown)
    tokenizer = Tokenizer(models.Unigram(scores, unk_id=unknown, byte_fallback=False))
    steps: list[normalizers.Normalizer] = [normalizers.NFKD(), normalizers.StripAccents()]
    steps += [normalizers.Lowercase()] if lowercase else []
    steps += [normalizers.Precompiled(model.characters)] if model.characters else []
    tokenizer.normalizer = normalizers.Sequence(steps)
    tokenizer.pre_tokenizer = pre_tokenizers.Sequence(
        [pre_tokenizers.WhitespaceSplit(), pre_tokenizers.Metaspace(replacement=SPACE, prepend_scheme="always")]
    )
    tokenizer.decoder = decoders.Metaspace(replacement=SPACE, prepend_scheme="always")
    return tokenizer


def _is_number_with_comma(piece: str) -> bool:
    return len(piece) > 1 and piece[-1] == "," and piece[-2].isdigit()
