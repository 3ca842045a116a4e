"""Quick start of the command line, and help in plain words: nothing is loaded that a command does not need.

Typer validates arguments with pydantic, but takes a flag that is already true or false as it is. Its own `--help`
is neither until it is given, and so would load pydantic for every command, which takes longer than all the rest.
"""

import re
from typing import TYPE_CHECKING, Any

from typer.core import TyperCommand, TyperGroup

if TYPE_CHECKING:
    from typer.core import TyperOption

__all__ = ["Command", "Group"]

# Any below: the context's class has changed its home between versions of typer


LIST = re.compile(r"<list\[(\w+)\]>")
GAP = re.compile(r"(?<=\S) {2,}(?=\S)")  # between an option and its description
BRACES = re.compile(r"\{([A-Z_]+)\}")


class Command(TyperCommand):
    """A command whose `--help` is false where it is not given, and whose help has no names of Python types."""

    def get_help_option(self, ctx: Any) -> "TyperOption | None":
        """Return typer's option with a plain default."""
        return _with_default(super().get_help_option(ctx))

    def get_help(self, ctx: Any) -> str:
        """Return the help text; a list of paths is shown as what is given each time."""
        return _without_types(super().get_help(ctx))

    def get_usage(self, ctx: Any) -> str:
        """Return the usage line, likewise."""
        return _without_types(super().get_usage(ctx))

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Read the arguments; an error about a missing one says what it is for."""
        try:
            return super().parse_args(ctx, args)
        except Exception as error:
            missing = getattr(error, "param", None)
            if type(error).__name__ == "MissingParameter" and getattr(missing, "help", None):
                error.message = f"\n  Try: add it: {missing.help}"  # type: ignore[attr-defined,union-attr]
            raise


class Group(TyperGroup):
    """A group of commands whose `--help` is false where it is not given."""

    def get_help_option(self, ctx: Any) -> "TyperOption | None":
        """Return typer's option with a plain default."""
        return _with_default(super().get_help_option(ctx))


def _with_default(option: "TyperOption | None") -> "TyperOption | None":
    if option is not None:
        option.default = False
    return option


def _without_types(text: str) -> str:
    return "\n".join(map(_without_types_in, text.split("\n")))


def _without_types_in(line: str) -> str:
    """Return the line; the description of an option stays in its column."""
    short = LIST.sub(lambda found: f"<{found[1].lower()}>", BRACES.sub(r"\1", line))
    gap = GAP.search(short)
    if gap is None:
        return short
    return short[: gap.end()] + " " * (len(line) - len(short)) + short[gap.end() :]
