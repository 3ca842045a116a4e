"""SentencePiece models: their fields are read from protocol buffers that are written by hand here."""

import struct
from pathlib import Path

import pytest

from linnet.errors import BadFile
from linnet.models.published.sentencepiece_file import Piece, read_sentencepiece

VARINT, EIGHT_BYTES, BLOCK, FOUR_BYTES = 0, 1, 2, 5  # wire types
UNIGRAM, BYTE_PAIRS = 1, 2


def varint(number: int) -> bytes:
    found = bytearray()
    while number >= 128:
        found.append(number & 127 | 128)
        number >>= 7
    return bytes([*found, number])


def field(number: int, wire_type: int, value: bytes) -> bytes:
    length = varint(len(value)) if wire_type == BLOCK else b""
    return varint(number << 3 | wire_type) + length + value


def piece(text: str, score: float) -> bytes:
    return field(1, BLOCK, field(1, BLOCK, text.encode()) + field(2, FOUR_BYTES, struct.pack("<f", score)))


def model(*pieces: bytes, kind: int = UNIGRAM, characters: bytes = b"") -> bytes:
    trainer = field(2, BLOCK, field(4, VARINT, varint(30000)) + field(3, VARINT, varint(kind)))
    normaliser = field(3, BLOCK, field(1, BLOCK, b"nmt_nfkc") + field(2, BLOCK, characters))
    return b"".join(pieces) + trainer + normaliser


def write(folder: Path, content: bytes) -> Path:
    path = folder / "spiece.model"
    path.write_bytes(content)
    return path


def test_sub_words_come_in_the_order_of_their_ids(tmp_path: Path) -> None:
    path = write(tmp_path, model(piece("<pad>", 0.0), piece("▁gene", -2.5), piece("x" * 300, -4.0), characters=b"\1\2"))

    found = read_sentencepiece(path)

    assert found.pieces == (Piece("<pad>", 0.0), Piece("▁gene", -2.5), Piece("x" * 300, -4.0))
    assert found.characters == b"\1\2"


def test_fields_that_are_not_needed_are_passed_over(tmp_path: Path) -> None:
    path = write(tmp_path, field(9, EIGHT_BYTES, bytes(8)) + model(piece("a", -1.0)) + field(200, VARINT, varint(7)))

    assert read_sentencepiece(path).pieces == (Piece("a", -1.0),)


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "holds no sub-words"),
        (model(), "holds no sub-words"),
        (model(piece("a", 0.0))[:-3], "cut off"),
        (field(1, VARINT, varint(3)), "found a number, expected bytes"),
        (field(2, BLOCK, field(3, BLOCK, b"ab")), "found bytes, expected a number"),
        (b"\x0b", "unknown wire type 3"),
        (model(piece("a", 0.0), kind=BYTE_PAIRS), "not of the kind unigram"),
    ],
)
def test_other_files_are_refused(tmp_path: Path, content: bytes, message: str) -> None:
    with pytest.raises(BadFile, match=message):
        read_sentencepiece(write(tmp_path, content))
