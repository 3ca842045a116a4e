"""Comparison of corpus files with the SHA-256 digests of the table."""

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from linnet.corpora.table import CorpusFile, KnownCorpus
from linnet.errors import BadFile

__all__ = ["FileState", "file_states", "is_whole", "state_of"]

CHUNK = 1 << 20


@dataclass(frozen=True)
class FileState:
    """The state of a corpus file on this machine."""

    sha256: str | None  # None if the file is missing
    ok: bool  # is it the file of the table?


def file_states(corpus: KnownCorpus, folder: Path) -> Mapping[str, FileState]:
    """Return the state of every file of a corpus by its name."""
    return {file.name: state_of(folder / file.name, file) for file in corpus.files}


def is_whole(corpus: KnownCorpus, folder: Path) -> bool:
    """Does the folder hold every file of the corpus, each with its digest of the table?"""
    return all(state.ok for state in file_states(corpus, folder).values())


def state_of(path: Path, expected: CorpusFile) -> FileState:
    """Return the SHA-256 of a file and whether it is the expected file, by SHA-256 or by git's id.

    Raises:
        BadFile: if the file exists and cannot be read.
    """
    if not path.is_file():
        return FileState(None, False)
    sha256, git_blob = hashlib.sha256(), hashlib.sha1(usedforsecurity=False)  # git uses SHA-1
    try:
        git_blob.update(b"blob %d\0" % path.stat().st_size)
        with path.open("rb") as file:
            while chunk := file.read(CHUNK):
                sha256.update(chunk)
                git_blob.update(chunk)
    except OSError as error:
        raise BadFile(f"{path}: cannot be read ({error.strerror})", "check the permissions") from None
    found = sha256.hexdigest()
    is_same = found == expected.sha256 if expected.sha256 else git_blob.hexdigest() == expected.git_blob
    return FileState(found, is_same)
