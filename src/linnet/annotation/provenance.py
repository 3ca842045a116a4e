"""Provenance of annotations: which model, which version of Linnet and which settings made them.

It is written as infons of each document, where the format holds infons of documents (jsonl, BioC); Parquet has a column
for the fingerprint. So it is read back with the documents, and conversions carry it along.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path

from linnet import __version__
from linnet.annotation.steps import NAMES
from linnet.contracts import Format
from linnet.contracts.linking import NamedVocabulary
from linnet.documents.document import Document
from linnet.models.embedded import embedded_folder, title_of
from linnet.settings.annotation import AnnotateSettings

__all__ = ["Provenance", "describe_choice", "describe_maker", "describe_thresholds", "name_model"]


@dataclass(frozen=True)
class Provenance:
    """What made the annotations of a job."""

    maker: str  # model, version and settings, for people
    fingerprint: str  # of the model
    more: Mapping[str, str] = field(default_factory=dict)  # further infons: hashes of vocabularies

    def infons_in(self, to: Format) -> dict[str, str]:
        """Return the infons that a format holds; what it cannot hold is left out."""
        own = {"model": self.fingerprint, "annotated_by": self.maker} if self.fingerprint else {}
        infons = {**own, **self.more}
        without = _count_losses(to, {})
        return {key: value for key, value in infons.items() if _count_losses(to, {key: value}) == without}

    def add(self, documents: Iterable[Document], to: Format) -> Iterator[Document]:
        """Yield the documents with the infons that the format holds; those of an earlier annotation are replaced."""
        infons = self.infons_in(to)
        for document in documents:
            yield replace(document, infons={**document.infons, **infons}) if infons else document


def describe_maker(settings: AnnotateSettings) -> str:
    """Return model, version and the settings that change predictions, as they were given; no path of this machine."""
    parts = [f"Linnet {__version__}", f"model {name_model(settings.model)}"]
    if settings.engine is not None:
        parts.append(f"engine {settings.engine}")
    if settings.precision == "bfloat16":
        parts.append("precision bfloat16")
    parts += describe_choice(settings.min_score, settings.keep_labels)
    if settings.same_abbreviations is not None:  # otherwise the model decides
        parts.append("same abbreviations" if settings.same_abbreviations else "no same abbreviations")
    if settings.repair:
        parts.append("input repaired")
    return "; ".join(parts)


def describe_choice(min_score: Mapping[str, float], kept: Collection[str]) -> list[str]:
    """Return which mentions are left out: those of less confidence, and those of other labels; nothing if none are."""
    by_confidence = [f"min score {_describe_scores(min_score)}"] if min_score else []
    return [*by_confidence, f"keep labels {', '.join(sorted(kept))}"] if kept else by_confidence


def describe_thresholds(settings: AnnotateSettings) -> str:
    """Return the least scores of mentions, e.g. `*=0.5, Gene=0.7`."""
    return _describe_scores(settings.min_score)


def _describe_scores(min_score: Mapping[str, float]) -> str:
    return ", ".join(f"{label}={value:g}" for label, value in sorted(min_score.items()))


def name_model(model: str) -> str:
    """Return the name of a model for people: of its folder or on the hub; with the version if it is embedded."""
    if model.startswith(NAMES):
        return f"names of {Path(NamedVocabulary.parse(model.removeprefix(NAMES)).place).name}"
    embedded = embedded_folder(model)
    if embedded is not None:
        return title_of(embedded)
    given = Path(model)
    return given.resolve().name if given.exists() else model


def _count_losses(to: Format, infons: Mapping[str, str]) -> int:
    return sum(number for _, number in to.losses(Document("1", "a", infons=infons)))
