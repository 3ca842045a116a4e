"""Imports point one way only: towards the files the data came from."""

import ast
import subprocess
import sys
import urllib.request
from collections.abc import Iterator
from pathlib import Path

import pytest

LAYERS = [  # a part may import itself and the lines above; parts on one line are strangers
    {"errors"},
    {"extras"},
    {"registry", "storage"},
    {"settings", "corpora"},
    {"documents"},
    {"labels"},
    {"contracts"},
    {"formats", "metrics", "losses", "batches"},
    {"models", "reports"},
    {"scoring"},
    {"training"},
    {"tasks"},
    {"annotation", "export", "splitting"},
    {"comparison", "pretraining", "serving"},
    {"cli"},
    {"__main__"},
]
TORCH_FREE = {
    "errors", "extras", "registry", "storage", "settings", "corpora", "documents", "labels", "contracts",
    "formats", "metrics", "batches", "reports", "scoring", "annotation", "serving", "splitting", "cli", "__main__",
}  # fmt: skip
ALSO_TORCH_FREE = [
    "linnet", "linnet.losses.weighting", "linnet.models.aliases", "linnet.models.model_folder", "linnet.models.minilm",
    "linnet.models.embedded", "linnet.models.families", "linnet.models.onnx_engine", "linnet.models.published.opening",
    "linnet.models.published.relabelling", "linnet.models.published.sentencepiece_file",
    "linnet.models.tokenizer_file", "linnet.models.evaluation", "linnet.tasks.ner", "linnet.tasks.ner.evaluation",
    "linnet.tasks.ner.predictor", "linnet.tasks.relations", "linnet.tasks.answering", "linnet.tasks.inference",
    "linnet.tasks.classification", "linnet.tasks.similarity", "linnet.tasks.linking",
    "linnet.tasks.linking.vocabularies.building", "linnet.tasks.linking.linker",
]  # fmt: skip  # of parts that otherwise need torch
KNOW_NO_TASK = {
    "training",
    "annotation",
    "export",
    "serving",
    "settings",
    "contracts",
    "comparison",
    "models",
    "reports",
    "cli",
}
KNOW_A_TASK = {"comparison/demo.py", "cli/vocabulary.py"}
OF_SERVE = {"starlette", "uvicorn"}  # which the extra `serve` brings
SERVICE = {"serving/cluster", "serving/http", "serving/http/connections"}  # folders that need it
HEAVY = {"torch", "transformers", "matplotlib", "accelerate", "onnx", "onnxscript"}
DATA = {"demo", "embedded"}  # folders without code
RANK = {part: rank for rank, parts in enumerate(LAYERS) for part in parts}
ROOT = Path(__file__).parents[1] / "src" / "linnet"


def part_of(path: Path) -> str:
    return path.relative_to(ROOT).parts[0].removesuffix(".py")


def imports(source: str) -> Iterator[tuple[str, bool]]:
    """Yield the full names that are imported, and whether that happens when the module is loaded."""
    yield from _imports(ast.parse(source).body, is_at_start=True)


def _imports(nodes: list[ast.stmt], *, is_at_start: bool) -> Iterator[tuple[str, bool]]:
    for node in nodes:
        if isinstance(node, ast.Import):
            yield from ((alias.name, is_at_start) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, "we import by full names"
            yield from ((f"{node.module}.{alias.name}", is_at_start) for alias in node.names)
        else:
            inside = [child for child in ast.walk(node) if child is not node and isinstance(child, ast.stmt)]
            stays = is_at_start and not _is_put_off(node)
            nested = [child for child in inside if isinstance(child, ast.Import | ast.ImportFrom)]
            yield from _imports(list(nested), is_at_start=stays)


def _is_put_off(node: ast.stmt) -> bool:
    is_for_types = isinstance(node, ast.If) and "TYPE_CHECKING" in ast.unparse(node.test)
    return is_for_types or isinstance(node, ast.FunctionDef | ast.ClassDef)


def test_every_part_has_its_place_in_the_house() -> None:
    parts = {part_of(path) for path in ROOT.rglob("*.py")} - {"__init__"}

    assert parts <= RANK.keys()
    assert not [path for folder in DATA for path in (ROOT / folder).rglob("*.py")]


def test_imports_follow_the_layers() -> None:
    wrong = sorted(wrong_imports())

    assert not wrong


def wrong_imports() -> Iterator[str]:
    for path in ROOT.rglob("*.py"):
        part = part_of(path)
        for name, _ in imports(path.read_text(encoding="utf-8")):
            top, other = name.split(".")[0], name.removeprefix("linnet.").split(".")[0]
            is_of_another_part = top == "linnet" and part != "__init__" and other not in (part, "__version__")
            if is_of_another_part and RANK[other] >= RANK[part]:
                yield f"{path.relative_to(ROOT)} may not import {name}"


def test_what_serves_every_task_imports_none_of_them() -> None:
    wrong = {
        f"{path.relative_to(ROOT)} imports {name}"
        for path in ROOT.rglob("*.py")
        if part_of(path) in KNOW_NO_TASK and path.relative_to(ROOT).as_posix() not in KNOW_A_TASK
        for name, _ in imports(path.read_text(encoding="utf-8"))
        if name.startswith("linnet.tasks")
    }

    assert not wrong


def test_what_is_excused_from_knowing_no_task_still_imports_one() -> None:
    for place in KNOW_A_TASK:
        names = [name for name, _ in imports((ROOT / place).read_text(encoding="utf-8"))]
        assert any(name.startswith("linnet.tasks") for name in names), f"take {place} off the list"


def test_what_reads_converts_and_scores_loads_no_heavy_package() -> None:
    for path in ROOT.rglob("*.py"):
        part = part_of(path)
        for name, is_at_start in imports(path.read_text(encoding="utf-8")):
            if name.split(".")[0] in HEAVY and part in TORCH_FREE | {"__init__"}:
                assert not is_at_start, f"{path}: {part} must start without {name}"


def test_no_module_is_longer_than_300_lines() -> None:
    long = {path.name for path in ROOT.rglob("*.py") if len(path.read_text(encoding="utf-8").splitlines()) > 300}

    assert not long


def torch_free_modules() -> list[str]:
    """Return the modules that start without the heavy packages and without extras."""
    paths = (each for each in ROOT.rglob("*.py") if part_of(each) in TORCH_FREE and folder_of(each) not in SERVICE)
    names = (".".join(path.relative_to(ROOT.parent).with_suffix("").parts) for path in sorted(paths))
    return [name.removesuffix(".__init__") for name in names] + ALSO_TORCH_FREE


def needs_serve(path: Path) -> bool:
    """Does the module import what the extra `serve` brings when it is loaded?"""
    found = imports(path.read_text(encoding="utf-8"))
    return any(is_at_start and name.split(".")[0] in OF_SERVE for name, is_at_start in found)


def folder_of(path: Path) -> str:
    return path.relative_to(ROOT).parent.as_posix()


def test_only_the_web_service_needs_its_extra() -> None:
    assert {folder_of(path) for path in ROOT.rglob("*.py") if needs_serve(path)} == SERVICE


def test_the_torch_free_half_starts_without_heavy_packages() -> None:
    program = (
        "import importlib, sys\n"
        f"for name in {torch_free_modules()!r}:\n"
        "    importlib.import_module(name)\n"
        f"print(sorted({HEAVY!r} & sys.modules.keys()))\n"
    )

    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)

    assert (done.stdout.strip(), done.stderr) == ("[]", "")


def test_no_test_can_reach_the_network() -> None:
    with pytest.raises(OSError, match="tests use no network"):
        urllib.request.urlopen("http://example.org", timeout=1)
    with pytest.raises(OSError, match="tests use no network"):
        urllib.request.urlopen("http://192.0.2.1", timeout=1)
