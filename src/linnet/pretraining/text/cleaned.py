"""Cleaned text on disk: sentences that are written once and read as often as needed.

A folder holds `text.txt`, one sentence per line and a blank line after each document, which is easy to inspect;
`documents.npy`, a hash of each document's raw text; and `facts.json`, the counts. The folder gets its name when it is
complete. One document is in memory at a time.
"""

import json
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field
from functools import partial
from pathlib import Path
from typing import Any, TextIO

import numpy as np

from linnet.contracts import Notes
from linnet.documents.sentences import split_sentences
from linnet.errors import BadFile
from linnet.pretraining.text.cleaning import Cleaner
from linnet.pretraining.text.exclusion import ExcludedSentences
from linnet.pretraining.text.hashing import hash_64_bits
from linnet.pretraining.text.load_or_build import load_or_build
from linnet.pretraining.text.sources import TextFile, read_texts
from linnet.storage.files import new_folder
from linnet.storage.json_keys import load_json

__all__ = ["CleanedDocument", "CleanedText", "SourceFacts", "TextWatcher", "clean_texts", "open_cleaned"]

TEXT, HASHES, FACTS = "text.txt", "documents.npy", "facts.json"
NOTHING_LEFT = "documents of which nothing was left"

TextWatcher = Callable[[str, int, int], None]  # called with the current stage, the bytes done, and all bytes
HashArray = np.ndarray[tuple[int, ...], np.dtype[np.uint64]]


@dataclass
class SourceFacts:
    """Counts of one source: files and documents read, words kept."""

    files: int = 0
    documents: int = 0
    words: int = 0


@dataclass
class CleaningFacts:
    """Counts of what was read, kept and removed."""

    sources: dict[str, SourceFacts] = field(default_factory=dict)
    n_lines: int = 0
    n_documents: int = 0  # kept
    n_sentences: int = 0
    n_words: int = 0  # separated by white space
    cleaned: dict[str, int] = field(default_factory=dict)  # by rule
    excluded: dict[str, int] = field(default_factory=dict)  # sentences by corpus
    notes: dict[str, int] = field(default_factory=dict)  # by the readers
    n_bytes: int = 0  # of the written text


@dataclass(frozen=True, slots=True)
class CleanedDocument:
    """The sentences of a document, and where it ends in the file."""

    sentences: list[str]
    end: int  # bytes


@dataclass(frozen=True)
class CleanedText:
    """Cleaned text on disk."""

    folder: Path
    hashes: HashArray  # of each document's raw text
    facts: CleaningFacts

    @property
    def n_bytes(self) -> int:
        """Size of the text file."""
        return (self.folder / TEXT).stat().st_size

    def documents(self, start: int = 0) -> Iterator[CleanedDocument]:
        """Stream the documents from a byte offset on, at which a document must begin."""
        sentences: list[str] = []
        with (self.folder / TEXT).open("rb") as file:
            file.seek(start)
            for line in file:
                start += len(line)
                if line == b"\n":
                    yield CleanedDocument(sentences, start)
                    sentences = []
                else:
                    sentences.append(line[:-1].decode("utf-8"))


def open_cleaned(folder: Path) -> CleanedText | None:
    """Return the cleaned text of a folder; None if it is missing or incomplete."""
    try:
        facts: dict[str, Any] = load_json((folder / FACTS).read_text(encoding="utf-8"))
        facts["sources"] = {name: SourceFacts(**counts) for name, counts in facts["sources"].items()}
        text = CleanedText(folder, np.load(folder / HASHES), CleaningFacts(**facts))
        is_complete = text.n_bytes == text.facts.n_bytes and len(text.hashes) == text.facts.n_documents
    except (OSError, ValueError, TypeError, KeyError, AttributeError, EOFError):
        return None  # incomplete or edited by hand: it is built again
    return text if is_complete else None


def clean_texts(
    files: Sequence[TextFile],
    folder: Path,
    *,
    cleaner: Cleaner,
    excluded: ExcludedSentences,
    notes: Notes,
    watcher: TextWatcher | None = None,
) -> CleanedText:
    """Return the cleaned text of all files, loaded from the folder or built there.

    Raises:
        BadFile: if nothing is left of the text, another process works beside the folder, or it cannot be written;
            nothing incomplete is kept.
    """
    build = partial(_build, files, folder, cleaner, excluded, notes, watcher)
    return load_or_build(folder, open_cleaned, build)


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
                # lines first: two lines become one sentence if the second begins in lower case
                sentences = excluded.remove_from(_split_into_sentences(excluded.remove_from(cleaner.clean(raw))))
                if not sentences:
                    cleaner.counts[NOTHING_LEFT] += 1
                    continue
                text.write("\n".join(sentences) + "\n\n")
                hashes.append(hash_64_bits("\n".join(raw).encode()))
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
    """Yield the lines of every document with the facts of its source, and report progress."""
    n_all, n_before = sum(file.n_bytes for file in files), 0
    for file in files:
        source = facts.sources.setdefault(file.source, SourceFacts())
        source.files += file.n_files
        n_read = 0
        for lines in read_texts(file, notes):
            source.documents += 1
            yield lines, source
            n_read += sum(map(len, lines)) + len(lines)  # characters, which is close enough to bytes
            if watcher:
                watcher("cleaning", n_before + min(n_read, file.n_bytes), n_all)
        n_before += file.n_bytes
        if watcher:
            watcher("cleaning", n_before, n_all)


def _split_into_sentences(lines: Sequence[str]) -> list[str]:
    """Return the sentences of a document; a line that begins in lower case continues the line before."""
    text = "\n".join(lines)
    return [" ".join(text[start:end].split("\n")) for start, end in split_sentences(text)]


def _refuse_empty_text(facts: CleaningFacts) -> None:
    if facts.n_documents:
        return
    removed = Counter(facts.cleaned) + Counter({f"sentences of {name}": n for name, n in facts.excluded.items()})
    listed = "; ".join(f"{rule}: {number:,}" for rule, number in removed.items())
    raise BadFile(
        f"{', '.join(facts.sources)}: nothing is left of the text after cleaning. Removed: {listed or 'nothing'}",
        "give more text, or switch off the rule that removes most (`[cleaning]`)",
    )
