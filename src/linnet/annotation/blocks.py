"""Splits a long input into blocks of documents that are annotated together.

Where a block ends depends on the documents alone, never on time, threads or where a job was interrupted. So the same
input always makes the same blocks, each block the same batches, and each batch the same scores, to the last digit. A
document that cannot be read is a failure in its block.
"""

import json
from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass, field, replace
from hashlib import blake2b

from linnet.documents.document import Document
from linnet.formats.inputs.failures import Failure
from linnet.formats.jsonl import document_to_json

__all__ = ["MOST_CHARACTERS", "MOST_DOCUMENTS", "Block", "Failure", "split_into_blocks"]

MOST_DOCUMENTS = 512
MOST_CHARACTERS = 300_000  # about 200 abstracts: enough to batch by length, and several blocks fit into memory


@dataclass(frozen=True)
class Block:
    """Neighbouring documents that are annotated together."""

    number: int
    documents: list[Document] = field(default_factory=list)
    failures: list[Failure] = field(default_factory=list)
    digest: str = ""  # of the documents and failures, to notice that the input has changed

    @property
    def n_inputs(self) -> int:
        """How many documents of the input it covers, failures included."""
        return len(self.documents) + len(self.failures)

    @property
    def first(self) -> str:
        """The id of its first document, or where none could be read of its first failure; for messages."""
        return self.documents[0].id if self.documents else self.failures[0].document


def split_into_blocks(inputs: Iterable[Document | Failure]) -> Iterator[Block]:
    """Yield the inputs in blocks."""
    block, n_characters = Block(0), 0
    for each in inputs:
        if isinstance(each, Failure):
            block.failures.append(each)
        else:
            block.documents.append(each)
            n_characters += len(each.text)
        if block.n_inputs == MOST_DOCUMENTS or n_characters >= MOST_CHARACTERS:
            yield _with_digest(block)
            block, n_characters = Block(block.number + 1), 0
    if block.n_inputs:
        yield _with_digest(block)


def _with_digest(block: Block) -> Block:
    content = blake2b(digest_size=16)
    for record in (*map(document_to_json, block.documents), *map(asdict, block.failures)):
        content.update(json.dumps(record).encode("ascii") + b"\n")
    return replace(block, digest=content.hexdigest())
