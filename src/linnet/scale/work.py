"""How does a long job survive being killed?

Beside the output stands a folder with one file for each finished block, each written under another name and then
renamed: it is there whole or not at all. `job.json` says what the job is; a job that is resumed must be the same. The
output itself is put together from the blocks when all of them are there, so an interrupted and resumed job ends with
the same bytes as an uninterrupted one.
"""

import json
import re
import shutil
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path

from linnet.documents.document import Document
from linnet.errors import BadFile
from linnet.files import new_file
from linnet.formats.jsonl import document_from_json, document_to_json
from linnet.held import held
from linnet.scale.blocks import Block, Failure

__all__ = ["DoneBlock", "Work"]

JOB = "job.json"
END = "input-end"  # says how many blocks the input has, when all of them were handed over
NAME = re.compile(r"block-(\d{7})\.jsonl$")


@dataclass(frozen=True)
class DoneBlock:
    """A block that was annotated."""

    number: int
    documents: list[Document]
    failures: list[Failure]
    n_words: int


class Work:
    """The folder of a job under way."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    @classmethod
    def beside(cls, output: Path) -> "Work":
        """Return the folder of the job that makes this output."""
        return cls(output.with_name(f"{output.name}.work"))

    @property
    def is_begun(self) -> bool:
        """Is there a job to resume?"""
        return (self.folder / JOB).is_file()

    def begin(self, job: Mapping[str, str], *, resume: bool) -> None:
        """Start a job, or go on with the same one.

        Raises:
            BadFile: where another job was begun here, saying in what it differs.
        """
        if not resume and self.folder.exists():
            with held(self.folder):
                shutil.rmtree(self.folder)
        if self.is_begun:
            self._check_same(job)
            return
        with new_file(self.folder / JOB) as file:
            json.dump(dict(job), file, indent=2, ensure_ascii=False)

    def _check_same(self, job: Mapping[str, str]) -> None:
        before: dict[str, str] = json.loads((self.folder / JOB).read_text(encoding="utf-8"))
        differing = [name for name in {**before, **job} if before.get(name) != job.get(name)]
        if differing:
            shown = "; ".join(f"{name} was {before.get(name)!r}, is {job.get(name)!r}" for name in differing)
            raise BadFile(
                f"{self.folder}: holds a job with other settings: {shown}",
                "resume with the settings it was started with, or start again with `--overwrite`",
            )

    def is_done(self, number: int) -> bool:
        """Is this block finished?"""
        return self.path(number).is_file()

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
        _write(self._input_path(block.number), DoneBlock(block.number, block.documents, block.failures, 0))

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
        return Block(number, found.documents, found.failures), n_tries

    def take_back(self, number: int) -> None:
        """Forget the input of a block that is done."""
        self._input_path(number).unlink(missing_ok=True)

    def _input_path(self, number: int) -> Path:
        return self.folder / f"input-{number:07d}.jsonl"

    def numbers(self) -> list[int]:
        """Return which blocks are finished, in order."""
        return sorted(int(found[1]) for path in self.folder.iterdir() if (found := NAME.match(path.name)))

    def blocks(self) -> Iterator[DoneBlock]:
        """Yield the finished blocks in order, each read when it is needed."""
        for number in self.numbers():
            yield self.read(number)

    def read(self, number: int) -> DoneBlock:
        """Return one finished block."""
        return _read(self.path(number), number)

    def remove(self) -> None:
        """Forget the job: its output is complete."""
        shutil.rmtree(self.folder, ignore_errors=True)


def _write(path: Path, block: DoneBlock) -> None:
    about = {"words": block.n_words, "failures": [asdict(each) for each in block.failures]}
    with new_file(path) as file:
        file.write(json.dumps(about, ensure_ascii=False) + "\n")
        file.writelines(json.dumps(document_to_json(each), ensure_ascii=False) + "\n" for each in block.documents)


def _read(path: Path, number: int) -> DoneBlock:
    with path.open(encoding="utf-8", newline="\n") as file:
        about = json.loads(next(file))
        documents = [document_from_json(json.loads(line), f"{path}:{place}") for place, line in enumerate(file, 2)]
    return DoneBlock(number, documents, [Failure(**each) for each in about["failures"]], about["words"])
