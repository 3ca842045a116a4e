"""Reference page of the Python interface, made from the public names of `linnet` and the records they return."""

import inspect
import re
from dataclasses import fields, is_dataclass
from typing import Any, get_args

import linnet
from linnet.documents.document import Document, Link, Span
from tools.site.markdown import cell, code, table
from tools.site.reference.docstrings import render

__all__ = ["python_page"]

START = """# Python

The Python interface has the functions of the command line and the same defaults. `import linnet` loads nothing heavy;
each name is loaded on first use. Settings are given by name, as in a recipe ([settings](settings.md)).
"""
RECORDS = (Document, Span, Link)


def python_page() -> str:
    """Return the page with every public name of `linnet`."""
    names = [name for name in linnet.__all__ if not name.startswith("_")]
    functions = [f"## linnet.{name}\n\n{_signature(name)}\n\n{_text(name)}" for name in names]
    records = "## Records\n\nWhat the functions return and take.\n\n" + "\n\n".join(_record(kind) for kind in RECORDS)
    return "\n\n".join([START.strip(), *functions, records]) + "\n"


def _signature(name: str) -> str:
    parameters = inspect.signature(getattr(linnet, name)).parameters.values()
    shown = [str(each.replace(annotation=inspect.Parameter.empty)) for each in parameters]
    first_keyword = next((n for n, each in enumerate(parameters) if each.kind is each.KEYWORD_ONLY), None)
    if first_keyword is not None and not any(each.kind is each.VAR_POSITIONAL for each in parameters):
        shown.insert(first_keyword, "*")
    return f"```text\nlinnet.{name}({', '.join(shown)})\n```"


def _text(name: str) -> str:
    """Return the docstring; where the function has another name in its module, the public one stands in its place."""
    function = getattr(linnet, name)
    return re.sub(rf"(?<![\w.]){function.__name__}\(", f"linnet.{name}(", render(function))


def _type(kind: Any) -> str:  # whatever a type can be written as
    return re.sub(
        r"\b(?:[a-z_]+\.)+", "", kind.__name__ if isinstance(kind, type) and not get_args(kind) else str(kind)
    )


def _record(kind: type[Any]) -> str:
    rows = [[code(each.name), code(_type(each.type))] for each in fields(kind)] if is_dataclass(kind) else []
    methods = [
        [code(f"{name}{'' if isinstance(value, property) else '()'}"), cell(_first_line(value))]
        for name, value in vars(kind).items()
        if not name.startswith("_") and (isinstance(value, property) or inspect.isfunction(value))
    ]
    parts = [f"### {kind.__name__}", render(kind), f"`from {kind.__module__} import {kind.__name__}`"]
    if rows:
        parts.append(table(["field", "type"], rows))
    if methods:
        parts.append(table(["method or property", "what it returns"], methods))
    return "\n\n".join(parts)


def _first_line(value: Any) -> str:
    return (inspect.getdoc(value) or "").partition("\n")[0]
