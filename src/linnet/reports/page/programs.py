"""Joins JavaScript modules into one program, so that a page needs no other file.

The modules are standard ones, which linters and browsers understand as they are. Each becomes a function that returns
what the module exports, after the modules that it imports; nothing else of their text changes. Two forms are known:
`import { name, other } from "./file.js";` and `export` before a function, a class or a constant.
"""

import posixpath
import re
from collections.abc import Callable

__all__ = ["join_modules"]

IMPORT = re.compile(r'^import (?P<names>\{\s*\w+(?:,\s*\w+)*,?\s*\})\s+from "(?P<file>\.[\w./]+)";$', re.MULTILINE)
EXPORT = re.compile(r"^export (?=(?:(?:async )?function|class|const) (?P<name>\w+))", re.MULTILINE)


def join_modules(name: str, read: Callable[[str], str]) -> str:
    """Return a program of the module and of all that it imports, each once and after what it needs itself.

    Args:
        name: the path of the module.
        read: gives the text of a module by its path.
    """
    functions: dict[str, str] = {}

    def add(name: str) -> None:
        text = read(name)
        for found in IMPORT.finditer(text):
            imported = _resolve(name, found["file"])
            if imported not in functions:
                add(imported)
        functions[name] = _function_of(name, text)

    add(name)
    return "\n".join(["const modules = {};", *functions.values()])


def _function_of(name: str, text: str) -> str:
    exports = ", ".join(found["name"] for found in EXPORT.finditer(text))
    body = IMPORT.sub(lambda found: f'const {found["names"]} = modules["{_resolve(name, found["file"])}"];', text)
    return f'modules["{name}"] = (() => {{\n{EXPORT.sub("", body)}return {{ {exports} }};\n}})();'


def _resolve(name: str, file: str) -> str:
    return posixpath.normpath(posixpath.join(posixpath.dirname(name), file))
