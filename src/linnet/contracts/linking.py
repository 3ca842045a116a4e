"""The contract of linking: what annotation calls to link mentions and to find the names of a vocabulary."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple, Protocol

from linnet.contracts.tasks import Outcomes
from linnet.documents.document import Document
from linnet.registry import Registry

__all__ = ["LINKING", "DocumentLinker", "DocumentNames", "Linking", "NamedVocabulary", "linkings"]

LINKING = "linking"  # the room that links mentions to the concepts of vocabularies


class NamedVocabulary(NamedTuple):
    """A vocabulary as a user names it: `V`, or `Label=V` for the mentions of one label."""

    label: str  # empty for all labels
    place: str

    @classmethod
    def parse(cls, given: str) -> "NamedVocabulary":
        """Return label and place; a folder whose name has an equals sign is found, too."""
        label, equals, place = given.partition("=")
        return cls(label, place) if equals and not Path(given).exists() else cls("", given)

    def with_absolute_path(self) -> str:
        """Return the vocabulary as a process with another working directory needs it; other names stay."""
        place = str(Path(self.place).absolute()) if Path(self.place).exists() else self.place
        return f"{self.label}={place}" if self.label else place


class DocumentLinker(Protocol):
    """Links the mentions of documents to concepts."""

    @property
    def description(self) -> str:
        """The names of its vocabularies and its settings, for people; no path of this machine."""
        ...

    @property
    def infons(self) -> Mapping[str, str]:
        """The infons of each linked document: the hashes of vocabularies and trained models."""
        ...

    @property
    def labels(self) -> Sequence[str]:
        """The labels that have a vocabulary of their own."""
        ...

    def link_documents(self, documents: Iterable[Document], /) -> Iterator[Document]:
        """Yield the documents, their mentions with links."""
        ...


class DocumentNames(Protocol):
    """Finds the names of vocabularies in documents: dictionary annotation."""

    @property
    def description(self) -> str:
        """The names of its vocabularies, for people; no path of this machine."""
        ...

    @property
    def labels(self) -> Sequence[str]:
        """The labels of the mentions that it finds."""
        ...

    @property
    def hash(self) -> str:
        """The hashes of its vocabularies with their labels."""
        ...

    def annotate(self, documents: Iterable[Document], /) -> Iterator[Document]:
        """Yield the documents with the names as their only annotations."""
        ...

    def add_to(self, documents: Iterable[Document], /) -> Iterator[Document]:
        """Yield the documents with names added where no mention stands yet."""
        ...


class Linking(Protocol):
    """A way to link mentions; vocabularies are named as `V`, or `Label=V` for the mentions of one label."""

    name: str

    def open_linker(
        self, vocabularies: Sequence[str], /, *, min_score: float | None, candidates: int
    ) -> DocumentLinker:
        """Open vocabularies or trained linkers, to link mentions."""
        ...

    def open_names(self, vocabularies: Sequence[str], /) -> DocumentNames:
        """Open vocabularies, to find their names in texts; the label of mentions is that before the equals sign."""
        ...

    def judged_metrics(self) -> Mapping[str, str]:
        """Return the scores, with their titles, by which models that find mentions are judged by their links."""
        ...

    def check_judging(self, settings: Any, /, *, vocabulary: str, split: str) -> None:
        """Refuse a vocabulary that cannot judge runs with these settings, e.g. one that lacks the gold identifiers."""
        ...

    def judge_runs(
        self, runs: Sequence[tuple[Path, Any]], /, *, vocabulary: str, metric: str, n_resamples: int, seed: int,
        split: str,
    ) -> Outcomes:  # fmt: skip
        """Return the scores of finished runs (folder and settings) that find mentions, by the links of these."""
        ...

    def keep_judged(self, folder: Path, /) -> dict[str, Any]:
        """Return how the links of a run were judged, without words of its corpus; nothing if they were not."""
        ...

    def restore_judged(self, folder: Path, kept: Mapping[str, Any], /) -> None:
        """Write what `keep_judged` returned into the folder of a restored run."""
        ...


linkings: Registry[Linking] = Registry("linking", home="linnet.tasks", contract=Linking)
