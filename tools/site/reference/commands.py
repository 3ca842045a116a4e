"""Reference page of the commands, made from the command line itself."""

import inspect
from collections.abc import Iterator
from typing import Any

from typer.main import get_command

from linnet.cli.main import app
from tools.site.markdown import cell, code, table

__all__ = ["commands_page", "walk_commands"]

START = """# Commands

Every command with its arguments and options, as `linnet COMMAND --help` prints them. Most commands have `--json`, which
prints one JSON object. An existing output is replaced only with `--overwrite`.

Exit codes: 0 is success. 2 is an error that you can fix; the message says what was found, where, and what to try. 3
means that some documents or runs failed and the others are done. 130 means that the command was interrupted.
"""

# Any below: typer's classes change their homes between versions


def commands_page() -> str:
    """Return the page with all commands."""
    found = dict(walk_commands())
    groups = table(
        ["command", "what it does"],
        ([f"[`{name}`](#{_anchor(name)})", cell(_title(command))] for name, command in found.items()),
    )
    return "\n\n".join([START.strip(), groups, *(_section(name, command) for name, command in found.items())]) + "\n"


def walk_commands(command: Any = None, name: str = "linnet") -> Iterator[tuple[str, Any]]:
    """Yield every command that can be run, with its full name."""
    command = get_command(app) if command is None else command
    if not hasattr(command, "commands"):
        yield name, command
        return
    for part, inner in command.commands.items():
        yield from walk_commands(inner, f"{name} {part}")


def _section(name: str, command: Any) -> str:
    context = command.make_context(name, [], resilient_parsing=True)
    by_kind: dict[str, list[list[str]]] = {"argument": [], "option": []}
    for parameter in command.get_params(context):
        record = parameter.get_help_record(context)
        if record is not None and "--help" not in parameter.opts:
            by_kind[parameter.param_type_name].append([code(record[0]), cell(record[1])])
    arguments = [row[0].strip("`").partition(" ")[0].replace(r"\|", "|") for row in by_kind["argument"]]
    usage = " ".join([name, *arguments, *(["[OPTIONS]"] if by_kind["option"] else [])])
    tables = [table([kind, "what it does"], rows) for kind, rows in by_kind.items() if rows]
    return "\n\n".join([f"## {name}", _prose(command), f"```text\n{usage}\n```", *tables])


def _title(command: Any) -> str:
    return inspect.cleandoc(command.help or "").partition("\n")[0]


def _prose(command: Any) -> str:
    paragraphs = inspect.cleandoc((command.help or "").replace("\f", "")).split("\n\n")
    return "\n\n".join(cell(paragraph) for paragraph in paragraphs)


def _anchor(name: str) -> str:
    return name.replace(" ", "-")
