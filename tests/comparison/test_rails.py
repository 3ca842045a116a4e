"""Comparison and reports know no task: they call the verbs of its contract."""

import ast
from collections.abc import Iterator
from pathlib import Path

from linnet.contracts import tasks

ROOT = Path(__file__).parents[2] / "src" / "linnet"
OF_ONE_TASK = {"demo.py", "page.py"}  # the demonstration of ner, and the page of a grid, which shows mentions


def modules() -> Iterator[tuple[Path, list[ast.AST]]]:
    for folder in ("comparison", "reports"):
        for path in sorted((ROOT / folder).rglob("*.py")):
            yield path, list(ast.walk(ast.parse(path.read_text(encoding="utf-8"))))


def test_no_module_compares_with_the_name_of_a_task() -> None:
    names = set(tasks.names())

    found = [
        f"{path.relative_to(ROOT)}:{node.lineno} names {node.value!r}"
        for path, nodes in modules()
        for node in nodes
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and node.value in names
    ]

    assert "ner" in names
    assert found == []


def test_only_the_demonstration_and_the_page_import_a_task() -> None:
    importing = {
        path.name
        for path, nodes in modules()
        for node in nodes
        if isinstance(node, ast.ImportFrom) and str(node.module).startswith("linnet.tasks")
    }

    assert importing <= OF_ONE_TASK
