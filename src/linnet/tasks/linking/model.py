"""A trained linker as a model: it annotates documents that have mentions with links."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NoReturn

from linnet.documents.document import Document
from linnet.documents.given import as_document
from linnet.errors import BadSetting
from linnet.tasks.linking.linker import Linker

__all__ = ["LinkingModel"]


@dataclass(frozen=True)
class LinkingModel:
    """A linker behind the verbs of every model."""

    linker: Linker
    label: str | None = None  # the entity type that it links; all if None

    @property
    def annotates(self) -> bool:
        """It annotates documents."""
        return True

    def annotate(self, texts: Iterable[str | Document], /) -> Iterator[Document]:
        """Yield each document with the links of its mentions; a text without mentions stays as it is."""
        for number, text in enumerate(texts):
            document = as_document(number, text)
            yield self.linker.link(document, [span for span in document.spans if self.label in (None, span.label)])

    def predict(self, texts: Iterable[Any], /) -> NoReturn:
        """Refuse: links belong to mentions of documents."""
        raise BadSetting("this model links the mentions of documents", "use `annotate(texts)`")

    def questions(self, place: Path, /, *, split: str | None, repair: bool) -> NoReturn:
        """Refuse: documents are linked as a stream."""
        raise BadSetting(
            f"{place}: this model links the mentions of documents",
            "use `linnet link`, or `linnet annotate` with `--link`",
        )
