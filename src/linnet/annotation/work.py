"""How does a long job survive being killed?

Beside the output stands a folder with one file for each finished block, each written under another name and then
renamed: it is there whole or not at all. `job.json` says what the job is; a job that is resumed must be the same, and a
block that was kept must have been made from what is now read in its place. The output itself is put together from the
blocks, in the same folder, when all of them are there, so an interrupted and resumed job ends with the same bytes as an
uninterrupted one. One process at a time holds the folder, from before it looks at the job until the folder is gone.
"""

import json
import re
import shutil
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, TextIO

from linnet.annotation.blocks import Block, Failure
from linnet.documents.document import Document
from linnet.errors import BadFile
from linnet.formats.jsonl import document_from_json, document_to_json
from linnet.storage.files import new_file, writing
from linnet.storage.folder_lock import lock_folder

__all__ = ["DoneBlock", "Work"]

JOB = "job.json"
END = "input-end"  # says how many blocks the input has, when all of them were handed over
STAGE = "output"  # a folder: the output, until it is complete
BLOCK = re.compile(r"block-(\d{7,})\.jsonl")
OURS = re.compile(rf"{re.escape(JOB)}|{END}|{STAGE}|{BLOCK.pattern}|input-\d{{7,}}\.jsonl|tries-\d{{7,}}|\..*\.part")
NOT_OURS = "name another output (`--output`), or move this away"
SAME_INPUT = "go on (`--resume`) with the input that the job was begun with, or start again with `--overwrite`"


@dataclass(frozen=True)
class DoneBlock:
    """A block that was annotated."""

    number: int
    documents: list[Document]
    failures: list[Failure]
    n_words: int
    digest: str = ""  # of the block of the input


class Work:
    """The folder of a job under way."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    @classmethod
    def beside(cls, output: Path) -> "Work":
        """Return the folder of the job that makes this output."""
        return cls(output.with_name(f"{output.name}.work"))

    @contextmanager
    def holding(self) -> Iterator[None]:
        """Hold the folder, which is made if it is not there, and goes again if no job was begun in it.

        Raises:
            BadFile: where another process holds it, or it is somebody's own file or folder.
        """
        with writing(self.folder):
            if self.folder.is_symlink() or (self.folder.exists() and not self.folder.is_dir()):
                raise BadFile(f"{self.folder}: is no folder, and the job needs one of this name", NOT_OURS)
            made = [each for each in (self.folder, *self.folder.parents) if not each.exists()]
            self.folder.mkdir(parents=True, exist_ok=True)
        with lock_folder(self.folder):
            self._check_ours()
            try:
                yield
            finally:
                if self.folder.is_dir() and not self.is_begun:
                    self.remove()
                for each in made:
                    with suppress(OSError):  # there is something in it
                        each.rmdir()

    def _check_ours(self) -> None:
        """Refuse a folder without a job that holds what no job of ours left there."""
        foreign = sorted(each.name for each in self.folder.iterdir() if not OURS.fullmatch(each.name))
        if foreign and not self.is_begun:
            raise BadFile(f"{self.folder}: holds {foreign[0]}, so it is not the folder of a job", NOT_OURS)

    @property
    def is_begun(self) -> bool:
        """Is there a job to resume?"""
        return (self.folder / JOB).is_file()

    def check_same(self, job: Mapping[str, str]) -> None:
        """Refuse another job than the one that was begun here, saying in what it differs."""
        if not self.is_begun:
            return
        before = _job_in(self.folder / JOB)
        differing = [name for name in {**before, **job} if before.get(name) != job.get(name)]
        if differing:
            shown = "; ".join(f"{name} was {before.get(name)!r}, is {job.get(name)!r}" for name in differing)
            raise BadFile(
                f"{self.folder}: holds a job with other settings: {shown}",
                "resume with the settings it was started with, or start again with `--overwrite`",
            )

    def begin(self, job: Mapping[str, str], *, resume: bool) -> None:
        """Start a job, or go on with one that was begun; what is left of a job that nobody knows is not taken over."""
        if resume and self.is_begun:
            return
        self._clear()
        with new_file(self.folder / JOB) as file:
            json.dump(dict(job), file, indent=2, ensure_ascii=False)

    def is_done(self, number: int) -> bool:
        """Is this block finished?"""
        return self.path(number).is_file()

    def check_input(self, block: Block) -> None:
        """Refuse a block of the input in whose place another one was annotated."""
        if not self.is_done(block.number):
            return
        with self.path(block.number).open(encoding="utf-8", newline="\n") as file:
            kept = _about(file)["input"]
        if kept != block.digest:
            raise BadFile(
                f"{self.folder}: the input has changed: block {block.number}, which now begins with document "
                f"{block.first!r}, was annotated when it held something else",
                SAME_INPUT,
            )

    def check_complete(self, n_blocks: int) -> None:
        """Refuse to go on unless exactly so many blocks of the input are finished."""
        found, expected = set(self.numbers()), set(range(n_blocks))
        for number in sorted(found - expected):
            raise BadFile(
                f"{self.folder}: the input has changed: it ends before block {number}, which was annotated", SAME_INPUT
            )
        for number in sorted(expected - found):
            raise BadFile(f"{self.folder}: block {number} is missing", "go on with `--resume`")

    def path(self, number: int) -> Path:
        """Return where a block is kept."""
        return self.folder / f"block-{number:07d}.jsonl"

    def keep(self, block: DoneBlock) -> None:
        """Keep a finished block: a first line about it, then its documents."""
        _write(self.path(block.number), block)

    def begin_hand_over(self) -> None:
        """Forget what a former job handed over to other processes."""
        for path in [*self.folder.glob("input-*"), *self.folder.glob("tries-*")]:
            path.unlink(missing_ok=True)

    def hand_over(self, block: Block) -> None:
        """Keep a block of the input where other processes find it."""
        undone = DoneBlock(block.number, block.documents, block.failures, 0, block.digest)
        _write(self._input_path(block.number), undone)

    def end_hand_over(self, n_blocks: int) -> None:
        """Say that the input has no more blocks."""
        with new_file(self.folder / END) as file:
            file.write(str(n_blocks))

    def is_handed_over(self, number: int) -> bool:
        """Can this block be taken over, or has it been done since?"""
        return self._input_path(number).is_file() or self.is_done(number)

    @property
    def n_handed_over(self) -> int | None:
        """How many blocks the input has, once that is known."""
        path = self.folder / END
        return int(path.read_text(encoding="utf-8")) if path.is_file() else None

    def take_over(self, number: int) -> tuple[Block, int]:
        """Return a block of the input that was handed over, and how often it was taken over, this time included."""
        found = _read(self._input_path(number), number)
        with (self.folder / f"tries-{number:07d}").open("ab") as file:
            file.write(b".")
            n_tries = file.tell()
        return Block(number, found.documents, found.failures, found.digest), n_tries

    def take_back(self, number: int) -> None:
        """Forget the input of a block that is done."""
        self._input_path(number).unlink(missing_ok=True)

    def _input_path(self, number: int) -> Path:
        return self.folder / f"input-{number:07d}.jsonl"

    def numbers(self) -> list[int]:
        """Return which blocks are finished, in order."""
        return sorted(int(found[1]) for path in self.folder.iterdir() if (found := BLOCK.fullmatch(path.name)))

    def blocks(self) -> Iterator[DoneBlock]:
        """Yield the finished blocks in order, each read when it is needed."""
        for number in self.numbers():
            yield self.read(number)

    def read(self, number: int) -> DoneBlock:
        """Return one finished block."""
        return _read(self.path(number), number)

    def new_stage(self) -> Path:
        """Return an empty folder for the output that is not complete yet, without what a killed job left there."""
        stage = self.folder / STAGE
        with writing(stage):
            if stage.exists():
                shutil.rmtree(stage)
            stage.mkdir()
        return stage

    def remove(self) -> None:
        """Forget the job: its output is complete, or nothing was done."""
        self._clear()
        with suppress(OSError):  # somebody has put a file there
            self.folder.rmdir()

    def _clear(self) -> None:
        """Remove what jobs leave; the word of what job it was goes last, for blocks without it are nobody's."""
        ours = [each for each in self.folder.iterdir() if OURS.fullmatch(each.name)]
        with writing(self.folder):
            for path in sorted(ours, key=lambda each: each.name == JOB):
                if path.is_dir():
                    shutil.rmtree(path)
                else:
                    path.unlink(missing_ok=True)


def _job_in(path: Path) -> dict[str, str]:
    try:
        found = json.loads(path.read_text(encoding="utf-8"))
    except ValueError as error:
        raise BadFile(f"{path}: this is not JSON ({error})", "start again with `--overwrite`") from None
    if not isinstance(found, dict):
        raise BadFile(f"{path}: this describes no job", "start again with `--overwrite`")
    return found


def _write(path: Path, block: DoneBlock) -> None:
    failures = [asdict(each) for each in block.failures]
    about = {"words": block.n_words, "input": block.digest, "failures": failures}
    with new_file(path) as file:
        file.write(json.dumps(about) + "\n")  # in ASCII: a broken character may be what failed
        file.writelines(json.dumps(document_to_json(each), ensure_ascii=False) + "\n" for each in block.documents)


def _about(file: TextIO) -> dict[str, Any]:  # a count, a text and a list
    about: dict[str, Any] = json.loads(next(file))
    return about


def _read(path: Path, number: int) -> DoneBlock:
    with path.open(encoding="utf-8", newline="\n") as file:
        about = _about(file)
        documents = [document_from_json(json.loads(line), f"{path}:{place}") for place, line in enumerate(file, 2)]
    failures = [Failure(**each) for each in about["failures"]]
    return DoneBlock(number, documents, failures, about["words"], about["input"])
