"""Reads the sources of a vocabulary, whose form is detected by content or named.

A reader is an object with these members, registered under its name or announced by another package as an entry point
of the group `linnet.vocabulary_reader`.
"""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Protocol

from linnet.errors import BadFile
from linnet.registry import Registry
from linnet.storage.files import check_path, open_bytes, read_head
from linnet.tasks.linking.vocabularies.concepts import Concept

__all__ = ["VocabularyReader", "detect_reader", "find_doubts", "read_start", "vocabulary_readers"]

HEAD_BYTES = 1 << 16
MOST_LINES = 400  # of the beginning that readers look at


class VocabularyReader(Protocol):
    """Reads one form of vocabulary files.

    A reader that can tell what looks like a mistake in a file has a method `find_doubts` too, which takes the concepts
    of the file and returns sentences.
    """

    name: str
    description: str  # what the file looks like

    def recognises(self, head: str) -> bool:
        """Does a file that begins like this have the form?"""

    def read(self, path: Path) -> Iterator[Concept]:
        """Yield the concepts of a file.

        Raises:
            BadFile: where the file is not as expected, with its line.
        """

    def version(self, head: str) -> str:
        """Return the version that a file that begins like this names, or an empty text."""


vocabulary_readers: Registry[VocabularyReader] = Registry(
    "vocabulary reader", home="linnet.tasks.linking.vocabularies.readers", contract=VocabularyReader
)


def read_start(path: Path) -> str:
    """Return the beginning of a text file, without a line that is cut off in the middle."""
    check_path(path)
    if path.is_dir():
        raise BadFile(f"{path}: is a folder, expected a file", "name the files of the vocabulary one by one")
    with open_bytes(path) as file:
        head = read_head(file, HEAD_BYTES)
    text = head.decode("utf-8-sig", "replace")
    whole = text.rpartition("\n")[0] + "\n" if len(head) == HEAD_BYTES and "\n" in text else text
    return "\n".join(whole.replace("\r\n", "\n").split("\n")[:MOST_LINES])


def detect_reader(path: Path, head: str) -> VocabularyReader:
    """Return the reader that recognises the beginning of a file.

    Raises:
        BadFile: if none or several do.
    """
    readers = [vocabulary_readers.get(name) for name in vocabulary_readers.names()]
    found = [reader for reader in readers if reader.recognises(head)]
    if len(found) == 1:
        return found[0]
    if found:
        names = ", ".join(reader.name for reader in found)
        raise BadFile(f"{path}: may be any of {names}", "name its form with `--from`")
    known = "\n  ".join(f"{reader.name}: {reader.description}" for reader in readers)
    first = next((line for line in head.split("\n") if line.strip()), "")[:80]
    raise BadFile(
        f"{path}: this is no form of vocabulary that is known; its first line is {first!r}; looked for\n  {known}",
        "name the form with `--from`, or make a table with a header `id<TAB>name<TAB>synonyms`",
    )


def find_doubts(reader: VocabularyReader, concepts: Sequence[Concept]) -> list[str]:
    """Return sentences about what looks like a mistake in the concepts of a file, if the reader can tell."""
    find = getattr(reader, "find_doubts", None)
    return [] if find is None else list(find(concepts))
