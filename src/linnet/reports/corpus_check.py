"""Checks the files and counts of a known corpus against the table of corpora."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from linnet.contracts import tasks
from linnet.corpora.digests import FileState, file_states
from linnet.corpora.documents import sentence_documents
from linnet.corpora.places import cached_folder, how_to_get
from linnet.corpora.table import KnownCorpus, find_known
from linnet.documents.counted import counted_units
from linnet.errors import BadFile, LinnetError

__all__ = ["CheckedCorpus", "check_corpus"]

Counts = Mapping[str, int]


@dataclass(frozen=True)
class CheckedCorpus:
    """The files and counts of a corpus on this machine, and its entry in the table."""

    corpus: KnownCorpus
    folder: Path
    files: Mapping[str, FileState]
    splits: Mapping[str, Counts]
    unreadable: LinnetError | None = None  # why the splits could not be counted

    @property
    def problems(self) -> list[str]:
        """The differences from the table; empty if there are none."""
        return list(self._problems())

    @property
    def remedy(self) -> str:
        """How to correct the problems."""
        if not self.corpus.can_be_fetched:
            return self.unreadable.remedy if self.unreadable else how_to_get(self.corpus)
        return f"remove {self.folder} and run `linnet corpus get {self.corpus.name}`"

    def as_dict(self) -> dict[str, Any]:
        """Return plain values for JSON; `ok` of a split is null if the table has no counts of it."""
        return {
            "name": self.corpus.name,
            "folder": str(self.folder),
            "ok": not self.problems,
            "files": {name: {"sha256": state.sha256, "ok": state.ok} for name, state in self.files.items()},
            "splits": {name: self._split(name, counts) for name, counts in self.splits.items()},
            "licence": self.corpus.licence,
            "citation": self.corpus.citation,
            "source": self.corpus.source,
            "problems": self.problems,
        }

    def _split(self, name: str, counts: Counts) -> dict[str, Any]:
        expected = self.corpus.splits.get(name)
        n_known = len(sentence_documents(self.corpus.name, name))
        return {
            **counts,
            **({"from_documents": n_known} if n_known else {}),
            "ok": None if expected is None else dict(counts) == dict(expected),
            "expected": expected,
        }

    def _problems(self) -> Iterator[str]:
        for name, state in self.files.items():
            if not state.ok:
                yield f"{self.folder / name}: {'is missing' if state.sha256 is None else 'is another file'}"
        if self.unreadable is not None:
            if self.files:  # a corpus got by hand may need a recipe to name the file of each split
                yield self.unreadable.problem
            return
        for name, expected in self.corpus.splits.items():
            counts = self.splits.get(name)
            if counts is None:
                yield f"{self.folder}: has no split {name!r}"
            elif dict(counts) != dict(expected):
                found, wanted = _list_counts(counts), _list_counts(expected)
                yield f"{self.folder}: the split {name!r} holds {found}, expected {wanted}"


def check_corpus(name: str, folder: Path | None = None) -> CheckedCorpus:
    """Check a corpus in the cache, or in a folder.

    Raises:
        UnknownName: if the table does not have it.
        BadFile: if the folder does not exist.
    """
    corpus = find_known(name)
    place = folder or cached_folder(name)
    if not place.is_dir():
        raise BadFile(f"{place}: there is no such folder, so the corpus {name!r} is not here", how_to_get(corpus))
    states = file_states(corpus, place)
    try:
        splits = _count_splits(corpus, place)
    except LinnetError as problem:
        return CheckedCorpus(corpus=corpus, folder=place, files=states, splits={}, unreadable=problem)
    return CheckedCorpus(corpus=corpus, folder=place, files=states, splits=splits)


def _count_splits(corpus: KnownCorpus, folder: Path) -> dict[str, Counts]:
    """Return the counts of each split, as the task of the corpus counts; the splits of folds are called `1/train`."""
    task = tasks.get(corpus.task)
    splits: dict[str, Counts] = {}
    for inner in dict.fromkeys("".join(file.name.rpartition("/")[:2]) for file in corpus.files) or [""]:
        counted = task.count(folder / inner, label=corpus.label or None, repair=corpus.repair)
        splits |= {f"{inner}{name}": counts for name, counts in counted.items()}
    return splits


def _list_counts(counts: Counts) -> str:
    return ", ".join(counted_units(number, kind) for kind, number in counts.items())
