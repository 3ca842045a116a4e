"""Provenance of annotations: which model, which version of Linnet and which settings made them.

It is written as infons of each document, where the format holds infons of documents (jsonl, BioC); Parquet has a column
for the fingerprint. So it is read back with the documents, and conversions carry it along.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from linnet import __version__
from linnet.contracts import Format
from linnet.documents.document import Document
from linnet.settings.annotation import AnnotateSettings

__all__ = ["Provenance", "describe_maker"]


@dataclass(frozen=True)
class Provenance:
    """What made the annotations of a job."""

    maker: str  # model, version and settings, for people
    fingerprint: str  # of the model

    def infons_in(self, to: Format) -> dict[str, str]:
        """Return the infons that a format holds; what it cannot hold is left out."""
        infons = {"model": self.fingerprint, "annotated_by": self.maker}
        without = _count_losses(to, {})
        return {key: value for key, value in infons.items() if _count_losses(to, {key: value}) == without}

    def add(self, documents: Iterable[Document], to: Format) -> Iterator[Document]:
        """Yield the documents with the infons that the format holds; those of an earlier annotation are replaced."""
        infons = self.infons_in(to)
        for document in documents:
            yield replace(document, infons={**document.infons, **infons}) if infons else document


def describe_maker(settings: AnnotateSettings) -> str:
    """Return model, version and the settings that change predictions, as they were given; no path of this machine."""
    given = Path(settings.model)
    name = given.resolve().name if given.exists() else settings.model  # a hub name otherwise
    parts = [f"Linnet {__version__}", f"model {name}"]
    if settings.engine is not None:
        parts.append(f"engine {settings.engine}")
    if settings.repair:
        parts.append("input repaired")
    return "; ".join(parts)


def _count_losses(to: Format, infons: Mapping[str, str]) -> int:
    return sum(number for _, number in to.losses(Document("1", "a", infons=infons)))
