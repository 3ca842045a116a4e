"""The working folder of a long job, which can be interrupted and resumed.

The folder stands beside the output and has one file for each finished block. A file is written under a temporary name
and then renamed, so it is complete or missing. `job.json` describes the job; a resumed job must be the same, and the
input of a finished block must not have changed. The output is put together from the blocks, in the same folder, when
all of them are done. So an interrupted and resumed job ends with the same bytes as an uninterrupted one. One process
at a time holds the folder, from the first look at the job until the folder is removed.
"""

import json
import os
import re
import shutil
from bisect import bisect_left
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from itertools import zip_longest
from pathlib import Path

from linnet.annotation.blocks import Block, Failure
from linnet.annotation.done_blocks import DoneBlock, read_about, read_done_block, write_done_block
from linnet.errors import BadFile, BadSetting
from linnet.storage.files import new_file, writing
from linnet.storage.folder_lock import lock_folder
from linnet.storage.json_keys import read_object

__all__ = ["SAME_INPUT", "Work", "check_options"]

JOB = "job.json"
END = "input-end"  # holds the number of blocks of the input, when all were handed over
STAGE = "output"  # a folder: the output, until it is complete
BLOCK = re.compile(r"block-(\d{7,})\.jsonl")
OURS = re.compile(
    rf"{re.escape(JOB)}|files\.jsonl|{END}|{STAGE}|{BLOCK.pattern}|input-\d{{7,}}\.jsonl|tries-\d{{7,}}|\..*\.part"
)
AGAIN = "start again with `--overwrite`"
NOT_OURS = "name another output (`--output`), or move this away"
SAME_INPUT = "go on (`--resume`) with the input that the job was begun with, or start again with `--overwrite`"


class Work:
    """The working folder of a job."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    @classmethod
    def beside(cls, output: Path) -> "Work":
        """Return the folder of the job that makes this output."""
        if str(output) == "-":
            raise BadSetting("`-` is standard output, which only the command writes to", "name a file or folder")
        if not output.name:
            raise BadSetting(f"the output {str(output)!r} has no name", "name a file or folder")
        return cls(output.with_name(f"{output.name}.work"))

    @contextmanager
    def lock(self) -> Iterator[None]:
        """Lock the folder, which is created if needed, and removed again if no block is finished in it.

        Raises:
            BadFile: where another process holds it, or it is not the folder of a job.
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
                if self.folder.is_dir() and not (self.is_begun and self.numbers()):
                    self.remove()
                for each in made:
                    with suppress(OSError):  # it is not empty
                        each.rmdir()

    def _check_ours(self) -> None:
        """Refuse a folder without a job that holds files of others."""
        foreign = sorted(each.name for each in self.folder.iterdir() if not OURS.fullmatch(each.name))
        if foreign and not self.is_begun:
            raise BadFile(f"{self.folder}: holds {foreign[0]}, so it is not the folder of a job", NOT_OURS)

    @property
    def is_begun(self) -> bool:
        """Is there a job to resume?"""
        return (self.folder / JOB).is_file()

    def check_free(self, output: Path, *, resume: bool, overwrite: bool) -> None:
        """Refuse to replace an output, or an interrupted job, without being asked to.

        A job that is resumed may replace an output: it was interrupted while it put it there. A job without a finished
        block has nothing to resume.
        """
        if output.exists() and not overwrite and not (resume and self.is_begun):
            raise BadFile(
                f"{output}: is there already{', and there is no interrupted job to resume' if resume else ''}",
                ("if this job made it, it is complete; otherwise " if resume else "")
                + "replace it with `--overwrite`, or name another output (`--output`)",
            )
        if self.is_begun and self.numbers() and not (resume or overwrite):
            raise BadFile(
                f"{self.folder}: a job for this output was interrupted",
                "go on with it (`--resume`), or start again (`--overwrite`)",
            )

    def check_same(self, job: Mapping[str, str], *, but: str = "") -> None:
        """Refuse to resume a job with other settings, `but` for one; the message names the differences."""
        if not self.is_begun:
            return
        before = read_object(self.folder / JOB, AGAIN)
        differing = [name for name in {**before, **job} if before.get(name) != job.get(name) and name != but]
        if differing:
            shown = "; ".join(f"{name} was {before.get(name)!r}, is {job.get(name)!r}" for name in differing)
            raise BadFile(
                f"{self.folder}: holds a job with other settings: {shown}",
                "resume with the settings it was started with, or start again with `--overwrite`",
            )

    def setting(self, name: str) -> str | None:
        """Return a setting of the job that was begun; None where it has none, or nothing was begun."""
        return read_object(self.folder / JOB, AGAIN).get(name) if self.is_begun else None

    def begin(self, job: Mapping[str, str], *, resume: bool) -> None:
        """Start a job, or go on with one that was begun; blocks without a `job.json` are removed."""
        if resume and self.is_begun:
            return
        self.clear()
        with new_file(self.folder / JOB) as file:
            json.dump(dict(job), file, indent=2)  # in ASCII: the name of the input may not be UTF-8

    def is_done(self, number: int) -> bool:
        """Is this block finished?"""
        return self.path(number).is_file()

    def check_input(self, block: Block) -> None:
        """Refuse a block whose input has changed since it was annotated."""
        if not self.is_done(block.number):
            return
        if read_about(self.path(block.number)).digest != block.digest:
            raise BadFile(
                f"{self.folder}: the input has changed: block {block.number}, which now begins with document "
                f"{block.first!r}, was annotated when it held something else",
                SAME_INPUT,
            )

    def check_complete(self, n_blocks: int) -> None:
        """Refuse to go on unless exactly the blocks 0 to `n_blocks` - 1 are finished."""
        found = self.numbers()
        for number in found[bisect_left(found, n_blocks) :]:
            raise BadFile(
                f"{self.folder}: the input has changed: it ends before block {number}, which was annotated", SAME_INPUT
            )
        for number, expected in zip_longest(found, range(n_blocks)):
            if number != expected:
                raise BadFile(f"{self.folder}: block {expected} is missing", "go on with `--resume`")

    def path(self, number: int) -> Path:
        """Return the file of a finished block."""
        return self.folder / f"block-{number:07d}.jsonl"

    def keep(self, block: DoneBlock) -> None:
        """Keep a finished block: a first line about it, then its documents."""
        write_done_block(self.path(block.number), block)

    def begin_hand_over(self) -> None:
        """Remove what an earlier job handed over to other processes."""
        for path in [*self.folder.glob("input-*"), *self.folder.glob("tries-*")]:
            path.unlink(missing_ok=True)

    def hand_over(self, block: Block) -> None:
        """Write a block of the input where other processes find it."""
        undone = DoneBlock(
            number=block.number, documents=block.documents, failures=block.failures, n_words=0, digest=block.digest
        )
        write_done_block(self._input_path(block.number), undone)

    def end_hand_over(self, n_blocks: int) -> None:
        """Record that the input has no more blocks."""
        with new_file(self.folder / END) as file:
            file.write(str(n_blocks))

    def is_handed_over(self, number: int) -> bool:
        """Was this block handed over, or is it done already?"""
        return self._input_path(number).is_file() or self.is_done(number)

    @property
    def n_handed_over(self) -> int | None:
        """How many blocks the input has, once that is known."""
        path = self.folder / END
        return int(path.read_text(encoding="utf-8")) if path.is_file() else None

    def take_over(self, number: int) -> tuple[Block, int]:
        """Return a block of the input that was handed over, and how often it was taken over, this time included."""
        found = read_done_block(self._input_path(number), number)
        with (self.folder / f"tries-{number:07d}").open("ab") as file:
            file.write(b".")
            n_tries = file.tell()
        return Block(number, found.documents, found.failures, found.digest), n_tries

    def take_back(self, number: int) -> None:
        """Remove the input of a block that is done."""
        self._input_path(number).unlink(missing_ok=True)

    def _input_path(self, number: int) -> Path:
        return self.folder / f"input-{number:07d}.jsonl"

    def numbers(self) -> list[int]:
        """Return which blocks are finished, in order."""
        with os.scandir(self.folder) as entries:
            return sorted(int(found[1]) for entry in entries if (found := BLOCK.fullmatch(entry.name)))

    def blocks(self) -> Iterator[DoneBlock]:
        """Yield the finished blocks in order, each read when it is needed."""
        for number in self.numbers():
            yield self.read(number)

    def read(self, number: int) -> DoneBlock:
        """Return one finished block."""
        return read_done_block(self.path(number), number)

    def failures(self) -> Iterator[Failure]:
        """Yield the failures of the finished blocks in order, without reading their documents."""
        for number in self.numbers():
            yield from read_about(self.path(number)).failures

    def new_stage(self) -> Path:
        """Return an empty folder for the output that is not complete yet, without the remains of a killed job."""
        stage = self.folder / STAGE
        with writing(stage):
            if stage.exists():
                shutil.rmtree(stage)
            stage.mkdir()
        return stage

    def remove(self) -> None:
        """Remove the job: its output is complete, or nothing was done."""
        self.clear()
        with suppress(OSError):  # somebody else has put a file there
            self.folder.rmdir()

    def clear(self) -> None:
        """Remove the files of a job; `job.json` is last, since blocks without it cannot be resumed."""
        ours = [
            each.name for each in self.folder.iterdir() if OURS.fullmatch(each.name)
        ]  # without a path for each block
        with writing(self.folder):
            for name in sorted(ours, key=lambda each: each == JOB):
                path = self.folder / name
                if path.is_dir():
                    shutil.rmtree(path)
                else:
                    path.unlink(missing_ok=True)


def check_options(*, resume: bool, overwrite: bool) -> None:
    """Refuse to resume and to replace a job at the same time."""
    if resume and overwrite:
        raise BadSetting("--resume and --overwrite exclude each other", "give one of them")
