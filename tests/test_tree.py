"""The tree: a test file for every module, no crowded folder, first lines that name a purpose, and a true guide."""

import ast
import re
from collections import Counter
from collections.abc import Iterator
from functools import cache
from pathlib import Path

TESTS = Path(__file__).parent
ROOT = TESTS.parent / "src" / "linnet"
MOST_FILES = 20  # in a folder, without `__init__.py`
MOST_LOOSE = 5  # modules beside the packages
MOST_LINES = 50  # of a function, without its signature and docstring
FEW_FIELDS = 4  # records with more are filled by keyword
STATION = re.compile(r"^\| \d+ \| (.*?) \|", re.M)


def modules() -> list[Path]:
    return [path.relative_to(ROOT) for path in ROOT.rglob("*.py") if path.name != "__init__.py"]


def test_every_module_has_a_test_file() -> None:
    missing = [str(path) for path in modules() if not (TESTS / path.parent / f"test_{path.name}").is_file()]

    assert not missing


def test_no_folder_is_crowded_and_few_modules_are_loose() -> None:
    counts = Counter(path.parent for path in modules())

    assert counts[Path()] <= MOST_LOOSE
    assert not {str(folder): number for folder, number in counts.items() if number > MOST_FILES}


def test_no_module_opens_with_a_question() -> None:
    first = {path: (ROOT / path).read_text(encoding="utf-8").split("\n", 1)[0] for path in modules()}

    assert not [str(path) for path, line in first.items() if "?" in line]


def test_the_stations_of_the_walks_are_modules() -> None:
    guide = (TESTS.parent / "CONTRIBUTING.md").read_text(encoding="utf-8")
    named = [name for cell in STATION.findall(guide) for name in re.findall(r"`([\w/]+(?:\.py|/))`", cell)]

    assert len(named) > 25
    assert not [name for name in named if not (ROOT / name).exists()]


def test_the_map_names_every_folder() -> None:
    guide = (TESTS.parent / "CONTRIBUTING.md").read_text(encoding="utf-8")
    tree = guide.partition("## The map")[2].partition("Data flows one way")[0]
    named = set(re.findall(r"[\w/]+(?=/)", tree))

    assert not {
        str(path) for path in folders() if path.name not in {part for each in named for part in each.split("/")}
    }


def folders() -> set[Path]:
    """Return the folders with modules, and those of which they are a part."""
    return {parent for path in modules() for parent in path.parents} - {Path()}


def test_no_function_is_longer_than_a_screen() -> None:
    long = {
        f"{path}: {node.name} has {n_lines} lines"
        for path in modules()
        for node in ast.walk(parse(path))
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and (n_lines := lines_of(node)) > MOST_LINES
    }

    assert not long


def lines_of(function: ast.FunctionDef | ast.AsyncFunctionDef) -> int:
    """Return the lines of the body, without the docstring."""
    body = function.body[1:] if ast.get_docstring(function) else function.body
    return (function.end_lineno or 0) - body[0].lineno + 1 if body else 0


def test_records_with_many_fields_are_filled_by_keyword() -> None:
    large = {name for path in modules() for name in large_records(path)}
    wrong = {
        f"{path}:{call.lineno}: {call.func.id} has {len(call.args)} values without a name"
        for path in modules()
        for call in calls_of_names(path)
        if len(call.args) >= FEW_FIELDS and isinstance(call.func, ast.Name)
        and where_from(path).get(call.func.id) in large
    }  # fmt: skip

    assert len(large) > 100
    assert not wrong


@cache
def parse(path: Path) -> ast.Module:
    return ast.parse((ROOT / path).read_text(encoding="utf-8"))


def module_name(path: Path) -> str:
    return ".".join(("linnet", *path.with_suffix("").parts))


def large_records(path: Path) -> Iterator[tuple[str, str]]:
    """Yield module and name of dataclasses and named tuples with many fields."""
    for node in parse(path).body:
        if isinstance(node, ast.ClassDef) and is_record(node):
            fields = [each for each in node.body if isinstance(each, ast.AnnAssign)]
            if len(fields) > FEW_FIELDS:
                yield module_name(path), node.name


def is_record(node: ast.ClassDef) -> bool:
    marks = [*map(ast.unparse, node.decorator_list), *map(ast.unparse, node.bases)]
    return any(mark.startswith("dataclass") or mark == "NamedTuple" for mark in marks)


def calls_of_names(path: Path) -> Iterator[ast.Call]:
    return (node for node in ast.walk(parse(path)) if isinstance(node, ast.Call) and isinstance(node.func, ast.Name))


@cache
def where_from(path: Path) -> dict[str, tuple[str, str]]:
    """Return module and name of what a module defines and imports, by the name that it has there."""
    tree = parse(path)
    own = {node.name: (module_name(path), node.name) for node in tree.body if isinstance(node, ast.ClassDef)}
    imported = {
        alias.asname or alias.name: (node.module or "", alias.name)
        for node in ast.walk(tree)
        if isinstance(node, ast.ImportFrom)
        for alias in node.names
    }
    return imported | own
