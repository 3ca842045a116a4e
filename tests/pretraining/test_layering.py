"""Imports inside of pretraining: text knows nothing of learning, and TensorFlow's checkpoints know neither."""

from pathlib import Path

import pytest

from tests.test_layering import ROOT, imports

FORBIDDEN = {
    "text": ("learning", "tensorflow", "run"),
    "learning": ("tensorflow", "run"),
    "tensorflow": ("text", "learning", "run"),
}


@pytest.mark.parametrize("room", FORBIDDEN)
def test_no_room_imports_one_that_comes_after_it(room: str) -> None:
    forbidden = tuple(f"linnet.pretraining.{name}." for name in FORBIDDEN[room])
    modules = sorted((ROOT / "pretraining" / room).glob("*.py"))

    wrong = [(path.name, name) for path in modules for name in names(path) if name.startswith(forbidden)]

    assert len(modules) > 1
    assert not wrong


def names(path: Path) -> list[str]:
    return [name for name, _ in imports(path.read_text(encoding="utf-8"))]
