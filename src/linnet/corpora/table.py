"""The table of corpora that are known by name.

`corpora.toml` beside this file has an entry for each: addresses at a pinned commit, digests, licence, citation and
counts. Some corpora may not be passed on; their entries say who gives them out.
"""

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from difflib import get_close_matches
from functools import cache
from importlib.resources import files
from typing import Any

from linnet.errors import UnknownName

__all__ = ["DOCUMENTS", "EXAMPLES", "CorpusFile", "KnownCorpus", "find_known", "known_corpora"]

TABLE = "corpora.toml"
DOCUMENTS, EXAMPLES = "documents", "examples"  # the values of `holds`
WEB = "https://github.com"

Counts = Mapping[str, int]  # documents, sentences, mentions or examples


@dataclass(frozen=True)
class CorpusFile:
    """One file of a corpus, as it must be on this machine."""

    name: str  # in the corpus's folder, with `/` between folders
    path: str = ""  # in the repository; none where it is made from another corpus
    bytes: int | None = None  # None where only git's id is known
    sha256: str = ""
    git_blob: str = ""  # git's id of the content, where SHA-256 is not known


@dataclass(frozen=True)
class KnownCorpus:
    """What the table says of a corpus."""

    name: str
    what: str
    task: str
    licence: str
    citation: str
    holds: str = DOCUMENTS  # documents with mentions, or examples of the task
    repository: str = ""  # owner/name on GitHub; none where nothing may be downloaded
    commit: str = ""
    files: tuple[CorpusFile, ...] = ()
    derived_from: str = ""  # another corpus of the table
    keep_labels: tuple[str, ...] = ()  # the labels of that corpus which this one has
    by_hand: str = ""  # who gives the files out and where they are put: `{folder}`
    splits: Mapping[str, Counts] = field(default_factory=dict)  # what a reader must count
    documents: Counts = field(default_factory=dict)  # by the authors, of corpora that are files of sentences
    sentences_of: str = ""  # a corpus with the same sentences, tagged otherwise
    note: str = ""
    repair: bool = False  # must it be read with `--repair`?
    label: str = ""  # what bare tags mark

    @property
    def has_mentions(self) -> bool:
        """Does the corpus hold documents with mentions, not examples of a task?"""
        return self.holds == DOCUMENTS

    @property
    def can_be_fetched(self) -> bool:
        """May `linnet corpus get` bring it?"""
        return bool(self.files)

    @property
    def source(self) -> str:
        """Where the files come from, to be shown."""
        if self.derived_from:
            return f"made from {self.derived_from}"
        return f"{WEB}/{self.repository}/tree/{self.commit}" if self.repository else "by hand"


def find_known(name: str) -> KnownCorpus:
    """Return the entry of a name.

    Raises:
        UnknownName: with the nearest name.
    """
    table = known_corpora()
    if name not in table:
        near = get_close_matches(name.lower(), table, n=1)
        hint = f"did you mean {near[0]!r}? " if near else ""
        raise UnknownName(f"there is no corpus called {name!r}", f"{hint}`linnet corpus list` prints all names")
    return table[name]


@cache
def known_corpora() -> Mapping[str, KnownCorpus]:
    """Return all entries by name, in the order of the table."""
    text = (files("linnet.corpora") / TABLE).read_text(encoding="utf-8")
    return {name: _entry(name, values) for name, values in tomllib.loads(text).items()}


def _entry(name: str, values: dict[str, Any]) -> KnownCorpus:  # Any: whatever TOML holds
    found = dict(values)
    found["files"] = tuple(CorpusFile(**each) for each in found.get("files", ()))
    found["keep_labels"] = tuple(found.get("keep_labels", ()))
    return KnownCorpus(name, **found)
