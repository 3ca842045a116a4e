"""The folders of pretraining: imports between them point one way, and every module has a test file."""

from pathlib import Path

import pytest

from tests.test_layering import ROOT, imports

FORBIDDEN = {
    "text": ("learning", "tensorflow", "run"),
    "learning": ("tensorflow", "run"),
    "tensorflow": ("text", "learning", "run"),
}


@pytest.mark.parametrize("folder", FORBIDDEN)
def test_no_folder_imports_one_that_comes_after_it(folder: str) -> None:
    forbidden = tuple(f"linnet.pretraining.{name}." for name in FORBIDDEN[folder])
    modules = sorted((ROOT / "pretraining" / folder).glob("*.py"))

    wrong = [(path.name, name) for path in modules for name in names(path) if name.startswith(forbidden)]

    assert len(modules) > 1
    assert not wrong


def names(path: Path) -> list[str]:
    return [name for name, _ in imports(path.read_text(encoding="utf-8"))]


def test_every_module_has_a_test_file_of_its_name() -> None:
    source, tests = ROOT / "pretraining", Path(__file__).parent
    modules = [path.relative_to(source) for path in source.rglob("*.py") if path.name != "__init__.py"]

    missing = [module for module in modules if not (tests / module.parent / f"test_{module.name}").is_file()]

    assert len(modules) > 30
    assert not missing
