"""Folders of named corpora in the cache."""

import re
from pathlib import Path, PurePosixPath

from linnet.corpora.table import KnownCorpus, find_known, known_corpora
from linnet.errors import BadFile
from linnet.storage.files import cache_folder

__all__ = ["cached_folder", "how_to_get", "is_here", "is_known_name", "known_place", "require_mentions"]

MOST_LISTED = 10  # files in a message
NAME = re.compile(r"[a-z0-9]+(?:-[a-z0-9]+)*")


def cached_folder(name: str) -> Path:
    """Return the folder of a corpus in the cache; it need not exist."""
    return cache_folder() / "corpora" / name


def known_place(path: str | Path) -> Path | None:
    """Return the folder of the corpus of this name, or a path inside it (`gad-folds/1`).

    None if it is not a known name, or if the working directory has a file or folder of this name, which comes first.

    Raises:
        BadFile: if the corpus is not on this machine; nothing is downloaded here.
    """
    if not is_known_name(path):
        return None
    parts = PurePosixPath(path).parts
    corpus = find_known(parts[0])
    folder = cached_folder(corpus.name)
    if not folder.is_dir():
        raise BadFile(
            f"{path}: there is no such file or folder, and the corpus {corpus.name!r} is not in the cache ({folder})",
            how_to_get(corpus),
        )
    missing = [file.name for file in corpus.files if not (folder / file.name).is_file()]
    if missing:
        raise BadFile(
            f"{folder}: the corpus {corpus.name!r} is not complete; missing {', '.join(missing[:4])}",
            how_to_get(corpus),
        )
    place = folder.joinpath(*parts[1:])
    if not place.exists():
        raise BadFile(
            f"{path}: the corpus {corpus.name!r} has no such file or folder",
            f"take the whole corpus, {corpus.name}, or one of {_list_beside(place, folder.parent)}",
        )
    return place


def _list_beside(place: Path, root: Path) -> str:
    """Return what the nearest folder above a place that is not there has, by paths below the root."""
    folder = next(each for each in place.parents if each.is_dir())
    paths = sorted(entry.relative_to(root).as_posix() for entry in folder.iterdir())
    more = f" and {len(paths) - MOST_LISTED:,} more" if len(paths) > MOST_LISTED else ""
    return f"{', '.join(paths[:MOST_LISTED])}{more}"


def is_known_name(path: str | Path) -> bool:
    """Is this the name of a known corpus, or a path inside it? It need not be on this machine."""
    parts = PurePosixPath(path).parts
    if not parts or not NAME.fullmatch(parts[0]) or ".." in parts or _exists(path):
        return False
    return parts[0] in known_corpora()  # last, because reading the table takes longest


def require_mentions(path: str | Path) -> None:
    """Refuse the name of a corpus that holds examples of a task instead of documents with mentions.

    Raises:
        BadFile: with the task of the corpus.
    """
    name = str(path)
    if not NAME.fullmatch(name) or _exists(path) or name not in known_corpora():
        return
    corpus = find_known(name)
    if not corpus.has_mentions:
        raise BadFile(
            f"{name}: this corpus is for the task {corpus.task!r}; it has texts with answers, no mentions to read",
            f"train on it with `linnet train --task {corpus.task} --data {name}`; "
            f"`linnet corpus check {name}` counts it",
        )


def is_here(corpus: KnownCorpus) -> bool:
    """Is the corpus in the cache, with all files of the table? Their content is not checked."""
    folder = cached_folder(corpus.name)
    return folder.is_dir() and all((folder / file.name).is_file() for file in corpus.files)


def how_to_get(corpus: KnownCorpus) -> str:
    """Return how to get a corpus: the command, or the instructions of its owners."""
    if corpus.can_be_fetched:
        return f"`linnet corpus get {corpus.name}`, or name your own folder"
    return corpus.by_hand.format(folder=cached_folder(corpus.name))


def _exists(path: str | Path) -> bool:
    """Is there a file or folder of this name? A name that the system cannot access counts as one."""
    try:
        return Path(path).exists()
    except (OSError, ValueError):
        return True
