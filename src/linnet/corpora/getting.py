"""Download and installation of a corpus: complete and checked, or not at all.

Files are downloaded into a folder beside the final one, compared with the digests of the table, and moved to the final
folder in one step. If two processes fetch the same corpus, the later one uses the copy of the first.
"""

import shutil
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

from linnet.corpora.derived import write_derived
from linnet.corpora.digests import is_whole, state_of
from linnet.corpora.download import Progress, address_of, download, mirror
from linnet.corpora.places import cached_folder
from linnet.corpora.table import CorpusFile, KnownCorpus, find_known
from linnet.errors import BadFile, LinnetError
from linnet.storage.durable import rename_durably
from linnet.storage.removal import remove_remains

__all__ = ["FetchedCorpus", "get_corpus"]

MOST_SHOWN = 6  # addresses in a message
OLD_SECONDS = 3600  # after which an unfinished download counts as killed


@dataclass(frozen=True)
class FetchedCorpus:
    """A corpus on this machine, its folder, and whether it was downloaded just now."""

    corpus: KnownCorpus
    folder: Path
    is_new: bool


def get_corpus(name: str, to: Path | None = None, progress: Progress = lambda *_: None) -> FetchedCorpus:
    """Fetch a corpus into the cache, or into a folder, unless it is there already.

    Args:
        name: in the table.
        to: the folder of the corpus; by default in the cache.
        progress: called for each file as it grows.

    Raises:
        UnknownName: if it is not in the table.
        BadFile: if it may not be downloaded, cannot be fetched or written, or differs from the table.
    """
    corpus = find_known(name)
    folder = to.absolute() if to else cached_folder(name)
    if not corpus.can_be_fetched:
        raise BadFile(
            f"{name}: this corpus is not downloaded ({corpus.licence})",
            corpus.by_hand.format(folder=cached_folder(name)),
        )
    with _report_system_errors(folder):
        if folder.is_dir() and is_whole(corpus, folder):
            return FetchedCorpus(corpus, folder, is_new=False)
        _refuse_other_content(corpus, folder, is_cache=to is None)
    source = get_corpus(corpus.derived_from, progress=progress).folder if corpus.derived_from else None
    with _report_system_errors(folder):
        _fill(corpus, folder, source, progress)
    return FetchedCorpus(corpus, folder, is_new=True)


def _refuse_other_content(corpus: KnownCorpus, folder: Path, *, is_cache: bool) -> None:
    """Refuse to replace other files: only a damaged copy in the cache is replaced."""
    if folder.is_file():
        raise BadFile(f"{folder}: is a file", "name a folder")
    if not folder.is_dir():
        return
    ours = {folder / file.name for file in corpus.files}
    others = [path for path in folder.rglob("*") if path.is_file() and path not in ours]
    if others or (not is_cache and any(folder.iterdir())):
        what = f"holds {others[0].name}, which is not of this corpus" if others else "holds another state of it"
        raise BadFile(f"{folder}: {what}, so it is not replaced", "remove the folder, or name another one with `--to`")


def _fill(corpus: KnownCorpus, folder: Path, source: Path | None, progress: Progress) -> None:
    folder.parent.mkdir(parents=True, exist_ok=True)
    _remove_old_parts(folder)
    part = Path(tempfile.mkdtemp(prefix=f".{folder.name}.", suffix=".part", dir=folder.parent))
    try:
        part.chmod(0o755)  # mkdtemp creates a private folder
        for file in corpus.files:
            target = part / file.name
            target.parent.mkdir(parents=True, exist_ok=True)
            if source is not None:
                write_derived(source / file.name, target, corpus.keep_labels)
            elif not _copy_cached(corpus, file, target):
                _fetch(corpus, file, target, progress)
            _check_digest(corpus, file, target)
        _install(corpus, part, folder)
    finally:
        remove_remains(part)


def _remove_old_parts(folder: Path) -> None:
    """Remove the folders of killed downloads of this corpus; running downloads are younger."""
    for part in folder.parent.glob(f".{folder.name}.*.part"):
        with suppress(OSError):  # another process may be removing it
            if time.time() - part.stat().st_mtime > OLD_SECONDS:
                remove_remains(part)


def _copy_cached(corpus: KnownCorpus, file: CorpusFile, target: Path) -> bool:
    """Copy a file from the cache if it is there, and return whether it is."""
    cached = cached_folder(corpus.name) / file.name
    if not state_of(cached, file).ok:
        return False
    shutil.copyfile(cached, target)
    return True


def _fetch(corpus: KnownCorpus, file: CorpusFile, target: Path, progress: Progress) -> None:
    try:
        download(address_of(corpus, file, mirror()), target, file, progress)
    except BadFile as error:
        raise BadFile(
            error.problem, f"{error.remedy} and run it again, or {_explain_manual_download(corpus)}"
        ) from None


def _check_digest(corpus: KnownCorpus, file: CorpusFile, path: Path) -> None:
    found = state_of(path, file)
    if not found.ok:
        expected = f"SHA-256 {file.sha256}" if file.sha256 else f"git's id {file.git_blob}"
        raise BadFile(
            f"{corpus.name}: {file.name} is not the file that Linnet knows: {path.stat().st_size:,} bytes, "
            f"SHA-256 {found.sha256}, expected {expected}",
            "look whether a proxy or a mirror answers instead of the source and run it again, "
            f"or {_explain_manual_download(corpus)}",
        )


def _explain_manual_download(corpus: KnownCorpus) -> str:
    """Return which files to bring from another machine, and where to put them."""
    folder = cached_folder(corpus.name)
    lines = [f"\n    {address_of(corpus, file)}\n      as {folder / file.name}" for file in corpus.files[:MOST_SHOWN]]
    if len(corpus.files) > MOST_SHOWN:
        lines.append(f"\n    and {len(corpus.files) - MOST_SHOWN} more: `linnet corpus list --json` has all addresses")
    return f"bring the files by hand and then run `linnet corpus check {corpus.name}`:{''.join(lines)}"


def _install(corpus: KnownCorpus, part: Path, folder: Path) -> None:
    """Rename the folder in one step; if another process was faster, its copy is kept."""
    try:
        rename_durably(part, folder)
    except OSError:
        if not folder.is_dir():
            raise
        if is_whole(corpus, folder):
            return
        damaged = part.with_suffix(".old.part")
        try:
            folder.rename(damaged)
            rename_durably(part, folder)
        except OSError:
            if not (folder.is_dir() and is_whole(corpus, folder)):  # unless another process has replaced it meanwhile
                raise
        finally:
            remove_remains(damaged)


@contextmanager
def _report_system_errors(folder: Path) -> Iterator[None]:
    """Turn an `OSError` (no permission, no space) into `BadFile`."""
    try:
        yield
    except LinnetError:
        raise
    except OSError as error:
        raise BadFile(
            f"{folder}: cannot be written ({error.strerror or error})",
            "make room or check the permissions; LINNET_CACHE names another cache, `--to` another folder",
        ) from None
