"""Comparison of two files of one split: whether they hold the same words and mentions.

Two files of tagged words agree if they have the same words with the same tags in the same order. Sentence boundaries
may differ, and invisible words (control characters, U+FFFD) may be missing in one: the preprocessing script of BioBERT
and WeLT splits long sentences and drops such words. All other files agree if they have the same documents by id, with
the same text apart from white space, and the same mentions: label and characters.
"""

import unicodedata
from collections.abc import Iterator
from hashlib import blake2b
from itertools import zip_longest
from pathlib import Path
from typing import NamedTuple

from linnet.contracts import Format, Notes, ReadOptions
from linnet.documents.document import Document
from linnet.errors import LinnetError
from linnet.formats.rows import read_tagged
from linnet.storage.sources import read_stored

__all__ = ["find_difference"]

ROWS = "conll"
REPLACEMENT = "\ufffd"  # dropped by tokenizers like control characters


class _Word(NamedTuple):
    word: str
    tag: str
    place: str

    def __str__(self) -> str:
        return f"{self.word!r} {self.tag} ({self.place})"


def find_difference(first: Path, second: Path, kinds: tuple[Format, Format], options: ReadOptions) -> str | None:
    """Return the first difference between two files of one split, or None if they agree.

    Args:
        first: a file, or a folder of documents.
        second: another one.
        kinds: their formats.
        options: for both readers.

    Raises:
        LinnetError: if one of two files of documents cannot be read whole.
    """
    if not first.is_dir() and not second.is_dir() and read_stored(first) == read_stored(second):
        return None
    if {kind.name for kind in kinds} != {ROWS}:
        return _compare_documents(first, second, kinds, options)
    found = _compare_rows(first, second, options)
    if found is not None:  # the same mentions may be written in another tagging
        try:
            return found if _compare_documents(first, second, kinds, options) else None
        except LinnetError:
            return found
    return None


def _compare_rows(first: Path, second: Path, options: ReadOptions) -> str | None:
    for ours, theirs in zip_longest(_read_words(first, options), _read_words(second, options)):
        if ours is None or theirs is None:
            longer, shorter = (theirs, first) if ours is None else (ours, second)
            return f"{shorter.name} has no more words where the other one has {longer}"
        if ours[:2] != theirs[:2]:
            return f"{ours} is {theirs} in the other one"
    return None


def _read_words(path: Path, options: ReadOptions) -> Iterator[_Word]:
    for sentence in read_tagged(path, options):
        for number, (word, tag) in enumerate(zip(sentence.words, sentence.tags, strict=True), sentence.line):
            if not all(_is_invisible(character) for character in word):
                yield _Word(word, tag, f"{path.name}:{number}")


def _is_invisible(character: str) -> bool:
    return character == REPLACEMENT or character.isspace() or unicodedata.category(character).startswith("C")


def _compare_documents(first: Path, second: Path, kinds: tuple[Format, Format], options: ReadOptions) -> str | None:
    # sentences in rows have no ids of their own, only numbers after the name of the file
    are_rows = {kind.name for kind in kinds} == {ROWS}
    ours, theirs = (
        {
            str(number) if are_rows else document.id: _digest_document(document)
            for number, document in enumerate(kind.read(path, options, Notes()))
        }
        for path, kind in zip((first, second), kinds, strict=True)
    )
    for name in (*ours, *theirs):
        if name not in theirs or name not in ours:
            lacking = second if name in ours else first
            return f"{lacking.name} has no document {name!r}"
        for at, what in enumerate(("text", "mentions")):
            if ours[name][at] != theirs[name][at]:
                return f"the document {name!r} has other {what} in each"
    return None


def _digest_document(document: Document) -> tuple[bytes, bytes]:
    """Return a digest of the text and one of the mentions, both without white space."""
    text = document.text
    position = [0]  # of each character, counted without white space
    for character in text:
        position.append(position[-1] + (not character.isspace()))
    mentions = sorted(
        (span.label, [(position[start], position[end]) for start, end in span.stretches]) for span in document.spans
    )
    return _digest("".join(text.split())), _digest(repr(mentions))


def _digest(content: str) -> bytes:
    return blake2b(content.encode("utf-8", "surrogatepass"), digest_size=16).digest()
