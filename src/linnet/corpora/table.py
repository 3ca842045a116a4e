"""Table of known corpora.

`corpora.toml` beside this file has an entry for each: addresses at a pinned commit, digests, licence, citation and
counts. Some corpora may not be redistributed; their entries say where to apply for them.
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
    """A file of a corpus, with its size and digest."""

    name: str  # in the folder of the corpus, with `/` between folders
    path: str = ""  # in the repository; empty if the file is made from another corpus
    bytes: int | None = None  # None if only git's id is known
    sha256: str = ""
    git_blob: str = ""  # git's id of the content, if SHA-256 is not known


@dataclass(frozen=True)
class KnownCorpus:
    """The entry of a corpus in the table."""

    name: str
    what: str
    task: str
    licence: str
    citation: str
    holds: str = DOCUMENTS  # documents with mentions, or examples of the task
    repository: str = ""  # owner/name on GitHub; empty if nothing may be downloaded
    commit: str = ""
    files: tuple[CorpusFile, ...] = ()
    derived_from: str = ""  # another corpus of the table
    keep_labels: tuple[str, ...] = ()  # the labels that are kept of that corpus
    by_hand: str = ""  # where to apply for the files, and where to put them: `{folder}`
    splits: Mapping[str, Counts] = field(default_factory=dict)  # the counts that a reader must find
    documents: Counts = field(default_factory=dict)  # as the authors state, for files that hold sentences only
    sentences_of: str = ""  # a corpus with the same sentences and other tags
    note: str = ""
    repair: bool = False  # must it be read with `--repair`?
    label: str = ""  # the entity type of bare tags

    @property
    def has_mentions(self) -> bool:
        """Does the corpus hold documents with mentions, not examples of a task?"""
        return self.holds == DOCUMENTS

    @property
    def can_be_fetched(self) -> bool:
        """Can `linnet corpus get` download it?"""
        return bool(self.files)

    @property
    def source(self) -> str:
        """The source of the files, for lists."""
        if self.derived_from:
            return f"made from {self.derived_from}"
        return f"{WEB}/{self.repository}/tree/{self.commit}" if self.repository else "by hand"


def find_known(name: str) -> KnownCorpus:
    """Return the entry of this name.

    Raises:
        UnknownName: with the nearest known name.
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
    return {name: _parse_entry(name, values) for name, values in tomllib.loads(text).items()}


def _parse_entry(name: str, values: dict[str, Any]) -> KnownCorpus:  # Any: TOML values
    fields = dict(values)
    fields["files"] = tuple(CorpusFile(**file) for file in fields.get("files", ()))
    fields["keep_labels"] = tuple(fields.get("keep_labels", ()))
    return KnownCorpus(name=name, **fields)
