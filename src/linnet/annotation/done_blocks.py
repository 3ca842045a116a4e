"""Files of finished blocks of an annotation job: a first line about the block, then its documents."""

from collections import Counter
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

from linnet.annotation.block_files import read_block_file, read_block_header, write_block_file
from linnet.annotation.blocks import Failure
from linnet.documents.document import Document
from linnet.formats.jsonl import document_from_json, document_to_json

__all__ = ["About", "DoneBlock", "read_about", "read_done_block", "write_done_block"]


@dataclass(frozen=True)
class DoneBlock:
    """A block that was annotated."""

    number: int
    documents: list[Document]
    failures: list[Failure]
    n_words: int
    digest: str = ""  # of the block of the input
    left_out: Counter[tuple[str, str]] = field(default_factory=Counter)  # mentions by reason and label


class About(NamedTuple):
    """What the first line of the file of a finished block says."""

    n_words: int
    digest: str  # of the block of the input
    failures: list[Failure]
    left_out: Counter[tuple[str, str]]


def write_done_block(path: Path, block: DoneBlock) -> None:
    """Write a block; the file appears when it is complete."""
    about = {"words": block.n_words, "input": block.digest, "failures": [asdict(each) for each in block.failures]}
    if block.left_out:
        about["left_out"] = [[*what, number] for what, number in sorted(block.left_out.items())]
    write_block_file(path, about, [document_to_json(each) for each in block.documents])


def read_about(path: Path) -> About:
    """Return what the first line says; the documents are not read."""
    return read_block_header(path, _parse_about)


def read_done_block(path: Path, number: int) -> DoneBlock:
    """Return the block of this number.

    Raises:
        BadFile: where the file is damaged.
    """
    about, documents = read_block_file(path, _parse_about, document_from_json)
    return DoneBlock(number=number, documents=documents, **about._asdict())


def _parse_about(about: Any) -> About:
    failures = [Failure(**each) for each in about["failures"]]
    left_out = Counter({(reason, label): number for reason, label, number in about.get("left_out", ())})
    found = About(about["words"], about["input"], failures, left_out)
    texts = (found.digest, *(text for each in failures for text in (each.document, each.reason)), *sum(left_out, ()))
    numbers = (found.n_words, *left_out.values())
    if not all(type(number) is int for number in numbers) or not all(isinstance(text, str) for text in texts):
        raise TypeError("the first line holds other things than numbers and texts")
    return found
