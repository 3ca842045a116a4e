"""In which portions is a long input annotated?

A block is a fixed stretch of the input: where it ends depends on the documents alone, never on time, threads or where a
job was interrupted. So the same input always makes the same blocks, each block the same batches, and each batch the
same scores, to the last digit. A document that cannot be read stands in its block as a failure.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from linnet.documents.document import Document

__all__ = ["Block", "Failure", "in_blocks"]

MOST_DOCUMENTS = 512
MOST_CHARACTERS = 300_000  # some 200 abstracts: enough to batch by length, little enough to be held several times


@dataclass(frozen=True)
class Failure:
    """A document that could not be read or annotated."""

    document: str
    reason: str


@dataclass
class Block:
    """Neighbouring documents that are annotated together."""

    number: int
    documents: list[Document] = field(default_factory=list)
    failures: list[Failure] = field(default_factory=list)

    @property
    def n_inputs(self) -> int:
        """How many documents of the input it stands for."""
        return len(self.documents) + len(self.failures)


def in_blocks(inputs: Iterable[Document | Failure]) -> Iterator[Block]:
    """Yield the inputs in blocks."""
    block, n_characters = Block(0), 0
    for each in inputs:
        if isinstance(each, Failure):
            block.failures.append(each)
        else:
            block.documents.append(each)
            n_characters += len(each.text)
        if block.n_inputs == MOST_DOCUMENTS or n_characters >= MOST_CHARACTERS:
            yield block
            block, n_characters = Block(block.number + 1), 0
    if block.n_inputs:
        yield block
