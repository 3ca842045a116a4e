"""Evaluates a linker on a corpus with identifiers: a vocabulary without training, or a trained run."""

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

from linnet.contracts import ReadOptions, Table
from linnet.documents.document import Document
from linnet.errors import BadFile, BadSetting
from linnet.formats.corpus import Corpus, choose_split, corpus_place, is_one_split, read_corpus
from linnet.formats.reading import read_documents
from linnet.storage.files import new_file
from linnet.tasks.linking.evaluation.gold import GoldIdentifiers, keep_label, known_share, seen_in
from linnet.tasks.linking.evaluation.judged import FoundMention, JudgedDocument, Seen, find_mentions, judge
from linnet.tasks.linking.evaluation.protocols import Counts, count_document
from linnet.tasks.linking.evaluation.scores import MAIN, linking_tables, score_counts
from linnet.tasks.linking.linker import Linker

__all__ = ["LinkingEvaluation", "evaluate_documents", "evaluate_linker"]

TASK = "linking"

Annotate = Callable[[Sequence[Document]], Iterable[Document]]


@dataclass(frozen=True)
class LinkingEvaluation:
    """Scores of a linker with every mention behind them."""

    documents: tuple[JudgedDocument, ...]
    counts: tuple[Counts, ...]  # of each document
    vocabulary: str  # its hash
    known: float  # share of gold identifiers that the vocabulary has
    spans: str = "gold"  # or "predicted": the mentions that are linked end to end
    split: str | None = None
    notes: list[str] = field(default_factory=list)
    n_resamples: int = 1000

    @property
    def main_score(self) -> float:
        """Recall at 1 of gold mentions, any identifier."""
        return float(self.scores["gold"][MAIN]["recall_at_1"])

    @property
    def warnings(self) -> list[str]:
        """A warning if the vocabulary lacks gold identifiers, which then cannot be found."""
        if self.known >= 1:
            return []
        return [f"the vocabulary lacks {1 - self.known:.1%} of the gold identifiers; their mentions count as missed"]

    @cached_property
    def scores(self) -> dict[str, Any]:
        """All scores in the shape of `linnet evaluate --json`."""
        return {
            **score_counts(self.counts, n_resamples=self.n_resamples),
            "spans": self.spans,
            "mentions": int(sum(each[MAIN][2] for each in self.counts)),
            "known": self.known,
            "vocabulary": self.vocabulary,
        }

    def as_dict(self) -> dict[str, Any]:
        """Return plain values for JSON."""
        return {"task": TASK, **self.scores}

    def tables(self) -> list[Table]:
        """Return the scores as tables."""
        return linking_tables(self.scores)

    def write_predictions(self, path: Path) -> None:
        """Write a document with its mentions, links and counts on each line."""
        with new_file(path) as file:
            for document, counts in zip(self.documents, self.counts, strict=True):
                row = {**document.as_dict(), "counts": counts}
                file.write(json.dumps(row, ensure_ascii=False) + "\n")

    def write_page(self, folder: Path, *, title: str, details: Mapping[str, str]) -> Path:
        """Write a page to browse the mistakes and return its path."""
        from linnet.tasks.linking.reports.page import write_linking_page

        return write_linking_page(folder, title=title, evaluation=self, details=details)


def evaluate_linker(
    linker: Linker,
    corpus: str | Path,
    *,
    split: str | None = None,
    label: str | None = None,
    format: str | None = None,
    repair: bool = False,
    documents: str | Path | Annotate | None = None,
    seen: Seen | None = None,
) -> LinkingEvaluation:
    """Return how good a linker is on a split of a corpus.

    Args:
        linker: with its vocabulary.
        corpus: whose mentions have identifiers.
        split: `test` if not given; a single file is scored whole.
        label: the entity type to score; all if not given.
        format: of the corpus.
        repair: mend what can be mended by a stated rule, and count it.
        documents: file with the mentions to link end to end, or a function that finds them; the gold mentions if not
            given.
        seen: forms and identifiers of the training corpus; those of the corpus's train split if not given.
    """
    whole = read_corpus(corpus, format=format, options=ReadOptions(label=label, repair=repair))
    chosen = whole.split(choose_split(whole.splits, split, corpus_place(corpus)))
    gold_documents = list(keep_label(chosen.documents, label))
    if seen is None:
        seen = _seen_of(whole, chosen.name, label, GoldIdentifiers(linker.vocabulary), corpus)
    found = _find(documents, gold_documents, label, repair=repair)
    return evaluate_documents(
        linker,
        gold_documents,
        where=str(corpus),
        seen=seen,
        found=found,
        split=chosen.name,
        notes=[*whole.notes.sentences(), *chosen.notes.sentences()],
    )


def evaluate_documents(
    linker: Linker,
    documents: Sequence[Document],
    *,
    where: str,
    seen: Seen | None = None,
    found: Mapping[str, Document] | None = None,
    split: str | None = None,
    notes: Sequence[str] = (),
    n_resamples: int = 1000,
) -> LinkingEvaluation:
    """Return how good a linker is on documents with gold identifiers.

    Args:
        linker: the linker.
        documents: with gold mentions.
        where: what messages call the corpus.
        seen: forms and identifiers of the training corpus.
        found: by document id, the mentions to link end to end; the gold mentions if not given.
        split: the split that the documents are of.
        notes: what was repaired in reading.
        n_resamples: how often documents are drawn for the intervals.
    """
    gold = GoldIdentifiers(linker.vocabulary)
    share = known_share(documents, gold, where=where)
    judged = [judge(linker, each, gold, seen=seen, found=_link(linker, each, found, gold)) for each in documents]
    return LinkingEvaluation(
        documents=tuple(judged),
        counts=tuple(count_document(each, gold) for each in judged),
        vocabulary=linker.vocabulary.hash,
        known=share,
        spans="gold" if found is None else "predicted",
        split=split,
        notes=list(notes),
        n_resamples=n_resamples,
    )


def _link(
    linker: Linker, document: Document, found: Mapping[str, Document] | None, gold: GoldIdentifiers
) -> list[FoundMention] | None:
    if found is None:
        return None
    return find_mentions(linker.link(found[document.id], found[document.id].spans), gold)


def _find(
    documents: str | Path | Annotate | None, gold: Sequence[Document], label: str | None, *, repair: bool
) -> dict[str, Document] | None:
    """Return the documents with the mentions to link, by id."""
    if documents is None:
        return None
    if callable(documents):
        return _by_id(keep_label(documents([each.without_annotations() for each in gold]), label), gold, "the model")
    return _by_id(
        keep_label(read_documents(documents, options=ReadOptions(repair=repair)), label), gold, str(documents)
    )


def _seen_of(corpus: Corpus, split: str, label: str | None, gold: GoldIdentifiers, place: str | Path) -> Seen | None:
    """Return what the train split of the same corpus has; None if there is none, or it is scored itself."""
    if is_one_split(corpus_place(place)) or "train" not in corpus.splits or split == "train":
        return None
    return seen_in(keep_label(corpus.train, label), gold)


def _by_id(found: Iterable[Document], wanted: Sequence[Document], where: str) -> dict[str, Document]:
    """Return documents by id, after a check that they are those of the corpus."""
    by_id = {document.id: document for document in found}
    for document in wanted:
        other = by_id.get(document.id)
        if other is None:
            raise BadFile(f"{where}: has no document {document.id!r}", "give the documents of this split, annotated")
        if other.text != document.text:
            raise BadSetting(
                f"{where}: document {document.id!r} has another text than in the corpus",
                "annotate the documents of the corpus as they are; offsets are compared",
            )
    return by_id
