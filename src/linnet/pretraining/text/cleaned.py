"""How does raw text become cleaned sentences on disk, which are read as often as needed?

A folder holds `text.txt`, one sentence per line and a blank line behind each document, so that anybody can look at what
is learned from; `documents.npy`, a hash of each document's raw text; and `facts.json`, what was counted. It takes its
name when it is complete. One document is held in memory at a time.
"""

import json
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field
from functools import partial
from hashlib import blake2b
from pathlib import Path
from typing import Any, TextIO

import numpy as np

from linnet.contracts import Notes
from linnet.documents.sentences import split_sentences
from linnet.errors import BadFile
from linnet.pretraining.text.cleaning import Cleaner
from linnet.pretraining.text.exclusion import ExcludedSentences
from linnet.pretraining.text.load_or_build import load_or_build
from linnet.pretraining.text.sources import TextFile, read_texts
from linnet.storage.files import new_folder

__all__ = ["CleanedText", "Document", "SourceFacts", "TextWatcher", "clean_texts", "open_cleaned"]

TEXT, HASHES, FACTS = "text.txt", "documents.npy", "facts.json"
NOTHING_LEFT = "documents of which nothing was left"

TextWatcher = Callable[[str, int, int], None]  # what is being done, how many bytes of how many
HashArray = np.ndarray[tuple[int, ...], np.dtype[np.uint64]]


@dataclass
class SourceFacts:
    """What a source gave: files and documents as read, words as kept."""

    files: int = 0
    documents: int = 0
    words: int = 0


@dataclass
class CleaningFacts:
    """What was read, kept and left out."""

    sources: dict[str, SourceFacts] = field(default_factory=dict)
    n_lines: int = 0
    n_documents: int = 0  # kept
    n_sentences: int = 0
    n_words: int = 0  # between white space
    cleaned: dict[str, int] = field(default_factory=dict)  # by rule
    excluded: dict[str, int] = field(default_factory=dict)  # sentences by corpus
    notes: dict[str, int] = field(default_factory=dict)  # of the readers
    n_bytes: int = 0  # of the text as it was written


@dataclass(frozen=True, slots=True)
class Document:
    """The sentences of a document, and where it ends in the file."""

    sentences: list[str]
    end: int  # bytes


@dataclass(frozen=True)
class CleanedText:
    """Cleaned text on disk."""

    folder: Path
    hashes: HashArray  # of the documents' raw texts
    facts: CleaningFacts

    @property
    def n_bytes(self) -> int:
        """The size of the text."""
        return (self.folder / TEXT).stat().st_size

    def documents(self, start: int = 0) -> Iterator[Document]:
        """Stream the documents from this byte on, where one must begin."""
        sentences: list[str] = []
        with (self.folder / TEXT).open("rb") as file:
            file.seek(start)
            for line in file:
                start += len(line)
                if line == b"\n":
                    yield Document(sentences, start)
                    sentences = []
                else:
                    sentences.append(line[:-1].decode("utf-8"))


def open_cleaned(folder: Path) -> CleanedText | None:
    """Return the cleaned text of this folder; None where there is none, or not all of it."""
    try:
        facts: dict[str, Any] = json.loads((folder / FACTS).read_text(encoding="utf-8"))
        facts["sources"] = {name: SourceFacts(**counts) for name, counts in facts["sources"].items()}
        found = CleanedText(folder, np.load(folder / HASHES), CleaningFacts(**facts))
        is_whole = found.n_bytes == found.facts.n_bytes and len(found.hashes) == found.facts.n_documents
    except (OSError, ValueError, TypeError, KeyError, AttributeError, EOFError):
        return None  # what is not whole, or was changed by hand, is made anew
    return found if is_whole else None


def clean_texts(
    files: Sequence[TextFile],
    folder: Path,
    *,
    cleaner: Cleaner,
    excluded: ExcludedSentences,
    notes: Notes,
    watcher: TextWatcher | None = None,
) -> CleanedText:
    """Return the cleaned text of all files, which stands in the folder already, or is put there.

    Raises:
        BadFile: where nothing is left of the text, another process is at work beside the folder, or it cannot be
            written; nothing half done is kept then.
    """
    make = partial(_build, files, folder, cleaner, excluded, notes, watcher)
    return load_or_build(folder, open_cleaned, make)


def _build(
    files: Sequence[TextFile],
    folder: Path,
    cleaner: Cleaner,
    excluded: ExcludedSentences,
    notes: Notes,
    watcher: TextWatcher | None,
) -> CleanedText:
    facts, hashes = CleaningFacts(), []
    with new_folder(folder, overwrite=True) as part:
        with _open_for_writing(part / TEXT) as text:
            for raw, source in _read_documents(files, facts, notes, watcher):
                # lines first: where one goes on in lower case, two lines may become one sentence
                sentences = excluded.remove_from(_split_into_sentences(excluded.remove_from(cleaner.clean(raw))))
                if not sentences:
                    cleaner.counts[NOTHING_LEFT] += 1
                    continue
                text.write("\n".join(sentences) + "\n\n")
                hashes.append(_hash(raw))
                facts.n_documents += 1
                facts.n_sentences += len(sentences)
                source.words += sum(len(sentence.split()) for sentence in sentences)
        facts.n_lines, facts.cleaned = cleaner.n_lines, dict(sorted(cleaner.counts.items()))
        facts.excluded, facts.notes = dict(excluded.n_found), dict(notes.counts)
        facts.n_words = sum(source.words for source in facts.sources.values())
        facts.n_bytes = (part / TEXT).stat().st_size
        _refuse_empty_text(facts)
        np.save(part / HASHES, np.array(hashes, np.uint64))
        (part / FACTS).write_text(json.dumps(asdict(facts), indent=1), encoding="utf-8")
    return CleanedText(folder, np.array(hashes, np.uint64), facts)


@contextmanager
def _open_for_writing(path: Path) -> Iterator[TextIO]:
    with path.open("w", encoding="utf-8", newline="\n", buffering=1 << 20) as file:
        yield file


def _read_documents(
    files: Sequence[TextFile], facts: CleaningFacts, notes: Notes, watcher: TextWatcher | None
) -> Iterator[tuple[list[str], SourceFacts]]:
    """Yield the lines of every document, with its source, telling the watcher how far it is."""
    n_all, n_before = sum(file.n_bytes for file in files), 0
    for file in files:
        source = facts.sources.setdefault(file.source, SourceFacts())
        source.files += file.n_files
        n_read = 0
        for lines in read_texts(file, notes):
            source.documents += 1
            yield lines, source
            n_read += sum(map(len, lines)) + len(lines)  # characters: near enough
            if watcher:
                watcher("cleaning", n_before + min(n_read, file.n_bytes), n_all)
        n_before += file.n_bytes
        if watcher:
            watcher("cleaning", n_before, n_all)


def _split_into_sentences(lines: Sequence[str]) -> list[str]:
    """Return the sentences of a document; a line that goes on in lower case is part of the one before."""
    text = "\n".join(lines)
    return [" ".join(text[start:end].split("\n")) for start, end in split_sentences(text)]


def _hash(lines: Sequence[str]) -> int:
    return int.from_bytes(blake2b("\n".join(lines).encode(), digest_size=8).digest(), "little")


def _refuse_empty_text(facts: CleaningFacts) -> None:
    if facts.n_documents:
        return
    counted = Counter(facts.cleaned) + Counter({f"sentences of {name}": n for name, n in facts.excluded.items()})
    found = "; ".join(f"{what}: {number:,}" for what, number in counted.items())
    raise BadFile(
        f"{', '.join(facts.sources)}: nothing is left of the text after cleaning. Left out: {found or 'nothing'}",
        "give more text, or switch off the rule that takes most (`[cleaning]`)",
    )
