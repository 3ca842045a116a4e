"""The contract of a trained model: it annotates documents with mentions, or predicts values for texts."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Protocol

from linnet.documents.document import Document

__all__ = ["Annotator", "Model", "PreparedDocuments", "Questions"]


class Questions(Protocol):
    """Examples of a file, ready to be predicted block by block."""

    @property
    def n_examples(self) -> int:
        """How many examples there are."""
        ...

    @property
    def notes(self) -> Sequence[str]:
        """What was repaired or left out."""
        ...

    def blocks(self) -> Iterator[Sequence[Any]]:
        """Yield the examples in blocks that are predicted together, always the same ones."""
        ...

    def digest(self, block: Any, /) -> str:
        """Return a digest of a block's content, which shows whether the input has changed."""
        ...

    def predict(self, block: Any, /) -> list[Any]:
        """Return the predictions of a block."""
        ...

    def as_row(self, prediction: Any, /) -> dict[str, Any]:
        """Return a prediction as JSON, to be kept until all blocks are done."""
        ...

    def from_row(self, row: Mapping[str, Any], /) -> Any:
        """Return a prediction that was kept."""
        ...

    def form(self, target: Path, to: str | None, /, *, is_folder: bool) -> Any:
        """Return the form of an output: `name`, `suffix`, `items(predictions)` and `write(items, path)`.

        The predictions come as an iterator, so that not all of them are in memory.
        """
        ...


class Model(Protocol):
    """A trained model. One that finds mentions annotates documents, one about whole texts predicts values."""

    @property
    def annotates(self) -> bool:
        """Does it annotate documents? Otherwise it predicts values; the other verb is refused with a remedy."""
        ...

    def annotate(self, texts: Iterable[str | Document], /) -> Iterator[Document]:
        """Yield each text or document with the mentions that the model finds, in order."""
        ...

    def predict(self, texts: Iterable[Any], /) -> list[Any]:
        """Return what the model predicts for each text or pair of texts."""
        ...

    def questions(self, place: Path, /, *, split: str | None, repair: bool) -> Questions:
        """Return the examples of a file, or of a split of a corpus, that the model predicts."""
        ...


class PreparedDocuments(Protocol):
    """Documents that are split and tokenised, ready for the network."""

    @property
    def n_words(self) -> int:
        """How many words the documents have."""
        ...


class Annotator(Protocol):
    """A model that annotates documents in three steps, so that threads can share the work on a long input."""

    def prepare(self, documents: list[Document], /) -> PreparedDocuments:
        """Split and tokenise documents that are annotated together; needs no network."""
        ...

    def infer(self, prepared: Any, /) -> Any:
        """Return the scores of the network: the expensive step."""
        ...

    def finish(self, prepared: Any, scores: Any, /) -> list[Document]:
        """Return the documents with the mentions that the scores say."""
        ...
