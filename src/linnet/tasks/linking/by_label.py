"""Links mentions with a vocabulary for each label, or one for all labels."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from linnet.contracts.linking import NamedVocabulary
from linnet.documents.document import Document
from linnet.errors import BadSetting
from linnet.tasks.linking.linker import Linker, open_linker

__all__ = ["LinkerByLabel", "load_linker", "open_linkers"]


@dataclass(frozen=True)
class LinkerByLabel:
    """Linkers by label; the one without a label links all other mentions."""

    linkers: Mapping[str, Linker]

    @property
    def labels(self) -> Sequence[str]:
        """The labels that have a vocabulary of their own."""
        return [label for label in self.linkers if label]

    @property
    def description(self) -> str:
        """The names of the vocabularies and the settings."""
        named = {
            label: f"vocabulary {linker.vocabulary.folder.resolve().name}" for label, linker in self.linkers.items()
        }
        scores = {linker.min_score for linker in self.linkers.values()}
        lowest = f"links from a score of {', '.join(f'{score:g}' for score in sorted(scores))}"
        return f"{_join(named, ': ', '; ')}; {lowest}"

    @cached_property
    def infons(self) -> dict[str, str]:
        """The hashes of the vocabularies and, where linkers were trained, of the models."""
        hashes = {label: linker.vocabulary.hash for label, linker in self.linkers.items()}
        trained = {label: linker.ranker.fingerprint for label, linker in self.linkers.items() if linker.ranker}
        models = {"linker": _join(trained, "=", " ")} if trained else {}
        return {"vocabulary": _join(hashes, "=", " "), **models}

    def link_documents(self, documents: Iterable[Document]) -> Iterator[Document]:
        """Yield the documents, the mentions with links; those of labels without a linker stay as they are."""
        for document in documents:
            linked = document
            for label, linker in self.linkers.items():
                spans = [span for span in linked.spans if self._label_of_linker(span.label) == label]
                linked = linker.link(linked, spans)
            yield linked

    def _label_of_linker(self, label: str) -> str:
        return label if label in self.linkers else ""


def load_linker(*vocabularies: str | Path, min_score: float | None = None, candidates: int = 0) -> LinkerByLabel:
    """Return a linker for documents with mentions; what `linnet.load_linker` is in Python.

    Args:
        vocabularies: folders of vocabularies or linking runs, or `demo`; `Label=V` is for the mentions of one label.
        min_score: lowest score of a link; the linker's own if not given.
        candidates: how many candidates each mention keeps in its infons.

    Raises:
        BadSetting: if there is no vocabulary, or two are for the same mentions.
        BadFile: if one cannot be opened.
    """
    if not vocabularies:
        raise BadSetting("no vocabulary is given", "name a vocabulary, e.g. `demo`")
    return open_linkers([str(each) for each in vocabularies], min_score=min_score, candidates=candidates)


def open_linkers(vocabularies: Sequence[str], *, min_score: float | None = None, candidates: int = 0) -> LinkerByLabel:
    """Return linkers for vocabularies that are named as `V` or `Label=V`.

    Raises:
        BadSetting: if two vocabularies are for the same mentions.
        BadFile: if one cannot be opened.
    """
    named = [NamedVocabulary.parse(given) for given in vocabularies]
    place_by_label: dict[str, str] = {}
    for label, place in named:
        if label in place_by_label:
            whose = f"label {label!r}" if label else "all labels"
            raise BadSetting(
                f"two vocabularies are given for {whose}: {place_by_label[label]} and {place}",
                "give one, or build one from both sources with `linnet vocabulary build`",
            )
        place_by_label[label] = place
    linkers = {
        label: open_linker(place, min_score=min_score, candidates=candidates) for label, place in place_by_label.items()
    }
    return LinkerByLabel(linkers)


def _join(by_label: Mapping[str, str], sign: str, between: str) -> str:
    return between.join(f"{label}{sign}{value}" if label else value for label, value in by_label.items())
