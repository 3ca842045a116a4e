"""Tests mirror the modules: every module has a test file of its name."""

from pathlib import Path

import pytest

TESTS = Path(__file__).parent
ROOT = TESTS.parent / "src" / "linnet"
COMPLETE = (  # packages all of whose modules have a test file; the others follow
    "batches", "corpora", "documents", "formats", "labels", "losses", "metrics", "models", "pretraining", "storage",
    "tasks",
)  # fmt: skip


@pytest.mark.parametrize("package", COMPLETE)
def test_every_module_has_a_test_file(package: str) -> None:
    modules = [path.relative_to(ROOT) for path in (ROOT / package).rglob("*.py") if path.name != "__init__.py"]

    missing = [
        str(path) for path in modules if not (Path(__file__).parent / path.parent / f"test_{path.name}").is_file()
    ]

    assert modules
    assert not missing
