"""Reads the sub-words of a SentencePiece model without SentencePiece or protobuf.

The file is a protocol buffer: fields of a number, a wire type and a value, one after the other. Only four of them are
needed.
"""

import struct
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from linnet.errors import BadFile
from linnet.storage.files import open_bytes

__all__ = ["Piece", "SentencePieceModel", "read_sentencepiece"]

UNIGRAM = 1  # sentencepiece_model.proto: the kind of a model
# wire types of protocol buffers
VARINT, EIGHT_BYTES, BLOCK, FOUR_BYTES = 0, 1, 2, 5
REMEDY = "give the `.model` file that was trained with SentencePiece, whole"


@dataclass(frozen=True, slots=True)
class Piece:
    """A sub-word with its logarithmic probability."""

    text: str
    score: float


@dataclass(frozen=True)
class SentencePieceModel:
    """The sub-words in the order of their ids, and how characters are normalised before."""

    pieces: tuple[Piece, ...]
    characters: bytes  # as SentencePiece has compiled them; empty if they stay as they are


def read_sentencepiece(path: Path) -> SentencePieceModel:
    """Return what a SentencePiece model of the kind unigram holds."""
    with open_bytes(path) as file:
        content = file.read()
    pieces, characters, model = [], b"", UNIGRAM
    try:
        for field, value in _fields(content):
            if field == 1:
                pieces.append(_piece(dict(_fields(_block(value)))))
            elif field == 2:
                model = _number(dict(_fields(_block(value))).get(3, UNIGRAM))
            elif field == 3:
                characters = _block(dict(_fields(_block(value))).get(2, b""))
    except (ValueError, IndexError, KeyError, struct.error) as error:
        raise BadFile(f"{path}: this is no SentencePiece model ({error})", REMEDY) from None
    if not pieces:
        raise BadFile(f"{path}: this SentencePiece model holds no sub-words", REMEDY)
    if model != UNIGRAM:
        raise BadFile(f"{path}: this SentencePiece model is not of the kind unigram, which ALBERT has", REMEDY)
    return SentencePieceModel(tuple(pieces), characters)


def _fields(content: bytes) -> Iterator[tuple[int, bytes | int]]:
    """Yield each field's number and its value: an integer, or its bytes."""
    at = 0
    while at < len(content):
        key, at = _varint(content, at)
        kind = key & 7
        if kind == VARINT:
            number, at = _varint(content, at)
            yield key >> 3, number
            continue
        if kind == BLOCK:
            size, at = _varint(content, at)
        elif kind in (EIGHT_BYTES, FOUR_BYTES):
            size = 8 if kind == EIGHT_BYTES else 4
        else:
            raise ValueError(f"unknown wire type {kind} at byte {at}")
        if at + size > len(content):
            raise ValueError("it is cut off")
        yield key >> 3, content[at : at + size]
        at += size


def _varint(content: bytes, at: int) -> tuple[int, int]:
    """Return an integer, kept in groups of seven bits with the lowest first, and the position after it."""
    number = shift = 0
    while True:
        byte = content[at]
        number |= (byte & 127) << shift
        at, shift = at + 1, shift + 7
        if byte < 128:
            return number, at


def _piece(fields: dict[int, bytes | int]) -> Piece:
    (score,) = struct.unpack("<f", _block(fields.get(2, bytes(4))))
    return Piece(_block(fields[1]).decode("utf-8"), score)


def _block(value: bytes | int) -> bytes:
    if isinstance(value, int):
        raise ValueError("found a number, expected bytes")
    return value


def _number(value: bytes | int) -> int:
    if not isinstance(value, int):
        raise ValueError("found bytes, expected a number")
    return value
