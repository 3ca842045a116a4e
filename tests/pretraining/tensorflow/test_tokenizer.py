"""The vocabularies beside TensorFlow checkpoints become fast tokenizers that read as Google's code did."""

import unicodedata
from pathlib import Path
from typing import Any

import pytest
from transformers import AutoTokenizer, BertConfig

from linnet.errors import BadFile
from linnet.models.encoders import quietly
from linnet.models.published.sentencepiece_file import read_sentencepiece
from linnet.pretraining.tensorflow.tokenizer import make_tokenizer, read_vocabulary

SPECIAL = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"]
NORMAL, UNKNOWN, CONTROL = 1, 2, 3  # of sentencepiece_model.proto
PIECES = [
    ("<pad>", 0.0, CONTROL),
    ("<unk>", 0.0, UNKNOWN),
    ("[CLS]", 0.0, CONTROL),
    ("[SEP]", 0.0, CONTROL),
    ("[MASK]", 0.0, CONTROL),
    ("▁", -3.0, NORMAL),
    ("▁gene", -2.5, NORMAL),
    ("s", -4.0, NORMAL),
    ("▁7,", -1.0, NORMAL),
    ("▁7", -6.0, NORMAL),
    (",", -6.0, NORMAL),
]


def write_words(folder: Path, *words: str) -> Path:
    path = folder / "vocab.txt"
    path.write_text("\n".join([*SPECIAL, *words]) + "\n", encoding="utf-8")
    return path


def write_model(folder: Path, **trainer: Any) -> Path:
    """Write a SentencePiece model with the classes that its makers generate."""
    pytest.importorskip("google.protobuf")
    from sentencepiece import sentencepiece_model_pb2

    made = sentencepiece_model_pb2.ModelProto()  # type: ignore[attr-defined]
    for text, score, kind in PIECES:
        made.pieces.add(piece=text, score=score, type=kind)
    for name, value in {"vocab_size": len(PIECES), **trainer}.items():
        setattr(made.trainer_spec, name, value)
    made.normalizer_spec.name = "nmt_nfkc"
    path = folder / "30k-clean.model"
    path.write_bytes(made.SerializeToString())
    return path


def reopened(tokenizer: Any, folder: Path) -> Any:
    """Return the tokenizer as it comes back from its folder, which has a configuration as encoders do."""
    tokenizer.save_pretrained(folder)
    BertConfig().save_pretrained(folder)
    with quietly():
        return AutoTokenizer.from_pretrained(folder, add_prefix_space=True)


def test_word_pieces_are_read_as_they_were_pretrained(tmp_path: Path) -> None:
    vocabulary = read_vocabulary(write_words(tmp_path, "gene", "##s", "cure"))

    tokenizer = reopened(make_tokenizer(vocabulary, lowercase=True, most_positions=32), tmp_path / "out")

    assert not vocabulary.has_capitals
    read = tokenizer("Gènes cure", "cure x")
    assert tokenizer.convert_ids_to_tokens(read["input_ids"]) == ("[CLS] gene ##s cure [SEP] cure [UNK] [SEP]".split())
    assert read["token_type_ids"] == [0, 0, 0, 0, 0, 1, 1, 1]
    assert (tokenizer.is_fast, tokenizer.model_max_length, tokenizer.pad_token_id) == (True, 32, 0)


def test_capitals_in_the_vocabulary_keep_those_of_the_text(tmp_path: Path) -> None:
    vocabulary = read_vocabulary(write_words(tmp_path, "gene", "BRCA", "é"))

    tokenizer = make_tokenizer(vocabulary, lowercase=not vocabulary.has_capitals, most_positions=32)

    assert vocabulary.has_capitals
    assert tokenizer.tokenize("BRCA gene é") == ["BRCA", "gene", "é"]


def test_a_sentencepiece_model_is_read_whole(tmp_path: Path) -> None:
    model = read_sentencepiece(write_model(tmp_path))

    assert [(piece.text, piece.score) for piece in model.pieces] == [(text, score) for text, score, _ in PIECES]
    assert model.characters == b""


def test_a_sentencepiece_model_becomes_a_fast_tokenizer(tmp_path: Path) -> None:
    vocabulary = read_vocabulary(write_model(tmp_path))

    tokenizer = reopened(make_tokenizer(vocabulary, lowercase=True, most_positions=32), tmp_path / "out")

    read = tokenizer("Génes [MASK]  gene", return_offsets_mapping=True)
    assert tokenizer.convert_ids_to_tokens(read["input_ids"]) == ["[CLS]", "▁gene", "s", "[MASK]", "▁gene", "[SEP]"]
    assert read["offset_mapping"][1:3] == [(0, 4), (4, 5)]
    assert tokenizer.mask_token_id == 4


def test_a_comma_after_a_digit_is_a_sub_word_of_its_own_as_in_googles_code(tmp_path: Path) -> None:
    tokenizer = make_tokenizer(read_vocabulary(write_model(tmp_path)), lowercase=True, most_positions=32)

    assert tokenizer.tokenize("7, gene") == ["▁7", ",", "▁gene"]


@pytest.mark.parametrize("content", [b"", b"plain text, no model", b"\x0a\xff", b"\x0a\x03\x0a\x01"])
def test_what_is_no_sentencepiece_model_is_refused(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "spm.model"
    path.write_bytes(content)

    with pytest.raises(BadFile, match="SentencePiece model"):
        read_sentencepiece(path)


def test_byte_pair_models_are_refused(tmp_path: Path) -> None:
    with pytest.raises(BadFile, match="not of the kind unigram"):
        read_sentencepiece(write_model(tmp_path, model_type=2))


def test_sentencepiece_itself_reads_the_same(tmp_path: Path) -> None:
    sentencepiece = pytest.importorskip("sentencepiece")
    texts = ["Genes, 7, and 12 mutations of BRCA1.", "naïve cells (n = 1,024) were cured", "the cure of cancer"] * 5
    plain = [
        "".join(c for c in unicodedata.normalize("NFKD", text.lower()) if not unicodedata.combining(c))
        for text in texts
    ]
    sentencepiece.SentencePieceTrainer.train(
        sentence_iterator=iter(plain), model_prefix=str(tmp_path / "spm"), vocab_size=45, pad_id=0, unk_id=1, eos_id=-1,
        bos_id=-1, control_symbols=["[CLS]", "[SEP]", "[MASK]"], hard_vocab_limit=False, minloglevel=2,
    )  # fmt: skip
    processor = sentencepiece.SentencePieceProcessor(model_file=str(tmp_path / "spm.model"))
    tokenizer = make_tokenizer(read_vocabulary(tmp_path / "spm.model"), lowercase=True, most_positions=512)

    pieces = [tokenizer.tokenize(text) for text in texts]

    assert pieces == [processor.encode(text, out_type=str) for text in plain]
