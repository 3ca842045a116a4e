"""Opens a review: reads the documents, the journal beside the output, and the model that proposes mentions."""

import logging
import shlex
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from itertools import chain
from pathlib import Path
from threading import Lock

from linnet.annotation.provenance import Provenance
from linnet.contracts import Format, Notes, readable_formats
from linnet.documents.document import Document, Span
from linnet.documents.kept_links import keep_links
from linnet.errors import BadFile, BadSetting
from linnet.formats.corpus import corpus_place
from linnet.formats.inputs.reading import read_inputs
from linnet.formats.reading import convert_documents, format_for_output
from linnet.serving.http.batching import Limits
from linnet.serving.http.linking import SharedLinker, open_shared_linker
from linnet.serving.http.served_models import ServedModel, open_models
from linnet.serving.review.beside import read_beside
from linnet.serving.review.candidates import N_CANDIDATES, add_candidates
from linnet.serving.review.finishing import finish_documents
from linnet.serving.review.identity import hash_documents, hash_mentions
from linnet.serving.review.journal import open_journal
from linnet.serving.review.labels import list_labels
from linnet.serving.review.session import Review, least_confident_first
from linnet.settings.review import ReviewSettings
from linnet.storage.files import resolve_path

__all__ = ["OpenReview", "count_documents", "open_review"]

JOURNAL = ".journal"  # is added to the name of the output

log = logging.getLogger(__name__)


@dataclass(frozen=True)
class OpenReview:
    """A review that is going on."""

    review: Review
    output: Path
    to: Format
    source: str = ""
    replaced: int = 0  # mentions of the documents, in whose place the model has proposed others
    models: Mapping[str, ServedModel] = field(default_factory=dict)
    linker: SharedLinker | None = None
    beside: Mapping[str, tuple[Span, ...]] | None = None  # mentions of another annotation, by the ids of documents
    beside_name: str | None = None
    lost: Counter[str] = field(default_factory=Counter)  # what the format could not hold when it was last written
    _lock: Lock = field(default_factory=Lock)

    def show(self, number: int) -> tuple[Document, int]:
        """Return a document as it stands, with candidates where mentions are linked, and its version."""
        document, version = self.review.current(number)
        return (add_candidates(document, self.linker) if version and self.linker else document), version

    def write_output(self) -> int:
        """Write the documents that were decided on, if there are any, and return their number."""
        with self._lock:
            decided = list(self.review.decided_documents())
            if decided:
                finished = finish_documents(decided, self.to, self._describe_makers())
                done = convert_documents(finished, self.output, to=self.to, is_lossy=True)
                self.lost.clear()
                self.lost.update(done.lost)
        return len(decided)

    def describe_output(self) -> list[str]:
        """Return sentences about what the output leaves out: documents without a decision, and what was lost."""
        progress = self.review.progress()
        left = progress.total - progress.decided
        decided = f"{progress.decided:,} of {count_documents(progress.total)} decided; {left:,} undecided"
        found = [f"{decided} {'is' if left == 1 else 'are'} left out"] if left else []
        return found + [f"{self.to.name} cannot hold {what}: {number:,} left out" for what, number in self.lost.items()]

    def _describe_makers(self) -> Provenance:
        found = next((model.provenance for model in self.models.values()), Provenance("", ""))
        return found if self.linker is None else replace(found, more={**found.more, **self.linker.infons})

    def describe_training(self) -> tuple[str, str]:
        """Return the commands that train on the output."""
        corpus = self.output.with_name(self.output.name.partition(".")[0] + "-corpus")
        run = self.output.with_name(self.output.name.partition(".")[0] + "-run")
        return (
            shlex.join(["linnet", "split", str(self.output), str(corpus)]),
            shlex.join(["linnet", "train", "--data", str(corpus), "--output", str(run)]),
        )


def count_documents(number: int) -> str:
    """Return so many documents in words."""
    return f"{number:,} document{'' if number == 1 else 's'}"


@contextmanager
def open_review(settings: ReviewSettings) -> Iterator[OpenReview]:
    """Yield the review of the settings, with the decisions of before.

    Raises:
        LinnetError: if there are no documents, the model does not annotate, or the output is of something else.
    """
    output = Path(settings.output)
    to = format_for_output(output, settings.target_format)
    _refuse_unreadable(output, to)
    journal_path = output.with_name(output.name + JOURNAL)
    _check_output(output, journal_path, settings)
    documents = list(read_inputs(corpus_place(settings.source), format=settings.source_format, notes=Notes()))
    subject = {"documents": hash_documents(documents, settings.source), "mentions": hash_mentions(documents)}
    replaced = _count_replaced(documents, settings)
    beside = None if settings.beside is None else read_beside(settings.beside, documents, settings.source)
    models = _open_model(settings)
    linker = open_shared_linker(settings.link)
    try:
        propose = _build_proposer(models, linker)
        subject["model"] = ", ".join(model.provenance.fingerprint for model in models.values())
        if settings.least_confident_first:
            documents = _sort(documents, propose)
        if settings.overwrite:
            journal_path.unlink(missing_ok=True)
        names = dict.fromkeys(subject, settings.source) | {"model": settings.model or "no model"}
        with open_journal(journal_path, subject, names) as journal:
            review = Review(documents, journal, propose, _list_labels(documents, models, beside, settings))
            opened = OpenReview(
                review=review, output=output, to=to, source=settings.source, replaced=replaced, models=models,
                linker=linker, beside=beside, beside_name=_name_of(settings.beside),
            )  # fmt: skip
            yield opened
            for sentence in opened.describe_output() if review.progress().decided else ():
                log.warning("note: %s", sentence)
    finally:
        for model in models.values():
            model.batcher.close()


def _refuse_unreadable(output: Path, to: Format) -> None:
    """Refuse an output that nothing could read, and so no model learn from."""
    if to.name not in readable_formats():
        lines = output.with_name(output.name.partition(".")[0] + ".jsonl")
        convert = shlex.join(["linnet", "convert", str(lines), str(output), "--to", to.name, "--lossy"])
        raise BadSetting(
            f"{output}: {to.name} can only be written, so no model could train on the corrected documents",
            f"review into `{lines}`, and convert it afterwards: `{convert}`",
        )


def _check_output(output: Path, journal: Path, settings: ReviewSettings) -> None:
    if not output.parent.is_dir():
        raise BadFile(f"{output.parent}: there is no such folder", "make it first, or name another output")
    if resolve_path(output) == resolve_path(Path(settings.source)):
        raise BadSetting(f"{output}: is the input", "name another output")
    if output.exists() and not journal.exists() and not settings.overwrite:
        raise BadFile(
            f"{output}: exists already, and is not the output of a review", "name another, or add `--overwrite`"
        )


def _count_replaced(documents: list[Document], settings: ReviewSettings) -> int:
    """Return how many mentions of the documents give way to those of the model; refuse to do so unasked."""
    found = sum(len(document.spans) for document in documents)
    if settings.model is None or not found:
        return 0
    said = f"{settings.source}: the model replaces the documents' own mentions ({found:,})"
    if not settings.replace:
        raise BadSetting(said, "leave `--model` out to review these mentions, or add `--replace` to review the model's")
    log.warning("note: %s", said)
    return found


def _open_model(settings: ReviewSettings) -> dict[str, ServedModel]:
    if settings.model is None:
        return {}
    models = open_models([settings.model], Limits(wait_seconds=0.0), engine=settings.engine, threads=settings.threads)
    for model in models.values():
        if not model.annotates:
            raise BadSetting(
                f"{settings.model}: this model predicts values for whole texts (task {model.task})",
                "name a model that finds mentions",
            )
    return models


def _list_labels(
    documents: list[Document],
    models: Mapping[str, ServedModel],
    beside: Mapping[str, tuple[Span, ...]] | None,
    settings: ReviewSettings,
) -> tuple[str, ...]:
    of_model = [label for model in models.values() for label in model.labels]
    own = [] if models else [document.spans for document in documents]  # which a model replaces
    return list_labels(settings.labels, of_model, chain(*own, *(beside or {}).values()))


def _build_proposer(models: Mapping[str, ServedModel], linker: SharedLinker | None) -> Callable[[Document], Document]:
    """Return a function that gives a document its proposed mentions: those of the model, or its own.

    A linker gives identifiers to the mentions that have none.
    """

    def propose(document: Document) -> Document:
        found = [document]
        for model in models.values():
            found = model.batcher.submit([(each, None) for each in found]).future.result()
        return found[0] if linker is None else keep_links(linker.link(found, N_CANDIDATES)[0], found[0])

    return propose


def _name_of(place: str | None) -> str | None:
    return None if place is None else Path(place).name


def _sort(documents: list[Document], propose: Callable[[Document], Document]) -> list[Document]:
    """Return the documents, those with the least confident mention first.

    Raises:
        BadSetting: if there are mentions and none has a confidence.
    """
    by_id = {document.id: document for document in documents}
    proposed = list(map(propose, documents))
    scores = [span.score for document in proposed for span in document.spans]
    if scores and all(score is None for score in scores):
        raise BadSetting(
            "--least-confident-first: no mention has a confidence",
            "name the model that annotates (`--model`), give its annotations in a format that holds confidence, e.g. "
            "jsonl, or leave the option out",
        )
    return [by_id[each.id] for each in least_confident_first(proposed)]
