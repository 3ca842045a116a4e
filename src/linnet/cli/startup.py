"""Quick start of the command line: help texts and settings without loading what a command does not need.

Typer validates arguments with pydantic, but takes a flag that is already true or false as it is. Its own `--help`
is neither until it is given, and so would load pydantic for every command, which takes longer than all the rest.
"""

from typing import TYPE_CHECKING, Any

from typer.core import TyperCommand, TyperGroup

if TYPE_CHECKING:
    from typer.core import TyperOption

__all__ = ["Command", "Group"]

# Any below: the context's class has changed its home between versions of typer


class Command(TyperCommand):
    """A command whose `--help` is false where it is not given."""

    def get_help_option(self, ctx: Any) -> "TyperOption | None":
        """Return typer's option with a plain default."""
        return _with_default(super().get_help_option(ctx))


class Group(TyperGroup):
    """A group of commands whose `--help` is false where it is not given."""

    def get_help_option(self, ctx: Any) -> "TyperOption | None":
        """Return typer's option with a plain default."""
        return _with_default(super().get_help_option(ctx))


def _with_default(option: "TyperOption | None") -> "TyperOption | None":
    if option is not None:
        option.default = False
    return option
