"""Steps after the model of an annotation job: names of vocabularies, their abbreviations, labels to keep, and links."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from linnet import __version__
from linnet.contracts import Annotator, PreparedDocuments
from linnet.contracts.linking import LINKING, DocumentLinker, DocumentNames, linkings
from linnet.documents.document import Document
from linnet.documents.kept_links import keep_links
from linnet.documents.left_out import BY_LABEL, count_left_out
from linnet.documents.same_abbreviations import with_same_abbreviations
from linnet.errors import BadSetting
from linnet.formats.relabelling import LabelChange, LabelCounts, relabel
from linnet.settings.annotation import AnnotateSettings

__all__ = ["GIVEN", "NAMES", "GivenMentions", "NamesOnly", "Steps", "open_steps"]

GIVEN = "input:"  # in place of a model: the mentions that the input has
NAMES = "vocabulary:"  # in place of a model: the names of the vocabulary that follows
NOTHING_TO_LINK = "no document has a mention, so there is nothing to link; `linnet annotate --link V` finds mentions"
Step = Callable[[list[Document]], list[Document]]


@dataclass(frozen=True)
class Steps:
    """What is done with documents after a model has annotated them."""

    linker: DocumentLinker | None = None
    names: DocumentNames | None = None
    has_same_abbreviations: bool = False  # of mentions that no model found; a model does it by itself
    kept: tuple[str, ...] = ()  # labels of mentions that are not left out; all if empty
    settings: dict[str, str] = field(default_factory=dict)  # that a resumed job must have in common
    option: str = "--link"  # that names the vocabularies
    keeps_links: bool = False  # of mentions that have some already

    def describe(self) -> dict[str, str]:
        """Return what a resumed job must have in common with the one that was begun; nothing without steps."""
        named = {"also names": self.names.hash} if self.names else {}
        return {**self.settings, **named, **(self.linker.infons if self.linker else {})}

    @property
    def infons(self) -> dict[str, str]:
        """The infons that the steps add to each document."""
        infons: dict[str, str] = {}
        if self.names is not None:
            infons["names"] = self.names.hash
            infons["names_by"] = f"Linnet {__version__}; names of {self.names.description}"
        if self.linker is not None:
            kept = "; mentions with a link kept it" if self.keeps_links else ""
            infons |= {**self.linker.infons, "linked_by": f"Linnet {__version__}; {self.linker.description}{kept}"}
        return infons

    def notes(self, mentions_by_label: Mapping[str, int]) -> list[str]:
        """Return what the mentions of a finished job say about the steps."""
        named = [(label, "--keep-labels") for label in self.kept]
        if self.linker is not None:
            if not mentions_by_label and not self.kept:
                return [NOTHING_TO_LINK]
            named += [(label, self.option) for label in self.linker.labels if label not in self.kept]
        found = ", ".join(sorted(mentions_by_label)) or "none"
        return [
            f"no mention has the label {label!r} of `{option}`; labels found: {found}"
            for label, option in named
            if label not in mentions_by_label
        ]

    def follow(self, model: Annotator) -> Annotator:
        """Return the model with these steps after it."""
        steps: list[Step] = []
        if self.names is not None:
            names = self.names
            steps.append(lambda documents: list(names.add_to(documents)))
        if self.has_same_abbreviations:
            steps.append(lambda documents: list(map(with_same_abbreviations, documents)))
        if self.kept:
            change = LabelChange(self.kept)
            steps.append(lambda documents: _keep_labels(documents, change))
        if self.linker is not None:
            steps.append(self._link)
        return _WithSteps(model, steps) if steps else model

    def _link(self, documents: list[Document]) -> list[Document]:
        assert self.linker is not None
        linked = self.linker.link_documents(documents)
        return list(map(keep_links, linked, documents) if self.keeps_links else linked)


def _keep_labels(documents: list[Document], change: LabelChange) -> list[Document]:
    counts = LabelCounts()
    kept = list(relabel(documents, change, counts))
    for label, number in counts.dropped.items():
        count_left_out(BY_LABEL, label, number)
    return kept


def open_steps(settings: AnnotateSettings) -> Steps:
    """Open what the steps of a job need.

    Raises:
        LinnetError: if a vocabulary cannot be used, or links are to be kept that no mention can have.
    """
    if settings.keep_links and settings.model != GIVEN:
        raise BadSetting(
            "--keep-links is for `linnet link`: what a model finds has no links of before",
            "leave it out, or link the mentions of the input with `linnet link --keep-links`",
        )
    linker, names = None, None
    if settings.also_names:
        names = linkings.get(LINKING).open_names(settings.also_names)
    if settings.link:
        room = linkings.get(LINKING)
        linker = room.open_linker(settings.link, min_score=settings.min_link_score, candidates=settings.candidates)
    given = {"min link score": settings.min_link_score, "candidates": settings.candidates or None}
    chosen = {name: str(value) for name, value in given.items() if value is not None}
    option = "--vocabulary" if linker and settings.model == GIVEN else "--link"
    if settings.same_abbreviations is not None:
        chosen["same abbreviations"] = "yes" if settings.same_abbreviations else "no"
    if settings.keep_links:
        chosen["keep links"] = "yes"
    if settings.keep_labels:
        chosen["keep labels"] = ", ".join(sorted(settings.keep_labels))
    has_other_mentions = bool(settings.also_names) or settings.model == GIVEN or settings.model.startswith(NAMES)
    return Steps(
        linker=linker,
        names=names,
        has_same_abbreviations=bool(settings.same_abbreviations) and has_other_mentions,
        kept=settings.keep_labels,
        settings=chosen,
        option=option,
        keeps_links=settings.keep_links,
    )


@dataclass(frozen=True)
class _Given:
    """Documents that need no preparation."""

    documents: list[Document]
    n_words: int = 0  # none is read


class GivenMentions:
    """An annotator that leaves documents as they are, for jobs that work on the mentions of the input."""

    annotates = True

    def prepare(self, documents: list[Document], /) -> PreparedDocuments:
        """Return the documents."""
        return _Given(documents)

    def infer(self, prepared: Any, /) -> None:
        """Return nothing: there is no network."""
        return

    def finish(self, prepared: Any, scores: Any, /) -> list[Document]:
        """Return the documents."""
        return list(prepared.documents)


@dataclass(frozen=True)
class NamesOnly:
    """An annotator that finds the names of vocabularies, for jobs without a model."""

    names: DocumentNames
    annotates = True

    def prepare(self, documents: list[Document], /) -> PreparedDocuments:
        """Return the documents with the number of their words."""
        return _Given(documents, sum(len(document.text.split()) for document in documents))

    def infer(self, prepared: Any, /) -> None:
        """Return nothing: there is no network."""
        return

    def finish(self, prepared: Any, scores: Any, /) -> list[Document]:
        """Return the documents with the names that they have."""
        return list(self.names.annotate(prepared.documents))


@dataclass(frozen=True)
class _WithSteps:
    """An annotator with steps after it."""

    model: Annotator
    steps: Sequence[Step]

    def prepare(self, documents: list[Document], /) -> PreparedDocuments:
        return self.model.prepare(documents)

    def infer(self, prepared: Any, /) -> Any:  # scores of the model
        return self.model.infer(prepared)

    def finish(self, prepared: Any, scores: Any, /) -> list[Document]:
        documents = self.model.finish(prepared, scores)
        for step in self.steps:
            documents = step(documents)
        return documents
