"""Standard output as the target of a command: `--output -` writes the result there instead of a file.

The result is written to a temporary file first, so nothing is printed unless the command succeeds. Everything else that
the command has to say goes to standard error.
"""

import shutil
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

from linnet.errors import BadSetting

__all__ = ["Target", "Targets", "output_target", "output_targets"]

STANDARD_OUTPUT = Path("-")
USUAL_FORMAT = "jsonl"


class Target(NamedTuple):
    """Where a command writes, and in which format (None: by the suffix)."""

    path: Path
    format: str | None
    is_standard_output: bool

    def name(self, output: Path) -> str:
        """Return what the output is called in a line about the result."""
        return "standard output" if self.is_standard_output else str(output)

    def print(self, line: str) -> None:
        """Print a line about the result: on standard error where standard output has the result itself."""
        from linnet.cli.display.printing import print_line, print_warnings

        if self.is_standard_output:
            print_warnings([line], what="note")
        else:
            print_line(line)


class Targets(NamedTuple):
    """Where a command with one or several outputs writes, and in which formats."""

    paths: Path | list[Path]
    formats: str | list[str] | None
    is_standard_output: bool

    def names(self, outputs: list[Path]) -> str:
        """Return what the outputs are called in a line about the result."""
        return "standard output" if self.is_standard_output else ", ".join(map(str, outputs))

    def print(self, line: str) -> None:
        """Print a line about the result, as `Target` does."""
        Target(STANDARD_OUTPUT, None, self.is_standard_output).print(line)


@contextmanager
def output_targets(outputs: list[Path], to: list[str] | None, **options: object) -> Iterator[Targets]:
    """Give the targets of a command; `-` only alone.

    Raises:
        BadSetting: as `output_target`, and where `-` stands beside others.
    """
    if len(outputs) == 1 and len(to or []) < 2:
        with output_target(outputs[0], to[0] if to else None, **options) as target:
            yield Targets(target.path, target.format, target.is_standard_output)
        return
    if STANDARD_OUTPUT in outputs:
        raise BadSetting("`-`, standard output, stands beside other outputs", "give it alone, or name files only")
    yield Targets(outputs, to, is_standard_output=False)


@contextmanager
def output_target(output: Path, to: str | None, **options: object) -> Iterator[Target]:
    """Give the target of a command; for `-` a temporary file, printed when the block ends without an error.

    Args:
        output: file or folder, or `-` for standard output.
        to: format of the output; for `-` JSON lines if not given.
        options: of the command that cannot go with standard output, with their values.

    Raises:
        BadSetting: where such an option is given, or the format is a folder.
    """
    if output != STANDARD_OUTPUT:
        yield Target(output, to, is_standard_output=False)
        return
    _check(to, options)
    with tempfile.TemporaryDirectory(prefix="linnet-") as folder:
        target = Target(Path(folder) / "standard-output", to or USUAL_FORMAT, is_standard_output=True)
        try:
            yield target
        except KeyboardInterrupt as interrupt:
            raise type(interrupt) from None  # without what a job says of its folder, which is removed
        if target.path.is_dir():
            raise BadSetting("a corpus with splits becomes a folder, not one file", "convert one of its files")
        _print_bytes(target.path)
        _print_failures(Path(folder) / "errors.jsonl")


def _check(to: str | None, options: dict[str, object]) -> None:
    from linnet.contracts import formats

    given = [f"--{name}" for name, value in options.items() if value]
    if given:
        raise BadSetting(f"{', '.join(given)}: does not go with `-`, standard output", "leave it out, or name a file")
    if to and to.lower() in formats.names() and not formats.get(to).suffixes:
        raise BadSetting(f"{to} is a folder, and standard output takes one file", "choose another format, e.g. jsonl")


def _print_bytes(path: Path) -> None:
    """Copy a file to standard output; its bytes are UTF-8, or those of a binary format."""
    sys.stdout.flush()
    with path.open("rb") as file:
        shutil.copyfileobj(file, sys.stdout.buffer)
    sys.stdout.buffer.flush()


def _print_failures(path: Path) -> None:
    """Print the documents that failed, which would be recorded beside a file."""
    from linnet.cli.display.printing import print_warnings

    if path.is_file():
        print_warnings(path.read_text(encoding="utf-8").splitlines(), what="failed")
