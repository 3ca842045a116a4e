"""Writes annotated documents to a file or folder, and checks what they may replace.

Problems with an output are found before the first document is read: it must not be or hold the input, a folder is
replaced only if it holds nothing but the output of a job, and the format is tried with no documents. The output is
written in the folder of the job and gets its name when it is complete; failures are recorded before that.
"""

from collections import Counter
from collections.abc import Collection, Iterable
from dataclasses import dataclass
from itertools import chain, islice
from pathlib import Path

from linnet.annotation.blocks import Failure
from linnet.annotation.error_file import replace_failures, write_failures
from linnet.contracts import Format, WriteOptions, formats
from linnet.documents.document import Document
from linnet.errors import BadFile, BadSetting, UnknownName
from linnet.formats.inputs.failures import ERRORS
from linnet.formats.reading import Conversion, convert_documents, format_for_output
from linnet.storage.durable import rename_durably
from linnet.storage.files import check_path, writing

__all__ = ["Output", "check_apart", "check_replaceable", "describe_output"]

USUAL_FORMAT = "jsonl"  # of shards in a folder whose name says nothing
NAME_ANOTHER = "name another output (`--output`)"


@dataclass(frozen=True)
class Output:
    """A file, or a folder: of shards, or of a format that is a folder."""

    path: Path
    to: Format
    shard: int | None = None  # documents in each file

    @property
    def is_folder(self) -> bool:
        """Is it a folder that is written?"""
        return self.shard is not None or not self.to.suffixes

    @property
    def errors(self) -> Path:
        """Where failures are recorded: in the folder, or beside the file with those of its neighbours."""
        return self.path / ERRORS if self.is_folder else self.path.with_name(ERRORS)

    def check(self, source: Path, work: Path) -> None:
        """Refuse an output that would replace anything but an earlier output.

        Args:
            source: the input; `-` is standard input.
            work: folder of the job, which is removed when it is done.
        """
        with writing(self.path):
            check_apart(source, self.path, work)
            if not self.is_folder and self.errors.exists() and not self.errors.is_file():
                raise BadFile(f"{self.errors}: is not a file, and failures are recorded there", NAME_ANOTHER)
            self._check_replaceable()

    def _check_replaceable(self) -> None:
        is_sharded = self.shard is not None
        check_replaceable(self.path, name=self.to.name, is_folder=self.is_folder, is_sharded=is_sharded)

    def try_out(self, stage: Path) -> None:
        """Write an output without documents, so that problems with the format show before the work."""
        self.write((), stage, WriteOptions())

    def write(self, documents: Iterable[Document], stage: Path, options: WriteOptions) -> Counter[str]:
        """Write the documents into the stage; return the number of things the format could not hold, by name."""
        place = stage / self.path.name
        if self.shard is None:
            return convert_documents(documents, place, to=self.to, is_lossy=True, options=options).lost
        whole, source, number = Conversion(), iter(documents), 0
        with writing(place):
            place.mkdir()
        while first := list(islice(source, 1)):
            chunk = chain(first, islice(source, self.shard - 1))
            part = place / f"part-{number:05d}{self.to.suffixes[0]}"
            whole += convert_documents(chunk, part, to=self.to, is_lossy=True, options=options)
            number += 1
        return whole.lost

    def put_in_place(self, stage: Path, failures: Iterable[Failure]) -> None:
        """Record the failures, then move the output from the stage to its name."""
        new = stage / self.path.name
        self._check_replaceable()  # again: a long job lies between
        if self.is_folder:
            write_failures(new / ERRORS, failures, output=self.path.name)
        else:
            replace_failures(self.errors, failures, output=self.path.name, part=stage / ERRORS)
        with writing(self.path):
            if self.path.is_dir():
                self.path.replace(stage / f"{self.path.name}.old")  # removed with the folder of the job
            rename_durably(new, self.path)


def describe_output(path: Path, *, format: str | None, shard: int | None) -> Output:
    """Return the output that the options describe.

    Raises:
        UnknownName: where there is no such format.
        BadSetting: where it cannot be written that way.
    """
    if path.name in ("", ".."):  # the folder that we are in, the root, or the folder above
        raise BadSetting(f"--output {path}: is no name for an output", "name a new file or folder")
    to = format_for_output(path, format) if shard is None else _format_of_shards(path, format)
    if shard is not None and not to.suffixes:
        raise BadSetting(f"{to.name} is a folder itself", "leave out `--shard`, or choose another format")
    found = Output(path, to, shard)
    if path.name == ERRORS and not found.is_folder:
        raise BadSetting(f"{path}: has the name of the file where failures are recorded", NAME_ANOTHER)
    return found


def _format_of_shards(path: Path, name: str | None) -> Format:
    """Return the format of this name, or of the folder's suffix; the usual one where the suffix names none."""
    try:
        return format_for_output(path, name)
    except UnknownName:
        if name is not None:
            raise
        return formats.get(USUAL_FORMAT)


def check_apart(source: Path, *places: Path) -> None:
    """Refuse an input that is, or lies in, one of the places that a job replaces; `-` is standard input."""
    if str(source) == "-":
        return
    check_path(source)
    for place in places:
        if _is_inside(source, place):
            raise BadFile(f"{place}: would be replaced, and it is or holds the input {source}", NAME_ANOTHER)


def check_replaceable(path: Path, *, name: str, is_folder: bool, is_sharded: bool) -> None:
    """Refuse to replace anything but what an earlier job wrote.

    Args:
        path: of the output.
        name: of its format, for the message.
        is_folder: is a folder written?
        is_sharded: does the folder hold shards? Otherwise pairs of a text and its annotations.
    """
    if not path.exists():
        return
    if not is_folder and not path.is_file():
        raise BadFile(f"{path}: is not a file, and {name} is written to one", NAME_ANOTHER)
    if is_folder and (path.is_symlink() or not path.is_dir()):
        raise BadFile(f"{path}: is not a folder, and a folder is to be written", NAME_ANOTHER)
    if is_folder and (foreign := _foreign(path, is_sharded=is_sharded)):
        raise BadFile(
            f"{path}: holds {foreign[0]}, so it is not what a job has written, and is not replaced",
            f"{NAME_ANOTHER}, or move its files away",
        )


def _foreign(folder: Path, *, is_sharded: bool) -> list[str]:
    """Return the names in the folder that are neither shards nor pairs of a text and its annotations."""
    names = {each.name for each in folder.iterdir() if each.is_file()}
    others = sorted({each.name for each in folder.iterdir()} - names)
    return others + sorted(name for name in names - {ERRORS} if not _is_ours(name, names, is_sharded=is_sharded))


def _is_ours(name: str, names: Collection[str], *, is_sharded: bool) -> bool:
    if is_sharded:
        return name.startswith("part-")
    stem, suffix = Path(name).stem, Path(name).suffix
    return suffix in (".txt", ".ann") and {f"{stem}.txt", f"{stem}.ann"} <= set(names)


def _is_inside(path: Path, place: Path) -> bool:
    """Is the path this place, or somewhere in it?"""
    whole = path.resolve()
    return place.exists() and any(each.exists() and each.samefile(place) for each in (whole, *whole.parents))
