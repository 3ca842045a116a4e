"""The command `linnet list`."""

from typing import Annotated

import typer

from linnet.cli.options import AsJson

__all__ = ["list_names"]

KINDS = ("schemes", "losses", "formats", "matchings")


def list_names(
    kind: Annotated[str, typer.Argument(help=" | ".join(KINDS))],
    *,
    as_json: AsJson = False,
) -> None:
    """List what Linnet knows by name: schemes, losses, formats, matchings."""
    from linnet.cli.printing import new_table, print_json, stdout
    from linnet.errors import UnknownName

    if kind not in KINDS:
        raise UnknownName(f"there is nothing called {kind!r} to list", f"choose one of {', '.join(KINDS)}")
    rows = _entries(kind)
    if as_json:
        print_json({kind: [{"name": name, "description": text} for name, text in rows]})
        return
    table = new_table(kind, "name", "what it is")
    table.columns[1].justify = "left"
    table.columns[1].no_wrap = False
    for name, text in rows:
        table.add_row(name, text)
    stdout().print(table)


def _entries(kind: str) -> list[tuple[str, str]]:
    from linnet import contracts

    if kind == "formats":
        return [(name, contracts.formats.get(name).description) for name in contracts.formats.names()]
    if kind == "matchings":
        from linnet.metrics.matching import matchings

        return [(name, _first_line(matchings.get(name))) for name in matchings.names()]
    registry = contracts.weighting_schemes if kind == "schemes" else contracts.losses
    return [(name, _first_line(registry.get(name))) for name in registry.names()]


def _first_line(thing: object) -> str:
    return (thing.__doc__ or "").strip().split("\n")[0]
